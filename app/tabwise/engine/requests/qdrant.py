"""Requests about the mirror in a Qdrant: try an address, bring it in step, tell how far it is."""

from typing import Any

from tabwise.core.network.egress import Destination
from tabwise.core.network.http import Purpose, origin_of
from tabwise.core.network.store_address import neighbours
from tabwise.engine.mirror import MirrorState
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import ProviderError
from tabwise.protocol.qdrant import read_collection, read_store_address


class QdrantRequests:
    """Tries, fills and describes the vector store."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"qdrant_test": self._test, "qdrant_sync": self._sync, "qdrant_state": self._state}

    async def _test(self, request: Request, reply: Reply) -> Any:
        address, fault = read_store_address(request["address"])
        collection, fault_of_name = read_collection(request["collection"])
        if fault or fault_of_name:
            raise ProviderError("address_invalid", fault or fault_of_name)
        # Who presses Test agrees to these questions, which carry nothing of any page.
        for url in (address, *(near for _, near in neighbours(address))):
            await self._room.ports.gate.agree(Destination(origin_of(url), Purpose.CHECK), once=True)
        chosen = {"enabled": True, "address": address, "collection": collection}
        found = await (await self._room.mirror_at(chosen)).probe()
        return {
            "version": found.version,
            "collection": found.collection,
            "exists": found.exists,
            "n_passages": found.n_passages,
            "older": list(found.older),
        }

    async def _sync(self, request: Request, reply: Reply) -> Any:
        chosen = await self._room.qdrant_settings()
        async with self._room.mirror_turn:
            mirror = await self._room.mirror_at(chosen)
            return _record(chosen, await mirror.sync(reply.job()))

    async def _state(self, request: Request, reply: Reply) -> Any:
        chosen = await self._room.qdrant_settings()
        return _record(chosen, (await self._room.mirror_at(chosen)).state())


def _record(chosen: dict[str, Any], state: MirrorState) -> dict[str, Any]:
    return {
        "enabled": chosen["enabled"],
        "destination": origin_of(chosen["address"]),
        "n_pages": state.n_pages,
        "n_mirrored": state.n_mirrored,
        "n_kept_here": state.n_kept_here,
    }
