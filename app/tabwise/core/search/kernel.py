"""The loops of a search that visit every chunk or posting, apart from the rest to be exchanged.

    cosines        out[i] = Σ_j codes[i, j] · query[j] · (scales[i] · factor)
    add_postings   sums[d] += weight · tf / (tf + saturation[d])     for every posting of some terms
    count_above    how many scores are above a threshold, and how many reach it

`NumpyKernel` says what they mean and runs everywhere. numpy in wasm has neither BLAS nor SIMD, and each of
its steps is a pass over memory: a small kernel over the same memory returns the same numbers several times
faster.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Int8Matrix
from tabwise.core.search.postings import IntVector
from tabwise.core.search.segments import Segment

FloatVector = npt.NDArray[np.float32]
QueryCodes = npt.NDArray[np.int16]

_ROWS_AT_ONCE = 512


class SearchKernel(Protocol):
    """The loops; arrays are C-contiguous."""

    def cosines(
        self,
        blocks: Sequence[Int8Matrix],
        query: QueryCodes,
        scales: FloatVector,
        factor: float,
        out: FloatVector,
    ) -> None:
        """Write the scaled products of the first len(out) rows of `blocks`, one block after the other.

        blocks (·, d) int8, query (d,) int16, scales and out (n,) float32. The sum is exact in int32, which
        the caller's bound on the codes guarantees; it is rounded to float32 and multiplied in float32.
        """
        ...

    def add_postings(
        self,
        segments: tuple[Segment, ...],
        term_ids: IntVector,
        weights: FloatVector,
        saturations: FloatVector,
        sums: npt.NDArray[np.float64],
    ) -> None:
        """Add up the postings of `term_ids` in all segments, a term after the other.

        term_ids (t,), each once, weights (t,); saturations and sums (n_slots,). A summand is worked out in
        float32 and added in float64, so that the order of the terms hardly matters.
        """
        ...

    def count_above(self, scores: FloatVector, thresholds: FloatVector) -> npt.NDArray[np.int32]:
        """Return how many of `scores` (n,) are above each of `thresholds`, and how many reach it, (t, 2)."""
        ...


class NumpyKernel:
    """Implements `SearchKernel` everywhere."""

    def cosines(
        self,
        blocks: Sequence[Int8Matrix],
        query: QueryCodes,
        scales: FloatVector,
        factor: float,
        out: FloatVector,
    ) -> None:
        """Write the scaled products of the first len(out) rows of `blocks`; see `SearchKernel`."""
        wide_query = query.astype(np.int32)
        first = 0
        for block in blocks:
            # In parts that stay in the cache.
            for start in range(0, min(len(block), len(out) - first), _ROWS_AT_ONCE):
                codes = block[start : start + _ROWS_AT_ONCE][: len(out) - first - start]
                rows = slice(first + start, first + start + len(codes))
                out[rows] = np.einsum("ij,j->i", codes.astype(np.int32), wide_query)
                out[rows] *= scales[rows] * np.float32(factor)
            first += len(block)

    def add_postings(
        self,
        segments: tuple[Segment, ...],
        term_ids: IntVector,
        weights: FloatVector,
        saturations: FloatVector,
        sums: npt.NDArray[np.float64],
    ) -> None:
        """Add up the postings of `term_ids` in all segments; see `SearchKernel`."""
        for segment in segments:
            # All terms at once: with a step for each, most of the time would go into steps.
            counts, documents, tfs = segment.runs_of(term_ids)
            if len(documents):
                tf = tfs.astype(np.float32)
                summands = np.repeat(weights, counts) * tf / (tf + saturations[segment.slots][documents])
                sums[segment.slots] += np.bincount(documents, summands, segment.n_slots)

    def count_above(self, scores: FloatVector, thresholds: FloatVector) -> npt.NDArray[np.int32]:
        """Return how many of `scores` are above each of `thresholds`, and how many reach it, (t, 2)."""
        counts = [
            (np.count_nonzero(scores > threshold), np.count_nonzero(scores >= threshold))
            for threshold in thresholds
        ]
        return np.array(counts, np.int32).reshape(-1, 2)
