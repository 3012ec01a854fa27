"""metrics: worked examples, bounds, and a bootstrap that can be repeated."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.eval.metrics import mean_scores, paired_bootstrap, score_ranking

IDS = st.sampled_from("abcdefghijklmnop")
RANKING = st.lists(IDS, unique=True, max_size=16)
RELEVANCE = st.dictionaries(IDS, st.integers(0, 3)).filter(lambda grades: any(grades.values()))


def test_example_of_the_module() -> None:
    scores = score_ranking(["a", "b", "c"], {"b": 1})
    assert (scores.ndcg, scores.recall, scores.reciprocal_rank) == (1 / math.log2(3), 1.0, 0.5)


def test_graded_relevance_by_hand() -> None:
    scores = score_ranking(["b", "x", "a"], {"a": 3, "b": 1, "c": 1})
    ideal = 7 + 1 / math.log2(3) + 1 / 2
    assert scores.ndcg == pytest.approx((1 + 7 / 2) / ideal)
    assert scores.recall == pytest.approx(2 / 3)


def test_below_the_cut_counts_nothing() -> None:
    scores = score_ranking(["x", "y", "a"], {"a": 1}, k=2)
    assert (scores.ndcg, scores.recall, scores.reciprocal_rank) == (0.0, 0.0, 0.0)


def test_a_query_without_relevant_documents_is_an_error() -> None:
    with pytest.raises(ValueError, match="no relevant document"):
        score_ranking(["a"], {"a": 0})


@given(RELEVANCE)
def test_the_ideal_ranking_scores_one(relevance: dict[str, int]) -> None:
    ideal = sorted((d for d in relevance if relevance[d]), key=lambda d: -relevance[d])
    scores = score_ranking(ideal, relevance, k=16)
    assert (scores.ndcg, scores.recall, scores.reciprocal_rank) == (pytest.approx(1.0), 1.0, 1.0)


@given(RANKING, RELEVANCE)
def test_metrics_lie_between_zero_and_one(ranking: list[str], relevance: dict[str, int]) -> None:
    scores = score_ranking(ranking, relevance)
    assert 0.0 <= scores.ndcg <= 1.0 + 1e-12
    assert 0.0 <= scores.recall <= 1.0
    assert 0.0 <= scores.reciprocal_rank <= 1.0


def test_means_are_taken_per_metric() -> None:
    mean = mean_scores([score_ranking(["a"], {"a": 1}), score_ranking(["x"], {"a": 1})])
    assert (mean.ndcg, mean.recall, mean.reciprocal_rank) == (0.5, 0.5, 0.5)


def test_equal_runs_do_not_differ() -> None:
    difference = paired_bootstrap([0.1, 0.9, 0.4], [0.1, 0.9, 0.4])
    assert (difference.mean, difference.low, difference.high) == (0.0, 0.0, 0.0)


def test_a_constant_gain_has_no_spread() -> None:
    difference = paired_bootstrap([0.6, 0.7, 0.8], [0.5, 0.6, 0.7], n_samples=200)
    assert (difference.low, difference.mean, difference.high) == pytest.approx((0.1, 0.1, 0.1))


def test_the_interval_holds_the_mean_and_can_be_repeated() -> None:
    a, b = [0.9, 0.2, 0.7, 0.8, 0.1], [0.5, 0.3, 0.4, 0.9, 0.0]
    difference = paired_bootstrap(a, b, n_samples=1000)
    assert difference.low < difference.mean < difference.high
    assert paired_bootstrap(a, b, n_samples=1000) == difference
    turned = paired_bootstrap(b, a, n_samples=1000)
    assert (turned.low, turned.high) == pytest.approx((-difference.high, -difference.low))


@pytest.mark.parametrize(("a", "b"), [([], []), ([0.1], [0.1, 0.2])])
def test_runs_must_have_the_same_queries(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError, match="runs over"):
        paired_bootstrap(a, b)
