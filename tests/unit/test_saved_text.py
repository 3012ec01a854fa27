"""The saved text around a passage: found where it is now, cut into whole blocks, each of them reachable."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from desk import BREAD, TIDES, Desk
from tabwise.core.model import Block, BlockKind, Page, SourceId
from tabwise.core.page.saved_text import MAX_BLOCKS, MAX_CHARS, find_passage, pieces, saved_text

FUNDY = "The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres."


def page_of(*paragraphs: str) -> Page:
    blocks, at = [], 0
    for paragraph in paragraphs:
        blocks.append(Block(BlockKind.PARAGRAPH, at, at + len(paragraph)))
        at += len(paragraph) + 1
    text = "\n".join(paragraphs)
    source = SourceId("https://a.example/")
    return Page(source, source, "A", "en", text, tuple(blocks), "", 0.0, 0, len(text), len(text))


def test_the_nearest_of_equal_passages_is_meant() -> None:
    text = "see below. text. see below. text. see below."
    assert find_passage(text, "see below.", 20) == (17, 27)
    assert find_passage(text, "see below.", 0) == (0, 10)
    assert find_passage(text, "see below.", 900) == (34, 44)


def test_words_that_are_gone_are_not_found() -> None:
    assert find_passage("a text", "other words", 0) is None
    assert find_passage("a text", "", 0) is None


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_the_pieces_of_a_block_are_the_block(text: str, a: int, b: int) -> None:
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    passage = (min(a, b), max(a, b))
    assert "".join(pieces(block, text, passage)) == text


def test_a_passage_across_blocks_is_marked_in_each() -> None:
    page = page_of("one two", "three four")
    marked = [pieces(block, page.text, (4, 13)) for block in page.blocks]
    assert marked == [("one ", "two", ""), ("", "three", " four")]


def test_many_short_blocks_are_shown_around_the_passage() -> None:
    page = page_of(*(f"block {n}." for n in range(2000)))
    start = page.text.index("block 900.")
    shown = saved_text(page, "block 900.", start)
    assert (shown.first, shown.last, shown.passage) == (700, 1100, (start, start + 10))


def test_long_blocks_are_shown_while_there_is_room() -> None:
    page = page_of(*("word " * 2000 for _ in range(30)))
    shown = saved_text(page, "", 0, first=10)
    assert shown.first == 10
    assert shown.last - 10 == MAX_CHARS // 10_000


@given(st.integers(-5, 3000))
def test_going_on_from_the_end_of_what_is_shown_reaches_every_block(first: int) -> None:
    page = page_of(*(f"block {n}." for n in range(1000)))
    shown = saved_text(page, "", 0, first=first)
    assert 0 <= shown.first < shown.last <= 1000
    assert shown.last - shown.first == min(MAX_BLOCKS, 1000 - shown.first)


def test_a_page_without_blocks_shows_nothing() -> None:
    shown = saved_text(page_of(), "words", 3)
    assert (shown.first, shown.last, shown.passage) == (0, 0, None)


def test_the_engine_gives_the_saved_text_with_its_passage(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        source = (await desk.ask("library"))["result"][0]["source"]
        shown = (await desk.ask("saved_text", source=source, quote=FUNDY, start=0))["result"]
        assert shown["found"]
        assert [block["passage"] for block in shown["blocks"] if block["passage"]] == [FUNDY]
        assert shown["n_blocks"] == len(shown["blocks"])
        gone = (await desk.ask("saved_text", source=source, quote="Never said.", start=0))["result"]
        assert (gone["found"], [block["passage"] for block in gone["blocks"]]) == (
            False,
            [""] * gone["n_blocks"],
        )
        unknown = await desk.ask("saved_text", source="https://no.example/")
        assert unknown["code"] == "source_unknown"

    run(scenario, {1: TIDES, 2: BREAD})
