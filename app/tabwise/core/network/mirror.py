"""The nouns of a vector store beside the library: what it is given, what it is asked, what it answers.

The store holds no text. A chunk goes there as its vector, the weights of its terms under numbers, and the
place it has in its page; what it answers are chunk ids with a score of its own, and the library has the rest.
`picked` puts the matches in order and spreads them over pages; `is_any_near` is the gate of `index`, over
absolute scores that the library computes for what was picked.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Chunk, ChunkId, FusionMode, Hit, Page, QuantizedVectors, SourceId
from tabwise.core.search.diversity import MAX_REPEATS, REPEAT_PENALTY
from tabwise.core.search.index import RECENCY_WEIGHT
from tabwise.core.search.nearness import MIN_COVERAGE, MIN_EVIDENCE


@dataclass(frozen=True, slots=True)
class StorePlace:
    """Where a library is mirrored.

    `collection` is the name the reader chose; the store makes its own of it with the model and its schema, so
    that vectors of two models never meet. `library` tells libraries apart that share a collection.
    """

    url: str
    collection: str
    model_id: str
    dimensions: int
    library: str


@dataclass(frozen=True, slots=True)
class MirroredPage:
    """A page with its chunks by ordinal; one vector each, or None while the model has not run."""

    page: Page
    chunks: tuple[Chunk, ...]
    vectors: QuantizedVectors | None


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Which pages to search; empty or 0 is no limit. Hosts stand for the hosts below them too.

    A page was captured at `after_ms` or later and before `before_ms`, ms since the epoch.
    """

    sources: frozenset[SourceId] = frozenset()
    hosts: tuple[str, ...] = ()
    after_ms: float = 0.0
    before_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """A question as the store gets it: distinct terms, the unit vector (d,) or None, and how much is wanted.

    At most `n_pages` pages with at most `n_per_page` matches each.
    """

    terms: tuple[str, ...]
    vector: npt.NDArray[np.float32] | None
    mode: FusionMode
    n_pages: int
    n_per_page: int
    pages: PageFilter = PageFilter()


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A chunk the store found; `score` is the store's own and of this query alone, higher-better.

    `content_hash` tells whether the chunk is still the one we have.
    """

    chunk_id: ChunkId
    source: SourceId
    content_hash: str
    score: float


@dataclass(frozen=True, slots=True)
class StoreState:
    """A store that answered: its version, our collection in it, and others under the same chosen name.

    `older` were made by another model or another schema; they are never touched. `n_passages` are those of
    this library.
    """

    version: str
    collection: str
    exists: bool
    n_passages: int
    older: tuple[str, ...]


def picked(
    matches: Sequence[PassageMatch],
    chunk_of: Callable[[SourceId, ChunkId], Chunk | None],
    *,
    k: int,
    recency: Mapping[SourceId, float] | None = None,
) -> list[Hit]:
    """Return at most `k` hits, best first, spread over pages, without their absolute scores.

    `chunk_of` gives the chunk of the library, None when it is gone; a match whose chunk has changed since is
    left out. The penalty for repeats of a page and what newer pages gain are those of `index`. Ties by
    chunk id.
    """
    hits = []
    for match in matches:
        chunk = chunk_of(match.source, match.chunk_id)
        if chunk is not None and chunk.content_hash == match.content_hash and match.score > 0.0:
            hits.append(Hit(chunk, match.score, None, 0.0, None, None))
    return _spread(_ranked(hits, recency or {}), k) if hits else []


def is_any_near(hits: Sequence[Hit], best_possible: float, *, semantic: bool) -> bool:
    """Whether a hit is near enough to the question to be shown, by the measure of `index`.

    `best_possible` is Σ idf(t) over the terms of the question; `semantic`: it had a vector.
    """
    coverages = [(hit, hit.lexical / max(best_possible, 1e-6)) for hit in hits]
    return any(
        coverage + max(hit.dense, 0.0) >= MIN_EVIDENCE
        if semantic and hit.dense is not None
        else coverage >= MIN_COVERAGE
        for hit, coverage in coverages
    )


def _ranked(hits: Sequence[Hit], recency: Mapping[SourceId, float]) -> list[Hit]:
    share = RECENCY_WEIGHT * max(hit.score for hit in hits)
    gained = [(hit, share * recency.get(hit.chunk.source, 0.0)) for hit in hits]
    ranked = sorted(
        (replace(hit, score=hit.score + gain, recency=gain) for hit, gain in gained),
        key=lambda hit: (-hit.score, hit.chunk.id),
    )
    return [replace(hit, rank_fused=rank) for rank, hit in enumerate(ranked, start=1)]


def _spread(hits: Sequence[Hit], k: int) -> list[Hit]:
    step = REPEAT_PENALTY * hits[0].score
    n_before: Counter[SourceId] = Counter()
    offers = []
    for rank, hit in enumerate(hits):
        offers.append((step * min(n_before[hit.chunk.source], MAX_REPEATS) - hit.score, rank))
        n_before[hit.chunk.source] += 1
    return [hits[rank] for _, rank in sorted(offers)[:k]]
