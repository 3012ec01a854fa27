"""First steps tick themselves off; questions to begin with come from the pages."""

from typing import Any

import pytest

from tabwise.protocol.settings import default_settings
from tabwise.ui.guide import STEPS
from ui_driver import Driver, answer, citation, page, sentence, tab, text_of

A = "https://a.example/"


@pytest.fixture
def driver() -> Driver:
    driver = Driver().ready()
    driver.do("settings", value=default_settings())
    driver.do("tabs", tabs=[tab(1, A, "Alpha")])
    return driver


def steps(driver: Driver) -> dict[str, str]:
    return {node[1]["data-step"]: node[1]["data-state"] for node in driver.shown("step")}


def kept(driver: Driver) -> list[str]:
    guide: list[str] = driver.state["settings"]["preferences"]["guide"]
    return guide


def test_before_anything_the_first_step_is_next(driver: Driver) -> None:
    assert steps(driver) == dict.fromkeys(STEPS, "later") | {"add": "next"}
    assert text_of(driver.shown("guide-count")[0]) == "0 of 5 done"


def test_until_the_settings_are_known_no_step_is_shown_or_kept() -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),)))
    assert driver.shown("guide-next") == []
    assert [effect for effect in driver.effects if effect[0] == "save_settings"] == []


def test_steps_that_can_be_seen_tick_themselves_off(driver: Driver) -> None:
    driver.do("access", origins=["<all_urls>"], tabs={})
    assert steps(driver)["sites"] == "done"
    settings = default_settings()
    settings["preferences"]["engine"] = "bundled"
    driver.do("settings", value=settings)
    assert steps(driver)["engine"] == "done"
    assert kept(driver) == []


def test_asking_and_opening_a_source_are_kept_once() -> None:
    driver = Driver().ready(page(A))
    driver.do("settings", value=default_settings())
    assert steps(driver)["add"] == "done"
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),)))
    assert kept(driver) == ["ask"]
    assert text_of(driver.shown("step")[0]).startswith("Open a source")
    driver.press("chip")
    driver.press("chip")
    assert kept(driver) == ["ask", "open"]


def test_no_step_stands_below_a_question_that_failed_or_runs_and_no_source_is_offered_where_none_is() -> None:
    driver = Driver().ready(page(A))
    driver.do("settings", value=default_settings())
    request = driver.ask()
    assert driver.shown("guide-next") == []
    driver.event(request, "error", code="internal", subject="", message="", retryable=False)
    assert driver.shown("guide-next") == []
    driver.done(driver.ask(), answer())
    assert driver.shown("guide-next") == []
    driver.do("guide_skip", step="open")
    assert driver.shown("guide-next")


def test_a_step_can_be_skipped_and_the_focus_goes_to_the_next(driver: Driver) -> None:
    effects = driver.press("guide-skip")
    assert steps(driver)["add"] == "done"
    assert ("focus", "skip-ask") in effects


def test_the_list_goes_when_all_is_done_or_it_is_closed(driver: Driver) -> None:
    for _ in STEPS:
        driver.press("guide-skip")
    assert driver.shown("guide") == []
    other = Driver().ready()
    other.do("settings", value=default_settings())
    other.press("guide-close")
    assert other.shown("guide") == []


@pytest.mark.parametrize(
    ("step", "effect"), [("sites", "grant"), ("engine", "open_settings"), ("ask", "focus")]
)
def test_a_step_has_the_button_that_takes_it(driver: Driver, step: str, effect: str) -> None:
    for before in STEPS[: STEPS.index(step)]:
        driver.do("guide_skip", step=before)
    assert effect in [done[0] for done in driver.press("guide-act")]


def starter(kind: str, text: str) -> dict[str, Any]:
    return {"kind": kind, "text": text, "source": A, "title": "Alpha"}


def test_questions_that_the_pages_answer_come_first() -> None:
    driver = Driver()
    driver.ready(page(A, "Alpha"))
    driver.do("refresh")
    driver.done(driver.last("library"), [page(A, "Alpha"), page("https://b.example/")])
    driver.starters([starter("question", "When do boats leave?"), starter("definition", "neap tide")])
    shown = text_of(driver.draw())
    assert "When do boats leave?" in shown
    assert "What is “neap tide”?" in shown


def test_starters_are_asked_for_when_the_library_changed_and_not_before() -> None:
    driver = Driver().ready()
    assert "starters" not in [request["type"] for request in driver.requests()]
    driver.do("refresh")
    driver.done(driver.last("library"), [page(A)])
    assert driver.last("starters")["n"] == 3
    n_before = len(driver.requests())
    driver.do("draft", value="W")
    assert len(driver.requests()) == n_before
