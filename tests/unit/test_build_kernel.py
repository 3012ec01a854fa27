"""The WebAssembly kernel, run by Node, against the numpy one that says what it must return."""

from pathlib import Path

import numpy as np
import pytest

from buildlib.kernel import kernel_file
from kernel_calls import run
from tabwise.core.search.kernel import NumpyKernel
from tabwise.core.search.segments import Segment

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def kernel() -> Path:
    return kernel_file()


def products(
    kernel: Path, codes: np.ndarray, query: np.ndarray, scales: np.ndarray, factor: float
) -> tuple[list[float], list[float]]:
    """What both kernels return, and one value behind."""
    expected = np.full(len(codes) + 1, -7, np.float32)
    NumpyKernel().cosines([codes], query, scales, factor, expected[:-1])
    arrays = [codes, query, scales, np.full(len(codes) + 1, -7, np.float32)]
    found = run(kernel, "scaled_products", arrays, ["0", "1", "2", factor, "3", *codes.shape])
    return found.tolist(), expected.tolist()


@pytest.mark.parametrize(("n", "d"), [(0, 16), (1, 16), (3, 32), (5, 384)])
def test_scaled_products_equal_those_of_numpy(kernel: Path, n: int, d: int) -> None:
    numbers = np.random.default_rng(n * d)
    codes = numbers.integers(-128, 128, (n, d)).astype(np.int8)
    query = numbers.integers(-4095, 4096, d).astype(np.int16)
    scales = numbers.random(n, np.float32)
    found, expected = products(kernel, codes, query, scales, 1.2345e-4)
    assert found == expected


def test_int8_extremes_do_not_overflow(kernel: Path) -> None:
    codes = np.array([[-128] * 384, [127] * 384], np.int8)
    found, _ = products(kernel, codes, np.full(384, -127, np.int16), np.ones(2, np.float32), 1.0)
    assert found == [6242304, -6193536, -7]


def test_postings_are_added_up_as_numpy_adds_them(kernel: Path) -> None:
    numbers = np.random.default_rng(5)
    segments, first_slot = [], 0
    for n_slots, n_terms in ((40, 30), (1, 1), (7, 0), (25, 12)):
        counts = numbers.integers(1, n_slots + 1, n_terms)
        documents = [np.sort(numbers.choice(n_slots, count, replace=False)) for count in counts]
        segments.append(
            Segment(
                first_slot,
                n_slots,
                np.sort(numbers.choice(50, n_terms, replace=False)).astype(np.int32),
                np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
                np.concatenate([np.zeros(0), *documents]).astype(np.uint16),
                numbers.integers(1, 256, int(counts.sum())).astype(np.uint8),
            )
        )
        first_slot += n_slots
    term_ids = numbers.permutation(60)[:20].astype(np.int32)
    weights = numbers.random(20, np.float32)
    saturations = numbers.random(first_slot, np.float32)
    saturations[3] = np.float32(3e38)
    sums = numbers.random(first_slot)
    expected = sums.copy()
    NumpyKernel().add_postings(tuple(segments), term_ids, weights, saturations, expected)

    arrays: list[np.ndarray | list[int]] = [term_ids, weights, saturations]
    table: list[int] = []
    for segment in segments:
        at = len(arrays)
        arrays += [segment.term_ids, segment.offsets, segment.documents, segment.tfs]
        table += [-segment.first_slot - 1, at, -len(segment.term_ids) - 1, at + 1, at + 2, at + 3]
    arrays += [table, sums]
    call = [str(len(arrays) - 2), len(segments), "0", "1", len(term_ids), "2", str(len(arrays) - 1)]
    found = run(kernel, "add_postings", arrays, call)
    assert not np.array_equal(expected, sums)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("n", [0, 1, 4, 103])
def test_counts_above_equal_those_of_numpy(kernel: Path, n: int) -> None:
    numbers = np.random.default_rng(n)
    scores = (numbers.integers(-4, 5, n) / 4).astype(np.float32)
    thresholds = np.array([0.25, -2.0, 2.0, 0.0], np.float32)
    arrays = [scores, thresholds, np.full((5, 2), -7, np.int32)]
    found = run(kernel, "count_above", arrays, ["0", n, "1", 4, "2"]).reshape(5, 2)
    assert found[:4].tolist() == NumpyKernel().count_above(scores, thresholds).tolist()
    assert found[4].tolist() == [-7, -7], "wrote past the end"
