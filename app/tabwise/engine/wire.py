"""Values of the core as protocol records, and back where the panel sends one."""

from typing import Any

from tabwise.core.model import (
    AnswerSentence,
    Citation,
    EmbedderDescriptor,
    Hit,
    Page,
    PageHead,
    SourceId,
)
from tabwise.core.search.find import FoundPage, excerpt
from tabwise.engine.indexing import RowOutcome, TabRef
from tabwise.engine.library import Library, Stats
from tabwise.engine.scoping import Scope
from tabwise.engine.self_test import CUTS, SelfTest
from tabwise.errors import AppError
from tabwise.protocol.tabs import why_unreadable

Record = dict[str, Any]

_CONTEXT_CHARS = 40
"""Text before and after a quote that tells two equal passages apart."""


def tab_ref(tab: Record) -> TabRef:
    """Build the reference of a TabToRead record, with the reason when it cannot be read."""
    return TabRef(
        tab["tab_id"], tab["url"], why_unreadable(tab), tab["allowed"], tab["confirmed"], tab["selection"]
    )


def page_row(page: PageHead) -> Record:
    """Build a PageRow."""
    return {
        "source": page.source,
        "url": page.url,
        "title": page.title,
        "n_words": page.n_words,
        "n_pages": page.n_pages,
        "no_captions": page.has_video and not page.n_moments,
        "n_chunks": page.n_chunks,
        "n_removed": page.n_removed,
        "n_total_chars": page.n_total_chars,
        "n_read_chars": page.n_read_chars,
        "captured_at": page.captured_at,
    }


def failure(error: AppError) -> Record:
    """Build a Failure."""
    return {"code": error.code, "subject": error.subject, "message": error.message}


def row_result(outcome: RowOutcome) -> Record:
    """Build a RowResult."""
    return {
        "tab_id": outcome.tab_id,
        "state": outcome.state,
        "page": page_row(outcome.page) if outcome.page else None,
        "failure": failure(outcome.error) if outcome.error else None,
    }


def sentence(value: AnswerSentence) -> Record:
    """Build a Sentence."""
    return {
        "text": value.text,
        "citations": list(value.citations),
        "verdict": str(value.judgement.verdict),
        "reasons": list(value.judgement.reasons),
    }


def citation(value: Citation, page: Page) -> Record:
    """Build a Citation with the text around it."""
    return {
        "number": value.number,
        "source": value.source,
        "url": page.url,
        "title": page.title,
        "chunk_id": value.chunk_id,
        "start": value.start,
        "end": value.end,
        "quote": value.quote,
        "before": page.text[max(0, value.start - _CONTEXT_CHARS) : value.start],
        "after": page.text[value.end : value.end + _CONTEXT_CHARS],
        "page_number": page.page_number(value.start),
        "seconds": page.seconds(value.start),
        "link": page.link(value.start),
    }


def hit(value: Hit, page: Page) -> Record:
    """Build a Hit."""
    return {
        "chunk_id": value.chunk.id,
        "source": value.chunk.source,
        "url": page.url,
        "title": page.title,
        "heading_path": list(value.chunk.heading_path),
        "text": value.chunk.text,
        "start": value.chunk.start,
        "end": value.chunk.end,
        "score": value.score,
        "dense": value.dense,
        "lexical": value.lexical,
        "rank_dense": value.rank_dense,
        "rank_lexical": value.rank_lexical,
        "rank_fused": value.rank_fused,
        "word_order": value.word_order,
        "recency": value.recency,
    }


def found_page(value: FoundPage, page: Page, text: str) -> Record:
    """Build a FoundPage for a text that is being typed."""
    start, end = excerpt(text, value.chunk.text) if value.chunk else (0, 0)
    offset = value.chunk.start if value.chunk else 0
    return {
        "source": value.source,
        "url": page.url,
        "title": page.title,
        "by_meaning": value.by_meaning,
        "excerpt": value.chunk.text[start:end] if value.chunk else "",
        "start": offset + start,
        "end": offset + end,
    }


def self_test(value: SelfTest) -> Record:
    """Build a SelfTest record."""
    rows = [
        {"mode": str(row.mode)}
        | {f"recall_at_{cut}": share for cut, share in zip(CUTS, row.recall, strict=True)}
        | {"reciprocal_rank": row.reciprocal_rank, "query_ms": row.query_ms}
        for row in value.rows
    ]
    return {
        "n_questions": value.n_questions,
        "n_chunks": value.n_chunks,
        "rows": rows,
        "n_answered": value.n_answered,
        "n_citations": value.n_citations,
        "n_at_the_place": value.n_at_the_place,
    }


def embedder(value: EmbedderDescriptor, library: Library) -> Record:
    """Build an Embedder record."""
    return {
        "id": value.id,
        "dimensions": value.dimensions,
        "licence": value.licence,
        "stored": library.store.model_id(),
        "must_reembed": library.is_of_another_model,
    }


def stats(value: Stats) -> Record:
    """Build a Stats record."""
    return {
        "n_pages": value.n_pages,
        "n_chunks": value.n_chunks,
        "n_vectors": value.n_vectors,
        "size_bytes": value.size_bytes,
        "model": value.model,
        "schema_version": value.schema_version,
    }


def scope(request: Record) -> Scope:
    """Build the scope of an `ask` or `search` request."""
    chosen = request["filter"]
    return Scope(
        sources=frozenset(SourceId(source) for source in request["sources"]),
        sites=tuple(chosen["sites"]),
        after_ms=chosen["after"],
        before_ms=chosen["before"],
        prefer_recent=chosen["prefer_recent"],
    )
