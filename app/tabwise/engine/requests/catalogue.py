"""Requests about the language models of this machine."""

import asyncio
import logging
from typing import Any

from tabwise.core.chat import Speed
from tabwise.engine.llm.catalogue import Catalogue, ModelState, folder_id
from tabwise.engine.llm.measuring import decode_per_s
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import LocalParts, Workroom
from tabwise.errors import ModelError

BUNDLED = "bundled"
SLOW_PER_S = 3.0
"""Tokens a second below which an answer of 200 takes more than a minute."""

log = logging.getLogger(__name__)


class CatalogueRequests:
    """Lists, downloads, imports, deletes and times models; one change at a time."""

    def __init__(self, room: Workroom) -> None:
        self._room = room
        self._turn = asyncio.Lock()

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "catalogue": self._list,
            "model_download": self._download,
            "model_remove": self._remove,
            "model_import": self._import,
            "model_measure": self._measure,
        }

    @property
    def _catalogue(self) -> Catalogue:
        return self._local()[0]

    def _local(self) -> LocalParts:
        here = self._room.ports.local
        if here is None:
            raise ModelError("model_unavailable", "no models are kept here")
        return here

    async def _list(self, request: Request, reply: Reply) -> Any:
        catalogue, models, _ = self._local()
        speeds = await models.speeds()
        rows = [_model(state, speeds) for state in await catalogue.states()]
        bundled = await models.describe(BUNDLED)
        if bundled is not None:
            rows.insert(0, _model(bundled, speeds, BUNDLED))
        return {"models": rows, "free_bytes": await catalogue.free_bytes()}

    async def _download(self, request: Request, reply: Reply) -> Any:
        # Who presses Download agrees to it.
        await self._room.ports.gate.agree(self._catalogue.destination, once=True)
        async with self._turn:
            await self._catalogue.download(request["model"], reply.job())
            await self._time_first(f"catalogue:{request['model']}")
        return await self._list(request, reply)

    async def _remove(self, request: Request, reply: Reply) -> Any:
        catalogue, models, _ = self._local()
        async with self._turn:
            await models.release()
            await catalogue.remove(request["model"])
        return await self._list(request, reply)

    async def _import(self, request: Request, reply: Reply) -> Any:
        catalogue, models, folders = self._local()
        urls = {one["name"]: one["url"] for one in request["files"]}
        folder = folder_id(request["name"])

        async def copy(name: str) -> None:
            await folders.copy(folder, name, urls[name])

        async with self._turn:
            await models.release()
            sizes = {one["name"]: one["size_bytes"] for one in request["files"]}
            await catalogue.add_folder(request["name"], sizes, copy, reply.job())
        return await self._list(request, reply)

    async def _measure(self, request: Request, reply: Reply) -> Any:
        async with self._turn:
            return _speed(await self._local()[1].measure(request["engine"]))

    async def _time_first(self, engine: str) -> None:
        """Time a model that has just come, so that a slow one is known as such before it is chosen."""
        try:
            await self._local()[1].measure(engine)
        except ModelError as error:
            log.warning("%s was not timed: %s", engine, error.message)


def _model(state: ModelState, speeds: Any, engine: str = "") -> dict[str, Any]:
    engine = engine or f"catalogue:{state.id}"
    speed = speeds.get(engine)
    return {
        "id": state.id,
        "engine": engine,
        "label": state.label,
        "licence": state.licence,
        "device": state.device,
        "context_tokens": state.context_tokens,
        "size_bytes": state.size_bytes,
        "stored_bytes": state.stored_bytes,
        "state": "here" if state.is_complete else "partial" if state.stored_bytes else "absent",
        "is_imported": state.is_imported,
        "speed": None if speed is None else _speed(speed),
    }


def _speed(speed: Speed) -> dict[str, Any]:
    return {
        "device": speed.device,
        "prefill_per_s": _rate(speed.n_prefilled, speed.prefill_ms),
        "decode_per_s": decode_per_s(speed),
        "is_slow": decode_per_s(speed) < SLOW_PER_S,
        "first_text_ms": speed.first_text_ms,
        "memory_bytes": speed.memory_bytes,
    }


def _rate(n: int, ms: float) -> float:
    return 1_000.0 * n / ms if ms > 0 else 0.0
