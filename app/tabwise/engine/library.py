"""The user's pages: the file that keeps them and the index in memory that is derived from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tabwise.core.model import (
    Chunk,
    EmbedderDescriptor,
    Page,
    PageHead,
    QuantizedVectors,
    SourceId,
    head_of,
)
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.kernel import SearchKernel
from tabwise.core.search.page_part import read_page
from tabwise.engine.index_parts import IndexParts, part_row
from tabwise.engine.jobs import Job
from tabwise.engine.stored_pages import StoredPages
from tabwise.errors import InputError
from tabwise.ports import Store


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of the library; size in bytes on disk."""

    n_pages: int
    n_chunks: int
    n_vectors: int
    size_bytes: int
    model: str
    schema_version: int


class Library:
    """Keeps store and index in step: every change goes to the store first."""

    def __init__(self, store: Store, index: SearchIndex, *, model_id: str = "") -> None:
        """`index` is empty. `model_id` names the model whose vectors it takes, "" for whichever is stored.

        While the stored vectors are of another one, pages are found by words alone.
        """
        self.store = store
        self.index = index
        index.use_shelf(StoredPages(store))
        self._parts = IndexParts(store)
        self._heads: dict[SourceId, PageHead] = {}  # oldest first
        self._model_id = model_id

    @property
    def is_of_another_model(self) -> bool:
        """Whether the stored vectors cannot be used until they are made anew."""
        stored = self.store.model_id()
        return bool(self._model_id and stored and stored != self._model_id)

    def adopt_next(self) -> None:
        """Put the vectors of the next model into use, all at once."""
        self.store.adopt_next(self._model_id)
        self.index.drop_vectors()
        for source in self.index.sources():
            self.attach_vectors(source)

    async def load(self, job: Job) -> None:
        """Build the index from the store: from the parts it keeps, and from the pages where there is none."""
        self._heads = {head.source: head for head in self.store.load_heads()}
        await self._parts.load_into(self.index, self._heads, job)
        missing = [head for head in self._heads.values() if self.index.head(head.source) is None]
        for head in missing:
            page = self.store.load_page(head.source)
            if page is not None:
                await self._index_page(page, job)
        await self._parts.tidy(self._stamps, job)
        if not self.is_of_another_model:
            waiting = dict.fromkeys(self._heads)
            for source, vectors in self.store.packed_vectors():
                if len(vectors.scales) == self._heads[source].n_chunks:
                    self.index.set_vectors(source, vectors)
                    del waiting[source]
                await job.checkpoint()
            for source in waiting:
                self.attach_vectors(source)
                await job.checkpoint()

    def heads(self) -> Sequence[PageHead]:
        """What lists need of every page, oldest first."""
        return tuple(self._heads.values())

    def pages(self) -> Sequence[Page]:
        """Every page with its text, oldest first; `heads` is many times cheaper."""
        return self.store.load_pages()

    def page(self, source: SourceId) -> Page:
        """Return a page; raises InputError source_unknown."""
        page = self.index.page(source)
        if page is None:
            raise InputError("source_unknown", subject=source)
        return page

    async def put(self, page: Page, chunks: Sequence[Chunk], job: Job) -> None:
        """Replace a page; it can be found by words at once, by meaning when its vectors are there.

        `chunks` is not empty. Cancelled in between, nothing has changed.
        """
        stamp = self.store.new_stamp()
        part = await job.drive(read_page(page, chunks, stamp))
        # The index changes right after the store: nothing can come between them.
        self.store.put_page(page, chunks, part_row(part))
        self.index.put_page(page, chunks, part, stamp=stamp)
        self._heads[page.source] = head_of(page, len(chunks), stamp)
        self.attach_vectors(page.source)
        await self._parts.tidy(self._stamps, job)

    def put_vectors(self, chunks: Sequence[Chunk], vectors: QuantizedVectors) -> None:
        """Keep the vectors of some chunks of one page."""
        self.store.put_vectors([chunk.content_hash for chunk in chunks], vectors)

    def missing_vectors(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page that have no vector yet, by ordinal."""
        chunks = self.index.chunks(source)
        known, _ = self.store.load_vectors([chunk.content_hash for chunk in chunks])
        return [chunk for chunk, is_known in zip(chunks, known, strict=True) if not is_known]

    def attach_vectors(self, source: SourceId) -> None:
        """Make a page whose vectors are complete searchable by meaning."""
        if self.is_of_another_model:
            return
        hashes = self.store.content_hashes(source)
        known, vectors = self.store.load_vectors(hashes)
        if len(hashes) and known.all():
            self.index.set_vectors(source, vectors)
            self.store.pack_vectors(source, vectors)

    def remove(self, source: SourceId) -> None:
        """Take a page out; `restore` brings it back."""
        if source not in self._heads:
            raise InputError("source_unknown", subject=source)
        self.store.remove_page(source)
        self.index.remove_page(source)
        del self._heads[source]

    async def restore(self, source: SourceId, job: Job) -> None:
        """Undo the last `remove`; raises InputError source_unknown when it is gone."""
        page = self.store.restore_page(source)
        if page is None:
            raise InputError("source_unknown", subject=source)
        await self._restored([page], job)

    def remove_all(self) -> None:
        """Take every page out; `restore_all` brings them back."""
        self.store.remove_all()
        for source in list(self.index.sources()):
            self.index.remove_page(source)
        self._heads.clear()

    async def restore_all(self, job: Job) -> None:
        """Undo the last removal, of one page or of all."""
        await self._restored(self.store.restore_all(), job)

    def stats(self) -> Stats:
        """Count what is there."""
        return Stats(
            n_pages=len(self._heads),
            n_chunks=self.index.n_chunks,
            n_vectors=self.index.n_vectors,
            size_bytes=self.store.size_bytes(),
            model=self.store.model_id(),
            schema_version=self.store.schema_version,
        )

    def _stamps(self) -> frozenset[int]:
        return frozenset(head.stamp for head in self._heads.values())

    async def _restored(self, pages: Sequence[Page], job: Job) -> None:
        for page in pages:
            await self._index_page(page, job)
            self.attach_vectors(page.source)
        self._heads = {head.source: head for head in self.store.load_heads()}

    async def _index_page(self, page: Page, job: Job) -> None:
        """Read a stored page for the index, and keep what was read."""
        chunks = self.store.load_chunks(page.source)
        stamp = self.store.new_stamp()
        part = await job.drive(read_page(page, chunks, stamp))
        self.store.put_part(page.source, part_row(part))
        self.index.put_page(page, chunks, part, stamp=stamp)
        self._heads[page.source] = head_of(page, len(chunks), stamp)


def library_of(
    descriptor: EmbedderDescriptor, store: Store, *, kernel: SearchKernel | None = None
) -> Library:
    """Return the library of a store with an empty index for the vectors of a model."""
    index = SearchIndex(descriptor.dimensions, kernel=kernel, reads_any_script=descriptor.reads_any_script)
    return Library(store, index, model_id=descriptor.key)
