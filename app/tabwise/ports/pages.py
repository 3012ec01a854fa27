"""Pages and files: reading them, and showing a passage where it stands."""

from collections.abc import Sequence
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


class FileReader(Protocol):
    """Reads files that a person gave by hand."""

    async def read(self, name: str, url: str, max_chars: int) -> Captured:
        """Read the file called `name` whose bytes are at `url`, at most `max_chars` characters of it.

        Raises InputError (file_missing, file_too_large, page_empty, page_unreadable, page_locked).
        """
        ...


class MainContent(Protocol):
    """Decides which text of a page is the content and which is navigation, banners, footers."""

    async def select(self, capture: Capture) -> str | None:
        """Return the main text in document order, or None when the page has no clear main part."""
        ...


class PassageViewer(Protocol):
    """Shows a passage where the user can see it."""

    async def show(
        self,
        url: str,
        quote: str,
        before: str,
        after: str,
        *,
        others: Sequence[tuple[str, str, str]] = (),
        page_number: int | None,
        moment_url: str | None,
    ) -> tuple[bool, int]:
        """Focus the tab of `url`, light `quote` up; return (found on the page, tab id).

        others: (quote, before, after) of more passages of the page, marked beside it.
        page_number: of a document with pages, which is turned to that page. moment_url: the address that
        plays a recording from where the quote is said; it is gone to, and nothing is lit up.
        """
        ...
