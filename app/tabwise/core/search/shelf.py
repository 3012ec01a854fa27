"""Where the index gets the texts of what it found: a library's texts are too large to be held in memory."""

from collections.abc import Sequence
from typing import Protocol

from tabwise.core.model import Chunk, Page, SourceId


class Shelf(Protocol):
    """Pages and chunks by source. Asked only for pages that are in the index."""

    def keep(self, page: Page, chunks: Sequence[Chunk]) -> None:
        """Take note of a new page or of a new snapshot."""
        ...

    def drop(self, source: SourceId) -> None:
        """Take note that a page is gone."""
        ...

    def page(self, source: SourceId) -> Page:
        """Return a page."""
        ...

    def chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Return the chunks of a page by ordinal."""
        ...

    def chunk(self, source: SourceId, ordinal: int) -> Chunk:
        """Return one chunk of a page."""
        ...


class HeldPages:
    """A `Shelf` that holds everything, for small collections."""

    def __init__(self) -> None:
        self._pages: dict[SourceId, tuple[Page, tuple[Chunk, ...]]] = {}

    def keep(self, page: Page, chunks: Sequence[Chunk]) -> None:
        """Take note of a new page or of a new snapshot."""
        self._pages[page.source] = (page, tuple(chunks))

    def drop(self, source: SourceId) -> None:
        """Take note that a page is gone."""
        del self._pages[source]

    def page(self, source: SourceId) -> Page:
        """Return a page. Raises KeyError."""
        return self._pages[source][0]

    def chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Return the chunks of a page by ordinal. Raises KeyError."""
        return self._pages[source][1]

    def chunk(self, source: SourceId, ordinal: int) -> Chunk:
        """Return one chunk of a page. Raises KeyError, IndexError."""
        return self._pages[source][1][ordinal]
