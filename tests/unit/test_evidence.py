"""Evidence: what a reader gets within a budget of words, checked against a page of numbered sentences."""

from itertools import pairwise

import pytest

from tabwise.core.answers.evidence import Evidence, gather
from tabwise.core.model import Block, BlockKind, Chunk, Hit, Page, SourceId
from tabwise.core.page.chunking import chunk_page
from tabwise.eval.collection import plain_page

N_SECTIONS, N_SENTENCES, N_WORDS = 3, 30, 10


def make_page() -> Page:
    """Three sections, each a heading and a paragraph of thirty sentences of ten words."""
    text, blocks = "", []
    for section in range(N_SECTIONS):
        heading = f"Part {section}"
        sentences = [
            f"Alpha{i} in part{section} is told with nine and more words." for i in range(N_SENTENCES)
        ]
        for kind, own in ((BlockKind.HEADING, heading), (BlockKind.PARAGRAPH, " ".join(sentences))):
            blocks.append(Block(kind, len(text), len(text) + len(own), 1))
            text += own + "\n"
    return plain_page("page", "Title", text.removesuffix("\n"), language="en", blocks=tuple(blocks))


PAGE = make_page()
CHUNKS = chunk_page(PAGE, lambda text: len(text.split()))
PAGES = {PAGE.source: PAGE}


def hit(chunk: Chunk) -> Hit:
    return Hit(chunk=chunk, score=1.0, dense=None, lexical=1.0, rank_dense=None, rank_lexical=1)


def words(passages: tuple[Evidence, ...]) -> int:
    return sum(len(PAGE.text[one.start : one.end].split()) for one in passages)


@pytest.mark.parametrize("budget", [0, 5, 50, 137, 400, 2_000])
def test_the_budget_is_never_passed_and_passages_do_not_overlap(budget: int) -> None:
    found = gather([hit(chunk) for chunk in CHUNKS[::-1]], PAGES, max_words=budget)
    assert words(found) <= budget
    spans = sorted((one.start, one.end) for one in found)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_a_budget_for_everything_gives_the_whole_page_once() -> None:
    found = gather([hit(chunk) for chunk in CHUNKS], PAGES, max_words=10_000)
    assert [(one.start, one.end) for one in found] == [(0, len(PAGE.text))]


def test_the_best_hit_comes_first_whatever_its_place_on_the_page() -> None:
    last, first = CHUNKS[-1], CHUNKS[0]
    found = gather([hit(last), hit(first)], PAGES, max_words=150)
    assert found[0].start >= last.start - 1
    assert [one.hit for one in found] == [0, 1]


def test_words_left_over_grow_the_passage_within_its_section() -> None:
    middle = next(chunk for chunk in CHUNKS if chunk.heading_path == ("Part 1",))
    (found,) = gather([hit(middle)], PAGES, max_words=10_000)
    section = PAGE.text.index("Part 1"), PAGE.text.index("\nPart 2")
    assert (section[0] <= found.start, found.end <= section[1]) == (True, True)
    assert found.end - found.start > middle.end - middle.start


def test_overlapping_hits_are_given_once() -> None:
    a, b = CHUNKS[0], CHUNKS[1]
    assert a.end > b.start
    (found,) = gather([hit(a), hit(b)], PAGES, max_words=len(PAGE.text[a.start : b.end].split()))
    assert (found.start, found.end) == (a.start, b.end)


def test_nothing_found_gives_nothing() -> None:
    assert gather([], {SourceId("x"): PAGE}, max_words=100) == ()
