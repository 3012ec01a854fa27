"""fusion: two rankings into one, by the formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tabwise.core.model import FusionMode
from tabwise.core.search.fusion import RRF_K, fuse, ranks_at, top_k
from tabwise.core.search.kernel import NumpyKernel

SCORES = hnp.arrays(np.float32, st.integers(1, 40), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))


def fused(
    dense: list[float], lexical: list[float], mode: FusionMode, has_dense: list[bool] | None = None
) -> np.ndarray:
    n = len(dense)
    return fuse(
        np.array(dense, np.float32),
        np.array(lexical, np.float32),
        mode=mode,
        has_dense=np.array(has_dense or [True] * n),
        tie_ranks=np.arange(n, dtype=np.int64),
    )


def test_example_of_the_module() -> None:
    scores = fused([0.8, 0.2, 0.5], [0.0, 4.0, 2.0], FusionMode.CONVEX)
    assert scores.tolist() == pytest.approx([0.6, 0.4, 0.5])
    assert scores.dtype == np.float32


def test_convex_without_lexical_matches_is_dense_alone() -> None:
    assert fused([0.8, 0.2], [0.0, 0.0], FusionMode.CONVEX).tolist() == pytest.approx([1.0, 0.0])


def test_convex_scores_a_chunk_without_vector_by_its_terms() -> None:
    scores = fused([0.9, 0.1, 0.0], [1.0, 0.0, 4.0], FusionMode.CONVEX, [True, True, False])
    assert scores.tolist() == pytest.approx([0.6 + 0.1, 0.0, 1.0])


def test_convex_of_a_single_chunk_is_found() -> None:
    assert fused([0.3], [0.0], FusionMode.CONVEX).tolist() == [1.0]


def test_convex_without_any_vector_is_normalised_lexical() -> None:
    assert fused([0.0, 0.0], [1.0, 4.0], FusionMode.CONVEX, [False, False]).tolist() == [0.25, 1.0]


def test_reciprocal_ranks_by_hand() -> None:
    scores = fused([0.9, 0.1, 0.5], [0.0, 3.0, 1.0], FusionMode.RRF)
    expected = [1 / (RRF_K + 1), 1 / (RRF_K + 3) + 1 / (RRF_K + 1), 2 / (RRF_K + 2)]
    assert scores.tolist() == pytest.approx(expected)


def test_dense_and_lexical_modes_use_one_score() -> None:
    assert fused([0.5, -0.2, 0.9], [1, 2, 3], FusionMode.DENSE, [True, True, False]).tolist() == [0.5, 0, 0]
    assert fused([0.5, 0.2], [1.0, 2.0], FusionMode.LEXICAL).tolist() == [1.0, 2.0]


def test_ties_follow_their_ranks() -> None:
    scores = np.array([1, 2, 2, 1], np.float32)
    assert top_k(scores, 4, np.array([3, 2, 1, 0])).tolist() == [2, 1, 3, 0]
    assert top_k(scores, 1, np.array([3, 2, 1, 0])).tolist() == [2]


def test_nothing_found_is_never_among_the_best() -> None:
    assert top_k(np.array([0, 1, 0], np.float32), 3, np.arange(3)).tolist() == [1]


@given(SCORES, st.integers(1, 50), st.randoms(use_true_random=False))
def test_top_k_equals_a_full_sort(scores: np.ndarray, k: int, random: object) -> None:
    tie_ranks = list(range(len(scores)))
    random.shuffle(tie_ranks)  # type: ignore[attr-defined]
    by_hand = sorted(
        (i for i in range(len(scores)) if scores[i] > 0), key=lambda i: (-scores[i], tie_ranks[i])
    )
    assert top_k(scores, k, np.array(tie_ranks, np.int64)).tolist() == by_hand[:k]


@given(st.integers(0, 2**32 - 1), st.integers(1, 120), st.sampled_from([3, 50, 10_000]))
def test_the_best_of_many_equal_a_full_sort(seed: int, k: int, n_levels: int) -> None:
    rng = np.random.default_rng(seed)
    scores = (rng.integers(0, n_levels, 2_000) / n_levels).astype(np.float32)
    tie_ranks = rng.permutation(2_000).astype(np.int64)
    by_hand = np.lexsort((tie_ranks, -scores))[:k]
    assert top_k(scores, k, tie_ranks).tolist() == by_hand[scores[by_hand] > 0].tolist()


@given(SCORES, st.data())
def test_ranks_equal_positions_in_a_full_sort(scores: np.ndarray, data: st.DataObject) -> None:
    n = len(scores)
    floor = data.draw(st.sampled_from([-np.inf, 0.0, 0.5]))
    positions = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    tie_ranks = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.int64)
    ordered = sorted((i for i in range(n) if scores[i] > floor), key=lambda i: (-scores[i], tie_ranks[i], i))
    expected = [ordered.index(i) + 1 if scores[i] > floor else None for i in positions]
    found = ranks_at(scores, np.array(positions, np.int64), tie_ranks, NumpyKernel(), floor=floor)
    assert found == expected


@given(st.data(), st.integers(1, 30))
def test_convex_scores_lie_between_zero_and_one(data: st.DataObject, n: int) -> None:
    cosines = data.draw(hnp.arrays(np.float32, n, elements=st.floats(-1, 1, width=32)))
    lexical = data.draw(hnp.arrays(np.float32, n, elements=st.floats(0, 50, width=32)))
    scores = fused(cosines.tolist(), lexical.tolist(), FusionMode.CONVEX)
    assert float(scores.min()) >= 0.0
    assert float(scores.max()) <= 1.0 + 1e-6
