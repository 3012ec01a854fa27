"""The vector store on the settings page: typed, tried, agreed to, filled; its key is never shown again."""

import json
from typing import Any

import pytest

from tabwise.protocol.settings import default_settings
from ui_driver import STATS, Driver, answer, citation, page, sentence, text_of

A, B = "https://a.example/", "https://b.example/"
URL = "http://127.0.0.1:6333"
STATE: dict[str, Any] = {
    "enabled": True,
    "destination": URL,
    "n_pages": 2,
    "n_mirrored": 0,
    "n_kept_here": 0,
}
FOUND: dict[str, Any] = {
    "version": "1.19.0",
    "collection": "tabwise-1-minilm",
    "exists": True,
    "n_passages": 31,
    "older": [],
}


@pytest.fixture
def driver() -> Driver:
    opened = Driver()
    opened.do("boot", draft="", page="settings", browser_language="en")
    result = {
        "version": "0.1.0",
        "stats": STATS,
        "pages": [page(A), page(B)],
        "semantic": True,
        "boot_ms": 1.0,
    }
    opened.done(opened.last("hello"), result)
    opened.done(opened.last("qdrant_state"), STATE | {"enabled": False})
    return opened


def switched_on(driver: Driver) -> Driver:
    driver.do("qdrant_switch", checked=True)
    driver.done(driver.last("qdrant_state"), STATE)
    return driver


def saved(effects: list[tuple[Any, ...]]) -> dict[str, Any]:
    (text,) = [effect[1] for effect in effects if effect[0] == "save_settings"]
    chosen: dict[str, Any] = json.loads(text)["qdrant"]
    return chosen


def test_it_is_off_at_first_and_one_switch_turns_it_on(driver: Driver) -> None:
    assert driver.shown("qdrant-fill") == []
    assert saved(driver.do("qdrant_switch", checked=True))["enabled"] is True
    assert len(driver.shown("qdrant-fill")) == 1


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" localhost:6333/ ", "http://localhost:6333"),
        ("cluster.cloud.example:6333", "https://cluster.cloud.example:6333"),
        ("https://a.example/vectors/?x=1#top", "https://a.example/vectors"),
    ],
)
def test_an_address_is_kept_when_the_box_is_left(driver: Driver, typed: str, kept: str) -> None:
    driver.do("qdrant_typed", name="address", value=typed)
    assert saved(driver.do("qdrant_save"))["address"] == kept


@pytest.mark.parametrize(("name", "value"), [("address", "ftp://a.example"), ("collection", "not/a/name")])
def test_what_cannot_be_used_stays_in_the_box_and_is_not_kept(driver: Driver, name: str, value: str) -> None:
    driver.do("qdrant_typed", name=name, value=value)
    assert driver.do("qdrant_save") == []
    assert driver.shown(f"qdrant-{name}")[0][1]["value"] == value
    assert driver.state["settings"]["qdrant"] == default_settings()["qdrant"]


def test_a_try_asks_what_stands_in_the_boxes_and_says_what_answered(driver: Driver) -> None:
    driver.do("qdrant_typed", name="address", value="10.0.0.7:6333")
    driver.press("qdrant-try")
    asked = driver.last("qdrant_test")
    assert (asked["address"], asked["collection"]) == ("10.0.0.7:6333", "tabwise")
    assert driver.shown("qdrant-try")[0][1]["disabled"]
    driver.done(asked, FOUND | {"older": ["tabwise-1-bge"]})
    said = text_of(driver.shown("qdrant-found")[0])
    assert "Qdrant 1.19.0 answers." in said
    assert "31 passages" in said
    assert "tabwise-1-bge" in said


def test_a_new_collection_is_announced(driver: Driver) -> None:
    driver.press("qdrant-try")
    driver.done(driver.last("qdrant_test"), FOUND | {"exists": False, "n_passages": 0})
    assert "tabwise-1-minilm will be made" in text_of(driver.shown("qdrant-found")[0])


@pytest.mark.parametrize(
    "code", ["network_refused", "network_blocked", "key_refused", "qdrant_old", "service_foreign"]
)
def test_the_cause_is_named_and_typing_takes_it_away(driver: Driver, code: str) -> None:
    driver.press("qdrant-try")
    driver.event(driver.last("qdrant_test"), "error", code=code, subject=URL, message="m", retryable=False)
    (shown,) = driver.shown("qdrant-error")
    assert shown[1]["data-code"] == code
    assert URL in text_of(shown)
    driver.do("qdrant_typed", name="address", value="a")
    assert driver.shown("qdrant-error") == []


def test_the_address_that_would_do_is_one_press_away(driver: Driver) -> None:
    driver.do("qdrant_typed", name="address", value="https://127.0.0.1:6333")
    driver.press("qdrant-try")
    driver.event(
        driver.last("qdrant_test"), "error", code="qdrant_tls", subject=URL, message="m", retryable=False
    )
    driver.press("qdrant-use")
    assert driver.last("qdrant_test")["address"] == URL
    assert driver.state["settings"]["qdrant"]["address"] == URL


def test_a_browser_that_hides_the_answer_can_be_told_to_show_it(driver: Driver) -> None:
    driver.press("qdrant-try")
    driver.event(
        driver.last("qdrant_test"), "error", code="network_blocked", subject=URL, message="m", retryable=False
    )
    effects = driver.press("qdrant-allow")
    assert effects[0][:2] == ("grant", ["http://127.0.0.1/*"])
    driver.granted(effects)
    assert driver.state["qdrant"]["trying"] == driver.last("qdrant_test")["id"]


def test_an_answer_about_an_address_that_was_typed_over_is_dropped(driver: Driver) -> None:
    driver.press("qdrant-try")
    asked = driver.last("qdrant_test")
    driver.do("qdrant_typed", name="address", value="elsewhere")
    driver.done(asked, FOUND)
    assert driver.shown("qdrant-found") == []


def test_a_key_goes_to_the_browser_and_is_never_shown_again(driver: Driver) -> None:
    driver.do("qdrant_typed", name="key", value=" sk-planted ")
    assert ("set_key", "qdrant", "sk-planted", "session") in driver.press("qdrant-key-session")
    driver.do("key_places", session=["qdrant"], kept=[])
    assert "kept until the browser closes" in text_of(driver.shown("qdrant-key-kept")[0])
    assert driver.shown("qdrant-key") == []
    assert "sk-planted" not in repr(driver.draw())
    assert "sk-planted" not in repr(driver.state)
    assert "sk-planted" not in "".join(json.dumps(request) for request in driver.requests())


def test_a_key_can_be_forgotten(driver: Driver) -> None:
    driver.do("key_places", session=[], kept=["qdrant", "provider:x"])
    assert ("forget_key", "qdrant") in driver.press("qdrant-forget")
    driver.do("key_places", session=[], kept=["provider:x"])
    assert len(driver.shown("qdrant-key")) == 1


def test_an_empty_key_is_not_kept(driver: Driver) -> None:
    driver.do("qdrant_typed", name="key", value="  ")
    assert driver.do("qdrant_key", place="kept") == [("focus", "qdrant-key")]


def test_before_anything_is_sent_the_reader_is_told_what_and_where(driver: Driver) -> None:
    switched_on(driver)
    n_before = len(driver.requests())
    driver.press("qdrant-fill")
    assert len(driver.requests()) == n_before
    assert URL in text_of(driver.draw())
    driver.press("qdrant-send-not")
    assert len(driver.requests()) == n_before
    driver.press("qdrant-fill")
    driver.press("qdrant-send")
    assert driver.last("egress_agree")["destination"] == {"origin": URL, "purpose": "store"}
    assert driver.requests()[-1]["type"] == "qdrant_sync"


def test_filling_shows_how_far_it_is_can_be_stopped_and_says_what_is_there(driver: Driver) -> None:
    switched_on(driver)
    driver.press("qdrant-fill")
    driver.press("qdrant-send")
    asked = driver.last("qdrant_sync")
    driver.event(asked, "progress", stage="store", done=1, total=2, unit="pages")
    assert "1 of 2" in text_of(driver.shown("task-qdrant_sync")[0])
    driver.press("stop-qdrant_sync")
    assert driver.last("cancel")["target"] == asked["id"]
    driver.event(asked, "cancelled")
    driver.done(driver.last("qdrant_state"), STATE | {"n_mirrored": 1})
    assert "1 of 2 pages are there" in text_of(driver.shown("qdrant-state")[0])


def test_a_store_that_dies_while_it_is_filled_leaves_a_reason_and_what_is_there(driver: Driver) -> None:
    switched_on(driver)
    driver.press("qdrant-fill")
    driver.press("qdrant-send")
    driver.event(
        driver.last("qdrant_sync"), "error", code="network_lost", subject=URL, message="m", retryable=True
    )
    driver.done(driver.last("qdrant_state"), STATE | {"n_mirrored": 1, "n_kept_here": 1})
    assert "broke off" in text_of(driver.draw())
    assert "1 of 2 pages are there · 1 kept here by your rules" in text_of(driver.shown("qdrant-state")[0])
    assert len(driver.shown("qdrant-fill")) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("network_refused", "Nobody answers at this address."),
        ("mirror_behind", "some pages are not there yet."),
    ],
)
def test_an_answer_says_when_the_index_answered_in_the_place_of_the_store(code: str, said: str) -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),), why_local=code))
    assert said in text_of(driver.shown("why-local")[0])


def test_an_answer_of_the_store_says_nothing_of_it() -> None:
    driver = Driver().ready(page(A))
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),), store="qdrant"))
    assert driver.shown("why-local") == []
