"""MiniLM in the model worker: tokens are counted and cut here, vectors come from there.

A row is [CLS] ids [SEP]. Rows of similar length share a call, at most four, because a call pads to its
longest row and larger batches gain nothing on one thread.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.adapters.browser import bridge
from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.errors import ModelError

_CLS = 101
_SEP = 102
_N_SPECIAL = 2
_ROWS_PER_CALL = 4
_UNIT_TOLERANCE = 1e-2


class BrowserEmbedder:
    """Implements ports.Embedder."""

    def __init__(self) -> None:
        self._descriptor = bridge.embedder_descriptor()

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        return self._descriptor

    def count(self, text: str) -> int:
        """Number of tokens of `text` as the model sees it, special tokens included."""
        return len(bridge.encode_ids(text)) + _N_SPECIAL

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, dimensions), float32, in the order of `texts`.

        Texts over max_tokens are cut at the limit. Raises ModelError: model_unavailable when the model
        worker was lost twice in a row, model_mismatch when it returns what no embedding is.
        """
        rows = [self._row(text) for text in texts]
        vectors = np.empty((len(rows), self._descriptor.dimensions), np.float32)
        by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        for start in range(0, len(rows), _ROWS_PER_CALL):
            batch = by_length[start : start + _ROWS_PER_CALL]
            vectors[batch] = self._checked(await self._embed_batch([rows[i] for i in batch]))
        return vectors

    def _row(self, text: str) -> npt.NDArray[np.int32]:
        ids = bridge.encode_ids(text)[: self._descriptor.max_tokens - _N_SPECIAL]
        return np.concatenate(([_CLS], ids, [_SEP])).astype(np.int32)

    async def _embed_batch(self, rows: Sequence[npt.NDArray[np.int32]]) -> FloatMatrix:
        flat = np.concatenate(rows)
        lengths = np.array([len(row) for row in rows], np.int32)
        try:
            return await bridge.embed_ids(flat, lengths)
        except ModelError:
            # A worker that died is started anew by the next call.
            return await bridge.embed_ids(flat, lengths)

    def _checked(self, vectors: FloatMatrix) -> FloatMatrix:
        if vectors.shape[1] != self._descriptor.dimensions:
            raise ModelError("model_mismatch", f"{vectors.shape[1]} dimensions from the model")
        lengths = np.linalg.norm(vectors, axis=1)
        # NaN compares false: a row of NaN or zeros is refused with the rest.
        if not np.all(np.abs(lengths - 1) < _UNIT_TOLERANCE):
            raise ModelError("model_mismatch", "the model returned a vector that is not of unit length")
        return vectors
