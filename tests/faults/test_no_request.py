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

NAMES_A_DESTINATION = {"provider_test", "qdrant_test", "model_download", "embedder_download"}
"""Requests in which the reader says where to; what they may send is tested with the gate."""
NOT_ON_THIS_DESK = {
    *("catalogue", "model_import", "model_measure", "model_remove"),
    *("embedder_adopt", "embedder_catalogue", "embedder_forget", "embedder_remove", "embedder_use"),
    *("qdrant_sync", "reset_library"),
}
"""What ends in an error here: no folder for models, no Qdrant that was set up, no library that is damaged."""
BEFORE = {
    "restore": ("remove",),
    "restore_all": ("remove_all",),
    "replay": ("receipt",),
    "take_import": ("look_at_import",),
    "undo_import": ("look_at_import", "take_import"),
}
"""What has to be asked for first."""
QUESTION = {"question": "How large is the tidal range in the Bay of Fundy?", "sources": []}
FILE = "blob:file"
PDF_ITEM = ["The moon pulls the sea", 60, 100, 120, 10, 0, "body"]
PDF_PAGES = [{"number": 1, "width": 600, "height": 800, "items": [PDF_ITEM]}]
PASSAGE = {"quote": "pulls the sea", "before": "", "after": "", "page_number": 1}
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


class Session:
    """A reader with two saved pages, a conversation about them and an export of it all."""

    def __init__(self, folder: Path) -> None:
        self.http = CountingHttp()
        self.desk = Desk(folder / "library.db", {1: TIDES, 2: BREAD}, BagEmbedder(), http=self.http)
        self.desk.files.files[FILE] = BREAD
        self.fields: dict[str, dict[str, Any]] = {}

    async def begin(self) -> None:
        await self.desk.service.start()
        await self.desk.add(1, 2)
        answer = (await self.desk.ask("ask", **QUESTION, thread="sea"))["result"]
        (thread,) = (await self.desk.ask("threads"))["result"]
        made = (await self.desk.ask("export_library"))["result"]
        export = self.desk.path.parent / f"{self.desk.path.stem}-copies" / made["name"]
        cited = answer["citations"][0]
        span = {name: cited[name] for name in ("source", "start", "end")}
        turn = {"thread": "sea", "turn": thread["head"]}
        self.fields = {
            "add_file": {"name": "bread.html", "url": FILE},
            "ask": QUESTION | {"thread": "sea"},
            "ask_each": QUESTION,
            "choose_turn": turn,
            "cite": span,
            "doctor": {"check": True, "test": True},
            "find": {"text": "tidal", "k": 5},
            "find_threads": {"text": "tidal", "k": 5},
            "freshness": {"citation": cited, "tabs": [self.desk.tab(1)]},
            "index": {"tabs": [self.desk.tab(1), self.desk.tab(2)]},
            "interest": {"tabs": [{"url": TIDES.url, "last_accessed": 0.0}]},
            "locate": {"urls": [TIDES.url]},
            "look_at_import": {"url": export.as_uri()},
            "pdf_passages": {"pages": PDF_PAGES, "passages": [PASSAGE]},
            "pin_thread": {"thread": "sea", "pinned": True},
            "receipt": {"answer": answer["id"]},
            "remove": {"source": cited["source"]},
            "remove_threads": {"threads": ["sea"]},
            "remove_turn": turn,
            "rename_thread": {"thread": "sea", "title": "The sea"},
            "research": QUESTION,
            "restore": {"source": cited["source"]},
            "saved_text": {"source": cited["source"], "quote": cited["quote"], "start": cited["start"]},
            "search": {"query": "tidal range", "k": 5},
            "self_test": {"n_questions": 5},
            "show": {"citation": cited, "others": []},
            "starters": {"n": 3},
            "summaries": {"sources": [cited["source"]]},
            "summarise": {"sources": [cited["source"]]},
            "thread": {"thread": "sea"},
            "thread_turns": {"turns": [thread["head"]]},
        }

    async def use(self, kind: str) -> dict[str, Any]:
        fields = {name: least(field) for name, field in schema.REQUESTS[kind].items()}
        end = await self.desk.ask(kind, **(fields | self.fields.get(kind, {})))
        if kind == "receipt":
            self.fields["replay"] = {"receipt": end["result"]["receipt"]}
        return end


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
    async def used() -> tuple[str, list[str]]:
        session = Session(tmp_path)
        await session.begin()
        for first in BEFORE.get(kind, ()):
            assert (await session.use(first))["type"] == "done"
        return (await session.use(kind))["type"], session.http.asked

    expected = "error" if kind in NOT_ON_THIS_DESK else "done"
    assert asyncio.run(used()) == (expected, [])


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
