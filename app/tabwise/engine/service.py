"""The engine as the panel sees it: protocol text in, protocol text out.

Every request ends with exactly one terminal event (done, error, cancelled), whatever happens inside:
this module holds the one broad `except`. Index jobs run one after the other, questions run beside them.
A library that cannot be opened answers every request with its error, until `reset_library`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tabwise import __version__
from tabwise.core.find import FoundPage
from tabwise.core.model import FusionMode, SourceId
from tabwise.core.urls import canonical_source, is_given_file, moment_url
from tabwise.engine import wire
from tabwise.engine.asking import Asker
from tabwise.engine.given_files import GivenFile
from tabwise.engine.indexing import Indexer, RowOutcome
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library
from tabwise.engine.self_test import self_test
from tabwise.errors import AppError, InputError, ModelError, StoreError, WireError
from tabwise.ports import Clock, Embedder, FileReader, MainContent, PageSource, PassageViewer, SettingsSource
from tabwise.protocol import codec
from tabwise.protocol.rules import why_never_read
from tabwise.protocol.settings import sound_settings

MAX_QUESTIONS = 500
"""Questions of a self test."""
MAX_HITS = 100
"""Hits a request can ask for; each carries its passage."""

log = logging.getLogger(__name__)

Request = dict[str, Any]
Handler = Callable[[Request, "Reply"], Awaitable[Any]]


class Reply:
    """Where the events of one request go."""

    def __init__(self, request_id: str, post: Callable[[str], None]) -> None:
        self._id = request_id
        self._post = post

    def send(self, kind: str, **fields: Any) -> None:
        """Post one event."""
        self._post(codec.encode_event(self._id, kind, **fields))

    def job(self) -> Job:
        """A job whose progress goes to the panel."""
        return Job(self._progress)

    def _progress(self, progress: Progress) -> None:
        self.send(
            "progress", stage=progress.stage, done=progress.done, total=progress.total, unit=progress.unit
        )


class Service:
    """Dispatches requests to the use cases."""

    def __init__(
        self,
        *,
        open_library: Callable[[], Library],
        set_library_aside: Callable[[], None],
        embedder: Embedder,
        pages: PageSource,
        content: MainContent,
        files: FileReader,
        viewer: PassageViewer,
        settings: SettingsSource,
        clock: Clock,
        post: Callable[[str], None],
    ) -> None:
        """`open_library` raises StoreError when the file cannot be used; it may be called again later."""
        self._open_library = open_library
        self._set_library_aside = set_library_aside
        self._embedder = embedder
        self._pages = pages
        self._content = content
        self._files = files
        self._viewer = viewer
        self._settings = settings
        self._clock = clock
        self._post = post
        self._started_ms = clock.monotonic_ms()
        self._boot_ms = 0.0
        self._library: Library | None = None
        self._library_error: StoreError | None = None
        self._index_turn = asyncio.Lock()
        self._resumed: asyncio.Task[None] | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, Handler] = {
            "hello": self._hello,
            "index": self._index,
            "add_file": self._add_file,
            "ask": self._ask,
            "search": self._search,
            "find": self._find,
            "self_test": self._self_test,
            "embedder": self._describe_embedder,
            "reembed": self._reembed,
            "library": self._list,
            "locate": self._locate,
            "remove": self._remove,
            "restore": self._restore,
            "remove_all": self._remove_all,
            "restore_all": self._restore_all,
            "show": self._show,
            "reset_library": self._reset_library,
            "cancel": self._cancel,
        }

    async def start(self) -> None:
        """Open and load the library; a file that cannot be used is reported by every later request."""
        try:
            library = self._open_library()
            await library.load(silent_job())
            self._library, self._library_error = library, None
        except StoreError as error:
            log.warning("library not opened: %s", error.message)
            self._library_error = error
        self._boot_ms = self._clock.monotonic_ms() - self._started_ms
        if self._library is not None:
            self._resumed = asyncio.ensure_future(self._resume(self._library))

    async def _resume(self, library: Library) -> None:
        """Finish the embedding that an earlier run left undone."""
        try:
            await self._embed_missing(library, silent_job())
        except AppError as error:
            log.warning("embedding not resumed: %s", error.message)

    async def _embed_missing(self, library: Library, job: Job) -> None:
        """Give every stored page its vectors."""
        async with self._index_turn:
            try:
                await self._indexer(library).embed_missing(job)
            except ModelError as error:
                # Pages are stored and found by words; meaning follows with the next job or start.
                log.warning("embedding put off: %s", error.message)

    def _indexer(self, library: Library, why_never_read: Callable[[str], str] = lambda url: "") -> Indexer:
        return Indexer(
            library,
            pages=self._pages,
            content=self._content,
            embedder=self._embedder,
            clock=self._clock,
            why_never_read=why_never_read,
        )

    def dispatch(self, text: str) -> None:
        """Take one request; must be called inside a running event loop."""
        try:
            request = codec.decode_request(text)
        except codec.Malformed as error:
            self._refuse(text, WireError(str(error)))
            return
        if request["id"] in self._tasks:
            return
        task = asyncio.ensure_future(self._run(request))
        self._tasks[request["id"]] = task
        task.add_done_callback(lambda _: self._tasks.pop(request["id"], None))

    async def settle(self) -> None:
        """Wait until nothing is being worked on."""
        while waiting := [*self._tasks.values(), *([self._resumed] if self._resumed else [])]:
            await asyncio.wait(waiting)
            self._resumed = None

    async def _run(self, request: Request) -> None:
        reply = Reply(request["id"], self._post)
        try:
            result = await self._handlers[request["type"]](request, reply)
            codec.check_result(request["type"], result)
            reply.send("done", result=result)
        except asyncio.CancelledError:
            reply.send("cancelled")
        except AppError as error:
            _send_error(reply, error)
        except Exception as error:
            log.exception("request %s failed", request["type"])
            _send_error(reply, AppError("internal", f"{type(error).__name__}: {error}"))

    def _refuse(self, text: str, error: WireError) -> None:
        """Answer a message that breaks the schema, when it has an id to answer to."""
        log.warning("refused: %s", error.message)
        request_id = codec.request_id_of(text)
        if request_id:
            _send_error(Reply(request_id, self._post), error)

    def _opened(self) -> Library:
        if self._library is None:
            raise self._library_error or StoreError("store_locked", "the library is not open yet")
        return self._library

    def _asker(self) -> Asker:
        return Asker(self._opened(), embedder=self._embedder, clock=self._clock)

    # -- handlers, one per request type -----------------------------------------------------------

    async def _hello(self, request: Request, reply: Reply) -> Any:
        return self._ready()

    def _ready(self) -> wire.Record:
        library = self._opened()
        return {
            "version": __version__,
            "stats": self._stats(),
            "pages": self._rows(library),
            "semantic": bool(library.index.n_vectors),
            "boot_ms": self._boot_ms,
        }

    def _rows(self, library: Library) -> list[wire.Record]:
        return [wire.page_row(page, len(library.index.chunks(page.source))) for page in library.pages()]

    def _stats(self) -> wire.Record:
        return wire.stats(self._opened().stats())

    async def _index(self, request: Request, reply: Reply) -> Any:
        def on_row(outcome: RowOutcome) -> None:
            reply.send("row", row=wire.row_result(outcome))

        library, job = self._opened(), reply.job()
        async with self._index_turn:
            tabs = [wire.tab_ref(tab) for tab in request["tabs"]]
            settings = sound_settings(await self._settings.settings())
            indexer = self._indexer(library, lambda url: why_never_read(url, settings))
            outcomes = await indexer.read(tabs, job, on_row)
        await self._embed_missing(library, job)
        return [wire.row_result(outcome) for outcome in outcomes]

    async def _add_file(self, request: Request, reply: Reply) -> Any:
        library, job = self._opened(), reply.job()
        given = GivenFile(self._files, name=request["name"], url=request["url"])
        indexer = Indexer(
            library, pages=given, content=self._content, embedder=self._embedder, clock=self._clock
        )
        async with self._index_turn:
            (outcome,) = await indexer.read([given.tab], job, _ignore_row)
        await self._embed_missing(library, job)
        return wire.row_result(outcome)

    async def _ask(self, request: Request, reply: Reply) -> Any:
        library = self._opened()
        answer = await self._asker().ask(
            request["question"],
            scope=wire.scope(request),
            k=_sound_k(request["k"]),
            mode=FusionMode(request["mode"]),
            job=reply.job(),
            on_sentence=lambda i, sentence, citations: reply.send(
                "sentence",
                index=i,
                sentence=wire.sentence(sentence),
                citations=[wire.citation(item, library.page(item.source)) for item in citations],
            ),
        )
        return wire.answer(answer, library.page)

    async def _search(self, request: Request, reply: Reply) -> Any:
        library = self._opened()
        found = await self._asker().search(
            request["query"],
            scope=wire.scope(request),
            k=_sound_k(request["k"]),
            mode=FusionMode(request["mode"]),
        )
        return [wire.hit(hit, library.page(hit.chunk.source)) for hit in found.hits]

    async def _find(self, request: Request, reply: Reply) -> Any:
        library, text = self._opened(), request["text"]

        def records(found: Sequence[FoundPage]) -> list[wire.Record]:
            return [wire.found_page(match, library.page(match.source), text) for match in found]

        found = await self._asker().find(
            text,
            k=_sound_k(request["k"]),
            on_words=lambda pages: reply.send("found", pages=records(pages)),
        )
        return records(found)

    async def _self_test(self, request: Request, reply: Reply) -> Any:
        result = await self_test(
            self._opened(),
            embedder=self._embedder,
            clock=self._clock,
            job=reply.job(),
            max_questions=min(max(request["n_questions"], 1), MAX_QUESTIONS),
        )
        return wire.self_test(result)

    async def _describe_embedder(self, request: Request, reply: Reply) -> Any:
        return wire.embedder(self._embedder.descriptor, self._opened())

    async def _reembed(self, request: Request, reply: Reply) -> Any:
        async with self._index_turn:
            await self._indexer(self._opened()).reembed(reply.job())
        return self._stats()

    async def _list(self, request: Request, reply: Reply) -> Any:
        return self._rows(self._opened())

    async def _locate(self, request: Request, reply: Reply) -> Any:
        return [{"url": url, "source": canonical_source(url)} for url in request["urls"]]

    async def _remove(self, request: Request, reply: Reply) -> Any:
        self._opened().remove(SourceId(request["source"]))
        return self._stats()

    async def _restore(self, request: Request, reply: Reply) -> Any:
        await self._opened().restore(SourceId(request["source"]), reply.job())
        return self._stats()

    async def _remove_all(self, request: Request, reply: Reply) -> Any:
        self._opened().remove_all()
        return self._stats()

    async def _restore_all(self, request: Request, reply: Reply) -> Any:
        await self._opened().restore_all(reply.job())
        return self._stats()

    async def _show(self, request: Request, reply: Reply) -> Any:
        citation = request["citation"]
        if is_given_file(citation["url"]):
            raise InputError("file_not_kept", subject=citation["title"])
        found, tab_id = await self._viewer.show(
            citation["url"],
            citation["quote"],
            citation["before"],
            citation["after"],
            page_number=citation["page_number"],
            moment_url=moment_url(citation["url"], citation["seconds"]),
        )
        return {"found": found, "tab_id": tab_id}

    async def _reset_library(self, request: Request, reply: Reply) -> Any:
        if self._library is not None:
            raise InputError("source_unknown", "the library is sound; nothing to reset")
        self._set_library_aside()
        await self.start()
        return self._ready()

    async def _cancel(self, request: Request, reply: Reply) -> Any:
        task = self._tasks.get(request["target"])
        return {"stopped": bool(task and task.cancel())}


def _sound_k(k: int) -> int:
    return min(max(k, 1), MAX_HITS)


def _ignore_row(outcome: RowOutcome) -> None:
    """The row of a single file is its result."""


def _send_error(reply: Reply, error: AppError) -> None:
    reply.send(
        "error", code=error.code, subject=error.subject, message=error.message, retryable=error.retryable
    )
