"""What every request works with: the ports, the open library, and the turn to index.

A library that cannot be opened raises its error at every use, until it is set aside.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from tabwise.core.network.egress import is_remote
from tabwise.core.network.http import origin_of
from tabwise.core.network.mirror import StorePlace
from tabwise.core.network.redaction import Redactor
from tabwise.engine.backup import Keeper
from tabwise.engine.egress import Gate
from tabwise.engine.embedder_catalogue import EmbedderCatalogue
from tabwise.engine.indexing import Indexer
from tabwise.engine.jobs import Job, silent_job
from tabwise.engine.library import Library
from tabwise.engine.llm.catalogue import Catalogue
from tabwise.engine.llm.local_models import LocalModels
from tabwise.engine.mirror import Mirror
from tabwise.engine.quiet import Quiet
from tabwise.engine.receipts import Receipts
from tabwise.engine.recording import Recorder
from tabwise.engine.summarising.choosing import choose
from tabwise.engine.summarising.making import Maker
from tabwise.engine.summarising.queue import Choice, SummaryQueue
from tabwise.engine.summarising.writers import NoSummarizer
from tabwise.errors import AppError, HostError, InputError, ModelError, StoreError
from tabwise.ports import (
    Clock,
    Embedder,
    Eraser,
    FileReader,
    HostFactsSource,
    LanguageModels,
    LibraryCopies,
    LibraryMarker,
    MainContent,
    ModelFolders,
    OwnEmbedders,
    PageSource,
    PassageViewer,
    ProviderTester,
    SettingsSource,
    Summarizer,
    VectorStores,
)
from tabwise.protocol.rules import stays_here
from tabwise.protocol.settings import default_settings, sound_settings
from tabwise.protocol.tables.threads import FEWEST_THREADS, MOST_THREADS

log = logging.getLogger(__name__)

LocalParts = tuple[Catalogue, LocalModels, ModelFolders]
"""The models of this machine: those that can be had, those that can be run, and where their files are."""


@dataclass(slots=True)
class _Reading:
    """The settings of one piece of work, None until they are read."""

    settings: dict[str, Any] | None = None
    is_over: bool = False


_READING: ContextVar[_Reading | None] = ContextVar("settings_reading", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The engine's surroundings.

    `open_library` raises StoreError when the file cannot be used; it may be called again later.
    `own_embedders`: what embedding models of the reader's own need, `embedders`: those that can be
    downloaded, both None where there can be none. `local`: what language models of this machine need, None
    where there are none.
    """

    open_library: Callable[[], Library]
    set_library_aside: Callable[[], None]
    embedder: Embedder
    pages: PageSource
    content: MainContent
    files: FileReader
    viewer: PassageViewer
    models: LanguageModels
    settings: SettingsSource
    gate: Gate
    tester: ProviderTester
    host: HostFactsSource
    redactor: Redactor
    vector_stores: VectorStores
    copies: LibraryCopies
    marker: LibraryMarker
    eraser: Eraser
    clock: Clock
    own_embedders: OwnEmbedders | None = None
    embedders: EmbedderCatalogue | None = None
    local: LocalParts | None = None
    summarizer: Summarizer = field(default_factory=NoSummarizer)


class Workroom:
    """The open library and who may write to it; index jobs run one after the other."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.index_turn = asyncio.Lock()
        self.mirror_turn = asyncio.Lock()
        self.copy_turn = asyncio.Lock()
        self.boot_ms = 0.0
        self.quiet = Quiet()
        self.receipts = Receipts()
        self.resumed: asyncio.Task[None] | None = None
        self.following: asyncio.Task[None] | None = None
        self.keeper = Keeper(
            ports.copies,
            ports.marker,
            clock=ports.clock,
            quiet=self.quiet,
            turn=self.copy_turn,
            settings=self.settings,
        )
        self._keeping: asyncio.Task[None] | None = None
        self._is_unkept = False
        self._mirror_is_stale = False
        self._mirror: tuple[StorePlace, tuple[str, ...], Mirror] | None = None
        self._started_ms = ports.clock.monotonic_ms()
        self._summaries: SummaryQueue | None = None
        self._library: Library | None = None
        self._library_error: StoreError | None = None

    @property
    def library(self) -> Library:
        """The open library; raises StoreError when there is none."""
        if self._library is None:
            raise self._library_error or StoreError("store_locked", "the library is not open yet")
        return self._library

    @property
    def summaries(self) -> SummaryQueue:
        """The summaries of the open library; raises StoreError when there is none."""
        if self._summaries is None:
            maker = Maker(self.library, quiet=self.quiet, clock=self.ports.clock)
            self._summaries = SummaryQueue(self.library, maker, quiet=self.quiet, choose=self._choose)
        return self._summaries

    async def open(self) -> None:
        """Open and load the library; a file that cannot be used is reported by every later use."""
        try:
            library = self.ports.open_library()
            await library.load(silent_job())
            library.store.threads.interrupt_running()
            await self.keeper.opened(library)
            self._library, self._library_error, self._summaries = library, None, None
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
        await self.keeper.seen(self.library)

    async def close(self) -> None:
        """Let go of the library for good, in whatever state: all that is stored is about to be removed."""
        tasks = self.background()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        library, self._library = self._library, None
        try:
            if library is not None:
                library.store.close()
        except StoreError as error:
            log.warning("the library was not closed: %s", error.message)

    def background(self) -> list[asyncio.Task[None]]:
        """What runs without a request and has not ended."""
        summarising = self._summaries.background if self._summaries is not None else None
        tasks = (self.resumed, self.following, self._keeping, summarising)
        return [task for task in tasks if task is not None and not task.done()]

    async def recorder(self) -> Recorder:
        """What keeps questions in their threads; raises StoreError when there is no library."""
        wanted = (await self.settings())["preferences"]["max_threads"]
        limit = min(max(wanted, FEWEST_THREADS), MOST_THREADS)
        return Recorder(self.library.store.threads, self.receipts, self.ports.clock, max_threads=limit)

    @contextmanager
    def settings_read_once(self) -> Iterator[None]:
        """Let what is done while the context is open work by the settings as they are read first.

        Each reading asks the service worker. What may leave is looked up at every send all the same.
        """
        reading = _Reading()
        token = _READING.set(reading)
        try:
            yield
        finally:
            _READING.reset(token)
            # A task that was started in here and goes on reads anew.
            reading.is_over = True

    async def settings(self) -> dict[str, Any]:
        """The reader's settings; the defaults when they cannot be read."""
        try:
            return await self.stored_settings()
        except HostError as error:
            log.warning("settings not read: %s", error.message)
            return default_settings()

    async def stored_settings(self) -> dict[str, Any]:
        """The reader's settings; raises HostError when they cannot be read."""
        reading = _READING.get()
        if reading is None or reading.is_over:
            return sound_settings(await self.ports.settings.settings())
        if reading.settings is None:
            reading.settings = sound_settings(await self.ports.settings.settings())
        return reading.settings

    async def _choose(self) -> Choice:
        ports = self.ports
        return await choose(await self.settings(), models=ports.models, summarizer=ports.summarizer)

    def indexer(
        self,
        library: Library,
        why_never_read: Callable[[str], str] = lambda url: "",
        on_set_aside: Callable[[], None] = lambda: None,
    ) -> Indexer:
        """An indexer of tabs into `library`, with what `Indexer` is told of the tabs."""
        return Indexer(
            library,
            pages=self.ports.pages,
            content=self.ports.content,
            embedder=self.ports.embedder,
            clock=self.ports.clock,
            why_never_read=why_never_read,
            on_set_aside=on_set_aside,
        )

    async def embed_missing(self, library: Library, job: Job) -> None:
        """Give every stored page its vectors."""
        async with self.index_turn:
            try:
                await self.indexer(library).embed_missing(job)
            except ModelError as error:
                # Pages are stored and found by words; meaning follows with the next job or start.
                log.warning("embedding put off: %s", error.message)
        self.follow()
        if library is self._library:
            self.summaries.wake()

    def follow(self) -> None:
        """Have marker, backup and mirror, when there is one, brought in step beside everything else."""
        self._is_unkept = True
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.ensure_future(self._keep())
        self._mirror_is_stale = True
        if self.following is None or self.following.done():
            self.following = asyncio.ensure_future(self._follow())

    async def _keep(self) -> None:
        """Bring the marker and the backup in step with what has changed."""
        while self._is_unkept and self._library is not None:
            self._is_unkept = False
            await self.keeper.keep(self._library)

    async def qdrant_settings(self) -> dict[str, Any]:
        """The Qdrant record of the settings; raises HostError."""
        chosen: dict[str, Any] = (await self.stored_settings())["qdrant"]
        return chosen

    async def mirror(self) -> Mirror | None:
        """The mirror in use, None when the reader has none; raises HostError."""
        settings = await self.stored_settings()
        return self._mirror_of(settings["qdrant"], settings) if settings["qdrant"]["enabled"] else None

    async def mirror_at(self, chosen: Mapping[str, Any]) -> Mirror:
        """The mirror of the open library at the place of a Qdrant record; raises HostError, StoreError."""
        return self._mirror_of(chosen, await self.stored_settings())

    def _mirror_of(self, chosen: Mapping[str, Any], settings: dict[str, Any]) -> Mirror:
        library, descriptor = self.library, self.ports.embedder.descriptor
        place = StorePlace(
            url=chosen["address"],
            collection=chosen["collection"],
            model_id=descriptor.key,
            dimensions=descriptor.dimensions,
            library=library.store.library_id(),
        )
        kept_here = tuple(settings["never_leaves"]) if is_remote(origin_of(place.url)) else ()
        known = self._mirror
        if known is not None and known[:2] == (place, kept_here) and known[2].library is library:
            return known[2]
        mirror = Mirror(
            library,
            self.ports.vector_stores.at(place),
            stays_here=lambda url: bool(kept_here) and stays_here(url, settings),
        )
        self._mirror = (place, kept_here, mirror)
        return mirror

    async def _follow(self) -> None:
        """Bring the mirror in step with what has changed; one that cannot be reached is tried again later."""
        try:
            while self._mirror_is_stale:
                self._mirror_is_stale = False
                async with self.mirror_turn:
                    mirror = await self.mirror()
                    if mirror is not None:
                        await mirror.sync(silent_job())
        except AppError as error:
            log.warning("the mirror is behind: %s: %s", error.code, error.message)

    async def _resume(self, library: Library) -> None:
        """Finish the embedding that an earlier run left undone."""
        try:
            await self.embed_missing(library, silent_job())
        except AppError as error:
            log.warning("embedding not resumed: %s", error.message)
