"""Files in the browser: PDF tabs, and files that a person gave to the panel.

Both are fetched where they are read, in the engine worker, so that no body crosses a message. A PDF stays in
JavaScript, where PDF.js reads it; only its text items come here, a few pages at a time.
"""

from tabwise.adapters.browser import bridge
from tabwise.core.model import Capture
from tabwise.core.page.pdf.capture import PdfCapture, PdfPage, decode_pdf_pages, n_chars
from tabwise.core.text.urls import given_file_url
from tabwise.errors import HostError, InputError
from tabwise.ports import OnPage, unwatched
from tabwise.protocol.files import MAX_FILE_BYTES

_PAGES_PER_CALL = 8


class FetchedFiles:
    """Implements ports.FileReader over addresses that the engine worker can fetch."""

    async def read(
        self, name: str, url: str, max_chars: int, *, on_page: OnPage = unwatched
    ) -> Capture | PdfCapture:
        """Read a file the panel holds under `url`, at most `max_chars` characters of it.

        HTML, Markdown, text and PDF are told apart by content, then by the name's ending. Raises InputError:
        file_missing (the panel was closed), file_too_large, page_empty, page_unreadable, page_locked.
        """
        try:
            opened = await bridge.open_file(url, MAX_FILE_BYTES)
            if opened["is_pdf"]:
                return await _read_pdf(opened, given_file_url(name), max_chars, on_page)
            return await _read_text(name, max_chars)
        except HostError as error:
            raise InputError("file_missing", error.message, subject=name) from error
        finally:
            bridge.close_file()


async def fetch_pdf(url: str, max_chars: int) -> PdfCapture:
    """Read the PDF behind the address of a tab up to the page where `max_chars` characters are reached.

    Raises HostError (file_unreachable), InputError (file_too_large, page_locked, page_unreadable).
    """
    try:
        opened = await bridge.open_file(url, MAX_FILE_BYTES)
        if not opened["is_pdf"]:  # a form to log in, most often
            raise HostError("file_unreachable", "what was fetched is no PDF", subject=url)
        return await _read_pdf(opened, url, max_chars)
    finally:
        bridge.close_file()


async def _read_pdf(
    opened: bridge.OpenedFile, url: str, max_chars: int, on_page: OnPage = unwatched
) -> PdfCapture:
    pages: list[PdfPage] = []
    n_pages, n_read = opened["n_pages"], 0
    on_page(0, n_pages)
    while len(pages) < n_pages and n_read < max_chars:
        first = len(pages) + 1
        last = min(n_pages, first + _PAGES_PER_CALL - 1)
        batch = decode_pdf_pages(await bridge.pdf_pages(first, last))
        pages += batch
        on_page(len(pages), n_pages)
        n_read += sum(map(n_chars, batch))
    if not pages:
        raise InputError("page_unreadable", "a PDF without pages", subject=url)
    return PdfCapture(url, opened["title"], opened["language"], n_pages, tuple(pages))


async def _read_text(name: str, max_chars: int) -> Capture:
    data = bridge.file_bytes()
    await bridge.load_content_packages()
    # Imported here: it needs lxml, which is unpacked with the first page.
    from tabwise.adapters.files.html import parse_file

    return parse_file(data, name, url=given_file_url(name), max_chars=max_chars)
