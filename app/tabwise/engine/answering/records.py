"""Answers as protocol records."""

from collections.abc import Callable

from tabwise.core.answers.answer import Agreement, Answer
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.plan import Plan
from tabwise.core.answers.receipt import Difference, Receipt
from tabwise.core.model import Page, SourceId
from tabwise.engine.answering.each import PageAnswer
from tabwise.engine.freshness import Checked
from tabwise.engine.wire import Record, citation, hit, sentence

PageOf = Callable[[SourceId], Page]


def answer(value: Answer, page_of: PageOf) -> Record:
    """Build an Answer; `page_of` gives the pages that it cites or lists."""
    fallback = value.fallback
    return {
        "id": value.id,
        "question": value.question,
        "plan": _plan(value.plan),
        "found": bool(value.sentences),
        "engine": value.engine,
        "engine_label": value.engine_label,
        "semantic": value.semantic,
        "sentences": [sentence(item) for item in value.sentences],
        "citations": [citation(item, page_of(item.source)) for item in value.citations],
        "hits": [hit(item, page_of(item.chunk.source)) for item in value.hits],
        "timings": [{"stage": stage, "ms": ms} for stage, ms in value.timings],
        "store": value.store,
        "why_local": value.why_local,
        "missing": list(value.missing),
        "fallback": {"code": fallback.code, "subject": fallback.subject} if fallback else None,
        "given": [
            {
                "number": item.number,
                **_source(page_of(item.source)),
                "start": item.start,
                "end": item.end,
                "n_tokens": item.n_tokens,
            }
            for item in value.given
        ],
        "dropped": [
            {
                "kind": item.kind,
                "name": item.name,
                "source": item.source or "",
                "n_tokens": item.n_tokens,
                "reason": str(item.reason),
            }
            for item in value.dropped
        ],
        "notices": [
            {
                "kind": str(item.kind),
                "text": item.text,
                "source": item.source or "",
                "citation": item.citation,
            }
            for item in value.notices
        ],
        "agreement": _agreement(value.agreement, page_of) if value.agreement else None,
    }


def page_answer(value: PageAnswer, page_of: PageOf) -> Record:
    """Build a PageAnswer."""
    return {
        **_source(page_of(value.source)),
        "relevant": value.is_relevant,
        "score": value.score,
        "answer": answer(value.answer, page_of) if value.answer else None,
    }


def turns(records: list[Record]) -> tuple[Turn, ...]:
    """Read the history of a request."""
    return tuple(
        Turn(record["question"], record["answer"], tuple(map(SourceId, record["sources"])))
        for record in records
    )


def replay(receipt: Receipt, found: tuple[Difference, ...]) -> Record:
    """Build a Replay."""
    return {
        "same": not found,
        "n_searches": len(receipt.searches),
        "differences": [
            {"change": str(item.change), "search": item.search, "subject": item.subject} for item in found
        ],
    }


def freshness(value: Checked) -> Record:
    """Build a Freshness."""
    return {
        "state": str(value.freshness.state),
        "basis": str(value.basis),
        "checked_at": value.read_at,
        "start": value.freshness.start,
        "end": value.freshness.end,
        "difference": [{"edit": str(edit), "text": text} for edit, text in value.freshness.difference],
    }


def _plan(value: Plan) -> Record:
    return {
        "kind": str(value.kind),
        "question": value.question,
        "queries": list(value.queries),
        "topics": list(value.topics),
        "language": value.language,
        "is_follow_up": value.is_follow_up,
        "by_model": value.by_model,
    }


def _agreement(value: Agreement, page_of: PageOf) -> Record:
    return {
        "sources": [_source(page_of(source)) for source in value.sources],
        "rows": [
            {"topic": row.topic, "cells": [sentence(cell) if cell else None for cell in row.cells]}
            for row in value.rows
        ],
    }


def _source(page: Page) -> Record:
    return {"source": page.source, "url": page.url, "title": page.title}
