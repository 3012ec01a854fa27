"""MiniLM on CPython: the Rust tokenizers and onnxruntime over the same files as the extension."""

import json
import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from tabwise.core.model import EmbedderDescriptor, FloatMatrix
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

    The graph pools and normalises itself: input_ids, attention_mask (n, length) int64 → embedding
    (n, dimensions) float32 of unit length.
    """

    def __init__(self, folder: Path) -> None:
        try:
            described = json.loads((folder / "model.json").read_text("utf-8"))
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
            options.log_severity_level = 3
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the libraries raise bare Exception for a bad file
            raise ModelError(
                "model_unavailable", f"{type(error).__name__}: {error}", subject=str(folder)
            ) from error
        self._descriptor = EmbedderDescriptor(
            id=described["id"],
            dimensions=described["dimensions"],
            max_tokens=described["max_tokens"],
            query_prefix=described["query_prefix"],
            licence=described["licence"],
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
        (row,) = self._session.run(["embedding"], feed)
        return np.asarray(row, dtype=np.float32)
