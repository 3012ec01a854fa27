"""A page in its own words: exact spans, in order, the central ones."""

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import capture_of
from tabwise.core.model import Block, BlockKind, Chunk, ChunkId, Page, SourceId
from tabwise.core.page.blocks import build_page
from tabwise.core.summaries.summary import MAX_HEADLINE_CHARS, centralities, n_sentences, shortened, summarise
from tabwise.core.summaries.summary import SummarySentence as Line

TIDAL = (
    "Tidal power turns the rise and fall of the sea into electricity with turbines.",
    "My aunt once kept a parrot that could whistle the anthem.",
    "A barrage holds the sea back and lets the tide run out through turbines for power.",
    "The largest tidal power station stands at Sihwa Lake and has ten turbines.",
    "Tidal power is dear to build, but the sea and its tide cost nothing.",
    "Parking is free on Sundays behind the old bakery.",
)


def no_idf(term: str) -> float:
    return 1.0


def page_of(*paragraphs: str, title: str = "Tides") -> Page:
    return build_page(capture_of("https://sea.example/", title, *paragraphs), None, 0.0)


def run(steps: Generator[None, None, Any]) -> tuple[Line, tuple[Line, ...]]:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: tuple[Line, tuple[Line, ...]] = end.value
            return result


def summary_of(page: Page) -> tuple[Line, tuple[Line, ...]]:
    return run(summarise(page, no_idf, {}, []))


def test_the_central_sentences_are_told_in_reading_order() -> None:
    page = page_of(*TIDAL)
    headline, sentences = summary_of(page)
    assert headline.text == TIDAL[0]
    told = [sentence.text for sentence in sentences]
    assert len(told) == n_sentences(page.n_words) == 3
    assert told[0] == TIDAL[0]
    assert not {TIDAL[1], TIDAL[5]} & set(told)
    assert [sentence.start for sentence in sentences] == sorted(sentence.start for sentence in sentences)


def test_a_book_is_read_to_its_end() -> None:
    others = (" ".join(f"word{n}x{place}" for place in range(12)) + "." for n in range(2500))
    page = page_of(*others, *(f"Tidal power number {n} turns the tide into power." for n in range(2500)))
    assert page.n_words > 50_000
    _, sentences = summary_of(page)
    assert page.text.index("Tidal") < sentences[-1].start


def test_the_same_said_twice_is_told_once() -> None:
    twin = TIDAL[2].replace("A barrage", "The barrage")
    _, sentences = summary_of(page_of(TIDAL[0], TIDAL[2], twin, *TIDAL[3:]))
    assert not {TIDAL[2], twin} <= {sentence.text for sentence in sentences}


def test_vectors_speak_for_sentences_of_chunks_near_the_middle() -> None:
    a, b = "Alpha beta gamma delta epsilon zeta.", "One two three four five six."
    page = page_of(a, b)
    chunks = [
        Chunk(ChunkId(f"c-{i}"), page.source, i, page.text.index(text), 0, (), text, text, str(i), 9)
        for i, text in enumerate((a, b))
    ]
    far, near = {chunks[0].id: -1.0, chunks[1].id: 1.0}, {chunks[0].id: 1.0, chunks[1].id: -1.0}
    assert run(summarise(page, no_idf, far, chunks))[0].text == b
    assert run(summarise(page, no_idf, near, chunks))[0].text == a


def test_centrality_is_the_cosine_to_the_mean() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], np.float32)
    chunks = [Chunk(ChunkId(str(i)), SourceId("s"), i, 0, 1, (), "", "", "", 1) for i in range(3)]
    mean = rows.mean(axis=0)
    expected = [float(row @ mean / np.linalg.norm(mean)) for row in rows]
    assert list(centralities(chunks, rows).values()) == pytest.approx(expected, rel=1e-6)
    opposite = np.array([[1.0, 0.0], [-1.0, 0.0]], np.float32)
    assert set(centralities(chunks[:2], opposite).values()) == {0.0}


def test_a_page_without_sentences_still_has_a_line() -> None:
    heading = Block(BlockKind.HEADING, 0, 7, 1)
    page = Page(SourceId("s"), "s", "T", "en", "Cameras", (heading,), "h", 0.0, 0, 7, 7)
    assert summary_of(page) == (Line("Cameras", 0, 7), ())
    empty = Page(SourceId("s"), "s", "T", "en", "", (), "h", 0.0, 0, 0, 0)
    assert summary_of(empty) == (Line("", 0, 0), ())


def test_rows_are_told_when_there_is_nothing_else() -> None:
    rows = (Block(BlockKind.ROW, 0, 9), Block(BlockKind.ROW, 10, 19))
    page = Page(SourceId("s"), "s", "T", "en", "Moon\t3 km\nStar\t9 km", rows, "h", 0.0, 0, 19, 19)
    assert {line.text for line in summary_of(page)[1]} == {"Moon\t3 km", "Star\t9 km"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Short enough.", "Short enough."),
        ("x" * 200, "x" * (MAX_HEADLINE_CHARS - 1) + "…"),
        (f"{'word ' * 15}ends here, and {'more ' * 20}", f"{'word ' * 15}ends here…"),
        ("word " * 40, f"{('word ' * 21).strip()}…"),
    ],
)
def test_a_long_line_is_cut_at_a_border(text: str, line: str) -> None:
    assert shortened(text) == line
    assert len(line) <= MAX_HEADLINE_CHARS


WORDS = st.sampled_from(
    ["the", "tide", "power", "moon", "16.3", "m.", "Turbines?", "and", "on!", "潮汐", "عربي", "👩\u200d👧"]
)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=40).map(" ".join), min_size=1, max_size=8))
def test_every_line_is_a_span_of_its_page(paragraphs: list[str]) -> None:
    page = page_of(TIDAL[0], *paragraphs)
    headline, sentences = summary_of(page)
    for line in (headline, *sentences):
        assert page.text[line.start : line.end] == line.text.removesuffix("…") or line.text in page.text
    assert len(headline.text) <= MAX_HEADLINE_CHARS
    assert len(sentences) <= n_sentences(page.n_words)
