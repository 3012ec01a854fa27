"""Files as tabs: the command line indexes paths with the same use case as the extension indexes tabs."""

from collections.abc import Mapping
from pathlib import Path

from tabwise.adapters.files.html import read_file
from tabwise.adapters.native.pdf import is_pdf, read_pdf
from tabwise.core.model import Capture
from tabwise.core.page.pdf.capture import PdfCapture
from tabwise.errors import HostError


class FileSource:
    """`ports.PageSource` over a table of paths; the key plays the tab id."""

    def __init__(self, paths: Mapping[int, Path]) -> None:
        self._paths = dict(paths)

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Capture | PdfCapture:
        """Read a file; raises InputError file_missing, page_empty, page_unreadable, page_locked."""
        path = self._paths.get(tab_id)
        if path is None:
            raise HostError("tab_gone", f"no file {tab_id}")
        if is_pdf(path):
            return read_pdf(path, max_chars=max_chars)
        return read_file(path, max_chars=max_chars)
