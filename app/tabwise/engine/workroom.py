"""What every request works with: the ports, the open library, and the turn to index.

A library that cannot be opened raises its error at every use, until it is set aside.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from tabwise.engine.indexing import Indexer
from tabwise.engine.jobs import Job, silent_job
from tabwise.engine.library import Library
from tabwise.errors import AppError, InputError, ModelError, StoreError
from tabwise.ports import Clock, Embedder, FileReader, MainContent, PageSource, PassageViewer, SettingsSource

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The engine's surroundings.

    `open_library` raises StoreError when the file cannot be used; it may be called again later.
    """

    open_library: Callable[[], Library]
    set_library_aside: Callable[[], None]
    embedder: Embedder
    pages: PageSource
    content: MainContent
    files: FileReader
    viewer: PassageViewer
    settings: SettingsSource
    clock: Clock


class Workroom:
    """The open library and who may write to it; index jobs run one after the other."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.index_turn = asyncio.Lock()
        self.boot_ms = 0.0
        self.resumed: asyncio.Task[None] | None = None
        self._started_ms = ports.clock.monotonic_ms()
        self._library: Library | None = None
        self._library_error: StoreError | None = None

    @property
    def library(self) -> Library:
        """The open library; raises StoreError when there is none."""
        if self._library is None:
            raise self._library_error or StoreError("store_locked", "the library is not open yet")
        return self._library

    async def open(self) -> None:
        """Open and load the library; a file that cannot be used is reported by every later use."""
        try:
            library = self.ports.open_library()
            await library.load(silent_job())
            self._library, self._library_error = library, None
        except StoreError as error:
            log.warning("library not opened: %s", error.message)
            self._library_error = error
        self.boot_ms = self.ports.clock.monotonic_ms() - self._started_ms
        if self._library is not None:
            self.resumed = asyncio.ensure_future(self._resume(self._library))

    async def reset(self) -> None:
        """Move a library file that cannot be used aside and open a new one; InputError for a sound one."""
        if self._library is not None:
            raise InputError("source_unknown", "the library is sound; nothing to reset")
        self.ports.set_library_aside()
        await self.open()

    def indexer(self, library: Library, why_never_read: Callable[[str], str] = lambda url: "") -> Indexer:
        """An indexer of tabs into `library`; `why_never_read` names the rule that forbids an address."""
        return Indexer(
            library,
            pages=self.ports.pages,
            content=self.ports.content,
            embedder=self.ports.embedder,
            clock=self.ports.clock,
            why_never_read=why_never_read,
        )

    async def embed_missing(self, library: Library, job: Job) -> None:
        """Give every stored page its vectors."""
        async with self.index_turn:
            try:
                await self.indexer(library).embed_missing(job)
            except ModelError as error:
                # Pages are stored and found by words; meaning follows with the next job or start.
                log.warning("embedding put off: %s", error.message)

    async def _resume(self, library: Library) -> None:
        """Finish the embedding that an earlier run left undone."""
        try:
            await self.embed_missing(library, silent_job())
        except AppError as error:
            log.warning("embedding not resumed: %s", error.message)
