"""extract: which sentences are shown, and that each is an exact span."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.answers.cues import Cues
from tabwise.core.answers.extract import Candidate, candidates, compose
from tabwise.core.model import Block, BlockKind, Chunk, ChunkId, Hit, Page, SourceId


def make_page(source: str, blocks: list[tuple[BlockKind, str]], *, title: str = "") -> Page:
    text, spans = "", []
    for kind, body in blocks:
        spans.append(Block(kind, len(text), len(text) + len(body)))
        text += body + "\n"
    text = text.removesuffix("\n")
    return Page(SourceId(source), source, title, "en", text, tuple(spans), "", 0.0, 0, len(text), len(text))


def make_hit(
    page: Page, start: int = 0, end: int | None = None, *, score: float = 1.0, path: tuple[str, ...] = ()
) -> Hit:
    end = len(page.text) if end is None else end
    text = page.text[start:end]
    chunk = Chunk(ChunkId(f"{page.source}-{start:05d}"), page.source, 0, start, end, path, text, text, "", 0)
    return Hit(chunk, score, None, 1.0, None, 1)


def found(
    question: str, *hits: tuple[Page, Hit], limit: int = 12, idf: dict[str, float] | None = None
) -> tuple[Candidate, ...]:
    pages = {page.source: page for page, _ in hits}
    weights = idf or {}
    return candidates(question, [hit for _, hit in hits], pages, lambda term: weights.get(term, 1.0), limit)


TOWER = make_page(
    "tower",
    [
        (BlockKind.HEADING, "Height of the tower"),
        (
            BlockKind.PARAGRAPH,
            "The tower is 330 metres tall. It was built by Gustave Eiffel. Paint is brown.",
        ),
        (BlockKind.ROW, "Floor | Height. First | 57 m"),
        (BlockKind.CODE, "tower = Tower()\nprint(tower.height. value)"),
        (BlockKind.ITEM, "The tower opened in 1889."),
    ],
    title="Eiffel Tower",
)


def test_candidates_are_exact_spans_without_headings() -> None:
    texts = [option.text for option in found("tower height", (TOWER, make_hit(TOWER)))]
    assert sorted(texts) == sorted(
        [
            "The tower is 330 metres tall.",
            "It was built by Gustave Eiffel.",
            "Paint is brown.",
            "Floor | Height. First | 57 m",
            "tower = Tower()\nprint(tower.height. value)",
            "The tower opened in 1889.",
        ]
    )
    assert all(
        TOWER.text[option.start : option.end] == option.text
        for option in found("tower", (TOWER, make_hit(TOWER)))
    )


def test_only_what_lies_in_the_chunk_is_taken() -> None:
    start = TOWER.text.index("It was built")
    end = TOWER.text.index("\nFloor")
    options = found("tower", (TOWER, make_hit(TOWER, start, end)))
    assert [option.text for option in options] == ["It was built by Gustave Eiffel.", "Paint is brown."]


def test_overlapping_chunks_give_a_sentence_once() -> None:
    middle = TOWER.text.index("It was built")
    options = found("tower", (TOWER, make_hit(TOWER, 0, middle + 40)), (TOWER, make_hit(TOWER, middle)))
    assert len({(option.start, option.end) for option in options}) == len(options)
    assert sum(option.text.startswith("It was built") for option in options) == 1


def test_a_text_that_two_pages_share_is_taken_once() -> None:
    copy = make_page("copy", [(BlockKind.PARAGRAPH, "The tower is 330 metres tall. Copied.")])
    options = found("How tall is the tower?", (TOWER, make_hit(TOWER)), (copy, make_hit(copy, score=0.9)))
    assert [option.source for option in options if "330" in option.text] == ["tower"]


def test_rare_terms_weigh_more() -> None:
    page = make_page("p", [(BlockKind.PARAGRAPH, "The tower stands here. The pendulum hangs here.")])
    options = found("tower pendulum", (page, make_hit(page)), idf={"tower": 1.0, "pendulum": 5.0})
    assert options[0].text == "The pendulum hangs here."


def test_headings_and_the_sentence_before_give_context() -> None:
    page = make_page(
        "p", [(BlockKind.PARAGRAPH, "The crane is old. It weighs nine tonnes. Nobody weighs it.")]
    )
    with_path = found("crane weight weighs", (page, make_hit(page)))
    assert with_path[0].text == "It weighs nine tonnes."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was it opened?", "It opened in 1889."),
        ("How many people came?", "Nine people came."),
        ("Who built it?", "It was built by Gustave Eiffel."),
        ("Wann wurde er eröffnet?", "Er wurde im März eröffnet."),
        ("Сколько людей?", "Пришло 12 людей."),
        ("它有多少米高?", "高330米。"),
    ],
)
def test_a_cue_is_answered(question: str, text: str) -> None:
    assert Cues.of(question).answered_by(text) == 1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was it opened in 1889?", "It opened in 1889."),
        ("How many people came?", "Some people came."),
        ("Who built it?", "It was built by engineers."),
        ("Why is it brown?", "It opened in 1889."),
    ],
)
def test_a_cue_is_not_answered(question: str, text: str) -> None:
    assert Cues.of(question).answered_by(text) == 0.0


def test_a_question_for_a_number_prefers_a_sentence_with_one() -> None:
    page = make_page("p", [(BlockKind.PARAGRAPH, "Many people visit it. Six million people visit it.")])
    assert found("How many people visit?", (page, make_hit(page)))[0].text == "Six million people visit it."


def test_limit_keeps_the_best() -> None:
    options = found("How tall is the tower?", (TOWER, make_hit(TOWER)), limit=1)
    assert [option.text for option in options] == ["The tower is 330 metres tall."]


def option(
    text: str, lexical: float, *, source: str = "p", start: int = 0, words: str | None = None
) -> Candidate:
    term_set = frozenset((words if words is not None else text).split())
    return Candidate(SourceId(source), ChunkId("c"), start, start + len(text), text, lexical, "en", term_set)


def test_nothing_good_enough_gives_nothing() -> None:
    assert compose("q", [option("weak", 0.2)], None) == ()
    assert compose("q", [option("weak", 0.2)], np.array([0.1], np.float32)) == ()
    assert compose("q", [], None) == ()


def test_similarity_can_lift_a_sentence_without_shared_words() -> None:
    options = [option("word match", 0.5), option("meaning match", 0.4, start=50)]
    shown = compose("q", options, np.array([0.1, 0.9], np.float32), max_sentences=1)
    assert [candidate.text for candidate in shown] == ["meaning match"]


def test_the_best_is_shown_first_and_its_page_before_others_in_reading_order() -> None:
    options = [
        option("best late", 0.9, source="a", start=90),
        option("other page", 0.8, source="b", start=10),
        option("middle", 0.75, source="a", start=50),
        option("early", 0.7, source="a", start=5),
    ]
    shown = compose("q", options, None, max_sentences=4)
    assert [candidate.text for candidate in shown] == ["best late", "early", "middle", "other page"]


def test_a_repeat_in_other_order_makes_room() -> None:
    options = [
        option("tall tower of iron", 0.9),
        option("iron tower of tall", 0.89, start=30),
        option("opened in 1889", 0.85, start=60),
    ]
    shown = compose("q", options, None, max_sentences=2)
    assert [candidate.text for candidate in shown] == ["tall tower of iron", "opened in 1889"]


def test_both_halves_of_a_question_are_answered() -> None:
    options = [
        option("height 330", 0.9, words="tower height 330"),
        option("height again", 0.88, start=30, words="tower height again"),
        option("opened 1889", 0.8, start=60, words="open 1889"),
    ]
    shown = compose("What height has the tower and when did it open?", options, None, max_sentences=2)
    assert [candidate.text for candidate in shown] == ["height 330", "opened 1889"]


def test_far_weaker_sentences_are_left_out() -> None:
    options = [option("strong", 0.95), option("weak", 0.5, start=30)]
    assert [candidate.text for candidate in compose("q", options, None)] == ["strong"]


def test_similarities_must_match_the_candidates() -> None:
    with pytest.raises(ValueError, match="2 similarities for 1 candidates"):
        compose("q", [option("a", 0.9)], np.zeros(2, np.float32))


BODIES = st.text(st.sampled_from("abc é東\u0301. !?😀\t"), min_size=1, max_size=60)


@given(st.lists(st.tuples(st.sampled_from(list(BlockKind)), BODIES), min_size=1, max_size=6), st.data())
def test_any_page_gives_disjoint_exact_spans_inside_the_chunks(
    blocks: list[tuple[BlockKind, str]], data: st.DataObject
) -> None:
    page = make_page("p", blocks, title="a b")
    n = len(page.text)
    start = data.draw(st.integers(0, n - 1))
    end = data.draw(st.integers(start + 1, n))
    options = found("a b c", (page, make_hit(page, start, end)), (page, make_hit(page, score=0.5)), limit=50)
    assert all(page.text[one.start : one.end] == one.text for one in options)
    assert all(0.0 <= one.lexical <= 1.0 for one in options)
    spans = sorted((one.start, one.end) for one in options)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    shown = compose("a b c", options, None, max_sentences=3)
    assert set(shown) <= set(options)
    assert len(shown) <= 3
