"""Requests about the embedding model, and measuring how well it finds."""

from typing import Any

from tabwise.engine import wire
from tabwise.engine.own_embedder import adopt, folder_in_use, forget
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.requests.writing import at_most
from tabwise.engine.self_test import self_test
from tabwise.engine.workroom import Workroom
from tabwise.errors import ModelError
from tabwise.ports import OwnEmbedders

MAX_QUESTIONS = 500
"""Questions of a self test."""


class ModelRequests:
    """Describes and changes what turns text into vectors."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "self_test": self._self_test,
            "embedder": self._embedder,
            "reembed": self._reembed,
            "embedder_adopt": self._adopt,
            "embedder_forget": self._forget,
        }

    async def _self_test(self, request: Request, reply: Reply) -> Any:
        result = await self_test(
            self._room.library,
            embedder=self._room.ports.embedder,
            clock=self._room.ports.clock,
            job=reply.job(),
            max_questions=at_most(request["n_questions"], MAX_QUESTIONS),
        )
        return wire.self_test(result)

    async def _embedder(self, request: Request, reply: Reply) -> Any:
        own = self._room.ports.own_embedders
        is_own = own is not None and await folder_in_use(own.folders) != ""
        described = wire.embedder(self._room.ports.embedder.descriptor, self._room.library)
        return described | {"is_own": is_own}

    async def _reembed(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        async with self._room.index_turn:
            await self._room.indexer(library).reembed(reply.job())
        return wire.stats(library.stats())

    async def _adopt(self, request: Request, reply: Reply) -> Any:
        own = self._own()
        files = {file["name"]: file["url"] for file in request["files"]}
        async with self._room.index_turn:
            model_id = await adopt(own.folders, files, own.trial, reply.job())
        own.restart()
        return {"id": model_id}

    async def _forget(self, request: Request, reply: Reply) -> Any:
        own = self._own()
        async with self._room.index_turn:
            await forget(own.folders)
        own.restart()
        return {"id": ""}

    def _own(self) -> OwnEmbedders:
        if self._room.ports.own_embedders is None:
            raise ModelError("model_unavailable", "models are given by --model here")
        return self._room.ports.own_embedders
