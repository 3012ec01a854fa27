"""Requests about pages and files: reading them in, and what the library holds."""

from typing import Any

from tabwise import __version__
from tabwise.core.model import SourceId
from tabwise.core.text.urls import canonical_source
from tabwise.engine import wire
from tabwise.engine.given_files import GivenFile
from tabwise.engine.indexing import Indexer, RowOutcome
from tabwise.engine.library import Library
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.protocol.rules import why_never_read


class PageRequests:
    """Adds to the library, lists it, takes out of it."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "hello": self._hello,
            "index": self._index,
            "add_file": self._add_file,
            "library": self._list,
            "locate": self._locate,
            "remove": self._remove,
            "restore": self._restore,
            "remove_all": self._remove_all,
            "restore_all": self._restore_all,
            "reset_library": self._reset_library,
        }

    async def _hello(self, request: Request, reply: Reply) -> Any:
        return self._ready(request["n_pages"])

    def _ready(self, n_pages: int) -> wire.Record:
        library = self._room.library
        return {
            "version": __version__,
            "stats": self._stats(),
            "pages": _rows(library, 0, n_pages),
            "semantic": bool(library.index.n_vectors),
            "boot_ms": self._room.boot_ms,
        }

    def _stats(self) -> wire.Record:
        return wire.stats(self._room.library.stats())

    async def _index(self, request: Request, reply: Reply) -> Any:
        def on_row(outcome: RowOutcome) -> None:
            reply.send("row", row=wire.row_result(outcome))

        library, job = self._room.library, reply.job()
        async with self._room.index_turn:
            tabs = [wire.tab_ref(tab) for tab in request["tabs"]]
            settings = await self._room.stored_settings()
            indexer = self._room.indexer(
                library, lambda url: why_never_read(url, settings), lambda: reply.send("set_aside")
            )
            outcomes = await indexer.read(tabs, job, on_row)
        await self._room.embed_missing(library, job)
        return [wire.row_result(outcome) for outcome in outcomes]

    async def _add_file(self, request: Request, reply: Reply) -> Any:
        library, job, ports = self._room.library, reply.job(), self._room.ports
        given = GivenFile(ports.files, name=request["name"], url=request["url"])
        indexer = Indexer(
            library, pages=given, content=ports.content, embedder=ports.embedder, clock=ports.clock
        )
        async with self._room.index_turn:
            (outcome,) = await indexer.read([given.tab], job, _ignore_row)
        await self._room.embed_missing(library, job)
        return wire.row_result(outcome)

    async def _list(self, request: Request, reply: Reply) -> Any:
        return _rows(self._room.library, request["start"], request["count"])

    async def _locate(self, request: Request, reply: Reply) -> Any:
        return [{"url": url, "source": canonical_source(url)} for url in request["urls"]]

    async def _remove(self, request: Request, reply: Reply) -> Any:
        self._room.library.remove(SourceId(request["source"]))
        self._room.follow()
        return self._stats()

    async def _restore(self, request: Request, reply: Reply) -> Any:
        await self._room.library.restore(SourceId(request["source"]), reply.job())
        self._room.follow()
        return self._stats()

    async def _remove_all(self, request: Request, reply: Reply) -> Any:
        self._room.library.remove_all()
        self._room.follow()
        return self._stats()

    async def _restore_all(self, request: Request, reply: Reply) -> Any:
        await self._room.library.restore_all(reply.job())
        self._room.follow()
        return self._stats()

    async def _reset_library(self, request: Request, reply: Reply) -> Any:
        await self._room.reset()
        return self._ready(0)


def _rows(library: Library, start: int, count: int) -> list[wire.Record]:
    """`count` of the pages from `start`, all of them when it is 0."""
    return [wire.page_row(head) for head in library.heads()[start : start + count if count else None]]


def _ignore_row(outcome: RowOutcome) -> None:
    """The row of a single file is its result."""
