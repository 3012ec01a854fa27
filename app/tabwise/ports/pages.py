"""Pages and files: reading them, and showing a passage where it stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tabwise.core.model import Capture
from tabwise.core.page.pdf.capture import PdfCapture

Captured = Capture | PdfCapture


class PageSource(Protocol):
    """Where captures come from: a browser's tabs or files on disk."""

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Captured:
        """Read one tab, at most `max_chars` characters of it; of a PDF, whole pages until there are as many.

        selection: read only what is selected there; where nothing tells what that is, everything.

        Raises HostError (tab_gone, tab_navigated, tab_asleep, tab_needs_permission, tab_timeout,
        file_access_off, file_unreachable), InputError (page_unreadable, page_locked, file_too_large).
        """
        ...


OnPage = Callable[[int, int], None]
"""Told how many pages of a document are read, and of how many."""


def unwatched(done: int, total: int) -> None:
    """Nobody watches the pages of a document being read."""


class FileReader(Protocol):
    """Reads files that a person gave by hand."""

    async def read(self, name: str, url: str, max_chars: int, *, on_page: OnPage = unwatched) -> Captured:
        """Read the file called `name` whose bytes are at `url`, at most `max_chars` characters of it.

        Raises InputError (file_missing, file_too_large, page_empty, page_unreadable, page_locked).
        """
        ...


class MainContent(Protocol):
    """Decides which text of a page is the content and which is navigation, banners, footers."""

    async def select(self, capture: Capture) -> str | None:
        """Return the main text in document order, or None when the page has no clear main part."""
        ...


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """Words to light up, the text on either side of them, and their page in a document that has pages."""

    quote: str
    before: str
    after: str
    page_number: int | None


class PassageViewer(Protocol):
    """Shows passages where the user can see them."""

    async def show(
        self,
        url: str,
        passages: Sequence[ShownPassage],
        *,
        source: str,
        title: str,
        start: int,
        moment_url: str | None,
    ) -> tuple[bool, int]:
        """Go to the page at `url` and light up its passages; return (found on the page, tab id).

        passages: first the one that was asked for, whose place is gone to. source, title, start: its page in
        the library and where it begins there, so that the saved text can be offered. moment_url: the address
        that plays a recording from where the words are said; it is gone to, and nothing is lit up.
        """
        ...
