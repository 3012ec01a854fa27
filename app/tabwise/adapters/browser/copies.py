"""Copies of the library in the browser's own file system, and removing everything that is in it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.adapters.stores.sqlite import SqliteStore, open_copy
from tabwise.ports import Store

FOLDER = "/library"
RESTART_DELAY_S = 0.1
"""Time for the last answer to reach the panel."""


class StoredCopies:
    """Implements ports.LibraryCopies beside the library's own files."""

    @asynccontextmanager
    async def created(self, name: str) -> AsyncIterator[Store]:
        """An empty library in place of what had this name."""
        await bridge.copy_remove(name)
        async with _mounted(name) as path:
            with closing(SqliteStore(path, flush=bridge.flush_library, is_copy=True)) as store:
                yield store

    @asynccontextmanager
    async def opened(self, name: str) -> AsyncIterator[Store]:
        """A copy that is there."""
        async with _mounted(name) as path:
            with closing(open_copy(path, flush=bridge.flush_library)) as store:
                yield store

    async def sizes(self) -> Mapping[str, int]:
        """Size in bytes by name."""
        return await bridge.copy_sizes()

    async def take_in(self, name: str, url: str) -> None:
        """Store what is at a blob URL."""
        await bridge.copy_fetch(name, url)

    async def remove(self, name: str) -> None:
        """Delete a copy if it is there."""
        await bridge.copy_remove(name)


@asynccontextmanager
async def _mounted(name: str) -> AsyncIterator[str]:
    """A file of the browser's own file system as a path, released at the end."""
    await _open(name)
    try:
        yield f"{FOLDER}/{name}"
    finally:
        bridge.copy_close(name)


async def _open(name: str) -> None:
    """Open a file; when this is cancelled the browser goes on, so it is closed once it is open."""
    opening = asyncio.ensure_future(bridge.copy_open(name))
    try:
        await asyncio.shield(opening)
    except asyncio.CancelledError:
        await opening
        bridge.copy_close(name)
        raise


class BrowserEraser:
    """Implements ports.Eraser."""

    async def erase(self) -> Sequence[str]:
        """Delete files, caches, databases, settings, keys and granted sites; names of what is left."""
        left = await bridge.erase_stored()
        kept = cast(dict[str, list[str]], await bridge.host_call("storage_clear", {}))
        return [*left, *kept["left"]]

    def restart(self) -> None:
        """Start the engine anew in a moment."""
        asyncio.get_running_loop().call_later(RESTART_DELAY_S, bridge.restart_engine)
