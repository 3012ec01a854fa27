"""The router's promises, with a scripted engine and a clock that is moved by hand.

Exactly one terminal event for each request, whatever the engine does; nothing runs twice; what was in hand
when an engine died is given to the next one.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from buildlib.paths import EXTENSION_SOURCE
from buildlib.serve import serve
from harness.browser import ExtensionBrowser

pytestmark = [pytest.mark.native, pytest.mark.browser]

SET_UP = """async () => {
    const { Router } = await import("/js/router.js");
    globalThis.sent = [];
    globalThis.engines = [];
    globalThis.router = new Router({
        broadcast: (text) => sent.push(JSON.parse(text)),
        startEngine: () => {
            const engine = { got: [], terminated: false };
            engine.post = (message) => engine.got.push(message);
            engine.terminate = () => { engine.terminated = true; };
            engines.push(engine);
            return engine;
        },
    });
}"""


class Stage:
    """A router in a page; `engine` -1 is the newest."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def request(self, request_id: str, kind: str = "ask", **fields: str) -> None:
        text = json.dumps({"v": 1, "id": request_id, "type": kind, **fields})
        self._page.evaluate("(text) => router.accept(text)", text)

    def engine_says(self, message: dict[str, Any], engine: int = -1) -> None:
        script = "([engine, message]) => router.engineSaid(engines.at(engine), message)"
        self._page.evaluate(script, [engine, message])

    def ready(self) -> None:
        self.engine_says({"type": "ready"})

    def event(self, request_id: str, kind: str, engine: int = -1, heap_bytes: int = 50 << 20) -> None:
        text = json.dumps({"v": 1, "re": request_id, "type": kind})
        self.engine_says({"type": "event", "text": text, "heap_bytes": heap_bytes}, engine)

    def die(self) -> None:
        self.engine_says({"type": "fatal", "message": "stack overflow"})

    def pass_s(self, seconds: int) -> None:
        """Let time pass with an engine that is silent."""
        self._page.clock.run_for(seconds * 1000)

    def delivered(self, engine: int = -1) -> list[str]:
        """Ids of the requests an engine was given, in order."""
        texts = self._page.evaluate(
            "(n) => engines.at(n).got.filter((m) => m.type === 'request').map((m) => m.text)", engine
        )
        return [json.loads(text)["id"] for text in texts]

    def events(self, request_id: str) -> list[str]:
        """Types of the events sent for a request, in order."""
        types: list[str] = self._page.evaluate(
            "(id) => sent.filter((m) => m.re === id).map((m) => m.type)", request_id
        )
        return types

    def notices(self) -> list[str]:
        """States of the engine that were announced, in order."""
        states: list[str] = self._page.evaluate(
            "() => sent.filter((m) => m.type === 'engine').map((m) => m.state)"
        )
        return states

    def epochs(self) -> list[str]:
        found: list[str] = self._page.evaluate(
            "() => sent.filter((m) => m.state === 'ready').map((m) => m.epoch)"
        )
        return found

    def n_engines(self) -> int:
        return int(self._page.evaluate("engines.length"))


@pytest.fixture(scope="module")
def scripts() -> Iterator[str]:
    with serve({"/js/": EXTENSION_SOURCE / "js", "/": b"<title>stage</title>"}) as address:
        yield address


@pytest.fixture(scope="module")
def context(browser: ExtensionBrowser) -> BrowserContext:
    return browser.context


@pytest.fixture
def stage(context: BrowserContext, scripts: str) -> Iterator[Stage]:
    page = context.new_page()
    page.clock.install()
    page.goto(f"{scripts}/")
    page.evaluate(SET_UP)
    yield Stage(page)
    page.close()


@pytest.mark.fault("F04")
def test_a_request_is_accepted_at_once_and_delivered_when_the_engine_is_ready(stage: Stage) -> None:
    stage.request("a")
    stage.request("b")
    assert stage.events("a") == ["accepted"]
    assert stage.delivered() == []
    stage.ready()
    assert stage.delivered() == ["a", "b"]
    assert stage.notices() == ["starting", "ready"]


@pytest.mark.fault("F01")
def test_a_running_request_sent_again_is_accepted_again_but_not_run_twice(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.request("a")
    assert stage.delivered() == ["a"]
    assert stage.events("a") == ["accepted", "accepted"]


@pytest.mark.fault("F01")
def test_a_finished_request_sent_again_gets_its_end_again(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.event("a", "done")
    stage.request("a")
    assert stage.delivered() == ["a"]
    assert stage.events("a") == ["accepted", "done", "accepted", "done"]


def test_the_last_64_ends_are_remembered(stage: Stage) -> None:
    stage.ready()
    for i in range(65):
        stage.request(f"r{i}")
        stage.event(f"r{i}", "done")
    stage.request("r1")
    assert stage.events("r1")[-1] == "done"
    stage.request("r0")
    assert stage.delivered()[-1] == "r0"


def test_nothing_follows_the_terminal_event(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    for kind in ("progress", "error", "progress", "done"):
        stage.event("a", kind)
    assert stage.events("a") == ["accepted", "progress", "error"]


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"x"', "{}", '{"id": 3}', '{"id": ""}'])
def test_what_carries_no_id_is_dropped(stage: Stage, text: str) -> None:
    stage.ready()
    stage._page.evaluate("(text) => router.accept(text)", text)
    assert stage.delivered() == []


@pytest.mark.fault("F32")
def test_a_dead_engine_is_replaced_and_its_requests_replayed_in_order(stage: Stage) -> None:
    stage.ready()
    for request_id in ("a", "b", "c"):
        stage.request(request_id)
    stage.event("b", "done")
    stage.die()
    assert stage.notices() == ["starting", "ready", "restarting"]
    stage.ready()
    assert stage.delivered() == ["a", "c"]
    assert len(set(stage.epochs())) == 2


def test_a_late_word_of_a_dead_engine_is_not_heard(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.die()
    stage.event("a", "done", engine=0)
    assert stage.events("a") == ["accepted"]


@pytest.mark.fault("F32")
def test_three_deaths_in_a_row_end_every_request(stage: Stage) -> None:
    stage.request("a")
    stage.request("b")
    for _ in range(3):
        stage.ready()
        stage.die()
    assert stage.events("a") == stage.events("b") == ["accepted", "error"]
    assert stage.notices()[-1] == "failed"
    assert stage.n_engines() == 3


def test_a_request_after_the_end_starts_a_new_engine(stage: Stage) -> None:
    for _ in range(3):
        stage.die()
    stage.request("a")
    stage.ready()
    assert stage.delivered() == ["a"]


def test_a_finished_request_between_deaths_starts_the_count_anew(stage: Stage) -> None:
    for i in range(4):
        stage.ready()
        stage.request(f"ok{i}")
        stage.event(f"ok{i}", "done")
        stage.die()
    assert "failed" not in stage.notices()


@pytest.mark.fault("F32")
def test_a_request_that_three_engines_died_with_is_ended_whatever_else_they_finished(stage: Stage) -> None:
    stage.request("poison")
    for i in range(3):
        stage.ready()
        stage.request(f"ok{i}")
        stage.event(f"ok{i}", "done")
        stage.request(f"late{i}")
        stage.die()
    assert stage.events("poison") == ["accepted", "error"]
    stage.ready()
    assert stage.delivered() == ["late1", "late2"]
    assert "failed" not in stage.notices()


@pytest.mark.fault("F32")
def test_what_an_engine_died_of_and_set_aside_is_not_held_against_its_request(stage: Stage) -> None:
    stage.request("a")
    for _ in range(2):
        for _ in range(2):
            stage.ready()
            stage.die()
        stage.ready()
        stage.event("a", "set_aside")
    stage.event("a", "done")
    assert stage.events("a") == ["accepted", "done"]


@pytest.mark.fault("F34")
def test_an_engine_that_is_silent_with_work_in_hand_is_replaced(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.pass_s(40)
    assert stage.n_engines() == 2
    stage.ready()
    assert stage.delivered() == ["a"]


@pytest.mark.fault("F32")
def test_an_engine_that_never_gets_ready_is_replaced_though_it_answers(stage: Stage) -> None:
    stage.request("a")
    for _ in range(20):
        stage.pass_s(5)
        stage.engine_says({"type": "pong"})
    assert stage.n_engines() == 2
    for _ in range(40):
        stage.pass_s(5)
        stage.engine_says({"type": "pong"})
    assert stage.events("a") == ["accepted", "error"]


@pytest.mark.fault("F32")
@pytest.mark.parametrize("n_deaths", [1, 2])
def test_deaths_before_the_engine_is_ready_cost_a_request_nothing(stage: Stage, n_deaths: int) -> None:
    stage.request("a")
    for _ in range(n_deaths):
        stage.die()
    stage.ready()
    assert stage.delivered() == ["a"]
    stage.event("a", "done")
    assert stage.events("a") == ["accepted", "done"]


@pytest.mark.fault("F32")
def test_three_deaths_before_the_engine_is_ready_end_a_request_at_once(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    for _ in range(3):
        stage.die()
    assert stage.events("a") == ["accepted", "error"]


@pytest.mark.fault("F32")
def test_a_request_whose_engine_dies_while_it_is_stopped_is_not_begun_anew(stage: Stage) -> None:
    stage.ready()
    stage.request("other")
    stage.request("a")
    stage.request("c", "cancel", target="a")
    stage.die()
    assert stage.events("a") == ["accepted", "cancelled"]
    assert stage.events("c") == ["accepted", "done"]
    stage.ready()
    assert stage.delivered() == ["other"]
    stage.pass_s(2)
    assert stage.n_engines() == 2


def test_an_engine_that_answers_pings_is_left_alone(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    for _ in range(12):
        stage.pass_s(5)
        stage.engine_says({"type": "pong"})
    assert stage.n_engines() == 1


def test_an_idle_engine_may_be_silent(stage: Stage) -> None:
    stage.ready()
    stage.pass_s(600)
    assert stage.n_engines() == 1
    stage.request("a")
    stage.pass_s(20)
    assert stage.n_engines() == 1


def test_an_engine_that_stops_in_time_is_not_replaced(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.request("c", "cancel", target="a")
    stage.event("a", "cancelled")
    stage.event("c", "done")
    stage.pass_s(5)
    assert stage.n_engines() == 1
    assert stage.events("a") == ["accepted", "cancelled"]


@pytest.mark.fault("F34")
def test_an_engine_that_does_not_stop_is_replaced_and_the_others_replayed(stage: Stage) -> None:
    stage.ready()
    stage.request("other")
    stage.request("a")
    stage.request("c", "cancel", target="a")
    stage.pass_s(2)
    assert stage.events("a") == ["accepted", "cancelled"]
    assert stage.events("c") == ["accepted", "done"]
    stage.ready()
    assert stage.delivered() == ["other"]


def test_a_request_that_was_not_delivered_is_cancelled_at_once(stage: Stage) -> None:
    stage.request("a")
    stage.request("c", "cancel", target="a")
    assert stage.events("a") == ["accepted", "cancelled"]
    assert stage.events("c") == ["accepted", "done"]
    stage.ready()
    assert stage.delivered() == []


def test_stopping_is_no_death(stage: Stage) -> None:
    for i in range(5):
        stage.ready()
        stage.request(f"a{i}")
        stage.request(f"c{i}", "cancel", target=f"a{i}")
        stage.pass_s(2)
    assert "failed" not in stage.notices()


@pytest.mark.fault("F33")
def test_an_engine_that_grew_large_is_exchanged_when_it_is_idle(stage: Stage) -> None:
    stage.ready()
    stage.request("a")
    stage.request("b")
    stage.event("a", "done", heap_bytes=2 << 30)
    assert stage.n_engines() == 1
    stage.event("b", "done", heap_bytes=2 << 30)
    assert stage.n_engines() == 2
    assert stage.notices() == ["starting", "ready", "starting"]
