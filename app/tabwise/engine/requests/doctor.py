"""The request that looks after everything once."""

from typing import Any

from tabwise.core.network.egress import Destination
from tabwise.core.network.http import Purpose, origin_of
from tabwise.engine.check import look_through
from tabwise.engine.doctor import (
    Line,
    closed_library_line,
    embedder_line,
    in_order,
    library_line,
    machine_lines,
    service_line,
)
from tabwise.engine.jobs import silent_job
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import AppError, StoreError


class DoctorRequests:
    """Says what works here and why not."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"doctor": self._doctor, "engine_restart": self._restart}

    async def _doctor(self, request: Request, reply: Reply) -> Any:
        lines = [
            *machine_lines(await self._room.ports.host.facts()),
            *await self._library_lines(looks_through=request["check"]),
            *await self._service_lines(is_asked=request["test"]),
        ]
        return [line_row(line) for line in in_order(lines)]

    async def _restart(self, request: Request, reply: Reply) -> Any:
        starter = self._room.ports.own_embedders
        if starter is not None:
            starter.restart()
        return {"restarts": starter is not None}

    async def _library_lines(self, *, looks_through: bool) -> list[Line]:
        try:
            library = self._room.library
        except StoreError as error:
            return [closed_library_line(error)]
        stats = library.stats()
        faults = (await look_through(library.store, silent_job())).faults if looks_through else ()
        return [
            library_line(n_pages=stats.n_pages, size_bytes=stats.size_bytes, faults=faults),
            await embedder_line(self._room.ports.embedder, must_reembed=library.is_of_another_model),
        ]

    async def _service_lines(self, *, is_asked: bool) -> list[Line]:
        settings = await self._room.stored_settings()
        found = []
        for provider in settings["providers"]:
            outcome = await self._provider_outcome(provider) if is_asked else None
            found.append(service_line("provider", provider["label"], provider["id"], outcome))
        chosen = settings["qdrant"]
        if chosen["enabled"]:
            outcome = await self._qdrant_outcome(chosen) if is_asked else None
            found.append(service_line("qdrant", origin_of(chosen["address"]), "", outcome))
        return found

    async def _provider_outcome(self, provider: dict[str, Any]) -> AppError | str:
        try:
            await self._allow_check(provider["address"])
            await self._room.ports.tester.inspect(provider)
        except AppError as error:
            return error
        return str(provider["model"])

    async def _qdrant_outcome(self, chosen: dict[str, Any]) -> AppError | str:
        try:
            await self._allow_check(chosen["address"])
            found = await (await self._room.mirror_at(chosen)).probe()
        except AppError as error:
            return error
        return found.version

    async def _allow_check(self, url: str) -> None:
        """Who asks for the services to be tested agrees to these questions, which carry no page."""
        await self._room.ports.gate.agree(Destination(origin_of(url), Purpose.CHECK), once=True)


def line_row(line: Line) -> dict[str, Any]:
    """Build a DoctorLine."""
    return {
        "topic": line.topic,
        "reason": line.reason,
        "state": line.state,
        "action": line.action,
        "subject": line.subject,
        "values": [{"name": name, "value": value} for name, value in line.values],
        "code": line.code,
        "message": line.message,
    }
