"""Requests about the services that write answers."""

from typing import Any

from tabwise.core.network.egress import Destination
from tabwise.core.network.http import Purpose, origin_of
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import ProviderError
from tabwise.protocol.providers import read_address


class ProviderRequests:
    """Tries a service."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"provider_test": self._test}

    async def _test(self, request: Request, reply: Reply) -> Any:
        provider = dict(request["provider"])
        address, fault = read_address(provider["address"], provider["kind"])
        if fault:
            raise ProviderError("address_invalid", fault, subject=provider["address"])
        provider["address"] = address
        # Who presses Test agrees to this one question, which carries nothing of any page.
        check = Destination(origin_of(address), Purpose.CHECK)
        await self._room.ports.gate.agree(check, once=True)
        found = await self._room.ports.tester.inspect(provider)
        return {
            "kind": found.kind,
            "address": found.address,
            "models": [{"id": name, "context_tokens": n_tokens} for name, n_tokens in found.models],
            "context_tokens": found.context_tokens,
            "calls_tools": found.calls_tools,
        }
