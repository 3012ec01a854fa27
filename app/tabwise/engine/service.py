"""The engine as the panel sees it: protocol text in, protocol text out.

Every request ends with exactly one terminal event (done, error, cancelled), whatever happens inside:
this module holds the one broad `except`. Index jobs run one after the other, questions run beside them.
A library that cannot be opened answers every request with its error, until `reset_library`.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from tabwise.engine.egress import metered
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.requests.agent import AgentRequests
from tabwise.engine.requests.answers import AnswerRequests
from tabwise.engine.requests.catalogue import CatalogueRequests
from tabwise.engine.requests.data import DataRequests
from tabwise.engine.requests.doctor import DoctorRequests
from tabwise.engine.requests.egress import EgressRequests, total_row
from tabwise.engine.requests.embedders import EmbedderRequests
from tabwise.engine.requests.models import ModelRequests
from tabwise.engine.requests.pages import PageRequests
from tabwise.engine.requests.providers import ProviderRequests
from tabwise.engine.requests.qdrant import QdrantRequests
from tabwise.engine.requests.reading import ReadingRequests
from tabwise.engine.requests.receipts import ReceiptRequests
from tabwise.engine.requests.summaries import SummaryRequests
from tabwise.engine.requests.threads import ThreadRequests
from tabwise.engine.workroom import Ports, Workroom
from tabwise.errors import AppError, WireError
from tabwise.protocol import codec

log = logging.getLogger(__name__)

GROUPS = (
    PageRequests,
    AnswerRequests,
    ModelRequests,
    EmbedderRequests,
    CatalogueRequests,
    QdrantRequests,
    ReadingRequests,
    ReceiptRequests,
    ProviderRequests,
    EgressRequests,
    DoctorRequests,
    AgentRequests,
    SummaryRequests,
    ThreadRequests,
    DataRequests,
)

QUESTIONS = frozenset({"ask", "ask_each", "research"})
"""Requests that background work gives way to: they may need a language model."""


class Service:
    """Dispatches requests to the use cases."""

    def __init__(self, ports: Ports, *, post: Callable[[str], None]) -> None:
        # A key that an error quotes, or a page, goes to no panel.
        self._post = lambda text: post(ports.redactor(text))
        self._room = Workroom(ports)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, Handler] = {"cancel": self._cancel}
        for group in GROUPS:
            self._handlers.update(group(self._room).handlers())

    async def start(self) -> None:
        """Open and load the library; a file that cannot be used is reported by every later request."""
        await self._room.open()

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
        while waiting := [*self._tasks.values(), *self._room.background()]:
            await asyncio.wait(waiting)

    async def _run(self, request: Request) -> None:
        reply = Reply(request["id"], self._post)
        try:
            with metered() as meter:
                try:
                    result = await self._handle(request, reply)
                finally:
                    if meter.totals:
                        reply.send("egress", totals=[total_row(*item) for item in meter.totals.items()])
            codec.check_result(request["type"], result)
            reply.send("done", result=result)
        except asyncio.CancelledError:
            reply.send("cancelled")
        except AppError as error:
            reply.send_error(error)
        except Exception as error:
            log.exception("request %s failed", request["type"])
            reply.send_error(AppError("internal", f"{type(error).__name__}: {error}"))

    async def _handle(self, request: Request, reply: Reply) -> Any:
        handler = self._handlers[request["type"]]
        if request["type"] not in QUESTIONS:
            return await handler(request, reply)
        with self._room.quiet.question(), self._room.settings_read_once():
            if request.get("thread"):
                recorder = await self._room.recorder()
                return await recorder.run(request, reply, handler)
            return await handler(request, reply)

    def _refuse(self, text: str, error: WireError) -> None:
        """Answer a message that breaks the schema, when it has an id to answer to."""
        log.warning("refused: %s", error.message)
        request_id = codec.request_id_of(text)
        if request_id:
            Reply(request_id, self._post).send_error(error)

    async def _cancel(self, request: Request, reply: Reply) -> Any:
        task = self._tasks.get(request["target"])
        return {"stopped": bool(task and task.cancel())}
