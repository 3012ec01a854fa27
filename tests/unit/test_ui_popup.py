"""The popup: one question to the page in front, which is added first when it is not saved."""

from typing import Any

import pytest

from ui_driver import STATS, Driver, page, tab, text_of

A = "https://a.example/"


def popup(*pages: dict[str, Any], url: str = A, pressed: bool = True) -> Driver:
    driver = Driver()
    driver.do("boot", draft="", page="popup", browser_language="en")
    result = {"version": "0.1.0", "stats": STATS, "pages": list(pages), "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), result)
    driver.do("tabs", tabs=[tab(1, url, "Alpha"), tab(2, "https://b.example/")])
    tabs = {"1": url.rstrip("/")} if pressed else {}
    driver.do("access", origins=[], tabs=tabs)
    return driver


def row(state: str, saved: dict[str, Any] | None = None, code: str = "") -> dict[str, Any]:
    failure = {"code": code, "subject": "", "message": ""} if code else None
    return {"tab_id": 1, "state": state, "page": saved, "failure": failure}


def ask(driver: Driver) -> None:
    driver.do("draft", value="Why?")
    driver.press("ask")


def kinds(driver: Driver) -> list[str]:
    return [request["type"] for request in driver.requests()]


def test_the_page_in_front_is_named_and_the_box_says_what_asking_does() -> None:
    driver = popup()
    assert text_of(driver.shown("popup-page")[0]) == "Alpha"
    assert "Adds this page" in text_of(driver.shown("popup-note")[0])
    assert text_of(popup(page(A)).shown("popup-note")[0]) == ""


def test_a_saved_page_is_asked_at_once_and_alone() -> None:
    driver = popup(page(A), page("https://b.example/"))
    ask(driver)
    assert driver.last("ask")["sources"] == [A]
    assert "index" not in kinds(driver)


def test_enter_asks_as_well() -> None:
    driver = popup(page(A))
    driver.do("draft", value="Why?")
    driver.do(
        "key", key="Enter", field="question", target="question", shift=False, command=False, composing=False
    )
    assert driver.last("ask")["question"] == "Why?"


def test_another_page_is_added_first_and_then_asked() -> None:
    driver = popup(page("https://b.example/"))
    ask(driver)
    assert "ask" not in kinds(driver)
    driver.done(driver.last("index"), [row("added", page(A))])
    asked = driver.last("ask")
    assert (asked["question"], asked["sources"]) == ("Why?", [A])


def test_access_that_is_missing_is_asked_for_in_the_press() -> None:
    driver = popup(pressed=False)
    driver.do("draft", value="Why?")
    effects = driver.press("ask")
    assert [effect[1] for effect in effects if effect[0] == "grant"] == [["https://a.example/*"]]
    driver.granted(effects, False)
    assert len(driver.shown("error")) == 1
    assert driver.state["quick"]["question"] == "Why?"


@pytest.mark.parametrize("code", ["page_has_password", "page_has_payment"])
def test_a_page_with_a_secret_waits_for_the_readers_word(code: str) -> None:
    driver = popup()
    ask(driver)
    driver.done(driver.last("index"), [row("failed", None, code)])
    assert "ask" not in kinds(driver)
    driver.press("go-on")
    (sent,) = driver.last("index")["tabs"]
    assert (sent["confirmed"], sent["allowed"]) == (True, True)
    driver.done(driver.last("index"), [row("added", page(A))])
    assert driver.last("ask")["sources"] == []  # the only page there is


def test_a_page_can_be_left_out_and_the_question_stays() -> None:
    driver = popup()
    ask(driver)
    driver.done(driver.last("index"), [row("failed", None, "page_has_password")])
    driver.press("leave-out")
    assert driver.state["quick"] is None
    assert driver.state["draft"] == "Why?"
    assert driver.shown("waiting") == []


def test_a_page_that_nobody_can_read_says_why() -> None:
    driver = popup(url="chrome://settings/")
    assert "ask" not in kinds(driver)
    assert text_of(driver.shown("popup-note")[0]) != ""
    ask(driver)
    assert "index" not in kinds(driver)


def test_the_panel_of_this_window_is_one_press_away() -> None:
    driver = popup()
    assert driver.press("open-panel") == [("open_panel", 7)]
