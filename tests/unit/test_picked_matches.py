"""From a store's matches to hits: what still holds, in which order, spread over pages; and the gate."""

from dataclasses import replace

import pytest

from tabwise.core.model import Chunk, ChunkId, Hit, SourceId
from tabwise.core.network.mirror import PassageMatch, is_any_near, picked
from tabwise.core.search.diversity import MAX_REPEATS, REPEAT_PENALTY
from tabwise.core.search.index import RECENCY_WEIGHT
from tabwise.core.search.nearness import MIN_COVERAGE, MIN_EVIDENCE


def chunk(source: str, ordinal: int = 0) -> Chunk:
    chunk_id = ChunkId(f"{source}-{ordinal:05d}")
    return Chunk(chunk_id, SourceId(source), ordinal, 0, 4, (), "text", "text", f"hash of {chunk_id}", 3)


def match(of: Chunk, score: float, content_hash: str = "") -> PassageMatch:
    return PassageMatch(of.id, of.source, content_hash or of.content_hash, score)


def pick(matches: list[PassageMatch], chunks: list[Chunk], k: int = 10, **recency: float) -> list[Hit]:
    known = {each.id: each for each in chunks}
    newer = {SourceId(source): value for source, value in recency.items()}
    return picked(matches, lambda source, chunk_id: known.get(chunk_id), k=k, recency=newer)


def sources(hits: list[Hit]) -> list[str]:
    return [hit.chunk.source for hit in hits]


def test_best_first_and_ties_by_chunk_id() -> None:
    a, b, c = chunk("a"), chunk("b"), chunk("c")
    assert sources(pick([match(c, 0.5), match(b, 0.5), match(a, 0.9)], [a, b, c])) == ["a", "b", "c"]


def test_what_is_gone_or_changed_here_or_scores_nothing_is_left_out() -> None:
    kept, gone, changed, nothing = chunk("a"), chunk("b"), chunk("c"), chunk("d")
    matches = [match(gone, 0.9), match(changed, 0.8, "another text"), match(nothing, 0.0), match(kept, 0.7)]
    assert sources(pick(matches, [kept, changed, nothing])) == ["a"]
    assert pick([match(gone, 0.9)], []) == []


def test_a_page_gives_way_when_it_repeats_itself() -> None:
    """Worked by hand: the second chunk of a page loses 0.05 of the best score, 1.0."""
    first, second, other = chunk("a"), chunk("a", 1), chunk("b")
    matches = [match(first, 1.0), match(second, 0.97), match(other, 0.93)]
    assert REPEAT_PENALTY == 0.05
    assert sources(pick(matches, [first, second, other])) == ["a", "b", "a"]
    assert [hit.rank_fused for hit in pick(matches, [first, second, other])] == [1, 3, 2]
    assert [hit.score for hit in pick(matches, [first, second, other])] == [1.0, 0.93, 0.97]


def test_a_long_page_loses_no_more_than_its_first_repeats() -> None:
    own = [chunk("a", i) for i in range(MAX_REPEATS + 3)]
    other = chunk("b")
    matches = [match(each, 1.0) for each in own] + [match(other, 1.0 - (MAX_REPEATS + 0.5) * REPEAT_PENALTY)]
    assert sources(pick(matches, [*own, other]))[-1] == "b"


def test_newer_pages_gain_a_share_of_the_best_score() -> None:
    old, new = chunk("a"), chunk("b")
    hits = pick([match(old, 1.0), match(new, 0.9)], [old, new], b=1.0)
    assert sources(hits) == ["b", "a"]
    assert hits[0].recency == pytest.approx(RECENCY_WEIGHT)
    assert hits[0].score == pytest.approx(0.9 + RECENCY_WEIGHT)


@pytest.mark.parametrize(
    ("dense", "coverage", "semantic", "near"),
    [
        (MIN_EVIDENCE - 0.2, 0.2, True, True),
        (MIN_EVIDENCE - 0.2, 0.1, True, False),
        (-0.9, MIN_EVIDENCE, True, True),
        (None, MIN_COVERAGE, True, True),
        (None, MIN_COVERAGE - 0.01, True, False),
        (0.99, MIN_COVERAGE - 0.01, False, False),
    ],
)
def test_the_gate_is_the_one_of_the_index(
    dense: float | None, coverage: float, semantic: bool, near: bool
) -> None:
    (hit,) = pick([match(chunk("a"), 1.0)], [chunk("a")])
    best_possible = 8.0
    scored = replace(hit, dense=dense, lexical=coverage * best_possible)
    assert is_any_near([scored], best_possible, semantic=semantic) is near
    assert not is_any_near([], best_possible, semantic=semantic)
