"""The vector store through the engine's door: try, fill, follow what changes, go on without it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import BagEmbedder, ScriptedModel
from qdrant_server import FakeQdrant, served
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.stores.qdrant.store import QdrantStore, QdrantStores
from tabwise.core.chat import ToolCall
from tabwise.core.model import Capture
from tabwise.core.network.mirror import StorePlace
from tabwise.errors import AppError
from tabwise.protocol.qdrant import KEY_NAME
from tabwise.protocol.settings import default_settings

pytestmark = pytest.mark.native

KEY = "a-planted-key"


class GatedStores:
    """`VectorStores` behind the gate of a desk, with the key that the desk keeps."""

    desk: Desk

    def at(self, place: StorePlace) -> QdrantStore:
        return QdrantStores(self.desk.gate, lambda: self.desk.keys.key(KEY_NAME)).at(place)


class Room:
    """A desk with a Qdrant beside it."""

    def __init__(self, desk: Desk, fake: FakeQdrant, url: str) -> None:
        self.desk, self.fake, self.url = desk, fake, url

    def set_up(self, **changes: object) -> None:
        chosen = {"enabled": True, "address": self.url, "collection": "tabwise"}
        self.desk.settings.stored = default_settings() | {"qdrant": chosen | changes}

    async def test(self, address: str = "", collection: str = "tabwise") -> dict[str, Any]:
        return await self.desk.ask("qdrant_test", address=address or self.url, collection=collection)

    async def agree(self) -> None:
        place = {"origin": self.url, "purpose": "store"}
        assert (await self.desk.ask("egress_agree", destination=place, once=False))["type"] == "done"

    async def state(self) -> dict[str, Any]:
        result: dict[str, Any] = (await self.desk.ask("qdrant_state"))["result"]
        return result


Run = Callable[[Callable[[Room], Awaitable[None]]], None]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(scenario: Callable[[Room], Awaitable[None]]) -> None:
        async def main() -> None:
            fake = FakeQdrant()
            http = NativeHttp()
            stores = GatedStores()
            with served(fake) as url:
                tabs: dict[int, Capture | AppError] = {1: TIDES, 2: BREAD}
                desk = Desk(tmp_path / "library.db", tabs, BagEmbedder(), vector_stores=stores, http=http)
                stores.desk = desk
                await desk.service.start()
                await scenario(Room(desk, fake, url))
                await desk.service.settle()
            await http.close()

        asyncio.run(main())

    return run


def test_a_sound_one_is_described(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.fake.key = KEY
        room.desk.keys.keys[KEY_NAME] = KEY
        found = (await room.test(f" {room.url}/ "))["result"]
        assert found == {
            "version": "1.19.0",
            "collection": "tabwise-1-bag-of-terms",
            "exists": False,
            "n_passages": 0,
            "older": [],
        }
        assert room.fake.names() == []

    run(scenario)


@pytest.mark.parametrize("address", ["", "ftp://a.example", "http://user:secret@a.example", "http://"])
def test_what_is_no_address_is_refused_before_anything_is_sent(run: Run, address: str) -> None:
    async def scenario(room: Room) -> None:
        end = await room.desk.ask("qdrant_test", address=address, collection="tabwise")
        assert (end["type"], end["code"]) == ("error", "address_invalid")
        assert room.fake.requests == []

    run(scenario)


@pytest.mark.fault("F57", "F58")
def test_the_cause_is_named_and_the_key_is_in_no_event(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.fake.key = "another"
        room.desk.keys.keys[KEY_NAME] = KEY
        assert (await room.test())["code"] == "key_refused"
        assert KEY not in repr(room.desk.events)

    run(scenario)


def test_it_is_filled_with_progress_and_then_follows_by_itself(run: Run) -> None:
    async def scenario(room: Room) -> None:
        await room.desk.add(1)
        room.set_up()
        await room.agree()
        assert (await room.state())["n_mirrored"] == 0
        end = await room.desk.ask("qdrant_sync")
        assert (end["result"]["n_pages"], end["result"]["n_mirrored"]) == (1, 1)
        progress = [e for e in room.desk.events if e["re"] == end["re"] and e["type"] == "progress"]
        assert progress[-1]["done"] == progress[-1]["total"] == 1
        await room.desk.add(2)
        assert (await room.state())["n_mirrored"] == 2

    run(scenario)


def test_nothing_is_sent_before_the_reader_agreed(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.set_up()
        await room.desk.add(1)
        assert (await room.desk.ask("qdrant_sync"))["code"] == "egress_refused"
        assert room.fake.requests == []
        assert (await room.test())["type"] == "done"
        assert all(method == "GET" for method, _ in room.fake.requests)
        await room.agree()
        assert (await room.desk.ask("qdrant_sync"))["result"]["n_mirrored"] == 1

    run(scenario)


def test_the_other_scheme_is_found_without_another_agreement(run: Run) -> None:
    async def scenario(room: Room) -> None:
        end = await room.test(room.url.replace("http:", "https:"))
        assert (end["code"], end["subject"]) == ("qdrant_tls", room.url)

    run(scenario)


def test_what_is_removed_here_is_removed_there_and_comes_back_with_undo(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.set_up()
        await room.agree()
        await room.desk.add(1, 2)
        (name,) = room.fake.names()
        n_all = room.fake.n_points(name)
        bread = (await room.desk.ask("library"))["result"][-1]["source"]
        for kind, fields, left in (
            ("remove", {"source": bread}, range(1, n_all)),
            ("restore", {"source": bread}, range(n_all, n_all + 1)),
            ("remove_all", {}, range(1)),
            ("restore_all", {}, range(n_all, n_all + 1)),
        ):
            await room.desk.ask(kind, **fields)
            assert room.fake.n_points(name) in left

    run(scenario)


def test_switched_off_nothing_goes_there(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.set_up(enabled=False)
        await room.desk.add(1, 2)
        assert (await room.desk.ask("search", query="tidal range", sources=[], k=3, mode="convex"))["result"]
        assert room.fake.requests == []

    run(scenario)


@pytest.mark.fault("F57")
def test_a_store_that_cannot_be_reached_delays_nothing_and_is_caught_up_with(run: Run) -> None:
    async def scenario(room: Room) -> None:
        room.set_up()
        await room.agree()
        room.fake.is_dead = True
        rows = (await room.desk.add(1))["result"]
        assert [row["state"] for row in rows] == ["added"]
        assert (await room.desk.ask("qdrant_sync"))["code"] == "network_lost"
        room.fake.is_dead = False
        await room.desk.add(2)
        assert (await room.state())["n_mirrored"] == 2

    run(scenario)


def test_stopping_keeps_what_is_there(run: Run) -> None:
    async def scenario(room: Room) -> None:
        await room.desk.add(1, 2)
        room.set_up()
        await room.agree()
        room.fake.delay_s = 0.2
        request_id = room.desk.send("qdrant_sync")
        await asyncio.sleep(0.3)
        await room.desk.ask("cancel", target=request_id)
        assert room.desk.end_of(request_id)["type"] == "cancelled"
        room.fake.delay_s = 0.0
        assert (await room.desk.ask("qdrant_sync"))["result"]["n_mirrored"] == 2

    run(scenario)


def test_pages_that_never_leave_stay_on_this_machine_and_may_go_to_a_store_on_it(run: Run) -> None:
    async def scenario(room: Room) -> None:
        await room.desk.add(1, 2)
        room.set_up()
        room.desk.settings.stored = {
            **default_settings(),
            **_stored(room),
            "never_leaves": ["kitchen.example"],
        }
        assert (await room.state())["n_kept_here"] == 0
        room.desk.settings.stored["qdrant"]["address"] = "https://cluster.cloud.example:6333"
        assert (await room.state())["n_kept_here"] == 1

    run(scenario)


def _stored(room: Room) -> dict[str, Any]:
    stored = room.desk.settings.stored
    assert isinstance(stored, dict)
    return stored


def test_an_answer_says_who_searched_and_why(run: Run) -> None:
    async def scenario(room: Room) -> None:
        question = "Where is the largest tidal range on Earth?"
        await room.desk.add(1, 2)
        room.set_up()
        await room.agree()
        await room.desk.ask("qdrant_sync")
        for dead, store, why in ((False, "qdrant", ""), (True, "local", "network_lost")):
            room.fake.is_dead = dead
            answer = (await room.desk.ask("ask", question=question, sources=[]))["result"]
            assert (answer["store"], answer["why_local"]) == (store, why)
            assert "Bay of Fundy" in answer["sentences"][0]["text"]

    run(scenario)


def test_research_searches_where_questions_do_and_so_does_what_answers_without_it(run: Run) -> None:
    async def scenario(room: Room) -> None:
        question = "Where is the largest tidal range on Earth?"
        await room.desk.add(1, 2)
        room.set_up()
        await room.agree()
        await room.desk.ask("qdrant_sync")
        call = ToolCall("", "search_pages", '{"query": "largest tidal range", "k": 2}')

        async def answer(engine: str) -> dict[str, Any]:
            said = "The largest tidal range on Earth is found in the Bay of Fundy [1]."
            model = ScriptedModel(call, said, id="provider:tools", calls_tools=True, context_tokens=32_000)
            room.desk.models.models["provider:tools"] = model
            end = await room.desk.ask("research", question=question, sources=[], engine=engine)
            found: dict[str, Any] = end["result"]["answer"]
            assert "Bay of Fundy" in found["sentences"][0]["text"]
            return found

        by_agent, by_pipeline = await answer("provider:tools"), await answer("extractive")
        assert (by_agent["store"], by_agent["fallback"]) == ("qdrant", None)
        assert (by_pipeline["store"], by_pipeline["fallback"]["code"]) == ("qdrant", "agent_no_model")
        room.fake.is_dead = True
        by_agent = await answer("provider:tools")
        assert (by_agent["store"], by_agent["why_local"]) == ("local", "network_lost")

    run(scenario)
