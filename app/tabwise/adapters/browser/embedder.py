"""MiniLM in the model worker: tokens are counted and cut here, vectors come from there.

A row is [CLS] ids [SEP], and each row is a call of its own: the int8 graph scales activations over the whole
batch, so a text in company gets another vector than alone (cosine 0.985), and batches gain no time in wasm.
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
        vectors = np.empty((len(texts), self._descriptor.dimensions), np.float32)
        for i, text in enumerate(texts):
            vectors[i] = self._checked(await self._embed_row(self._row(text)))
        return vectors

    def _row(self, text: str) -> npt.NDArray[np.int32]:
        ids = bridge.encode_ids(text)[: self._descriptor.max_tokens - _N_SPECIAL]
        return np.concatenate(([_CLS], ids, [_SEP])).astype(np.int32)

    async def _embed_row(self, row: npt.NDArray[np.int32]) -> FloatMatrix:
        lengths = np.array([len(row)], np.int32)
        try:
            return await bridge.embed_ids(row, lengths)
        except ModelError:
            # A worker that died is started anew by the next call.
            return await bridge.embed_ids(row, lengths)

    def _checked(self, vectors: FloatMatrix) -> FloatMatrix:
        if vectors.shape[1] != self._descriptor.dimensions:
            raise ModelError("model_mismatch", f"{vectors.shape[1]} dimensions from the model")
        lengths = np.linalg.norm(vectors, axis=1)
        # NaN compares false: a row of NaN or zeros is refused with the rest.
        if not np.all(np.abs(lengths - 1) < _UNIT_TOLERANCE):
            raise ModelError("model_mismatch", "the model returned a vector that is not of unit length")
        return vectors
