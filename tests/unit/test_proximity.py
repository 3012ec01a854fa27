"""Word order: the two shares against brute force over every pair and every window."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.search.proximity import MAX_QUERY_TERMS, WINDOW_TERMS, encode, phrases_and_window

ALPHABET = ["a", "b", "c", "d", "x", "y"]
IDF = {"a": 1.0, "b": 2.0, "c": 0.5, "d": 3.0}


def idf(term: str) -> float:
    return IDF.get(term, 1.5)


def by_hand(query: list[str], chunk: list[str]) -> tuple[float, float]:
    pairs = set(pairwise(query))
    weights = {pair: min(idf(pair[0]), idf(pair[1])) for pair in pairs}
    phrases = sum(weights[pair] for pair in pairs & set(pairwise(chunk))) / max(sum(weights.values()), 1e-9)
    windows = [set(chunk[i : i + WINDOW_TERMS]) & set(query) for i in range(len(chunk))]
    best = max((sum(map(idf, window)) for window in windows), default=0.0)
    return phrases, best / max(sum(map(idf, set(query))), 1e-9)


@given(
    st.lists(st.sampled_from(ALPHABET[:4]), max_size=6),
    st.lists(st.lists(st.sampled_from(ALPHABET), max_size=60), max_size=5),
)
def test_equals_every_pair_and_every_window(query: list[str], chunks: list[list[str]]) -> None:
    phrases, window = phrases_and_window(query, idf, [encode(chunk) for chunk in chunks])
    expected = [by_hand(query, chunk) for chunk in chunks]
    assert phrases.tolist() == pytest.approx([one for one, _ in expected], abs=1e-6)
    assert window.tolist() == pytest.approx([one for _, one in expected], abs=1e-6)


def test_the_worked_example() -> None:
    found = phrases_and_window(
        ["tide", "gate"], lambda _: 1.0, [encode(["gate", "tide", "gate"]), encode(["gate", "tide"])]
    )
    assert [share.tolist() for share in found] == [[1.0, 0.0], [1.0, 1.0]]


def test_a_pair_across_two_candidates_is_no_phrase() -> None:
    phrases, _ = phrases_and_window(["tide", "gate"], idf, [encode(["tide"]), encode(["gate"])])
    assert phrases.tolist() == [0.0, 0.0]


def test_a_text_as_a_query_is_judged_by_its_first_terms() -> None:
    query = [f"w{number}" for number in range(10_000)]
    (share,) = phrases_and_window(query, idf, [encode(query[:MAX_QUERY_TERMS])])[0]
    assert share == pytest.approx(1.0)


def test_codes_are_the_same_everywhere_and_take_any_text() -> None:
    # 0xCBF43926 is the published check value of CRC-32.
    assert np.frombuffer(encode(["123456789"]), "<u2").tolist() == [0x3926]
    assert len(encode(["\ud800", "東京", ""])) == 6
