"""From open tabs to searchable pages.

Each tab is read, cut and stored on its own; one that fails is reported and the others go on. Pages are
found by words as soon as they are stored; embedding follows, batch by batch, each batch kept at once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tabwise.core.model import Capture, Chunk, Page, PageHead, SourceId
from tabwise.core.page.blocks import build_page_steps
from tabwise.core.page.chunking import iter_chunks
from tabwise.core.page.pdf.capture import PdfCapture
from tabwise.core.page.pdf.page import build_pdf_page_steps
from tabwise.core.search.vectors import quantize
from tabwise.core.text.urls import canonical_source, given_file_source, is_given_file
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.errors import AppError, InputError, ModelError
from tabwise.ports import Captured, Clock, Embedder, MainContent, PageSource

MAX_CHARS = 2_000_000
"""What is read of one page; the row says "first N of M" when the page is longer."""
EMBED_BATCH = 4
"""Chunks between two saves: what a killed run loses at most."""
MAX_ATTEMPTS = 2
"""Deaths of the engine on one page before it is set aside."""
SET_ASIDE = "page_set_aside"


@dataclass(frozen=True, slots=True)
class TabRef:
    """A tab to read.

    `refusal` is an error code when it cannot be read at all, else "". `allowed` and `confirmed` are the
    reader's word: read it despite a never-read rule, despite a visible password or card field.
    """

    tab_id: int
    url: str
    refusal: str = ""
    allowed: bool = False
    confirmed: bool = False
    selection: bool = False


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became of one tab: reading, added, updated, unchanged or failed."""

    tab_id: int
    state: str
    page: PageHead | None = None
    error: AppError | None = None


class Indexer:
    """Reads tabs into a library. Runs one job at a time (the caller serialises)."""

    def __init__(
        self,
        library: Library,
        *,
        pages: PageSource,
        content: MainContent,
        embedder: Embedder,
        clock: Clock,
        why_never_read: Callable[[str], str] = lambda url: "",
        on_set_aside: Callable[[], None] = lambda: None,
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """`why_never_read` names the rule that keeps an address from being read, "" when none does.

        `on_set_aside` is called once for each page that the engine died on too often, however many engines
        of the same job meet it after that.
        `sizes`: target_words and overlap_words of chunks, None for those of `iter_chunks`.
        """
        self._library = library
        self._pages = pages
        self._content = content
        self._embedder = embedder
        self._clock = clock
        self._why_never_read = why_never_read
        self._on_set_aside = on_set_aside
        self._sizes = sizes or {}

    async def read(
        self, tabs: Sequence[TabRef], job: Job, on_row: Callable[[RowOutcome], None]
    ) -> list[RowOutcome]:
        """Read and store every tab; return the last outcome of each in order."""
        outcomes: list[RowOutcome] = []
        try:
            for done, tab in enumerate(tabs):
                await job.checkpoint(Progress("read", done, len(tabs), "pages"))
                on_row(RowOutcome(tab.tab_id, "reading"))
                outcome = await self._read_or_fail(tab, job)
                outcomes.append(outcome)
                on_row(outcome)
        finally:
            # Remembered while the engine may die on another page; adding the page again tries again.
            for outcome in outcomes:
                if outcome.error and outcome.error.code == SET_ASIDE:
                    self._library.store.end_attempt(canonical_source(outcome.error.subject))
        await job.checkpoint(Progress("read", len(tabs), len(tabs), "pages"))
        return outcomes

    async def embed_missing(self, job: Job) -> None:
        """Embed every chunk of the library that has no vector, page by page.

        Raises ModelError when the model is not there; what was embedded before is kept.
        """
        if self._library.is_of_another_model:
            raise ModelError("model_mismatch", f"vectors are of {self._library.store.model_id()}")
        index = self._library.index
        waiting = index.heads_without_vectors()
        total = sum(head.n_chunks for head in waiting)
        if not total:
            return
        descriptor = self._embedder.descriptor
        self._library.store.set_model_id(descriptor.key)
        done = 0
        for head in waiting:
            chunks = self._library.missing_vectors(head.source)
            done += head.n_chunks - len(chunks)
            for batch in _batched(chunks, EMBED_BATCH):
                await job.checkpoint(Progress("embed", done, total, "chunks"))
                passages = [descriptor.passage(chunk.embedding_text) for chunk in batch]
                vectors = await self._embedder.embed(passages)
                self._library.put_vectors(batch, quantize(vectors))
                done += len(batch)
            if index.head(head.source) is not None:
                self._library.attach_vectors(head.source)
        await job.checkpoint(Progress("embed", total, total, "chunks"))

    async def reembed(self, job: Job) -> None:
        """Embed every chunk with the model in use and put the vectors into use when all are there.

        Stopped in between, the old vectors are still stored and the next run goes on where this one ended.
        Raises ModelError when the model is not there.
        """
        store, descriptor = self._library.store, self._embedder.descriptor
        model_id = descriptor.key
        sources = self._library.index.sources()
        hashes = list(dict.fromkeys(one for source in sources for one in store.content_hashes(source)))
        known = store.next_vectors(model_id, hashes)
        missing = {one for one, is_known in zip(hashes, known, strict=True) if not is_known}
        done = len(hashes) - len(missing)
        for batch in _batched(self._chunks_of(sources, missing), EMBED_BATCH):
            await job.checkpoint(Progress("embed", done, len(hashes), "chunks"))
            passages = [descriptor.passage(chunk.embedding_text) for chunk in batch]
            vectors = await self._embedder.embed(passages)
            store.put_next_vectors(model_id, [chunk.content_hash for chunk in batch], quantize(vectors))
            done += len(batch)
        self._library.adopt_next()
        await job.checkpoint(Progress("embed", done, len(hashes), "chunks"))

    def _chunks_of(self, sources: Sequence[SourceId], content_hashes: set[str]) -> Iterator[Chunk]:
        """One chunk for each of the hashes, page by page, so that never all texts are in memory."""
        left = set(content_hashes)
        for source in sources:
            for chunk in self._library.index.chunks(source):
                if chunk.content_hash in left:
                    left.remove(chunk.content_hash)
                    yield chunk

    async def _read_or_fail(self, tab: TabRef, job: Job) -> RowOutcome:
        try:
            if tab.refusal:
                raise InputError(tab.refusal, subject=tab.url)
            self._require_allowed(tab, tab.url)
            return await self._read(tab, job)
        except AppError as error:
            return RowOutcome(tab.tab_id, "failed", error=error)

    async def look(self, tab: TabRef, job: Job) -> Page:
        """Read a tab as it is now and store nothing; raises InputError, HostError as reading does."""
        if tab.refusal:
            raise InputError(tab.refusal, subject=tab.url)
        self._require_allowed(tab, tab.url)
        return await self._page(await self._capture(tab), job)

    async def _capture(self, tab: TabRef) -> Captured:
        """What the tab shows, when it may be read."""
        capture = await self._pages.capture(tab.tab_id, MAX_CHARS, selection=tab.selection)
        self._require_allowed(tab, capture.url)  # the tab may have gone elsewhere since it was listed
        if isinstance(capture, Capture):
            _require_confirmed(tab, capture)
        return capture

    async def _read(self, tab: TabRef, job: Job) -> RowOutcome:
        store = self._library.store
        key = canonical_source(tab.url)
        n_attempts = store.attempts(key)
        if n_attempts == MAX_ATTEMPTS:
            store.begin_attempt(key)  # one more marks it as told
            self._on_set_aside()
        if n_attempts >= MAX_ATTEMPTS:
            raise InputError(SET_ASIDE, subject=tab.url)
        capture = await self._capture(tab)
        # Counted from here: only what Python does with a page can kill the engine.
        store.begin_attempt(key)
        try:
            return await self._store(tab, capture, job)
        finally:
            store.end_attempt(key)

    def _require_allowed(self, tab: TabRef, url: str) -> None:
        rule = "" if tab.allowed else self._why_never_read(url)
        if rule:
            raise InputError("page_never_read", subject=rule)

    async def _page(self, capture: Captured, job: Job) -> Page:
        if isinstance(capture, PdfCapture):
            return await job.drive(build_pdf_page_steps(capture, self._clock.now_ms()))
        main_text = None if capture.is_selection else await self._content.select(capture)
        await job.checkpoint()
        return await job.drive(build_page_steps(capture, main_text, self._clock.now_ms()))

    async def _store(self, tab: TabRef, capture: Captured, job: Job) -> RowOutcome:
        page = await self._page(capture, job)
        if is_given_file(page.url):
            page = replace(page, source=given_file_source(page.url, page.content_hash))
        known = self._library.index.head(page.source)
        if known and known.content_hash == page.content_hash:
            return RowOutcome(tab.tab_id, "unchanged", known)
        chunks = await self._chunks(page, job)
        await job.checkpoint(Progress("store", 0, 1, "pages"))
        await self._library.put(page, chunks, job)
        return RowOutcome(tab.tab_id, "updated" if known else "added", self._library.index.head(page.source))

    async def _chunks(self, page: Page, job: Job) -> list[Chunk]:
        chunks = []
        embedder = self._embedder
        n_prefix = embedder.count(embedder.descriptor.passage("")) - embedder.count("")
        limit = embedder.descriptor.max_tokens - n_prefix
        for chunk in iter_chunks(page, embedder.count, max_tokens=limit, **self._sizes):
            chunks.append(chunk)
            n_expected = round(len(chunks) * len(page.text) / max(chunk.end, 1))
            await job.checkpoint(Progress("chunk", len(chunks), max(n_expected, len(chunks)), "chunks"))
        return chunks


def _require_confirmed(tab: TabRef, capture: Capture) -> None:
    """Raise for a page that asks for a password or a card, unless the reader has confirmed it."""
    if tab.confirmed:
        return
    if capture.has_password:
        raise InputError("page_has_password", subject=capture.url)
    if capture.has_payment:
        raise InputError("page_has_payment", subject=capture.url)


def _batched(chunks: Iterable[Chunk], size: int) -> Iterator[list[Chunk]]:
    iterator = iter(chunks)
    while batch := list(islice(iterator, size)):
        yield batch
