"""Copies of the library as files in a folder of the disk."""

import errno
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tabwise.adapters.stores.sqlite import SqliteStore, open_copy
from tabwise.errors import HostError, StoreError
from tabwise.ports import Store


class DiskCopies:
    """Implements ports.LibraryCopies over `folder`, which is made when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @asynccontextmanager
    async def created(self, name: str) -> AsyncIterator[Store]:
        """An empty library in place of what had this name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        await self.remove(name)
        store = SqliteStore(self._folder / name, is_copy=True)
        try:
            yield store
        finally:
            store.close()

    @asynccontextmanager
    async def opened(self, name: str) -> AsyncIterator[Store]:
        """A copy that is there."""
        if not (self._folder / name).exists():
            raise HostError("file_unreachable", "no such copy", subject=name)
        store = open_copy(self._folder / name)
        try:
            yield store
        finally:
            store.close()

    async def sizes(self) -> Mapping[str, int]:
        """Size in bytes by name."""
        files = self._folder.iterdir() if self._folder.is_dir() else ()
        return {file.name: file.stat().st_size for file in files if file.is_file()}

    async def take_in(self, name: str, url: str) -> None:
        """Copy a file of this machine; `url` is its file URL."""
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(url2pathname(urlsplit(url).path), self._folder / name)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise StoreError("store_full", str(error)) from error
            raise HostError("file_unreachable", str(error), subject=url) from error

    async def remove(self, name: str) -> None:
        """Delete a copy if it is there."""
        (self._folder / name).unlink(missing_ok=True)
