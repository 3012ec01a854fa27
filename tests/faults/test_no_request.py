"""With no service set up, no feature sends anything: every request of the protocol is counted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder
from tabwise.core.network.http import HttpRequest
from tabwise.errors import ProviderError
from tabwise.ports import HttpResponse
from tabwise.protocol import schema

NAMES_A_DESTINATION = {"provider_test", "qdrant_test", "model_download"}
"""Requests in which the reader says where to; what they may send is tested with the gate."""
QUESTION = {"question": "How large is the tidal range in the Bay of Fundy?", "sources": []}
AS_USED: dict[str, dict[str, Any]] = {
    "ask": QUESTION | {"thread": "sea"},
    "ask_each": QUESTION,
    "research": QUESTION,
    "search": {"query": "tidal range", "sources": [], "k": 5, "mode": "convex"},
    "find": {"text": "tidal", "k": 5},
    "self_test": {"n_questions": 5},
    "doctor": {"check": True, "test": True},
    "find_threads": {"text": "tidal", "k": 5},
}
LEAST = {"str": "", "int": 0, "float": 0.0, "bool": False, "json": None}


class CountingHttp:
    """`ports.Http` that counts what would have gone out, and lets nothing."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        self.asked.append(request.url)
        raise ProviderError("network_offline", subject=request.url)
        yield  # a generator, as every context manager is


def least(kind: Any) -> Any:
    """The smallest value of a kind of the schema."""
    if isinstance(kind, tuple):
        return {"list": [], "optional": None}.get(kind[0], kind[1])
    if kind in LEAST:
        return LEAST[kind]
    return {name: least(field) for name, field in schema.RECORDS[kind].items()}


@pytest.mark.fault("S4")
@pytest.mark.parametrize("kind", sorted(set(schema.REQUESTS) - NAMES_A_DESTINATION))
def test_a_feature_asks_nobody(tmp_path: Path, kind: str) -> None:
    fields = {name: least(field) for name, field in schema.REQUESTS[kind].items()} | AS_USED.get(kind, {})

    async def counted() -> list[str]:
        http = CountingHttp()
        desk = Desk(tmp_path / "library.db", {1: TIDES, 2: BREAD}, BagEmbedder(), http=http)
        await desk.service.start()
        await desk.add(1, 2)
        await desk.ask(kind, **fields)
        return http.asked

    assert asyncio.run(counted()) == []


@pytest.mark.fault("S4")
def test_what_would_go_out_is_counted(tmp_path: Path) -> None:
    provider = least("Provider") | {"id": "p", "kind": "compatible", "address": "http://127.0.0.1:1/v1"}

    async def counted() -> list[str]:
        http = CountingHttp()
        desk = Desk(tmp_path / "library.db", {}, BagEmbedder(), http=http)
        await desk.service.start()
        await desk.ask("provider_test", provider=provider)
        return http.asked

    assert asyncio.run(counted()) != []
