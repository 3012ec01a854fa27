"""The retrieval run: index a collection, ask every query, score each mode.

Documents are cut into windows of 180 words with 30 overlap, the title in front of each, as in the
published protocol: the product's own chunking follows headings, which these abstracts do not have. A
document ranks by its best chunk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tabwise.core.index import SearchIndex
from tabwise.core.model import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    FloatMatrix,
    FusionMode,
    Hit,
    Page,
    QuantizedVectors,
    SourceId,
)
from tabwise.core.vectors import quantize
from tabwise.eval.metrics import RankingScores, score_ranking
from tabwise.eval.scifact import Collection, Document, load_scifact

WINDOW_WORDS = 180
OVERLAP_WORDS = 30

Embed = Callable[[Sequence[str]], FloatMatrix]
"""Texts to unit rows (n, d) float32, in order."""


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """One mode over all queries; `per_query` in the order of the collection's queries."""

    mode: FusionMode
    n_documents: int
    n_chunks: int
    per_query: tuple[RankingScores, ...]


def run_retrieval(
    data_dir: Path,
    embed: Embed | None,
    *,
    split: str = "test",
    n_documents: int | None = 1_000,
    k: int = 10,
) -> list[RetrievalRow]:
    """Score SciFact in `data_dir` in every mode; only the lexical one without an embedding model."""
    collection = load_scifact(data_dir, split=split, n_documents=n_documents)
    index = index_collection(collection, embed)
    texts = list(collection.queries.values())
    vectors = embed(texts) if embed is not None else None
    rows = []
    for mode in FusionMode if embed is not None else [FusionMode.LEXICAL]:
        scores = []
        for number, (query, text) in enumerate(collection.queries.items()):
            vector = vectors[number] if vectors is not None else None
            # One hit a page: the ranking of documents by their best chunk.
            hits = index.search(text, vector, mode=mode, k=k, per_source_cap=1, allow_weak=True)
            scores.append(score_ranking(_documents(hits), collection.relevance[query], k=k))
        rows.append(RetrievalRow(mode, len(collection.documents), index.n_chunks, tuple(scores)))
    return rows


def index_collection(collection: Collection, embed: Embed | None) -> SearchIndex:
    """Index every document as a page of title-prefixed word windows."""
    pages = [(page_of(document), window_chunks(document)) for document in collection.documents]
    vectors: QuantizedVectors | None = None
    dimensions = 1
    if embed is not None:
        vectors = quantize(embed([chunk.embedding_text for _, chunks in pages for chunk in chunks]))
        dimensions = vectors.codes.shape[1]
    index = SearchIndex(dimensions)
    row = 0
    for page, chunks in pages:
        end = row + len(chunks)
        own = QuantizedVectors(vectors.codes[row:end], vectors.scales[row:end]) if vectors else None
        index.add_page(page, chunks, own)
        row = end
    return index


def page_of(document: Document) -> Page:
    """Return the document as a page of one paragraph."""
    return Page(
        source=SourceId(document.id),
        url=document.id,
        title=document.title,
        language="en",
        text=document.text,
        blocks=(Block(BlockKind.PARAGRAPH, 0, len(document.text)),),
        content_hash=_sha256(f"{document.title}\0{document.text}"),
        captured_at=0.0,
        n_removed=0,
        n_total_chars=len(document.text),
        n_read_chars=len(document.text),
    )


def window_chunks(document: Document) -> list[Chunk]:
    """Return windows of `WINDOW_WORDS` with `OVERLAP_WORDS` shared; the title alone for an empty text."""
    words = document.text.split()
    step = WINDOW_WORDS - OVERLAP_WORDS
    starts = range(0, max(1, len(words) - OVERLAP_WORDS), step)
    return [
        _window(document, ordinal, " ".join(words[start : start + WINDOW_WORDS]))
        for ordinal, start in enumerate(starts)
    ]


def _window(document: Document, ordinal: int, text: str) -> Chunk:
    embedding_text = f"{document.title}. {text}" if document.title else text
    return Chunk(
        id=ChunkId(f"{_sha256(document.id)[:12]}-{ordinal:05d}"),
        source=SourceId(document.id),
        ordinal=ordinal,
        start=0,
        end=0,
        heading_path=(),
        text=text,
        embedding_text=embedding_text,
        content_hash=_sha256(embedding_text),
        n_tokens=0,
    )


def _documents(hits: Sequence[Hit]) -> list[str]:
    return [str(hit.chunk.source) for hit in hits]


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
