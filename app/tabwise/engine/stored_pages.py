"""Texts of pages from the library file, the last few pages kept at hand."""

from collections import OrderedDict
from collections.abc import Sequence

from tabwise.core.model import Chunk, Page, SourceId
from tabwise.errors import StoreError
from tabwise.ports import Store

MAX_HELD_CHARS = 4_000_000
"""An answer reads its pages several times; two of the longest there can be fit in."""


class StoredPages:
    """Implements `core.shelf.Shelf`. Raises StoreError where the file lacks what the index has."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: OrderedDict[SourceId, Page] = OrderedDict()
        self._n_held_chars = 0

    def keep(self, page: Page, chunks: Sequence[Chunk]) -> None:
        """Take note of a new snapshot."""
        self.drop(page.source)

    def drop(self, source: SourceId) -> None:
        """Take note that a page is gone."""
        page = self._held.pop(source, None)
        if page is not None:
            self._n_held_chars -= len(page.text)

    def page(self, source: SourceId) -> Page:
        """Return a page."""
        page = self._held.get(source)
        if page is None:
            page = self._store.load_page(source)
            if page is None:
                raise StoreError("store_corrupt", f"no page {source}")
            self._hold(page)
        self._held.move_to_end(source)
        return page

    def chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Return the chunks of a page by ordinal."""
        return self._store.load_chunks(source)

    def chunk(self, source: SourceId, ordinal: int) -> Chunk:
        """Return one chunk of a page."""
        chunk = self._store.load_chunk(source, ordinal)
        if chunk is None:
            raise StoreError("store_corrupt", f"no chunk {ordinal} of {source}")
        return chunk

    def _hold(self, page: Page) -> None:
        self._held[page.source] = page
        self._n_held_chars += len(page.text)
        while self._n_held_chars > MAX_HELD_CHARS and len(self._held) > 1:
            _, oldest = self._held.popitem(last=False)
            self._n_held_chars -= len(oldest.text)
