"""Embedding models on CPython: the Rust tokenizers and onnxruntime over a folder of three files.

`model.json` describes the model, see core/embedders.py. The packaged graph pools and normalises itself; of an
exported one that gives token states, the mean of them or the first ("cls") is taken.
"""

import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from tabwise.core.embedders import GRAPH
from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import ModelError

MODEL_FOLDER = "minilm"
MODELS_VARIABLE = "TABWISE_MODELS"


def find_model() -> Path | None:
    """Folder of the embedding model: $TABWISE_MODELS, the installed package, a built checkout; or None."""
    checkout = Path(__file__).parents[4]
    places = [
        Path(os.environ[MODELS_VARIABLE]) if os.environ.get(MODELS_VARIABLE) else None,
        Path(str(resources.files("tabwise"))) / "models",
        checkout / "dist" / "extension" / "models",
    ]
    for place in places:
        if place and (place / MODEL_FOLDER / "model.onnx").is_file():
            return place / MODEL_FOLDER
    return None


class OnnxEmbedder:
    """`ports.Embedder` over a folder with model.onnx, tokenizer.json and model.json.

    The graph takes input_ids, attention_mask and, if it wants, token_type_ids (n, length) int64. Its output
    is (n, dimensions), or token states (n, length, dimensions) to pool.
    """

    def __init__(self, folder: Path) -> None:
        try:
            described = read_json((folder / "model.json").read_text("utf-8"))
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
            options.log_severity_level = 3
            self._session = onnxruntime.InferenceSession(
                str(folder / described.get("files", [GRAPH])[0]), options, providers=["CPUExecutionProvider"]
            )
            self._descriptor = EmbedderDescriptor.of(described)
        except Exception as error:  # the libraries raise bare Exception for a bad file
            raise ModelError(
                "model_unavailable", f"{type(error).__name__}: {error}", subject=str(folder)
            ) from error

        self._is_cls = described.get("pooling") == "cls"
        self._inputs = [one.name for one in self._session.get_inputs()]
        names = [one.name for one in self._session.get_outputs()]
        self._output = described.get("output") or names[0]
        if self._output not in names:
            raise ModelError(
                "model_unavailable", f"the graph has no output {self._output}", subject=str(folder)
            )

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """The model's identity and limits."""
        return self._descriptor

    def count(self, text: str) -> int:
        """Number of tokens, special tokens included."""
        return len(self._tokenizer.encode(text).ids)

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, dimensions), float32, in the order of `texts`; one text per run.

        Batches are slower than single runs for this model, and padding would change nothing.
        """
        rows = [self._embed_one(text) for text in texts]
        if not rows:
            return np.zeros((0, self._descriptor.dimensions), np.float32)
        return np.concatenate(rows)

    def _embed_one(self, text: str) -> FloatMatrix:
        ids = self._tokenizer.encode(text).ids
        if len(ids) > self._descriptor.max_tokens:
            ids = ids[: self._descriptor.max_tokens - 1] + ids[-1:]
        inputs = np.array([ids], dtype=np.int64)
        feed = {"input_ids": inputs, "attention_mask": np.ones_like(inputs)}
        feed |= {name: np.zeros_like(inputs) for name in self._inputs if name not in feed}
        (output,) = self._session.run([self._output], feed)
        row = np.asarray(output, np.float32)
        if row.ndim == 3:
            row = row[:, 0] if self._is_cls else row.mean(axis=1)
        if row.shape != (1, self._descriptor.dimensions):
            raise ModelError("model_mismatch", f"the model gives {row.shape}, not what model.json says")
        return np.asarray(row / np.linalg.norm(row, axis=1, keepdims=True), np.float32)
