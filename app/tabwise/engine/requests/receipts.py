"""Requests about how an answer came about and whether what it cites still stands."""

from typing import Any

from tabwise.core.model import SourceId
from tabwise.engine import freshness, wire
from tabwise.engine.answering import records
from tabwise.engine.answering.replaying import replay
from tabwise.engine.asking import Asker
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import InputError
from tabwise.protocol.rules import why_never_read


class ReceiptRequests:
    """Gives receipts out, runs them again, looks at cited pages again."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"receipt": self._receipt, "replay": self._replay, "freshness": self._freshness}

    async def _receipt(self, request: Request, reply: Reply) -> Any:
        kept = self._room.receipts.text(request["answer"])
        text = kept or self._room.library.store.threads.load_receipt(request["answer"])
        if not text:
            raise InputError("receipt_unknown", subject=request["answer"])
        return {"receipt": text}

    async def _replay(self, request: Request, reply: Reply) -> Any:
        library, ports = self._room.library, self._room.ports
        receipt, found = await replay(
            request["receipt"],
            library=library,
            asker=Asker(library, embedder=ports.embedder, clock=ports.clock, mirror=self._room.mirror),
            embedder=ports.embedder,
            job=reply.job(),
        )
        return records.replay(receipt, found)

    async def _freshness(self, request: Request, reply: Reply) -> Any:
        library, cited = self._room.library, request["citation"]
        settings = await self._room.stored_settings()
        checked = await freshness.check(
            SourceId(cited["source"]),
            cited["quote"],
            cited["before"],
            cited["after"],
            tabs=[wire.tab_ref(tab) for tab in request["tabs"]],
            indexer=self._room.indexer(library, lambda url: why_never_read(url, settings)),
            library=library,
            job=reply.job(),
        )
        return records.freshness(checked)
