"""The embedding model in the model worker: tokens are counted and cut here, vectors come from there.

It is the packaged one, or one of the reader's own in a folder of the browser's file system. A row is the
tokens of a text between those that every text has, as [CLS] and [SEP]. Each row is a call of its own: an int8
graph scales activations over the whole batch, so a text in company gets another vector than alone (cosine
0.985), and batches gain no time in wasm.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.adapters.browser import bridge
from tabwise.core.embedders import EmbedderDescription
from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.errors import ModelError

_UNIT_TOLERANCE = 1e-2


class BrowserEmbedder:
    """Implements ports.Embedder."""

    def __init__(self, description: EmbedderDescription | None = None, place: str = "") -> None:
        """The packaged model, or the one described: its files are at `place`, its tokenizer is open."""
        self._description = description or bridge.packaged_embedder()
        self._descriptor = self._description.descriptor
        self._n_special = len(self._description.before) + len(self._description.after)
        self._place = place

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        return self._descriptor

    def count(self, text: str) -> int:
        """Number of tokens of `text` as the model sees it, special tokens included."""
        return len(self._ids(text)) + self._n_special

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, dimensions), float32, in the order of `texts`.

        Texts over max_tokens are cut at the limit. Raises ModelError: model_unavailable or
        model_out_of_memory when the model worker failed twice in a row, model_mismatch when it returns what
        no embedding is.
        """
        vectors = np.empty((len(texts), self._descriptor.dimensions), np.float32)
        for i, text in enumerate(texts):
            vectors[i] = self._vector(await self._embed_row(self._row(text)))
        return vectors

    def _ids(self, text: str) -> npt.NDArray[np.int32]:
        if not self._place:
            return bridge.encode_ids(text)
        return np.array(bridge.model_encode(self._place, text), np.int32)

    def _row(self, text: str) -> npt.NDArray[np.int32]:
        ids = self._ids(text)[: self._descriptor.max_tokens - self._n_special]
        ends = self._description
        return np.concatenate((ends.before, ids, ends.after)).astype(np.int32)

    async def _embed_row(self, row: npt.NDArray[np.int32]) -> FloatMatrix:
        lengths = np.array([len(row)], np.int32)
        files, output = self._description.files, self._description.output
        try:
            return await bridge.embed_ids(row, lengths, self._place, files, output)
        except ModelError as error:
            if error.code == "model_out_of_memory":
                # What WebAssembly took it never gives back; another worker begins with none.
                bridge.restart_models()
            # A worker that died is started anew by the next call.
            return await bridge.embed_ids(row, lengths, self._place, files, output)

    def _vector(self, output: FloatMatrix) -> npt.NDArray[np.float32]:
        """The vector of a text, refused when it is none: the packaged graph gives vectors of unit length."""
        flat = output.reshape(-1)
        try:
            vector = self._description.vector(flat)
        except ValueError as error:
            raise ModelError("model_mismatch", f"the model gives {error}") from error
        given = flat if not self._place else vector
        # NaN compares false: a row of NaN or zeros is refused with the rest.
        if not abs(float(np.linalg.norm(given)) - 1) < _UNIT_TOLERANCE:
            raise ModelError("model_mismatch", "the model returned a vector that is not of unit length")
        return vector
