"""Questions to begin with: each is answered by the page it was made from."""

from typing import Any

import pytest

from desk import Desk
from fakes import capture_of
from tabwise.core.answers.starters import MAX_TOPIC_WORDS, Starter, StarterKind, chosen, starters_of
from tabwise.core.model import Block, BlockKind, Page, SourceId

LONG = "Boats that leave before the high water meet the strongest current at the mouth of the river."
HEADING, PARAGRAPH = BlockKind.HEADING, BlockKind.PARAGRAPH


def page_of(*parts: tuple[BlockKind, str], language: str = "en", name: str = "a") -> Page:
    blocks, at = [], 0
    for kind, text in parts:
        blocks.append(Block(kind, at, at + len(text), 2 if kind is HEADING else 0))
        at += len(text) + 1
    text = "\n".join(text for _, text in parts)
    source = SourceId(f"https://{name}.example/")
    return Page(source, source, "A", language, text, tuple(blocks), "", 0.0, 0, len(text), len(text))


def told(page: Page) -> list[tuple[str, str]]:
    return [(str(starter.kind), starter.text) for starter in starters_of(page)]


def test_a_heading_that_asks_is_a_question_and_the_block_below_answers() -> None:
    page = page_of((HEADING, "When do the boats leave?"), (PARAGRAPH, LONG))
    (starter,) = starters_of(page)
    assert (starter.kind, starter.text) == (StarterKind.QUESTION, "When do the boats leave?")
    assert page.text[starter.start : starter.end] == LONG


@pytest.mark.parametrize(
    ("language", "sentence", "topic"),
    [
        ("en", "A neap tide is a tide of small range, when sun and moon pull at a right angle.", "neap tide"),
        ("en", "Mean sea level is the average height of the sea over nineteen years.", "Mean sea level"),
        ("de", "Die Springtide ist eine Tide mit großem Hub, wenn Sonne und Mond in einer Linie stehen.",
         "Springtide"),
        ("es", "La marea viva es una marea de gran amplitud, cuando el sol y la luna tiran juntos.",
         "marea viva"),
    ],
)  # fmt: skip
def test_a_sentence_that_defines_asks_for_what_it_defines(language: str, sentence: str, topic: str) -> None:
    assert told(page_of((PARAGRAPH, sentence), language=language)) == [("definition", topic)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a tide of small range, when sun and moon pull at a right angle to each other.",
        "This is the best time of the year to see the largest waves on this long coast.",
        "What we saw there is a tide of small range, when sun and moon pull at a right angle.",
        "The largest and oldest and loveliest of all known tides is the one of the Bay of Fundy here.",
        "A neap tide is a tide.",
    ],
)
def test_what_defines_nothing_asks_nothing(sentence: str) -> None:
    assert told(page_of((PARAGRAPH, sentence))) == []


def test_a_heading_over_a_paragraph_asks_for_its_topic() -> None:
    page = page_of((HEADING, "Tidal power"), (PARAGRAPH, LONG), (HEADING, "See also"), (PARAGRAPH, "Moon."))
    assert told(page) == [("section", "Tidal power")]


def test_a_long_heading_is_no_topic() -> None:
    heading = " ".join(["word"] * (MAX_TOPIC_WORDS + 1))
    assert told(page_of((HEADING, heading), (PARAGRAPH, LONG))) == []


def test_the_surest_kind_comes_first_and_nothing_twice() -> None:
    page = page_of(
        (HEADING, "Tidal power"),
        (PARAGRAPH, LONG),
        (HEADING, "tidal power"),
        (PARAGRAPH, LONG),
        (HEADING, "When do the boats leave?"),
        (PARAGRAPH, LONG),
    )
    assert told(page) == [("question", "When do the boats leave?"), ("section", "Tidal power")]


def test_pages_take_turns() -> None:
    def of(name: str, n: int) -> list[Starter]:
        source = SourceId(name)
        return [Starter(StarterKind.SECTION, f"{name}{i}", source, 0, 1) for i in range(n)]

    assert [s.text for s in chosen([of("a", 3), [], of("b", 1)], 3)] == ["a0", "b0", "a1"]
    assert chosen([], 3) == []
    assert [s.text for s in chosen([of("a", 1)], 3)] == ["a0"]


def test_the_engine_asks_what_the_newest_pages_answer(run: Any) -> None:
    tides = capture_of(
        "https://sea.example/tides", "Tides", LONG, LONG, headings=("When do the boats leave?", "Power")
    )

    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("starters", n=3))["result"] == []
        await desk.add(1)
        (first, *_) = (await desk.ask("starters", n=3))["result"]
        assert (first["kind"], first["text"], first["title"]) == (
            "question",
            "When do the boats leave?",
            "Tides",
        )

    run(scenario, {1: tides})
