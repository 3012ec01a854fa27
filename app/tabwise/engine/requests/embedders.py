"""Requests about embedding models that can be downloaded."""

import asyncio
from typing import Any

from tabwise.engine.embedder_catalogue import EmbedderCatalogue, EmbedderState
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import ModelError
from tabwise.ports import OwnEmbedders


class EmbedderRequests:
    """Lists, downloads, uses and deletes models; one change at a time."""

    def __init__(self, room: Workroom) -> None:
        self._room = room
        self._turn = asyncio.Lock()

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "embedder_catalogue": self._list,
            "embedder_download": self._download,
            "embedder_use": self._use,
            "embedder_remove": self._remove,
        }

    def _parts(self) -> tuple[EmbedderCatalogue, OwnEmbedders]:
        catalogue, own = self._room.ports.embedders, self._room.ports.own_embedders
        if catalogue is None or own is None:
            raise ModelError("model_unavailable", "models are given by --model here")
        return catalogue, own

    async def _list(self, request: Request, reply: Reply) -> Any:
        catalogue, _ = self._parts()
        rows = [_model(state) for state in await catalogue.states()]
        return {"models": rows, "free_bytes": await catalogue.free_bytes()}

    async def _download(self, request: Request, reply: Reply) -> Any:
        catalogue, _ = self._parts()
        # Who presses Download agrees to it.
        await self._room.ports.gate.agree(catalogue.destination, once=True)
        async with self._turn:
            await catalogue.download(request["model"], reply.job())
        return await self._list(request, reply)

    async def _use(self, request: Request, reply: Reply) -> Any:
        catalogue, own = self._parts()
        async with self._turn, self._room.index_turn:
            model_id = await catalogue.use(request["model"], own.trial, reply.job())
        own.restart()
        return {"id": model_id}

    async def _remove(self, request: Request, reply: Reply) -> Any:
        catalogue, own = self._parts()
        async with self._turn, self._room.index_turn:
            was_in_use = await catalogue.remove(request["model"])
        if was_in_use:
            own.restart()
        return await self._list(request, reply)


def _model(state: EmbedderState) -> dict[str, Any]:
    entry = state.entry
    return {
        "id": entry.id,
        "label": entry.label,
        "licence": entry.licence,
        "dimensions": entry.dimensions,
        "reads_any_script": entry.reads_any_script,
        "size_bytes": entry.about_bytes,
        "stored_bytes": state.stored_bytes,
        "state": "here" if state.is_complete else "partial" if state.stored_bytes else "absent",
        "is_in_use": state.is_in_use,
    }
