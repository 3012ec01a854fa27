"""Text of pages and of readers is drawn in its own direction, wherever the panel shows it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ui_driver import NOW_MS, Driver, answer, citation, page, sentence, tab, text_of

pytestmark = pytest.mark.native

A = "https://a.example/"
QUESTION = "كم يبلغ المد؟"
SENTENCE = "يبلغ المد ستة عشر مترا."
QUOTE = "المد ستة عشر مترا"
TITLE = "الخليج"
TAB = "הגאות והשפל"
PAST = "שיחה על הים"
THREAD = {"id": "t", "title": PAST, "created_at": NOW_MS, "updated_at": NOW_MS, "pinned": False, "n_turns": 2}
THREAD |= {"head": "t1"}
STYLES = Path(__file__).parents[2] / "extension" / "css"
PHYSICAL = re.compile(
    r"(?:margin|padding|border|inset|scroll-margin)-(?:left|right)\b"
    r"|[;{\s](?:left|right):|text-align: (?:left|right)"
)


def directions(node: Any, text: str, around: str = "") -> Iterator[str]:
    """The direction of every element that shows the text: its own, or that of the nearest one around it."""
    if isinstance(node, str):
        if text in node:
            yield around
        return
    for child in node[2]:
        yield from directions(child, text, node[1].get("dir") or around)


@pytest.fixture
def driver() -> Driver:
    """A panel with an answer about a page, and an earlier conversation, all from right to left."""
    made = Driver().ready(page(A, TITLE))
    made.do("tabs", tabs=[tab(1, "https://b.example/", TAB)])
    asked = made.ask(QUESTION)
    cited = citation(1, A, QUOTE) | {"title": TITLE}
    made.done(asked, answer(sentence(SENTENCE), citations=(cited,), question=QUESTION))
    made.do("view", value="history")
    made.done(made.last("threads"), [THREAD])
    return made


@pytest.mark.fault("F66")
@pytest.mark.parametrize(
    ("view", "text"),
    [
        ("chat", QUESTION),
        ("chat", SENTENCE),
        ("chat", TITLE),
        ("pages", TAB),
        ("pages", TITLE),
        ("history", PAST),
    ],
)
def test_a_text_has_its_own_direction(driver: Driver, view: str, text: str) -> None:
    driver.do("view", value=view)
    node = driver.draw()
    assert text in text_of(node)
    assert set(directions(node, text)) == {"auto"}


@pytest.mark.fault("F66")
def test_styles_name_the_sides_by_the_direction_of_the_text() -> None:
    named = {sheet.name: PHYSICAL.findall(sheet.read_text("utf-8")) for sheet in STYLES.glob("*.css")}
    assert named
    assert {name: found for name, found in named.items() if found} == {}
