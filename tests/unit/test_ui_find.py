"""Find as you type: words at once, meaning later, nothing stale, the keyboard."""

from typing import Any

import pytest

from tabwise.ui.marks import marked
from ui_driver import Driver, page, tab, text_of

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
Record = dict[str, Any]


def found(url: str, excerpt: str = "", **more: Any) -> Record:
    """A FoundPage record."""
    record: Record = {
        "source": url,
        "url": url,
        "title": f"Page {url[8]}",
        "by_meaning": False,
        "excerpt": excerpt,
        "start": 40,
        "end": 40 + len(excerpt),
    }
    return record | more


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page(A), page(B), page(C))
    ready.do("tabs", tabs=[tab(1, A)])
    ready.do("view", value="pages")
    return ready


def type_text(driver: Driver, text: str) -> Record:
    driver.do("filter", value=text)
    return driver.last("find")


def key(driver: Driver, name: str, field: str = "filter", target: str = "filter") -> list[tuple[Any, ...]]:
    event = {"key": name, "field": field, "target": target, "shift": False, "command": False}
    return driver.do("key", composing=False, **event)


def rows(driver: Driver) -> list[str]:
    return [node[1]["data-source"] for node in driver.shown("found-row")]


def test_words_come_first_and_meaning_joins(driver: Driver) -> None:
    request = type_text(driver, " tide ")
    assert request["text"] == "tide"
    driver.event(request, "found", pages=[found(A)])
    assert rows(driver) == [A]
    assert driver.shown("found")[0][1]["aria-busy"] == "true"
    driver.done(request, [found(A), found(B, by_meaning=True)])
    assert rows(driver) == [A, B]
    assert driver.shown("found")[0][1]["aria-busy"] == "false"
    assert "by meaning" in text_of(driver.shown("found-row")[1])


def test_the_list_before_stays_until_the_next_reply(driver: Driver) -> None:
    driver.done(type_text(driver, "tid"), [found(A), found(B)])
    request = type_text(driver, "tide")
    assert rows(driver) == [A, B]
    driver.event(request, "found", pages=[found(B)])
    assert rows(driver) == [B]


def test_a_reply_to_what_is_no_longer_in_the_box_is_not_shown(driver: Driver) -> None:
    old = type_text(driver, "tid")
    new = type_text(driver, "tide")
    driver.event(old, "found", pages=[found(C)])
    assert rows(driver) == []
    driver.done(new, [found(A)])
    driver.done(old, [found(C)])
    assert rows(driver) == [A]


def test_the_search_before_is_stopped(driver: Driver) -> None:
    old = type_text(driver, "tid")
    type_text(driver, "tide")
    assert driver.last("cancel")["target"] == old["id"]


def test_an_empty_box_shows_the_library_again(driver: Driver) -> None:
    old = type_text(driver, "tide")
    driver.do("filter", value="  ")
    driver.event(old, "found", pages=[found(C)])
    assert driver.shown("found") == []
    assert len(driver.shown("library-row")) == 2


def test_a_row_that_did_not_change_is_not_drawn_again(driver: Driver) -> None:
    request = type_text(driver, "tide")
    driver.event(request, "found", pages=[found(A, "The tide.")])
    before = driver.shown("found-row")[0]
    driver.done(request, [found(A, "The tide."), found(B)])
    assert driver.shown("found-row")[0] is before


def test_nothing_found_is_said_and_only_when_it_is_known(driver: Driver) -> None:
    request = type_text(driver, "zygote")
    assert "No saved page has" not in text_of(driver.draw())
    driver.event(request, "found", pages=[])
    assert "No saved page has" not in text_of(driver.draw())
    driver.done(request, [])
    assert "No saved page has “zygote”" in text_of(driver.draw())


def test_without_the_model_what_was_found_by_words_stays(driver: Driver) -> None:
    request = type_text(driver, "tide")
    driver.event(request, "found", pages=[found(A)])
    driver.event(request, "error", code="model_unavailable", subject="", message="", retryable=True)
    assert rows(driver) == [A]
    assert driver.shown("found")[0][1]["aria-busy"] == "false"


def test_an_error_with_nothing_found_is_said(driver: Driver) -> None:
    request = type_text(driver, "tide")
    driver.event(request, "error", code="store_locked", subject="", message="", retryable=True)
    assert "The library is in use by another window." in text_of(driver.shown("found")[0])


def test_arrows_walk_the_rows_and_back_into_the_box(driver: Driver) -> None:
    driver.done(type_text(driver, "tide"), [found(A), found(B)])
    assert ("focus", "found-0") in key(driver, "ArrowDown")
    assert ("focus", "found-1") in key(driver, "ArrowDown", "found", "found-0")
    assert key(driver, "ArrowDown", "found", "found-1") == [("prevent",)]
    assert ("focus", "found-0") in key(driver, "ArrowUp", "found", "found-1")
    assert ("focus", "filter") in key(driver, "ArrowUp", "found", "found-0")
    assert ("focus", "filter") in key(driver, "Escape", "found", "found-1")


def test_escape_empties_the_box(driver: Driver) -> None:
    driver.done(type_text(driver, "tide"), [found(A)])
    assert ("prevent",) in key(driver, "Escape")
    assert driver.state["filter"] == ""
    assert driver.shown("found") == []


def test_enter_shows_the_passage_of_the_first_page(driver: Driver) -> None:
    driver.done(type_text(driver, "tide"), [found(B, "The tide turns."), found(A)])
    assert ("prevent",) in key(driver, "Enter")
    citation = driver.last("show")["citation"]
    assert (citation["url"], citation["quote"], citation["start"]) == (B, "The tide turns.", 40)


def test_a_page_found_by_its_title_alone_goes_to_its_tab_or_opens(driver: Driver) -> None:
    driver.done(type_text(driver, "page"), [found(A), found(B)])
    assert ("focus_tab", 1, 7) in driver.do("open_found", box="found", source=A)
    assert ("open", B) in driver.do("open_found", box="found", source=B)


def test_enter_goes_to_a_tab_when_no_page_was_found(driver: Driver) -> None:
    driver.done(type_text(driver, "a.example"), [])
    assert ("focus_tab", 1, 7) in key(driver, "Enter")


def test_the_shortcut_leads_to_the_box_from_anywhere(driver: Driver) -> None:
    driver.do("view", value="chat")
    effects = driver.do("menu", item="find", tab_id=1, text="")
    assert driver.state["view"] == "pages"
    assert ("focus", "filter") in effects


def test_a_question_from_the_address_bar_is_asked(driver: Driver) -> None:
    driver.do("menu", item="ask_text", tab_id=1, text="Why tides?")
    assert driver.last("ask")["question"] == "Why tides?"
    assert driver.state["view"] == "chat"


def test_a_large_library_is_listed_from_its_newest_pages_on() -> None:
    driver = Driver().ready(*(page(f"https://{n}.example/", f"Page {n}") for n in range(5000)))
    driver.do("view", value="pages")
    assert len(driver.shown("library-row")) == 100
    driver.press("list-all")
    assert len(driver.shown("library-row")) == 5000


@pytest.mark.parametrize(
    ("excerpt", "query", "lit"),
    [
        ("The tide turns at noon.", "tide", ["tide"]),
        ("Tides and a tidal mill", "TID", ["Tides", "tidal"]),
        ("One turbine", "turbines", ["turbine"]),
        ("In turn", "turbines", []),
        ("Ärger im Archiv", "ärger archiv", ["Ärger", "Archiv"]),
        ("潮汐能发电的原理", "发电", ["发电"]),
        ("発電と発電所", "発電", ["発電", "発電"]),
        ("It costs 4,500 €.", "4,500", ["4", "500"]),
        ("no query", "  ", []),
        ("", "tide", []),
    ],
)
def test_the_words_of_the_query_are_lit(excerpt: str, query: str, lit: list[str]) -> None:
    pieces = marked(excerpt, query)
    assert "".join(text for text, _ in pieces) == excerpt
    assert [text for text, is_lit in pieces if is_lit] == lit
