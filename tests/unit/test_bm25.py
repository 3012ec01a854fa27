"""bm25: scores by hand, and the same scores whatever came and went."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.search import bm25
from tabwise.core.search.bm25 import BM25Index
from tabwise.core.search.postings import Draft

WORDS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=6), max_size=5)
PAGES = st.dictionaries(st.sampled_from(["p", "q", "r", "s"]), DOCUMENTS, max_size=4)


def built(pages: dict[str, list[list[str]]]) -> BM25Index:
    index = BM25Index()
    for key, documents in pages.items():
        index.add(key, documents)
    return index


def scores_of(index: BM25Index, key: str, query: list[str]) -> list[float]:
    slots = index.slots(key)
    return index.scores(query)[slots.start : slots.stop].tolist()


def assert_same_scores(index: BM25Index, fresh: BM25Index, keys: list[str]) -> None:
    assert index.n_documents == fresh.n_documents
    for query in (["a"], ["b", "c"], ["a", "b", "c", "d", "e", "f"], ["z"]):
        for key in keys:
            assert scores_of(index, key, query) == pytest.approx(scores_of(fresh, key, query), abs=1e-6)
    for term in "abcdef":
        assert index.idf(term) == pytest.approx(fresh.idf(term))


def test_example_of_the_module() -> None:
    index = built({"page": [["a", "b"], ["a", "a", "a", "c"]]})
    assert index.scores(["b"]).tolist() == pytest.approx([math.log(2) / 1.96, 0.0], abs=1e-6)


def test_formula_by_hand() -> None:
    index = built({"p": [["a", "a", "b"]], "q": [["a"], ["c", "c"]]})
    average = 6 / 3
    idf_a = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    idf_b = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    k0 = 1.2 * (0.4 + 0.6 * 3 / average)
    k1 = 1.2 * (0.4 + 0.6 * 1 / average)
    expected = [idf_a * 2 / (2 + k0) + idf_b / (1 + k0), idf_a / (1 + k1), 0.0]
    assert index.scores(["a", "b"]).tolist() == pytest.approx(expected, abs=1e-6)


def test_a_repeated_query_term_counts_once() -> None:
    index = built({"p": [["a", "b"], ["b"]]})
    assert index.scores(["a", "a"]).tolist() == index.scores(["a"]).tolist()


def test_an_unknown_term_has_the_highest_idf() -> None:
    index = built({"p": [["a"], ["b"], ["a"]]})
    assert index.idf("zebra") > index.idf("b") > index.idf("a") > 0


def test_dtypes_are_explicit() -> None:
    index = built({"p": [["a"], ["b"]]})
    assert index.scores(["a"]).dtype == np.float32
    assert index.compact().dtype == np.int64


def test_empty_index_scores_nothing() -> None:
    assert BM25Index().scores(["a"]).shape == (0,)


def test_empty_documents_score_zero() -> None:
    assert built({"p": [[], []]}).scores(["a"]).tolist() == [0.0, 0.0]


def test_removing_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        BM25Index().remove("nothing")


def test_segments_stay_few() -> None:
    index = BM25Index()
    for number in range(500):
        index.add(str(number), [["a", str(number)]])
    assert index.n_segments <= math.ceil(math.log2(2 * 500))
    assert np.count_nonzero(index.scores(["a"])) == 500


def test_merging_stops_at_the_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "MAX_MERGED_POSTINGS", 8)
    index = BM25Index()
    for number in range(40):
        index.add(str(number), [["a", str(number)]])
    assert index.n_segments >= 2 * 40 // 8
    fresh = BM25Index()
    fresh.add("all", [["a", str(number)] for number in range(40)])
    assert index.scores(["a", "7"]).tolist() == pytest.approx(fresh.scores(["a", "7"]).tolist(), abs=1e-6)


@given(PAGES)
def test_pages_added_apart_score_as_added_together(pages: dict[str, list[list[str]]]) -> None:
    together = BM25Index()
    together.add("all", [document for documents in pages.values() for document in documents])
    apart = built(pages)
    query = ["a", "c", "e"]
    assert apart.scores(query).tolist() == pytest.approx(together.scores(query).tolist(), abs=1e-6)


@given(PAGES, st.sets(st.sampled_from(["p", "q", "r", "s"])))
def test_removed_pages_leave_no_trace(pages: dict[str, list[list[str]]], gone: set[str]) -> None:
    index = built(pages)
    for key in gone & pages.keys():
        index.remove(key)
    left = {key: documents for key, documents in pages.items() if key not in gone}
    assert_same_scores(index, built(left), list(left))
    assert not index.scores(list("abcdef"))[~index.live].any()


@given(PAGES, st.lists(st.sampled_from(["p", "q", "r", "s"]), max_size=6))
def test_removing_and_adding_again_equals_a_fresh_build(
    pages: dict[str, list[list[str]]], touched: list[str]
) -> None:
    index = built(pages)
    for key in touched:
        index.add(key, pages.get(key, []))
    fresh = built(pages | {key: pages.get(key, []) for key in touched})
    assert_same_scores(index, fresh, list(pages))


@given(PAGES, st.sets(st.sampled_from(["p", "q", "r", "s"])))
def test_compacting_changes_numbers_only(pages: dict[str, list[list[str]]], gone: set[str]) -> None:
    index = built(pages)
    for key in gone & pages.keys():
        index.remove(key)
    before = index.scores(["a", "b", "c"])
    kept = index.compact()
    assert index.n_slots == index.n_documents == len(kept)
    assert index.scores(["a", "b", "c"]).tolist() == before[kept].tolist()
    left = {key: documents for key, documents in pages.items() if key not in gone}
    assert_same_scores(index, built(left), list(left))
    index.add("new", [["a", "z"]])
    assert_same_scores(index, built(left | {"new": [["a", "z"]]}), [*left, "new"])


@given(st.lists(st.lists(WORDS, min_size=1), min_size=1), WORDS)
def test_another_occurrence_never_lowers_a_score(documents: list[list[str]], word: str) -> None:
    other = [["x"] * len(document) for document in documents]
    once, twice = BM25Index(), BM25Index()
    once.add("p", [[word, *["y"] * 9], *other])
    twice.add("p", [[word, word, *["y"] * 8], *other])
    assert twice.scores([word])[0] > once.scores([word])[0]


def test_a_draft_touches_nothing_until_it_is_put() -> None:
    index = BM25Index()
    index.add("a", [["tide", "gate"]])
    before = index.scores(["tide"]).tolist(), index.idf("gate")
    draft = Draft()
    for _ in range(3):
        draft.add(["tide", "mill", "mill"])
    assert (index.scores(["tide"]).tolist(), index.idf("gate")) == before
    assert index.put([("b", 3)], draft.postings()) == range(1, 4)
    at_once = BM25Index()
    at_once.add("a", [["tide", "gate"]])
    at_once.add("b", [["tide", "mill", "mill"]] * 3)
    assert index.scores(["tide", "mill"]).tolist() == at_once.scores(["tide", "mill"]).tolist()
