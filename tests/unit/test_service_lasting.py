"""What the engine keeps and survives: restarts, removals, cancelled jobs, damaged files, bad messages."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from desk import Desk, states
from fakes import (
    BagEmbedder,
)
from tabwise.core.model import SourceId
from tabwise.engine.library import Library


@pytest.mark.fault("F37")
def test_embedding_left_undone_is_finished_at_the_next_start(run: Any) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(1, 2)
        assert (await desk.ask("hello"))["result"]["stats"]["n_vectors"] == 0

    async def second(desk: Desk) -> None:
        await desk.service.settle()
        stats = (await desk.ask("hello"))["result"]["stats"]
        assert stats["n_vectors"] == stats["n_chunks"] > 0

    run(first, embedder=BagEmbedder(fail_at=1))
    run(second)


def test_the_library_is_there_after_a_restart(run: Any) -> None:
    async def first(desk: Desk) -> None:
        await desk.add(1, 2)

    async def second(desk: Desk) -> None:
        titles = [row["title"] for row in (await desk.ask("hello"))["result"]["pages"]]
        assert titles == ["Tides", "Sourdough"]
        answer = (await desk.ask("ask", question="At what temperature is the loaf baked?", sources=[]))[
            "result"
        ]
        assert "240" in answer["sentences"][0]["text"]
        assert desk.embedder.n_calls == 2  # the question and its candidates, nothing of the pages

    run(first)
    run(second)


def test_a_removed_page_is_not_cited_and_comes_back(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        source = "https://sea.example/tides"
        assert (await desk.ask("remove", source=source))["result"]["n_pages"] == 1
        gone = await desk.ask("ask", question="How large is the tidal range in the Bay of Fundy?", sources=[])
        assert source not in {c["source"] for c in gone["result"]["citations"]}
        assert (await desk.ask("restore", source=source))["result"]["n_pages"] == 2
        back = await desk.ask("ask", question="How large is the tidal range in the Bay of Fundy?", sources=[])
        assert "16.3" in back["result"]["sentences"][0]["text"]

    run(scenario)


def test_everything_is_removed_and_found_again_after_undo(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        assert (await desk.ask("remove_all"))["result"]["n_pages"] == 0
        gone = await desk.ask("ask", question="How large is the tidal range?", sources=[])
        assert gone["code"] == "library_empty"
        stats = (await desk.ask("restore_all"))["result"]
        assert (stats["n_pages"], stats["n_vectors"]) == (2, stats["n_chunks"])
        again = await desk.ask("ask", question="How large is the tidal range?", sources=[])
        assert again["result"]["found"] is True

    run(scenario)


def test_an_unknown_source_is_an_error(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        end = await desk.ask("remove", source="https://nowhere.example/")
        assert (end["type"], end["code"]) == ("error", "source_unknown")

    run(scenario)


@pytest.mark.parametrize("steps", range(0, 40, 3))
@pytest.mark.fault("F26")
def test_cancel_at_any_moment_ends_once_and_leaves_a_sound_library(run: Any, steps: int) -> None:
    async def scenario(desk: Desk) -> None:
        job = desk.send("index", tabs=[desk.tab(1), desk.tab(2)])
        for _ in range(steps):
            await asyncio.sleep(0)
        cancel = desk.send("cancel", target=job)
        await desk.service.settle()
        assert desk.end_of(job)["type"] in ("cancelled", "done")
        assert desk.end_of(cancel)["type"] == "done"
        assert desk.library
        assert list(desk.library.store.check()) == []
        assert states((await desk.add(1, 2))["result"]) in (
            ["added"] * 2,
            ["unchanged", "added"],
            ["unchanged"] * 2,
        )
        stats = (await desk.ask("hello"))["result"]["stats"]
        assert stats["n_vectors"] == stats["n_chunks"]

    run(scenario)


@pytest.mark.fault("F32")
def test_a_page_the_engine_died_on_twice_is_set_aside_once(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert desk.library
        for _ in range(2):
            desk.library.store.begin_attempt("https://sea.example/tides")  # type: ignore[arg-type]
        end = await desk.add(1, 2)
        assert states(end["result"]) == ["failed", "added"]
        assert end["result"][0]["failure"]["code"] == "page_set_aside"
        assert states((await desk.add(1))["result"]) == ["added"]

    run(scenario)


@pytest.mark.fault("F32")
def test_a_page_set_aside_is_known_to_the_next_engine_until_the_job_has_ended(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tides = SourceId("https://sea.example/tides")

    async def scenario(desk: Desk) -> None:
        assert desk.library
        store = desk.library.store
        for _ in range(2):
            store.begin_attempt(tides)
        end_attempt = store.end_attempt
        with monkeypatch.context() as dying:  # an engine that dies later in the job does not get to forget
            dying.setattr(
                store, "end_attempt", lambda source: None if source == tides else end_attempt(source)
            )
            first = await desk.add(1, 2)
        second = await desk.add(1, 2)
        third = await desk.add(1, 2)
        assert [states(end["result"]) for end in (first, second, third)] == [
            ["failed", "added"],
            ["failed", "unchanged"],
            ["added", "unchanged"],
        ]
        assert [event["re"] for event in desk.events if event["type"] == "set_aside"] == [first["re"]]

    run(scenario)


@pytest.mark.fault("F21")
def test_a_damaged_library_is_reported_and_can_be_replaced(run: Any, tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 4000)

    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("hello"))["code"] == "store_corrupt"
        assert (await desk.add(1))["code"] == "store_corrupt"
        fresh = await desk.ask("reset_library")
        assert fresh["result"]["stats"]["n_pages"] == 0
        assert states((await desk.add(1))["result"]) == ["added"]
        assert (tmp_path / "library.damaged.db").stat().st_size == 4016

    run(scenario)


def test_a_sound_library_is_not_reset(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        assert (await desk.ask("reset_library"))["type"] == "error"
        assert len((await desk.ask("library"))["result"]) == 1

    run(scenario)


def test_a_malformed_request_gets_one_error_and_the_next_is_served(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.service.dispatch(json.dumps({"v": 1, "id": "bad", "type": "ask", "question": 5, "sources": []}))
        desk.service.dispatch("not json at all")
        assert desk.end_of("bad")["code"] == "wire_invalid"
        assert (await desk.ask("library"))["type"] == "done"

    run(scenario)


def test_a_bug_inside_ends_the_request_as_internal_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(desk: Desk) -> None:
        monkeypatch.setattr(Library, "heads", lambda self: 1 / 0)
        end = await desk.ask("library")
        assert (end["code"], end["retryable"]) == ("internal", True)
        monkeypatch.undo()

    run(scenario)
