"""A language model of two layers with random weights, in the layout of the usual exports, and its tokenizer.

It writes nonsense, the same on every machine: what is checked with it is the runtime, not the model.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx

from buildlib.gguf_llama import BLOCK, FourBitBlocks, LlamaFile
from buildlib.llama_onnx import build_decoder
from tiny_tokenizer import CONTROL, END, N_LETTERS, tokenizer_json


class TinyLlama(LlamaFile):
    """Random weights instead of a file's."""

    def __init__(self) -> None:
        self.n_layers, self.width = 2, 64
        self.n_heads, self.n_kv_heads, self.head_width = 4, 2, 16
        self.context_tokens, self.norm_epsilon, self.rotary_base = 640, 1e-5, 10_000.0
        self.n_vocabulary = N_LETTERS + len(CONTROL)

    def vector(self, name: str) -> npt.NDArray[np.float32]:
        return np.ones(self.width, np.float32)

    def dense(self, *names: str) -> npt.NDArray[np.float32]:
        return np.concatenate([self._matrix(name) for name in names])

    def four_bit(self, *names: str) -> FourBitBlocks:
        rows = self.dense(*names)
        blocks = rows.reshape(len(rows), -1, BLOCK)
        low = blocks.min(axis=-1)
        scales = (blocks.max(axis=-1) - low) / np.float32(15)
        codes = np.rint((blocks - low[..., None]) / scales[..., None]).astype(np.uint8)
        return FourBitBlocks(scales, low, codes)

    def eight_bit(self, name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        blocks = self.dense(name).reshape(-1, self.width // BLOCK, BLOCK)
        scales = np.abs(blocks).max(axis=-1) / np.float32(127)
        return scales, np.rint(blocks / scales[..., None]).astype(np.int8)

    def _matrix(self, name: str) -> npt.NDArray[np.float32]:
        kv_width = self.n_kv_heads * self.head_width
        shapes = {
            "attn_k": (kv_width, self.width),
            "attn_v": (kv_width, self.width),
            "ffn_gate": (128, self.width),
            "ffn_up": (128, self.width),
            "ffn_down": (self.width, 128),
            "token_embd": (self.n_vocabulary, self.width),
        }
        shape = shapes.get(name.split(".")[-2], (self.width, self.width))
        seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little")
        return np.random.default_rng(seed).standard_normal(shape).astype(np.float32) * np.float32(0.3)


def write_model(folder: Path, *, model_id: str = "tiny", kind: str = "int8") -> Path:
    """Write a folder as `tabwise.core.llm.description` describes it; `kind` "q4" is for a GPU."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(build_decoder(TinyLlama(), kind), str(folder / "model.onnx"))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json()), "utf-8")
    data = (folder / "model.onnx").read_bytes()
    described = {
        "id": model_id,
        "label": "Tiny",
        "licence": "MIT",
        "context_tokens": 640,
        "template": "chatml",
        "end_tokens": [END],
        "control_tokens": list(CONTROL),
        "first_token_alone": False,
        "files": {"wasm" if kind == "int8" else "webgpu": ["model.onnx"]},
        "size_bytes": len(data),
        "sha256": {"model.onnx": hashlib.sha256(data).hexdigest()},
    }
    (folder / "model.json").write_text(json.dumps(described), "utf-8")
    return folder
