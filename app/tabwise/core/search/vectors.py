"""Exact search over int8 vectors: unit rows with a float scale each, one integer dot product a row.

    codes = round(127 · row / max|row|),   scale = 1 / |codes|,   row ≈ codes · scale
    cosine(q, row) ≈ scale · q_scale · Σ codes · q_codes

The scale makes every stored row as long as the unit row it stands for. The query is int16 at ±4095, so a
product of 384 terms stays below 384 · 127 · 4095 ≈ 2.0e8 in int32, and any dimension up to 4,129 fits.
On the evaluation collections int8 rows rank as float rows do. The products themselves are left to `kernel`.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FloatMatrix, Int8Matrix, QuantizedVectors
from tabwise.core.search.bm25 import grown
from tabwise.core.search.kernel import NumpyKernel, SearchKernel
from tabwise.errors import ModelError

QUERY_LIMIT = 4095
MAX_DIMENSIONS = (2**31 - 1) // (127 * QUERY_LIMIT)

_SLOTS_PER_BLOCK = 4096


def quantize(matrix: FloatMatrix) -> QuantizedVectors:
    """Return the rows of `matrix` (n, d) float32, of any length but zero, as unit int8 rows.

    Raises ModelError("model_mismatch") for rows that are zero, NaN or infinite: a model's fault.
    """
    wide = np.asarray(matrix, np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    if not bool(np.all(np.isfinite(lengths) & (lengths > 0.0))):
        raise ModelError("model_mismatch", "an embedding is zero or not finite")
    unit = wide / lengths[:, None]
    codes = np.rint(unit * (127.0 / np.max(np.abs(unit), axis=1, initial=0.0))[:, None])
    scales = 1.0 / np.sqrt(np.einsum("ij,ij->i", codes, codes))
    return QuantizedVectors(codes.astype(np.int8), scales.astype(np.float32))


def dequantize(vectors: QuantizedVectors) -> FloatMatrix:
    """Return the rows (n, d) float32 that the codes stand for; their length is 1."""
    return vectors.codes.astype(np.float32) * vectors.scales[:, None]


def quantize_query(query: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int16], float]:
    """Return the query (d,) scaled to unit length as int16 codes and the factor that undoes the scaling.

    Raises ModelError("model_mismatch") when it is zero or not finite.
    """
    wide = np.asarray(query, np.float64)
    length = float(np.sqrt(np.dot(wide, wide)))
    if not (np.isfinite(length) and length > 0.0):
        raise ModelError("model_mismatch", "the query embedding is zero or not finite")
    unit = wide / length
    factor = float(np.max(np.abs(unit))) / QUERY_LIMIT
    return np.rint(unit / factor).astype(np.int16), factor


class VectorIndex:
    """Rows in numbered slots, some of them empty. All vectors are of one model.

    The rows are kept in blocks: growing copies nothing and leaves no hole in a memory that never shrinks.
    """

    def __init__(self, dimensions: int, *, kernel: SearchKernel | None = None) -> None:
        if not 0 < dimensions <= MAX_DIMENSIONS:
            raise ModelError("model_mismatch", f"{dimensions} dimensions, allowed are 1 to {MAX_DIMENSIONS}")
        self.dimensions = dimensions
        self._kernel = kernel or NumpyKernel()
        self._n_slots = 0
        self._blocks: list[Int8Matrix] = []
        self._scales: npt.NDArray[np.float32] = np.zeros(0, np.float32)
        self._present: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    @property
    def n_slots(self) -> int:
        """Number of slots, empty ones included."""
        return self._n_slots

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Which slots hold a vector, (n_slots,) bool; a view that must not be written."""
        return self._present[: self._n_slots]

    def grow(self, n_slots: int) -> None:
        """Make room up to `n_slots`, new slots empty; fewer than now changes nothing."""
        if n_slots <= self._n_slots:
            return
        while n_slots > len(self._blocks) * _SLOTS_PER_BLOCK:
            self._blocks.append(np.zeros((_SLOTS_PER_BLOCK, self.dimensions), np.int8))
        self._scales = grown(self._scales, n_slots)
        self._present = grown(self._present, n_slots)
        self._n_slots = n_slots

    def check(self, n_rows: int, vectors: QuantizedVectors) -> None:
        """Raise ModelError("model_mismatch") unless `vectors` are n_rows usable rows of this dimension."""
        if vectors.codes.shape != (n_rows, self.dimensions) or vectors.scales.shape != (n_rows,):
            wanted = f"({n_rows}, {self.dimensions})"
            raise ModelError("model_mismatch", f"vectors are {vectors.codes.shape}, the index wants {wanted}")
        # A minimum is NaN when one of them is, and NaN is not above 0.
        if not (vectors.scales.min(initial=np.inf) > 0.0 and vectors.scales.max(initial=0.0) < np.inf):
            raise ModelError("model_mismatch", "a stored vector is zero or not finite")

    def put(self, slots: range, vectors: QuantizedVectors) -> None:
        """Write one vector into each of `slots`, growing as needed.

        Raises ModelError("model_mismatch") when they do not fit, see `check`; nothing is written then.
        """
        self.check(len(slots), vectors)
        self.grow(slots.stop)
        row = 0
        while row < len(slots):
            number, first = divmod(slots.start + row, _SLOTS_PER_BLOCK)
            n_rows = min(len(slots) - row, _SLOTS_PER_BLOCK - first)
            self._blocks[number][first : first + n_rows] = vectors.codes[row : row + n_rows]
            row += n_rows
        self._scales[slots.start : slots.stop] = vectors.scales
        self._present[slots.start : slots.stop] = True

    def drop(self, slots: range) -> None:
        """Empty `slots`."""
        self._present[slots.start : slots.stop] = False
        self._scales[slots.start : slots.stop] = 0.0

    def compact(self, kept: Sequence[int] | npt.NDArray[np.int64]) -> None:
        """Keep the old slots `kept`, ascending, as the new slots 0, 1, 2 …"""
        slots = np.asarray(kept, np.int64)
        # A row never moves to a later slot, so blocks can be filled in place, first to last.
        for number, first in enumerate(range(0, len(slots), _SLOTS_PER_BLOCK)):
            own = slots[first : first + _SLOTS_PER_BLOCK]
            rows = np.empty((len(own), self.dimensions), np.int8)
            for block in np.unique(own // _SLOTS_PER_BLOCK).tolist():
                of_block = own // _SLOTS_PER_BLOCK == block
                rows[of_block] = self._blocks[block][own[of_block] % _SLOTS_PER_BLOCK]
            self._blocks[number][: len(own)] = rows
        del self._blocks[-(-len(slots) // _SLOTS_PER_BLOCK) :]
        self._scales = self._scales[slots]
        self._present = self._present[slots]
        self._n_slots = len(slots)

    def scores(self, query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the cosine similarity of every slot to `query` (d,), (n_slots,) float32; 0 where empty.

        Raises ModelError("model_mismatch") for another dimension, a zero or a non-finite query.
        """
        if query.shape != (self.dimensions,):
            raise ModelError(
                "model_mismatch", f"the query is {query.shape}, the index has {self.dimensions} dimensions"
            )
        codes, factor = quantize_query(query)
        cosines = np.empty(self._n_slots, np.float32)
        self._kernel.cosines(self._blocks, codes, self._scales[: self._n_slots], factor, cosines)
        return cosines
