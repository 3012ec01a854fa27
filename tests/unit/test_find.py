"""Find as you type: what is typed so far brings the page up, slips and all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Chunk, ChunkId, Page, QuantizedVectors, SourceId
from tabwise.core.search.find import excerpt
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.vectors import quantize
from tabwise.core.verdicts.vocabulary import Vocabulary, is_one_slip_away
from tabwise.eval.collection import plain_page

PAGES = {
    "https://sea.example/tidal-power": (
        "Tidal power",
        "Turbines turn the range of the sea into electricity.",
    ),
    "https://kitchen.example/bread": ("Sourdough bread", "Bake the loaf at a high temperature, with steam."),
    "https://uni.example/courses": ("Courses", "The university teaches oceanography and baking."),
    "https://moon.example/about": ("The moon", "It pulls at the water and the tides follow."),
}


def add(index: SearchIndex, url: str, title: str, text: str, vector: list[float] | None = None) -> Page:
    page = plain_page(url, title, text, language="en")
    embedded = f"{title}\n{text}"
    chunk = Chunk(ChunkId(f"{url}-00000"), page.source, 0, 0, len(text), (), text, embedded, embedded, 9)
    vectors: QuantizedVectors | None = None
    if vector is not None:
        vectors = quantize(np.array([vector], np.float32))
    index.add_page(page, [chunk], vectors)
    return page


@pytest.fixture
def index() -> SearchIndex:
    index = SearchIndex(2)
    for url, (title, text) in PAGES.items():
        add(index, url, title, text)
    return index


def hosts(index: SearchIndex, text: str) -> list[str]:
    return [match.source.split("/")[2].partition(".")[0] for match in index.find_pages(text)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("t", "moon"),
        ("tid", "sea"),
        ("tidal po", "sea"),
        ("TURBI", "sea"),
        ("universit", "uni"),
        ("oceanog", "uni"),
        ("kitchen", "kitchen"),
        ("loaf temp", "kitchen"),
        ("temprature loaf", "kitchen"),  # a letter missing
        ("turbimes ", "sea"),  # a letter changed
        ("sourdoguh ", "kitchen"),  # two letters swapped
    ],
)
def test_the_page_comes_first_while_it_is_typed(index: SearchIndex, typed: str, first: str) -> None:
    found = hosts(index, typed)
    assert first in found[: 2 if len(typed) == 1 else 1]


def test_a_finished_word_is_not_completed(index: SearchIndex) -> None:
    assert "uni" in hosts(index, "oceano")
    assert hosts(index, "oceano ") == []


def test_all_words_come_before_some(index: SearchIndex) -> None:
    add(index, "https://both.example", "Notes", "A note on bread and on tides.")
    assert hosts(index, "bread tides")[0] == "both"


@pytest.mark.parametrize("text", ["", "   ", "the of", "\u2603", "\ud800", "zzzqqq"])
def test_what_says_nothing_finds_nothing(index: SearchIndex, text: str) -> None:
    assert hosts(index, text) == []


def test_a_page_found_by_its_address_alone_has_nothing_to_quote(index: SearchIndex) -> None:
    (match,) = index.find_pages("kitchen ")
    assert match.chunk is None


def test_a_removed_page_is_found_no_more_and_a_new_one_is(index: SearchIndex) -> None:
    index.remove_page(SourceId("https://kitchen.example/bread"))
    assert hosts(index, "sourdough") == []
    add(index, "https://new.example", "Sourdough again", "More of it.")
    assert hosts(index, "sourd") == ["new"]


def test_pages_near_in_meaning_follow_those_with_the_words() -> None:
    index = SearchIndex(2)
    add(index, "https://a.example", "Automobile", "Wheels and an engine.", [1.0, 0.1])
    add(index, "https://b.example", "Car park", "Where to leave it.", [0.5, 1.0])
    add(index, "https://c.example", "Poem", "Of clouds.", [-1.0, 1.0])
    vector = np.array([1.0, 0.0], np.float32)
    found = index.find_pages("car", vector)
    assert [(match.source[8], match.by_meaning) for match in found] == [("b", False), ("a", True)]
    assert len(index.find_pages("car", vector, k=1)) == 1


def test_an_empty_library_has_no_pages_to_find() -> None:
    assert SearchIndex(2).find_pages("anything", np.array([1.0, 0.0], np.float32)) == []


def test_the_excerpt_is_the_sentence_with_most_of_what_is_typed() -> None:
    passage = "The sea is wide. Turbines stand in the sea. Nothing else."
    start, end = excerpt("sea turb", passage)
    assert passage[start:end] == "Turbines stand in the sea."


WORDS = st.text("abc", min_size=1, max_size=6)


def slips(word: str) -> set[str]:
    """Every string one slip from a word, over the same letters."""
    out = set()
    for i in range(len(word) + 1):
        out |= {word[:i] + letter + word[i:] for letter in "abc"}
        if i < len(word):
            out |= {word[:i] + word[i + 1 :]} | {word[:i] + letter + word[i + 1 :] for letter in "abc"}
        if i + 1 < len(word):
            out.add(word[:i] + word[i + 1] + word[i] + word[i + 2 :])
    return out - {word}


@given(WORDS, WORDS)
def test_one_slip_equals_making_every_slip(a: str, b: str) -> None:
    assert is_one_slip_away(a, b) == (b in slips(a)) == is_one_slip_away(b, a)


@given(st.lists(WORDS), st.lists(WORDS), WORDS)
def test_completions_equal_a_scan_of_all_terms(first: list[str], second: list[str], prefix: str) -> None:
    vocabulary = Vocabulary(first)
    vocabulary.completions("a")
    vocabulary.add(second)
    known = set(first + second)
    expected = sorted(term for term in known if term.startswith(prefix))
    cuts = [prefix[:-n] for n in (1, 2, 3) if len(prefix) - n >= 4 and prefix[:-n] in known]
    assert vocabulary.completions(prefix) == expected[:32] + cuts
