"""A file that a person gave to the panel, read like a tab."""

from tabwise.core.text.urls import given_file_url
from tabwise.engine.indexing import TabRef
from tabwise.ports import Captured, FileReader, OnPage, unwatched

ROW_ID = -1
"""What stands in place of a tab's id in the row of a file."""


class GivenFile:
    """Implements ports.PageSource over one file; its bytes are at `url` for as long as the panel is open."""

    def __init__(self, files: FileReader, *, name: str, url: str, on_page: OnPage = unwatched) -> None:
        self._files = files
        self._on_page = on_page
        self._name = name
        self._url = url

    @property
    def tab(self) -> TabRef:
        """The reference to read it by."""
        return TabRef(ROW_ID, given_file_url(self._name))

    async def capture(self, tab_id: int, max_chars: int, *, selection: bool = False) -> Captured:
        """Read the file; `tab_id` is always `ROW_ID`."""
        return await self._files.read(self._name, self._url, max_chars, on_page=self._on_page)
