"""Voice: the table of a conversation, dictation, reading aloud, and the frame on a page."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.protocol.settings import default_settings
from tabwise.ui.state import SILENT
from tabwise.ui.voice import STATES, step
from ui_driver import STATS, Driver, answer, citation, page, sentence, text_of

A = "https://a.example/"
EVENTS = ("press", "release", "heard", "ended", "sentence", "complete", "uttered", "failed", "stop")
Effects = list[tuple[Any, ...]]


def run(*events: tuple[str, str] | str) -> tuple[dict[str, Any], Effects]:
    """Step through events from silence; returns the voice and every act."""
    voice, acts = SILENT, []
    for event in events:
        name, text = (event, "") if isinstance(event, str) else event
        voice, more = step(voice, name, text)
        acts += more
    return voice, acts


ASKED = ("press", ("heard", "how high"), ("heard", "how high is it"), "release", "ended")


def test_what_was_heard_is_asked_and_every_sentence_said_in_order() -> None:
    voice, acts = run(*ASKED, ("sentence", "One."), ("sentence", "Two."), "complete", "uttered", "uttered")
    assert acts == [
        ("listen",), ("unlisten",), ("ask", "how high is it"), ("utter", "One."), ("utter", "Two."),
    ]  # fmt: skip
    assert voice == SILENT


def test_a_sentence_is_said_while_the_next_is_awaited() -> None:
    voice, acts = run(*ASKED, ("sentence", "One."), "uttered")
    assert voice["state"] == "thinking"
    voice, acts = step(voice, "sentence", "Two.")
    assert (voice["state"], acts) == ("speaking", [("utter", "Two.")])


def test_nothing_heard_asks_nothing() -> None:
    voice, acts = run("press", "release", "ended")
    assert (voice, acts) == (SILENT, [("listen",), ("unlisten",)])


def test_a_press_interrupts_what_is_said_and_stops_the_answer() -> None:
    voice, acts = run(*ASKED, ("sentence", "One."), ("sentence", "Two."), "press")
    assert acts[-3:] == [("hush",), ("cancel",), ("listen",)]
    assert (voice["state"], voice["waiting"]) == ("listening", [])


def test_nothing_found_is_said() -> None:
    voice, acts = run(*ASKED, ("complete", "Nothing found."))
    assert (voice["state"], acts[-1]) == ("speaking", ("utter", "Nothing found."))


def test_an_error_is_apologised_for_instead_of_the_rest() -> None:
    voice, acts = run(*ASKED, ("sentence", "One."), ("sentence", "Two."), ("failed", "Sorry."), "uttered")
    assert acts[-2:] == [("hush",), ("utter", "Sorry.")]
    assert voice == SILENT


@given(st.lists(st.sampled_from(EVENTS), max_size=30))
def test_whatever_happens_stop_falls_silent(events: list[str]) -> None:
    voice, _ = run(*((event, "words") for event in events))
    assert voice["state"] in STATES
    assert step(voice, "stop")[0] == SILENT


@given(st.lists(st.sampled_from(EVENTS), max_size=30))
def test_no_sentence_is_said_while_it_listens(events: list[str]) -> None:
    voice = SILENT
    for event in events:
        before = voice["state"]
        voice, acts = step(voice, event, "words")
        said = [act for act in acts if act[0] == "utter"]
        assert not said or before != "listening" or event == "failed"


def test_every_move_of_the_table_is_taken_by_some_row_of_events() -> None:
    reached = set()
    for events in itertools.product(EVENTS, repeat=3):
        reached.add(run(*((event, "words") for event in events))[0]["state"])
    assert reached == set(STATES)


def settings(**chosen: Any) -> dict[str, Any]:
    made = default_settings()
    made["preferences"].update(chosen)
    return made


@pytest.fixture
def driver() -> Driver:
    driver = Driver().ready(page(A))
    driver.do("settings", value=settings(voice=True))
    return driver


def test_the_microphone_is_not_there_until_it_is_switched_on() -> None:
    assert Driver().ready(page(A)).shown("dictate") == []


def test_dictation_writes_behind_what_was_typed(driver: Driver) -> None:
    driver.do("draft", value="Tell me:")
    assert ("listen", "en-US") in driver.press("dictate")
    driver.do("voice_heard", text="how high")
    driver.do("voice_heard", text="how high is it")
    assert driver.state["draft"] == "Tell me: how high is it"
    assert ("unlisten",) in driver.press("dictate")
    driver.do("voice_heard", text="late words")
    assert driver.state["draft"] == "Tell me: how high is it"


def test_the_chosen_language_is_listened_for(driver: Driver) -> None:
    driver.do("settings", value=settings(voice=True, voice_language="de-DE"))
    assert ("listen", "de-DE") in driver.press("dictate")


def test_a_microphone_that_is_refused_offers_a_tab_where_it_can_be_asked_for(driver: Driver) -> None:
    driver.press("dictate")
    driver.do("voice_error", error="not-allowed")
    assert not driver.state["dictating"]
    assert driver.press("undo") == [("open", "panel.html")]


def test_silence_is_no_error(driver: Driver) -> None:
    driver.press("dictate")
    driver.do("voice_error", error="no-speech")
    assert driver.state["toast"] is None


def test_an_answer_is_read_aloud_and_stopped(driver: Driver) -> None:
    two = (sentence("One."), sentence("Two.", "not_found"))
    driver.done(driver.ask(), answer(*two, citations=(citation(1),)))
    assert ("utter", "One.", "en-US") in driver.press("read-aloud")
    assert "Stop reading" in text_of(driver.shown("read-aloud")[0])
    (effect,) = driver.do("voice_uttered")
    assert effect == ("utter", "Not confirmed by its source: Two.", "en-US")
    assert ("hush",) in driver.press("read-aloud")
    assert "Read aloud" in text_of(driver.shown("read-aloud")[0])


def test_the_end_of_the_reading_is_seen(driver: Driver) -> None:
    driver.done(driver.ask(), answer(sentence("One."), citations=(citation(1),)))
    driver.press("read-aloud")
    driver.do("voice_uttered")
    assert "Read aloud" in text_of(driver.shown("read-aloud")[0])


@pytest.fixture
def frame() -> Driver:
    """The frame on a page, with one saved page."""
    driver = Driver()
    driver.do("boot", draft="", page="voice", browser_language="en")
    result = {"version": "0.1.0", "stats": STATS, "pages": [page(A)], "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), result)
    return driver


def shown_state(driver: Driver) -> str:
    return str(driver.shown("voice-icon")[0][1]["data-state"])


def talk(driver: Driver) -> dict[str, Any]:
    driver.do("voice_key", down=True)
    driver.do("voice_heard", text="how high")
    driver.do("voice_key", down=False)
    driver.do("voice_ended")
    asked: dict[str, Any] = driver.last("ask")
    return asked


def test_the_page_is_told_the_key_when_it_can_be_reached_and_when_it_changes(frame: Driver) -> None:
    assert frame.do("voice_ready") == [("voice_key", "F8")]
    assert ("voice_key", "F9") in frame.do("settings", value=settings(voice=True, voice_key="F9"))


def test_a_spoken_question_is_answered_sentence_by_sentence(frame: Driver) -> None:
    request = talk(frame)
    assert request["question"] == "how high"
    assert shown_state(frame) == "thinking"
    first = frame.event(request, "sentence", index=0, sentence=sentence("One."), citations=[citation(1)])
    assert ("utter", "One.", "en-US") in first
    again = frame.event(request, "sentence", index=0, sentence=sentence("One!"), citations=[])
    assert [effect for effect in again if effect[0] == "utter"] == []
    frame.done(request, answer(sentence("One!"), citations=(citation(1),)))
    frame.do("voice_uttered")
    assert shown_state(frame) == "idle"


def test_sources_are_shown_on_a_click(frame: Driver) -> None:
    frame.done(talk(frame), answer(sentence("One."), citations=(citation(1),)))
    assert frame.press("voice-icon") == [("voice_open", True)]
    frame.press("chip")
    assert frame.last("show")["citation"]["number"] == 1
    assert frame.press("voice-close") == [("voice_open", False)]


def test_an_error_is_apologised_for_aloud(frame: Driver) -> None:
    request = talk(frame)
    effects = frame.event(request, "error", code="internal", subject="", message="", retryable=True)
    (utterance,) = [effect for effect in effects if effect[0] == "utter"]
    assert utterance[1].startswith("Sorry, that did not work.")


def test_escape_stops_the_answer_and_falls_silent(frame: Driver) -> None:
    request = talk(frame)
    frame.event(request, "sentence", index=0, sentence=sentence("One."), citations=[citation(1)])
    effects = frame.do("voice_stop")
    assert ("hush",) in effects
    assert frame.last("cancel")["target"] == request["id"]
    assert shown_state(frame) == "idle"


def test_an_interrupted_answer_does_not_end_the_listening(frame: Driver) -> None:
    request = talk(frame)
    frame.do("voice_key", down=True)
    frame.event(request, "cancelled")
    assert shown_state(frame) == "listening"


def test_without_pages_it_says_why_nothing_is_asked() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="voice", browser_language="en")
    result = {"version": "0.1.0", "stats": STATS, "pages": [], "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), result)
    driver.do("voice_key", down=True)
    driver.do("voice_heard", text="how high")
    assert "utter" in [effect[0] for effect in driver.do("voice_ended")]
