"""The library's mirror in a vector store: keeping it in step, and searching through it.

The library file stays the truth. Its ledger says, by page, what the store has acknowledged: a page is struck
out before it is sent and entered when it is there whole, so a page in the ledger can be relied on after any
crash. `sync` sends what the ledger lacks and takes out what the library lacks. Pages that a rule keeps on
this machine are never sent to another one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Chunk, ChunkId, FusionMode, Hit, PageHead, SourceId
from tabwise.core.network.mirror import MirroredPage, PassageQuery, StoreState, is_any_near, picked
from tabwise.core.search.term_vectors import chunk_vector, term_number
from tabwise.core.search.vectors import dequantize
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.engine.scoping import Scope
from tabwise.errors import ProviderError
from tabwise.ports import VectorStore

CHUNKS_PER_WRITE = 256
"""Of whole pages: few enough that a store that dies costs little, many enough that it is not asked often."""
REST_MS = 30_000.0
MAX_PER_PAGE = 8
"""Matches of one page that are fetched; more are seldom picked, as repeats lose."""


@dataclass(frozen=True, slots=True)
class MirrorState:
    """How far the mirror is: pages of the library, those the store has, those that must not go there."""

    n_pages: int
    n_mirrored: int
    n_kept_here: int


class Mirror:
    """One library and one vector store."""

    def __init__(
        self, library: Library, store: VectorStore, *, stays_here: Callable[[str], bool] = lambda url: False
    ) -> None:
        """`stays_here` tells of an address whether its page must not go to this store."""
        self.library = library
        self._store = store
        self._stays_here = stays_here
        self._known: dict[SourceId, str] | None = None
        self._covers_all: tuple[tuple[int, ...], bool] | None = None
        self._failed: tuple[ProviderError, float] | None = None

    async def probe(self) -> StoreState:
        """Ask the store what is there; raises ProviderError with the cause by name."""
        found = await self._store.state()
        self._failed = None
        return found

    def state(self) -> MirrorState:
        """Tell how far the mirror is, by the ledger."""
        index = self.library.index
        missing = self._missing()
        n_kept_here = sum(self._is_kept_here(source) for source in index.sources())
        return MirrorState(
            n_pages=len(index.sources()),
            n_mirrored=len(index.sources()) - n_kept_here - len(missing),
            n_kept_here=n_kept_here,
        )

    async def sync(self, job: Job) -> MirrorState:
        """Bring the store in step with the library.

        Stopped or failed in between, what was acknowledged stays and the next run goes on from there. Raises
        ProviderError.
        """
        await self._store.open()
        await self._require_honest_ledger()
        await self._remove_surplus(job)
        missing = self._missing()
        done = 0
        for batch in self._batches(missing):
            await job.checkpoint(Progress("store", done, len(missing), "pages"))
            await self._put(batch, job)
            done += len(batch)
        await job.checkpoint(Progress("store", done, len(missing), "pages"))
        self._failed = None
        return self.state()

    def covers(self, sources: Collection[SourceId] | None) -> bool:
        """Whether every page of a scope, None for all, is in the store as it is here."""
        if sources is not None:
            return self._has(sources)
        # asked at every search: looked up again only after the library has changed
        index = self.library.index
        heads = index.heads()
        newest = max((head.stamp for head in heads), default=0)
        now = (len(heads), index.n_chunks, index.n_vectors, newest)
        if self._covers_all is None or self._covers_all[0] != now:
            self._covers_all = now, self._has(index.sources())
        return self._covers_all[1]

    async def search(
        self,
        question: str,
        query_vector: npt.NDArray[np.float32] | None,
        *,
        scope: Scope,
        mode: FusionMode,
        k: int,
        now_ms: float,
    ) -> list[Hit]:
        """Return at most `k` hits as `SearchIndex.search` does, found by the store; raises ProviderError.

        Chunks that the library does not hold in this form are left out. A store that failed rests: until
        REST_MS have passed, the same error is raised at once, so that no question waits for it in vain.
        """
        if self._failed is not None and now_ms < self._failed[1]:
            error = self._failed[0]
            raise ProviderError(error.code, f"resting after: {error.message}", subject=error.subject)
        index = self.library.index
        is_readable = query_vector is not None and index.reads(question)
        pages = scope.page_filter()
        n_per_page = max(min(k, MAX_PER_PAGE), -(-k // len(pages.sources)) if pages.sources else 0)
        query = PassageQuery(
            terms=tuple(index.query_terms(question)),
            vector=query_vector if is_readable else None,
            mode=mode if is_readable else FusionMode.LEXICAL,
            n_pages=k,
            n_per_page=n_per_page,
            pages=pages,
        )
        try:
            matches = await self._store.search(query)
        except ProviderError as error:
            self._failed = error, now_ms + REST_MS
            raise
        hits = self._scored(picked(matches, self._chunks(), k=k, recency=scope.recency(index, now_ms)), query)
        best_possible = sum(index.idf(term) for term in query.terms)
        return hits if is_any_near(hits, best_possible, semantic=is_readable) else []

    def _scored(self, hits: Sequence[Hit], query: PassageQuery) -> list[Hit]:
        """The hits with their cosine and their BM25, which the store does not tell of a fused match."""
        cosines = self._cosines(hits, query.vector)
        scored = []
        for hit, cosine in zip(hits, cosines, strict=True):
            head = self.library.index.head(hit.chunk.source)
            title, language = (head.title, head.language) if head is not None else ("", "")
            own = chunk_vector(hit.chunk.embedding_text, title, language)
            weights = dict(zip(own.indices, own.values, strict=True))
            terms = {term: weights.get(term_number(term), 0.0) for term in query.terms}
            lexical = sum(self.library.index.idf(term) * weight for term, weight in terms.items())
            scored.append(replace(hit, dense=cosine, lexical=lexical))
        return scored

    def _cosines(
        self, hits: Sequence[Hit], query_vector: npt.NDArray[np.float32] | None
    ) -> list[float | None]:
        if query_vector is None:
            return [None] * len(hits)
        known, vectors = self.library.store.load_vectors([hit.chunk.content_hash for hit in hits])
        unit = query_vector / np.float32(np.linalg.norm(query_vector))
        found = iter((dequantize(vectors) @ unit).tolist() if known.any() else ())
        return [next(found) if is_known else None for is_known in known.tolist()]

    async def _require_honest_ledger(self) -> None:
        """Forget a ledger whose pages do not add up to what the store holds, so that all is sent anew."""
        known = self._ledger()
        expected = sum(_n_chunks_of(fingerprint) for fingerprint in known.values())
        if known and await self._store.count() < expected:
            self._strike_out(list(known))

    async def _remove_surplus(self, job: Job) -> None:
        index = self.library.index
        surplus = [
            source for source in self._ledger() if index.head(source) is None or self._is_kept_here(source)
        ]
        for start in range(0, len(surplus), CHUNKS_PER_WRITE):
            part = surplus[start : start + CHUNKS_PER_WRITE]
            await job.checkpoint()
            await self._store.remove_pages(part)
            self._strike_out(part)

    async def _put(self, batch: Sequence[SourceId], job: Job) -> None:
        pages = [mirrored for source in batch if (mirrored := self._mirrored_page(source)) is not None]
        # taken now: a page that changes while it is sent is told from what was sent
        fingerprints = {mirrored.page.source: self._fingerprint(mirrored.page.source) for mirrored in pages}
        self._strike_out(list(fingerprints))
        await self._store.put_pages(pages, job.checkpoint)
        self._enter(fingerprints)

    def _missing(self) -> list[SourceId]:
        known = self._ledger()
        return [
            source
            for source in self.library.index.sources()
            if not self._is_kept_here(source) and known.get(source) != self._fingerprint(source)
        ]

    def _has(self, sources: Collection[SourceId]) -> bool:
        known = self._ledger()
        return all(known.get(source) == self._fingerprint(source) for source in sources)

    def _ledger(self) -> dict[SourceId, str]:
        """What the store has acknowledged, by page; only this object changes it while it is in use."""
        if self._known is None:
            self._known = dict(self.library.store.mirrored(self._store.destination))
        return self._known

    def _strike_out(self, sources: Sequence[SourceId]) -> None:
        self.library.store.remove_mirrored(self._store.destination, sources)
        self._covers_all = None
        for source in sources:
            self._ledger().pop(source, None)

    def _enter(self, fingerprints: Mapping[SourceId, str]) -> None:
        self.library.store.put_mirrored(self._store.destination, fingerprints)
        self._covers_all = None
        self._ledger().update(fingerprints)

    def _batches(self, sources: Sequence[SourceId]) -> list[list[SourceId]]:
        batches: list[list[SourceId]] = []
        n_chunks = CHUNKS_PER_WRITE
        for source in sources:
            head = self.library.index.head(source)
            n_own = head.n_chunks if head is not None else 0
            if n_chunks + n_own > CHUNKS_PER_WRITE:
                batches.append([])
                n_chunks = 0
            batches[-1].append(source)
            n_chunks += n_own
        return batches

    def _mirrored_page(self, source: SourceId) -> MirroredPage | None:
        """A page as it is sent, None when it was removed meanwhile."""
        index = self.library.index
        page, chunks = index.page(source), index.chunks(source)
        if page is None:
            return None
        known, vectors = self.library.store.load_vectors([chunk.content_hash for chunk in chunks])
        return MirroredPage(page, chunks, vectors if self._is_semantic(source) and known.all() else None)

    def _is_semantic(self, source: SourceId) -> bool:
        return self.library.index.has_vectors(source)

    def _is_kept_here(self, source: SourceId) -> bool:
        head = self.library.index.head(source)
        return head is not None and self._stays_here(head.url)

    def _fingerprint(self, source: SourceId) -> str:
        head = self.library.index.head(source)
        return _fingerprint(head, self._is_semantic(source)) if head is not None else ""

    def _chunks(self) -> Callable[[SourceId, ChunkId], Chunk | None]:
        """Looks chunks up by their id, each page read once."""
        by_source: dict[SourceId, dict[ChunkId, Chunk]] = {}

        def chunk_of(source: SourceId, chunk_id: ChunkId) -> Chunk | None:
            if source not in by_source:
                by_source[source] = {chunk.id: chunk for chunk in self.library.index.chunks(source)}
            return by_source[source].get(chunk_id)

        return chunk_of


def _fingerprint(head: PageHead, is_semantic: bool) -> str:
    """What tells one snapshot of a page from another; ends in the number of its chunks."""
    found_by = "meaning" if is_semantic else "words"
    return f"{head.content_hash[:16]}:{head.captured_at!r}:{found_by}:{head.n_chunks}"


def _n_chunks_of(fingerprint: str) -> int:
    return int(fingerprint.rpartition(":")[2])
