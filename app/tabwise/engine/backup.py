"""Copies of the library that are made without a word: one a day, the last few kept; and the marker.

A backup lies in the same storage as the library: it protects from mistakes, not from a browser that clears
its storage. That is what the marker is for, which survives it: it tells "cleared" from "empty".
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tabwise import __version__
from tabwise.engine.copying import PROGRAM, SETTINGS, WRITTEN_AT, copy_library
from tabwise.engine.jobs import Job, silent_job
from tabwise.engine.library import Library
from tabwise.engine.quiet import Quiet
from tabwise.errors import AppError
from tabwise.ports import Clock, LibraryCopies, LibraryMarker

log = logging.getLogger(__name__)

EVERY_MS = 24 * 3_600_000.0
N_KEPT = 3
EXPORT, GIVEN, UNDO = "export.db", "given.db", "undo.db"
"""Names among the copies: of what is handed over, of what was brought in, of what was here before that."""
_NAME = re.compile(r"backup-(\d{13})\.db")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup: its name among the copies, when it was made (ms since the epoch), size in bytes."""

    name: str
    made_at: float
    size_bytes: int


async def write_copy(
    library: Library, copies: LibraryCopies, name: str, *, settings: object, now_ms: float, job: Job
) -> None:
    """Write a copy of a library; stopped or failed, there is none of this name.

    `settings`: a Settings record, which holds no key, or None for none.
    """
    try:
        async with copies.created(name) as target:
            await copy_library(library.store, target, job)
            target.put_note(SETTINGS, "" if settings is None else json.dumps(settings))
            target.put_note(WRITTEN_AT, str(now_ms))
            target.put_note(PROGRAM, __version__)
    except BaseException:
        await copies.remove(name)
        raise


async def backups(copies: LibraryCopies) -> Sequence[Backup]:
    """What was kept, newest first."""
    sizes = await copies.sizes()
    names = [match for name in sizes if (match := _NAME.fullmatch(name))]
    listed = [Backup(name.group(), float(name.group(1)), sizes[name.group()]) for name in names]
    return sorted(listed, key=lambda backup: -backup.made_at)


class Keeper:
    """Keeps the marker true and makes the daily backup, beside everything else."""

    def __init__(
        self,
        copies: LibraryCopies,
        marker: LibraryMarker,
        *,
        clock: Clock,
        quiet: Quiet,
        turn: asyncio.Lock,
        settings: Callable[[], Awaitable[dict[str, Any]]],
    ) -> None:
        """`turn`: held while a copy is written, so that two never are; `settings`: the reader's."""
        self._copies = copies
        self._marker = marker
        self._clock = clock
        self._quiet = quiet
        self._turn = turn
        self._settings = settings
        self._marked = -1
        self.n_lost = 0
        """Pages that the marker tells of in a library that the browser cleared."""

    async def opened(self, library: Library) -> None:
        """Compare a library that was just opened with the marker; what was handed over is needed no more."""
        self.n_lost = await self._n_marked() if library.store.is_new else 0
        try:
            for name in (EXPORT, GIVEN):
                await self._copies.remove(name)
        except AppError as error:
            log.warning("a copy was not removed: %s", error.message)

    async def seen(self, library: Library) -> None:
        """The reader knows of the loss."""
        self.n_lost = 0
        await self._mark(len(library.heads()))

    async def keep(self, library: Library) -> None:
        """Note how much there is, and make the backup when it is due."""
        try:
            if not self.n_lost or library.heads():
                await self._mark(len(library.heads()))
            if await self._is_due(library):
                await self._quiet.undisturbed(lambda: self.make(library, silent_job()))
        except AppError as error:
            log.warning("no backup was made: %s: %s", error.code, error.message)

    async def make(self, library: Library, job: Job) -> None:
        """Make a backup now, and drop the oldest beyond N_KEPT."""
        async with self._turn:
            now_ms = self._clock.now_ms()
            name, settings = f"backup-{int(now_ms):013d}.db", await self._settings()
            await write_copy(library, self._copies, name, settings=settings, now_ms=now_ms, job=job)
            for extra in (await backups(self._copies))[N_KEPT:]:
                await self._copies.remove(extra.name)

    async def _is_due(self, library: Library) -> bool:
        if not library.heads() or not (await self._settings())["preferences"]["daily_backup"]:
            return False
        made = await backups(self._copies)
        return not made or self._clock.now_ms() - made[0].made_at >= EVERY_MS

    async def _n_marked(self) -> int:
        try:
            value = await self._marker.load()
        except AppError as error:
            log.warning("the marker was not read: %s", error.message)
            return 0
        n_pages = value.get("n_pages") if isinstance(value, dict) else 0
        return n_pages if isinstance(n_pages, int) else 0

    async def _mark(self, n_pages: int) -> None:
        if n_pages != self._marked:
            await self._marker.save({"n_pages": n_pages})
            self._marked = n_pages
