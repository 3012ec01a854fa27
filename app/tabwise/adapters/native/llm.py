"""Decoders on CPython: onnxruntime and the Rust tokenizers over the folders that the browser uses too.

A folder has model.json (tabwise.core.llm.description), tokenizer.json and the model's files. "bundled" is
`smollm2` beside the embedder; "catalogue:<id>" is a folder of that name in the user's own folder of models.
"""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from tabwise.adapters.native.embedder import MODELS_VARIABLE
from tabwise.core.llm.description import LocalModelDescription
from tabwise.core.llm.generation import log_probabilities
from tabwise.core.llm.sampling import FloatVector, IntVector, TopTokens, top_tokens
from tabwise.core.llm.vocabulary import Vocabulary, token_texts
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import ModelError

BUNDLED_FOLDER = "smollm2"


def find_bundled() -> Path | None:
    """Folder of the bundled model: below $TABWISE_MODELS, or in a built checkout; None when it is neither."""
    named = os.environ.get(MODELS_VARIABLE)
    checkout = Path(__file__).parents[4]
    places = [*([Path(named)] if named else []), checkout / "dist" / "extension" / "models"]
    folders = (place / BUNDLED_FOLDER for place in places)
    return next((folder for folder in folders if (folder / "model.json").is_file()), None)


class NativeDecoders:
    """Implements ports.Decoders; `bundled` is the folder of the bundled model, `stored` of all others."""

    def __init__(self, bundled: Path | None, stored: Path | None = None) -> None:
        self._bundled = bundled
        self._stored = stored

    async def describe(self, model_id: str) -> LocalModelDescription:
        """What is known of a model; raises ModelError model_unavailable."""
        return _description(self._folder(model_id))

    async def devices(self) -> Sequence[str]:
        """The file for WebAssembly is the one for a CPU."""
        return ("wasm",)

    async def open(self, model_id: str, device: str) -> "NativeDecoder":
        """Load a model; raises ModelError model_unavailable."""
        folder = self._folder(model_id)
        about = _description(folder)
        return await asyncio.to_thread(NativeDecoder, folder, about.files_on(device)[0])

    def _folder(self, model_id: str) -> Path:
        kind, _, name = model_id.partition(":")
        folder = self._bundled if kind == "bundled" else self._stored and self._stored / name
        if not folder or not (folder / "model.json").is_file():
            raise ModelError("model_unavailable", f"{model_id} is not on this machine")
        return folder


def _description(folder: Path) -> LocalModelDescription:
    try:
        return LocalModelDescription.of(read_json((folder / "model.json").read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise ModelError("model_unavailable", f"{folder}: {error}") from error


class NativeDecoder:
    """Implements ports.Decoder. The inputs that a graph does not declare are not fed."""

    def __init__(self, folder: Path, file: str) -> None:
        try:
            text = (folder / "tokenizer.json").read_text("utf-8")
            self._tokenizer = Tokenizer.from_str(text)
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
            options.log_severity_level = 3
            self._session = onnxruntime.InferenceSession(
                str(folder / file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the libraries raise bare Exception for a bad file
            raise ModelError("model_unavailable", f"{folder}: {type(error).__name__}: {error}") from error
        self._n_weight_bytes = (folder / file).stat().st_size
        self._vocabulary = Vocabulary(token_texts(read_json(text)))
        inputs = self._session.get_inputs()
        self._inputs = {one.name for one in inputs}
        self._empty = {
            one.name: np.zeros((1, one.shape[1], 0, one.shape[3]), _DTYPES[one.type])
            for one in inputs
            if one.name.startswith("past_key_values.")
        }
        self._outputs = [one.name for one in self._session.get_outputs()]
        self._past: dict[str, npt.NDArray[Any]] = self._empty

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of `text`; control tokens in it are read as such."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return str(self._tokenizer.decode(list(tokens), skip_special_tokens=False))

    def vocabulary(self) -> Vocabulary:
        """The text of every token."""
        return self._vocabulary

    async def advance(self, tokens: Sequence[int], past: int) -> None:
        """Compute tokens and keep them."""
        await self._run(tokens, past, 1)

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        """Compute tokens and return the k likeliest next ones."""
        logits = await self._run(tokens, past, 1)
        return top_tokens(logits[-1], k, None if allow is None else np.array(allow, np.int32))

    async def verify(self, tokens: Sequence[int], past: int) -> IntVector:
        """Compute tokens and return the likeliest next token behind each."""
        logits = await self._run(tokens, past, len(tokens))
        return np.asarray(logits[-len(tokens) :].argmax(axis=1), np.int32)

    async def score(self, tokens: Sequence[int], past: int) -> FloatVector:
        """Compute tokens and return log P of each but the first."""
        logits = await self._run(tokens, past, len(tokens))
        return log_probabilities(logits[-len(tokens) : -1], tokens[1:])

    async def memory_bytes(self) -> int:
        """Weights and cache."""
        return self._n_weight_bytes + sum(one.nbytes for one in self._past.values())

    async def close(self) -> None:
        """The session goes with this object."""
        self._past = self._empty

    async def _run(self, tokens: Sequence[int], past: int, n_kept: int) -> npt.NDArray[np.float32]:
        """Logits (rows, vocabulary) of the last `n_kept` tokens, or of all where the graph keeps all."""
        n = len(tokens)
        feed: dict[str, npt.NDArray[Any]] = {
            "input_ids": np.array([tokens], np.int64),
            "attention_mask": np.ones((1, past + n), np.int64),
            "position_ids": np.arange(past, past + n, dtype=np.int64)[None],
            "num_logits_to_keep": np.array(n_kept, np.int64),
        }
        feed = {name: value for name, value in feed.items() if name in self._inputs}
        feed |= {name: value[:, :, :past] for name, value in self._past.items()}
        values = await asyncio.to_thread(self._session.run, None, feed)
        by_name = dict(zip(self._outputs, values, strict=True))
        self._past = {name: by_name[name.replace("past_key_values", "present")] for name in self._empty}
        return np.asarray(by_name["logits"][0], np.float32)


_DTYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16}
