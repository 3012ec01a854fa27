"""The user's pages: the file that keeps them and the index in memory that is derived from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tabwise.core.index import SearchIndex
from tabwise.core.model import Chunk, EmbedderDescriptor, Page, QuantizedVectors, SourceId
from tabwise.core.vectors import DotKernel
from tabwise.engine.jobs import Job
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
        """`model_id` names the model whose vectors the index takes, "" for whichever is stored.

        While the stored vectors are of another one, pages are found by words alone.
        """
        self.store = store
        self.index = index
        self._model_id = model_id

    @property
    def is_of_another_model(self) -> bool:
        """Whether the stored vectors cannot be used until they are made anew."""
        stored = self.store.model_id()
        return bool(self._model_id and stored and stored != self._model_id)

    def adopt_next(self) -> None:
        """Put the vectors of the next model into use, all at once."""
        self.store.adopt_next(self._model_id)
        for source in self.index.sources():
            self.attach_vectors(source)

    async def load(self, job: Job) -> None:
        """Build the index from the store."""
        for page in self.store.load_pages():
            await self._index_page(page, self.store.load_chunks(page.source), job)

    def pages(self) -> Sequence[Page]:
        """Every page, oldest first."""
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
        for n_read in self.index.iter_add_page(page, chunks, None):
            if n_read < len(chunks):
                await job.checkpoint()
            else:  # the index changes right after this step: nothing can come between it and the store
                self.store.put_page(page, chunks)
        self.attach_vectors(page.source)

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
        hashes = [chunk.content_hash for chunk in self.index.chunks(source)]
        known, vectors = self.store.load_vectors(hashes)
        if len(hashes) and known.all():
            self.index.set_vectors(source, vectors)

    def remove(self, source: SourceId) -> None:
        """Take a page out; `restore` brings it back."""
        self.page(source)
        self.store.remove_page(source)
        self.index.remove_page(source)

    async def restore(self, source: SourceId, job: Job) -> None:
        """Undo the last `remove`; raises InputError source_unknown when it is gone."""
        page = self.store.restore_page(source)
        if page is None:
            raise InputError("source_unknown", subject=source)
        await self._index_page(page, self.store.load_chunks(source), job)

    def remove_all(self) -> None:
        """Take every page out; `restore_all` brings them back."""
        self.store.remove_all()
        for source in list(self.index.sources()):
            self.index.remove_page(source)

    async def restore_all(self, job: Job) -> None:
        """Undo the last removal, of one page or of all."""
        for page in self.store.restore_all():
            await self._index_page(page, self.store.load_chunks(page.source), job)

    def stats(self) -> Stats:
        """Count what is there."""
        return Stats(
            n_pages=len(self.index.sources()),
            n_chunks=self.index.n_chunks,
            n_vectors=self.index.n_vectors,
            size_bytes=self.store.size_bytes(),
            model=self.store.model_id(),
            schema_version=self.store.schema_version,
        )

    async def _index_page(self, page: Page, chunks: Sequence[Chunk], job: Job) -> None:
        for _ in self.index.iter_add_page(page, chunks, None):
            await job.checkpoint()
        self.attach_vectors(page.source)


def library_of(descriptor: EmbedderDescriptor, store: Store, *, kernel: DotKernel | None = None) -> Library:
    """Return the library of a store with an empty index for the vectors of a model."""
    index = SearchIndex(descriptor.dimensions, kernel=kernel, reads_any_script=descriptor.reads_any_script)
    return Library(store, index, model_id=descriptor.id)
