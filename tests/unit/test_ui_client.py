"""Requests in hand: posted, accepted, looked after, and ended exactly once, whatever the engine does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.protocol import codec
from tabwise.ui import client
from tabwise.ui.state import initial_state
from ui_driver import Driver, answer, citation, page, sentence

A = "https://a.example/"


def posts(effects: list[tuple[object, ...]]) -> list[str]:
    return [json.loads(str(effect[1]))["type"] for effect in effects if effect[0] == "post"]


def test_the_panel_says_hello_and_ensures_the_engine() -> None:
    driver = Driver()
    effects = driver.do("boot", draft="typed early", page="panel", browser_language="en")
    assert ("ensure",) in effects
    assert posts(effects) == ["hello"]
    assert driver.state["draft"] == "typed early"


@pytest.mark.fault("F01", "F05")
def test_a_request_nobody_accepts_is_posted_again_under_its_id() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="panel", browser_language="en")
    effects = driver.fire("check")
    assert ("ensure",) in effects
    first, second = driver.requests()
    assert first == second


def test_an_accepted_request_is_left_alone_for_ten_seconds() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="panel", browser_language="en")
    driver.event(driver.last("hello"), "accepted")
    effects = driver.fire("check")
    assert posts(effects) == []
    assert [effect[1] for effect in effects if effect[0] == "timer"] == [client.SILENCE_MS]


@pytest.mark.fault("F05")
def test_an_accepted_request_that_goes_silent_is_posted_again() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="panel", browser_language="en")
    driver.event(driver.last("hello"), "accepted")
    driver.fire("check")
    assert posts(driver.fire("check")) == ["hello"]


def test_once_the_engine_is_ensured_only_unaccepted_requests_are_posted_again() -> None:
    driver = Driver().ready(page(A))
    driver.event(driver.ask(), "accepted")
    driver.do("refresh")
    assert posts(driver.do("ensured")) == ["library"]


@pytest.mark.fault("F32")
def test_a_new_epoch_posts_everything_in_hand_again() -> None:
    driver = Driver().ready(page(A))
    driver.notice("ready", "e1")
    driver.event(driver.ask(), "accepted")
    assert posts(driver.notice("restarting", "e2")) == ["ask"]
    assert posts(driver.notice("restarting", "e2")) == []


def test_a_request_without_any_sign_of_life_ends_with_engine_lost() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    for _ in range(client.MAX_SILENT_POSTS + 1):
        driver.fire("check")
    assert driver.state["blocks"][0]["error"]["code"] == "engine_lost"
    assert len([r for r in driver.requests() if r["id"] == request["id"]]) == client.MAX_SILENT_POSTS + 1


def test_a_sign_of_life_starts_the_count_again() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    for _ in range(3 * client.MAX_SILENT_POSTS):
        driver.fire("check")
        driver.event(request, "accepted")
    assert driver.state["blocks"][0]["state"] == "working"


def test_only_the_first_terminal_message_counts() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    driver.done(request, answer(sentence("First."), citations=(citation(1),)))
    before = driver.state
    driver.done(request, answer(sentence("Second."), citations=(citation(1),)))
    driver.event(request, "error", code="internal", subject="", message="", retryable=True)
    assert driver.state is before


def test_messages_of_other_panels_are_not_ours() -> None:
    driver = Driver().ready(page(A))
    before = driver.state
    driver.do("wire", text=codec.encode_request("theirs", "hello"))
    driver.do("wire", text=codec.encode_event("theirs", "cancelled"))
    assert driver.state is before


@pytest.mark.parametrize("result", [None, [], {"question": "Why?"}])
@pytest.mark.fault("F08")
def test_a_result_that_breaks_the_schema_ends_the_request_as_wire_invalid(result: object) -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask(), result)
    assert driver.state["blocks"][0]["error"]["code"] == "wire_invalid"
    assert driver.state["pending"] == {}


def test_a_broken_event_about_our_request_ends_it_as_wire_invalid() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    driver.do("wire", text=json.dumps({"v": 1, "re": request["id"], "type": "progress", "stage": "dream"}))
    assert driver.state["blocks"][0]["error"]["code"] == "wire_invalid"


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_noise_on_the_channel_changes_nothing(text: str) -> None:
    state = initial_state()
    assert client.receive(state, text)[:2] == (state, "")


def test_a_failure_of_the_whole_engine_is_told_with_its_action() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="panel", browser_language="en")
    driver.event(driver.last("hello"), "error", code="store_corrupt", subject="", message="", retryable=False)
    assert driver.state["fault"]["code"] == "store_corrupt"
    assert driver.shown("engine-state")[0][1]["data-state"] == "failed"
    assert posts(driver.do("reset")) == ["reset_library"]


def test_ready_again_clears_the_failure_and_reads_the_library() -> None:
    driver = Driver().ready(page(A))
    driver.notice("failed", "e1", "engine_lost")
    assert [node[1]["data-code"] for node in driver.shown("error")] == ["engine_lost"]
    assert posts(driver.notice("ready", "e2")) == ["embedder", "library"]
    assert driver.shown("error") == []
