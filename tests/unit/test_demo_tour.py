"""The demo's tour, and an engine that stopped and is started again."""

from __future__ import annotations

from pathlib import Path

from demo_driver import Engine
from demo_given import opened, pressed, run
from tabwise.demo.ui.events.tour import STOP_MS, STOPS
from tabwise.ui.words import error_sentence


def test_the_tour_goes_through_every_stop_in_under_a_minute(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "tour"))
        seen = []
        while page.find("touring"):
            seen.append(page.scrolled[-1])
            while page.queue:
                page.do(page.queue.pop(0))
            after = page.later.pop("tour")
            await page.settled()
            page.do(after)
        assert [place for place in seen if place != "#text mark"] == [stop[0] for stop in STOPS]
        assert page.find("run-answer")
        assert page.find("receipt")
        assert len(STOPS) * STOP_MS < 60_000

    run(scene())


def test_a_left_tour_does_nothing_more(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "tour"))
        after = page.later.pop("tour")
        page.do(pressed(page, "tour-end"))
        n_scrolled = len(page.scrolled)
        page.do(after)
        assert not page.find("touring")
        assert len(page.scrolled) == n_scrolled

    run(scene())


def test_an_engine_that_stopped_can_be_started_again(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "lost"})
        assert page.text("fault").startswith("The engine stopped")
        page.do(pressed(page, "restart"))
        assert page.effects[-1] == ("restart",)
        assert page.text("engine").startswith("Starting Python")
        assert not page.find("fault")

    run(scene())


def test_a_second_engine_goes_on_with_what_is_stored_and_what_was_chosen(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "size", "name": "target_words", "value": "60"})
        page.do({"type": "setting", "name": "k", "value": "3"})
        page.do({"type": "line", "value": "And on a phone?"})
        page.do(pressed(page, "add-turn"))
        page.do({"type": "read", "value": page.state["cut"]["documents"][3]["source"]})
        page.do(pressed(page, "remove"))
        await page.settled()
        page.do({"type": "read", "value": page.state["cut"]["documents"][3]["source"]})
        await page.settled()
        before = page.state
        page.engine.store.close()
        page.do({"type": "lost"})
        page.do(pressed(page, "restart"))
        page.restart(Engine(tmp_path))
        page.do({"type": "start"})
        await page.settled()
        assert page.text("n-pages") == "16"
        for part in ("sizes", "ask", "turns", "lab", "page"):
            assert page.state[part] == before[part]
        assert page.state["strips"] == before["strips"]
        assert page.state["answer"]["sentences"] == before["answer"]["sentences"]

    run(scene())


def test_what_stopped_the_texts_is_said_by_its_name(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "engine", "kind": "failed", "fields": {"request": "add", "code": "store_full"}})
        assert page.text("fault").startswith(error_sentence("store_full"))

    run(scene())
