"""The library as a whole: its copies, its end, and the mark that shows it was there."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from tabwise.ports.library import Store


class LibraryCopies(Protocol):
    """Files beside the library, each a library of its own: exports, backups, a file that is brought in."""

    def created(self, name: str) -> AbstractAsyncContextManager[Store]:
        """An empty library in place of what had this name, open while inside."""
        ...

    def opened(self, name: str) -> AbstractAsyncContextManager[Store]:
        """A copy that is there, open while inside.

        Raises InputError import_foreign, StoreError (store_newer, store_corrupt), HostError.
        """
        ...

    async def sizes(self) -> Mapping[str, int]:
        """Size in bytes by name, in no order."""
        ...

    async def take_in(self, name: str, url: str) -> None:
        """Bring a file in under a name; `url` is one that this machine answers.

        Raises HostError file_unreachable, StoreError store_full.
        """
        ...

    async def remove(self, name: str) -> None:
        """Delete a copy if it is there."""
        ...


class Eraser(Protocol):
    """Removes everything that the program ever stored."""

    async def erase(self) -> Sequence[str]:
        """Delete it all, and say what is left: names, none when all went well.

        The library is closed before; nothing works afterwards until `restart`.
        """
        ...

    def restart(self) -> None:
        """Start the engine anew in a moment."""
        ...


class LibraryMarker(Protocol):
    """A note that survives when the browser clears the library: what should be there."""

    async def load(self) -> object:
        """What was saved last, None before the first time; raises HostError."""
        ...

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        ...
