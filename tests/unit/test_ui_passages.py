"""Going from a citation to its passage, with the other passages of the page, and what happens without one."""

import json
from typing import Any
from urllib.parse import unquote

import pytest

from tabwise.ui.text import quote
from ui_driver import Driver, answer, citation, page, sentence, text_of

A = "https://a.example/"
B = "https://b.example/"


@pytest.fixture
def driver() -> Driver:
    return Driver().ready(page(A, "Alpha"), page(B, "Beta"))


def test_a_passage_is_shown_with_the_others_of_its_page(driver: Driver) -> None:
    cited = (citation(1, A, "One."), citation(2, B), citation(3, A, "Three."))
    driver.done(driver.ask(), answer(sentence(numbers=(1, 2, 3)), citations=cited))
    driver.press("chip", 2)
    shown = driver.last("show")
    assert (shown["citation"], shown["others"]) == (cited[2], [cited[0]])


def opened(effects: list[tuple[Any, ...]]) -> dict[str, Any]:
    """What the address says that was opened."""
    (address,) = [effect[1] for effect in effects if effect[0] == "open"]
    page_name, _, text = address.partition("#")
    assert page_name == "viewer.html"
    asked: dict[str, Any] = json.loads(unquote(text))
    return asked


def test_words_that_are_gone_can_be_read_in_the_saved_text(driver: Driver) -> None:
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1, B, "The quote, “so”."),)))
    driver.press("chip")
    driver.done(driver.last("show"), {"found": False, "tab_id": 1})
    asked = opened(driver.press("undo"))
    assert asked == {"source": B, "quote": "The quote, “so”.", "start": 0}


def test_of_a_given_file_the_saved_text_is_shown_at_once(driver: Driver) -> None:
    cited = citation(1, "file:report.pdf#0123")
    driver.done(driver.ask(), answer(sentence(), citations=(cited,)))
    assert opened(driver.press("chip"))["source"] == "file:report.pdf#0123"


def block(
    text: str, passage: str = "", after: str = "", kind: str = "paragraph", level: int = 0
) -> dict[str, Any]:
    return {"kind": kind, "level": level, "before": text, "passage": passage, "after": after}


def saved(driver: Driver, asked: dict[str, Any], *blocks: dict[str, Any], **more: Any) -> Driver:
    """The page of saved text, opened with an address and answered."""
    driver.do("boot", draft="", page="saved", browser_language="en")
    driver.do("saved_open", text=json.dumps(asked))
    result = {
        "page": page(A, "Alpha"),
        "first": 0,
        "n_blocks": len(blocks),
        "blocks": list(blocks),
        "found": True,
    }
    driver.done(driver.last("saved_text"), result | more)
    return driver


ASKED = {"source": A, "quote": "the passage", "start": 7}


def test_the_saved_text_is_shown_with_the_passage_marked() -> None:
    driver = saved(Driver(), ASKED, block("Before ", "the passage", " after."), block("More."))
    request = driver.last("saved_text")
    assert {name: request[name] for name in ASKED} == ASKED
    assert [text_of(node) for node in driver.shown("passage")] == ["the passage"]
    assert "Before  the passage  after. More." in text_of(driver.draw())
    assert ("focus", "passage") in driver.effects


def test_one_mark_has_the_name_that_is_scrolled_to() -> None:
    driver = saved(Driver(), ASKED, block("", "the"), block("", "passage"))
    assert [node[1]["id"] for node in driver.shown("passage")] == ["passage", None]


def test_a_passage_that_is_gone_from_the_saved_text_says_so() -> None:
    driver = saved(Driver(), ASKED, block("Other words."), found=False)
    assert len(driver.shown("gone")) == 1


def test_other_parts_of_a_long_page_can_be_gone_to() -> None:
    driver = saved(Driver(), ASKED, block("One."), first=300, n_blocks=900)
    driver.press("later")
    assert driver.last("saved_text")["first"] == 301
    driver.press("earlier")
    assert driver.last("saved_text")["first"] == 100


def test_rows_and_items_are_grouped() -> None:
    rows = [
        block("a\tb", kind="row", level=1),
        block("c\td", kind="row"),
        block("x", kind="item"),
        block("y", kind="item"),
    ]
    text = list(_all(saved(Driver(), ASKED, *rows).draw()))
    assert [node[0] for node in text if node[0] in ("table", "tr", "th", "td", "ul", "li")] == [
        "table", "tr", "th", "th", "tr", "td", "td", "ul", "li", "li",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"source": "x"}', '{"source": "x", "quote": "", "start": "n"}']
)
def test_a_broken_address_shows_an_error(text: str) -> None:
    driver = Driver()
    driver.do("boot", draft="", page="saved", browser_language="en")
    driver.do("saved_open", text=text)
    assert len(driver.shown("error")) == 1


def test_no_heading_skips_a_level() -> None:
    levels = [block("a", kind="heading", level=level) for level in (3, 1, 2, 6)]
    shown = [node[0] for node in _all(saved(Driver(), ASKED, *levels).draw())]
    assert [tag for tag in shown if tag in ("h2", "h3", "h4", "h5", "h6")] == ["h2", "h2", "h2", "h3"]


def test_a_page_that_is_not_saved_any_more_shows_an_error() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="saved", browser_language="en")
    driver.do("saved_open", text=json.dumps(ASKED))
    request = driver.last("saved_text")
    driver.event(request, "error", code="source_unknown", subject=A, message="", retryable=False)
    assert len(driver.shown("error")) == 1


def test_an_address_keeps_every_character() -> None:
    text = "a & b # 100 % é 日本 😀"
    assert unquote(quote(text)) == text


def _all(node: Any) -> list[Any]:
    return [] if isinstance(node, str) else [node, *(inner for child in node[2] for inner in _all(child))]
