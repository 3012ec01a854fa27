"""vectors: int8 rows against exact arithmetic."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import QuantizedVectors
from tabwise.core.search.kernel import NumpyKernel
from tabwise.core.search.vectors import (
    MAX_DIMENSIONS,
    QUERY_LIMIT,
    VectorIndex,
    dequantize,
    quantize,
    quantize_query,
)
from tabwise.errors import ModelError

DIMENSIONS = 384


def unit_rows(n: int, *, seed: int = 0, dimensions: int = DIMENSIONS) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((n, dimensions))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_quantized_rows_have_the_declared_types() -> None:
    vectors = quantize(unit_rows(3))
    assert (vectors.codes.dtype, vectors.scales.dtype) == (np.int8, np.float32)
    assert (vectors.codes.shape, vectors.scales.shape) == ((3, DIMENSIONS), (3,))
    assert np.abs(vectors.codes.astype(int)).max(axis=1).tolist() == [127, 127, 127]


def test_quantizing_keeps_the_direction() -> None:
    rows = unit_rows(50)
    stored = dequantize(quantize(rows))
    assert np.linalg.norm(stored, axis=1).tolist() == pytest.approx([1.0] * 50, abs=1e-6)
    assert np.einsum("ij,ij->i", rows, stored).min() > 0.9999


def test_length_does_not_matter() -> None:
    rows = unit_rows(5)
    assert quantize(rows * 40).codes.tolist() == quantize(rows).codes.tolist()


def test_no_rows_is_fine() -> None:
    assert quantize(np.zeros((0, 8), np.float32)).codes.shape == (0, 8)


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf])
@pytest.mark.fault("F08", "F43")
def test_unusable_rows_are_refused(value: float) -> None:
    rows = unit_rows(3)
    rows[1] = value
    with pytest.raises(ModelError) as caught:
        quantize(rows)
    assert caught.value.code == "model_mismatch"


def test_scores_equal_float_cosines() -> None:
    rows, query = unit_rows(200), unit_rows(1, seed=9)[0]
    index = VectorIndex(DIMENSIONS)
    index.put(range(200), quantize(rows))
    np.testing.assert_allclose(index.scores(query), rows @ query, atol=2e-3)
    assert index.scores(query).dtype == np.float32


def test_a_vector_is_nearest_to_itself() -> None:
    rows = unit_rows(300)
    index = VectorIndex(DIMENSIONS)
    index.put(range(300), quantize(rows))
    assert [int(index.scores(row).argmax()) for row in rows[::17]] == list(range(0, 300, 17))


def test_numpy_kernel_is_exact_at_the_extremes() -> None:
    codes = np.full((600, DIMENSIONS), -127, np.int8)
    query = np.full(DIMENSIONS, QUERY_LIMIT, np.int16)
    products = np.empty(600, np.float32)
    NumpyKernel().cosines([codes], query, np.ones(600, np.float32), 1.0, products)
    assert set(products.tolist()) == {float(np.float32(-127 * QUERY_LIMIT * DIMENSIONS))}


@given(st.integers(1, 40), st.integers(1, 1200), st.integers(0, 2**32 - 1))
def test_numpy_kernel_equals_python_integers_over_all_blocks(dimensions: int, n: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    codes = generator.integers(-128, 128, (n, dimensions)).astype(np.int8)
    query = generator.integers(-QUERY_LIMIT, QUERY_LIMIT + 1, dimensions).astype(np.int16)
    row = int(generator.integers(n))
    expected = sum(int(a) * int(b) for a, b in zip(codes[row], query, strict=True))
    products, first = np.empty(n, np.float32), int(generator.integers(n))
    blocks = [codes[:first], np.concatenate([codes[first:], codes])]
    NumpyKernel().cosines(blocks, query, np.full(n, 0.5, np.float32), 2.0, products)
    assert products[row] == np.float32(expected)


def test_largest_dimension_cannot_overflow() -> None:
    assert MAX_DIMENSIONS * 127 * QUERY_LIMIT < 2**31
    with pytest.raises(ModelError):
        VectorIndex(MAX_DIMENSIONS + 1)


def test_injected_kernel_sees_contiguous_codes_and_int16() -> None:
    seen = []

    class Kernel(NumpyKernel):
        def cosines(self, blocks: Sequence[np.ndarray], query: np.ndarray, *rest: Any) -> None:
            (codes,) = blocks
            seen.append((codes.flags.c_contiguous, codes.dtype, query.dtype, codes.shape[1]))
            super().cosines(blocks, query, *rest)

    index = VectorIndex(16, kernel=Kernel())
    index.put(range(5), quantize(unit_rows(5, dimensions=16)))
    index.scores(unit_rows(1, dimensions=16)[0])
    assert seen == [(True, np.dtype(np.int8), np.dtype(np.int16), 16)]


def test_empty_slots_score_zero() -> None:
    index = VectorIndex(16)
    index.put(range(2, 4), quantize(unit_rows(2, dimensions=16)))
    index.grow(6)
    index.drop(range(3, 4))
    query = unit_rows(1, dimensions=16)[0]
    assert index.present.tolist() == [False, False, True, False, False, False]
    assert np.flatnonzero(index.scores(query)).tolist() == [2]


def test_compacting_keeps_scores_in_the_new_order() -> None:
    index = VectorIndex(16)
    index.put(range(5), quantize(unit_rows(5, dimensions=16)))
    query = unit_rows(1, seed=3, dimensions=16)[0]
    before = index.scores(query)
    index.compact(np.array([4, 0, 2]))
    assert index.scores(query).tolist() == before[[4, 0, 2]].tolist()
    index.put(range(3, 4), quantize(query[None]))
    assert index.scores(query)[3] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    "vectors",
    [
        quantize(unit_rows(2, dimensions=8)),
        quantize(unit_rows(3, dimensions=16)),
        QuantizedVectors(np.ones((2, 16), np.int8), np.array([0.1, np.nan], np.float32)),
        QuantizedVectors(np.ones((2, 16), np.int8), np.array([0.1, 0.0], np.float32)),
        QuantizedVectors(np.ones((2, 16), np.int8), np.array([0.1], np.float32)),
    ],
)
def test_vectors_that_do_not_fit_are_refused_and_nothing_is_written(vectors: QuantizedVectors) -> None:
    index = VectorIndex(16)
    with pytest.raises(ModelError) as caught:
        index.put(range(2), vectors)
    assert caught.value.code == "model_mismatch"
    assert index.n_slots == 0


@pytest.mark.parametrize("query", [np.ones(8), np.zeros(16), np.full(16, np.nan), np.ones((1, 16))])
def test_unusable_queries_are_refused(query: np.ndarray) -> None:
    index = VectorIndex(16)
    index.put(range(1), quantize(unit_rows(1, dimensions=16)))
    with pytest.raises(ModelError):
        index.scores(query.astype(np.float32))


def test_query_codes_are_rounded_to_the_nearest() -> None:
    query = unit_rows(1, seed=5)[0]
    codes, factor = quantize_query(query)
    assert np.abs(codes * factor - query).max() <= 0.501 * factor


def test_query_codes_use_the_whole_range() -> None:
    codes, factor = quantize_query(np.array([3.0, -4.0], np.float32))
    assert (codes.dtype, int(np.abs(codes).max())) == (np.int16, QUERY_LIMIT)
    assert (codes * factor).tolist() == pytest.approx([0.6, -0.8], abs=2e-4)
