"""A GGUF file of the llama architecture: its numbers, its tokenizer, and its matrices as they are stored.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Matrices are (outputs, inputs). llama.cpp
stores the rows of the query and key projections with the two rotary halves interleaved; here they come in
the order of the original model, halves one after the other. A block of 32 inputs in Q4_1 means
w = scale * q + offset with q in 0..15 and both numbers float16; in Q8_0, w = scale * q with q int8.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gguf import GGUFReader
from gguf.quants import dequantize

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

BLOCK = 32
_CONTROL, _USER_DEFINED = 3, 4  # token types of the format


@dataclass(frozen=True, slots=True)
class FourBitBlocks:
    """w = scales * codes + offsets, by block: (outputs, blocks), the same, (outputs, blocks, 32) in 0..15."""

    scales: Floats
    offsets: Floats
    codes: Bytes


class LlamaFile:
    """Reads one file; sizes in elements."""

    def __init__(self, path: Path) -> None:
        reader = GGUFReader(path)
        self._fields = reader.fields
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}
        self.n_layers = int(self._number("block_count"))
        self.width = int(self._number("embedding_length"))
        self.n_heads = int(self._number("attention.head_count"))
        self.n_kv_heads = int(self._number("attention.head_count_kv"))
        self.head_width = self.width // self.n_heads
        self.context_tokens = int(self._number("context_length"))
        self.norm_epsilon = self._number("attention.layer_norm_rms_epsilon")
        self.rotary_base = self._number("rope.freq_base")
        self.n_vocabulary = len(self.field("tokenizer.ggml.tokens"))

    def field(self, key: str) -> Any:
        """A metadata value; raises KeyError for one the file lacks."""
        return self._fields[key].contents()

    def _number(self, key: str) -> float:
        return float(self.field(f"llama.{key}"))

    def vector(self, name: str) -> Floats:
        """A float32 vector, such as the weight of a norm."""
        return np.asarray(self._tensors[name].data, np.float32)

    def dense(self, *names: str) -> Floats:
        """Matrices as float32, one below the other."""
        return np.concatenate([self._ordered(name, self._dequantized(name)) for name in names])

    def four_bit(self, *names: str) -> FourBitBlocks:
        """Q4_1 matrices as they are stored, one below the other."""
        stored = [self._ordered(name, self._raw(name, "Q4_1")) for name in names]
        rows = np.concatenate(stored).reshape(sum(map(len, stored)), -1, 4 + BLOCK // 2)
        nibbles = rows[..., 4:]
        codes = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1)
        return FourBitBlocks(_half(rows, 0), _half(rows, 2), codes)

    def eight_bit(self, name: str) -> tuple[Floats, npt.NDArray[np.int8]]:
        """A Q8_0 matrix as it is stored: scales (rows, blocks), codes (rows, blocks, 32)."""
        rows = self._raw(name, "Q8_0").reshape(-1, self.width // BLOCK, 2 + BLOCK)
        return _half(rows, 0), rows[..., 2:].view(np.int8)

    def _dequantized(self, name: str) -> Floats:
        tensor = self._tensors[name]
        return np.asarray(dequantize(tensor.data, tensor.tensor_type), np.float32)

    def _raw(self, name: str, kind: str) -> Bytes:
        tensor = self._tensors[name]
        if tensor.tensor_type.name != kind:
            raise ValueError(f"{name} is {tensor.tensor_type.name}, not {kind}")
        return np.asarray(tensor.data)

    def _ordered(self, name: str, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        heads = {"attn_q": self.n_heads, "attn_k": self.n_kv_heads}.get(name.split(".")[-2])
        if heads is None:
            return rows
        interleaved = rows.reshape(heads, len(rows) // heads // 2, 2, *rows.shape[1:])
        return interleaved.swapaxes(1, 2).reshape(rows.shape)


def _half(rows: Bytes, at: int) -> Floats:
    return np.ascontiguousarray(rows[..., at : at + 2]).view(np.float16)[..., 0].astype(np.float32)


def tokenizer_json(file: LlamaFile) -> dict[str, Any]:
    """The file's tokenizer as the `tokenizers` library reads it.

    A byte-level BPE whose digits are tokens of their own, which is what the format calls "smollm". Raises
    ValueError for another kind.
    """
    kind = file.field("tokenizer.ggml.model"), file.field("tokenizer.ggml.pre")
    if kind != ("gpt2", "smollm"):
        raise ValueError(f"a tokenizer of another kind: {kind}")
    tokens: list[str] = file.field("tokenizer.ggml.tokens")
    byte_level = {"type": "ByteLevel", "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(number, text) for number, text in control_tokens(file).items()],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Digits", "individual_digits": True},
                byte_level | {"add_prefix_space": False},
            ],
        },
        "post_processor": None,
        "decoder": byte_level | {"add_prefix_space": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: number for number, token in enumerate(tokens)},
            "merges": file.field("tokenizer.ggml.merges"),
        },
    }


def control_tokens(file: LlamaFile) -> dict[int, str]:
    """Tokens that stand for no text, by number."""
    tokens: list[str] = file.field("tokenizer.ggml.tokens")
    kinds: list[int] = file.field("tokenizer.ggml.token_type")
    return {i: tokens[i] for i, kind in enumerate(kinds) if kind in (_CONTROL, _USER_DEFINED)}


def _added(number: int, text: str) -> dict[str, Any]:
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"id": number, "content": text, **plain, "special": True}
