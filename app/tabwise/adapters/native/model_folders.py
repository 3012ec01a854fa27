"""Downloaded models in a folder of the disk."""

import errno
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tabwise.errors import ModelError


class DiskModels:
    """Implements ports.ModelFolders over `root`, a folder for each model."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def sizes(self) -> Mapping[str, Mapping[str, int]]:
        """Sizes in bytes by name, by folder."""
        folders = [one for one in self._root.iterdir() if one.is_dir()] if self._root.is_dir() else []
        return {
            folder.name: {file.name: file.stat().st_size for file in folder.iterdir()} for folder in folders
        }

    async def free_bytes(self) -> int:
        """What the disk has left."""
        self._root.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self._root).free

    async def read(self, folder: str, name: str, start: int, end: int) -> bytes:
        """Bytes of a file, none of a file that is not there."""
        try:
            with (self._root / folder / name).open("rb") as stream:
                stream.seek(start)
                return stream.read(end - start)
        except FileNotFoundError:
            return b""

    async def write(self, folder: str, name: str, at: int, data: bytes) -> None:
        """Write at a place and cut off what was behind."""
        path = self._root / folder / name
        with _room():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("r+b" if path.exists() else "w+b") as stream:
                stream.truncate(at)
                stream.seek(at)
                stream.write(data)

    async def copy(self, folder: str, name: str, url: str) -> None:
        """Store the file at a file URL."""
        path = self._root / folder / name
        with _room():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(url2pathname(urlsplit(url).path), path)

    async def rename(self, folder: str, name: str, new_name: str) -> None:
        """Give a file another name."""
        (self._root / folder / name).replace(self._root / folder / new_name)

    async def remove(self, folder: str) -> None:
        """Delete a folder if it is there."""
        shutil.rmtree(self._root / folder, ignore_errors=True)


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise ModelError("model_no_room", str(error)) from error
