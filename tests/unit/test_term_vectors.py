"""BM25 as sparse vectors: the formula by hand, and the same order as the index on real chunk lengths."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.search import term_vectors
from tabwise.core.search.term_vectors import (
    AVERAGE_LENGTH,
    chunk_vector,
    document_vector,
    query_vector,
    term_number,
)


def test_the_weight_of_the_worked_example() -> None:
    document = ["tide", "tide"] + [f"other{i}" for i in range(int(AVERAGE_LENGTH) - 2)]
    vector = document_vector(document)
    weights = dict(zip(vector.indices, vector.values, strict=True))
    assert weights[term_number("tide")] == pytest.approx(2 / (2 + 1.2))
    assert weights[term_number("other0")] == pytest.approx(1 / (1 + 1.2))


def test_a_shorter_chunk_weighs_its_terms_more() -> None:
    (short,) = document_vector(["tide"]).values
    assert short == pytest.approx(1 / (1 + 1.2 * (0.4 + 0.6 / AVERAGE_LENGTH)))


def test_the_title_counts_once_more() -> None:
    once = chunk_vector("moon tide", "", "en")
    twice = chunk_vector("moon tide", "Tide", "en")
    number = once.indices.index(term_number("tide"))
    assert once.indices == twice.indices
    assert twice.values[number] > once.values[number]


@given(st.lists(st.text(st.characters(), max_size=8), max_size=60))
def test_indices_ascend_and_weights_stay_below_one_each(document: list[str]) -> None:
    vector = document_vector(document)
    assert list(vector.indices) == sorted(set(vector.indices))
    assert all(0 <= index < 2**32 for index in vector.indices)
    assert all(0.0 < value < 1.0 for value in vector.values)
    assert set(query_vector(document).indices) == set(vector.indices)


def test_numbers_are_those_of_every_other_run() -> None:
    """A change here would leave every stored collection behind."""
    assert [term_number(term) for term in ("tide", "日本", "\ud800")] == [668372479, 3135195086, 3881294392]


def test_terms_that_share_a_number_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_vectors, "term_number", lambda term: 7)
    vector = document_vector(["tide", "moon"])
    assert vector.indices == (7,)
    assert math.isclose(vector.values[0], 2 * document_vector(["tide"]).values[0], rel_tol=0.01)
