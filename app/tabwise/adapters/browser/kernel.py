"""The loops of a search by a WebAssembly kernel, which reads numpy's arrays in place (`kernel/search.wat`).

numpy has neither BLAS nor SIMD in WebAssembly: over 100,000 rows of 384 the kernel takes 3 ms where
`einsum` takes 17, and adds up the postings of a query in a fifth of numpy's time.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.adapters.browser import bridge
from tabwise.core.model import Int8Matrix
from tabwise.core.search.kernel import FloatVector, NumpyKernel, QueryCodes
from tabwise.core.search.postings import IntVector
from tabwise.core.search.segments import Segment

_LANES = 16  # the kernel takes rows in steps of this many codes


class SimdKernel(NumpyKernel):
    """Implements core.kernel.SearchKernel; what the kernel cannot take goes to numpy."""

    def __init__(self) -> None:
        self._segments: tuple[Segment, ...] = ()
        self._table: npt.NDArray[np.uintp] | None = _table_of(())

    def cosines(
        self,
        blocks: Sequence[Int8Matrix],
        query: QueryCodes,
        scales: FloatVector,
        factor: float,
        out: FloatVector,
    ) -> None:
        """Write the scaled products of the first len(out) rows of `blocks`; see core.kernel."""
        if len(query) % _LANES:
            super().cosines(blocks, query, scales, factor, out)
            return
        first = 0
        for block in blocks:
            codes = block[: max(len(out) - first, 0)]
            rows = slice(first, first + len(codes))
            bridge.scaled_products(codes, query, scales[rows], factor, out[rows])
            first += len(block)

    def add_postings(
        self,
        segments: tuple[Segment, ...],
        term_ids: IntVector,
        weights: FloatVector,
        saturations: FloatVector,
        sums: npt.NDArray[np.float64],
    ) -> None:
        """Add up the postings of `term_ids` in all segments; see core.kernel."""
        # Segments never change and are held here, so neither do their addresses.
        if segments is not self._segments:
            self._segments, self._table = segments, _table_of(segments)
        if self._table is None:
            super().add_postings(segments, term_ids, weights, saturations, sums)
        else:
            bridge.add_postings(self._table, term_ids, weights, saturations, sums)

    def count_above(self, scores: FloatVector, thresholds: FloatVector) -> npt.NDArray[np.int32]:
        """Return how many of `scores` are above each of `thresholds`, and how many reach it."""
        counts = np.empty((len(thresholds), 2), np.int32)
        bridge.count_above(scores, thresholds, counts)
        return counts


def _table_of(segments: tuple[Segment, ...]) -> npt.NDArray[np.uintp] | None:
    """What the kernel reads of each segment, (n, 6); None when one has wider numbers than it takes."""
    if any(segment.documents.dtype != np.uint16 for segment in segments):
        return None
    rows = [
        (
            segment.first_slot,
            segment.term_ids.ctypes.data,
            len(segment.term_ids),
            segment.offsets.ctypes.data,
            segment.documents.ctypes.data,
            segment.tfs.ctypes.data,
        )
        for segment in segments
    ]
    return np.array(rows, np.uintp).reshape(-1, 6)
