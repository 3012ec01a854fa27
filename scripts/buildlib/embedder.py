"""The embedder as the product ships it: `model.onnx`, `tokenizer.json` and `model.json`, its descriptor."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

from buildlib.built import built, digest
from buildlib.fetch import cached_path
from buildlib.lock import Lock

MODEL_ID = "all-MiniLM-L6-v2-int8"
MAX_TOKENS = 256


def embedder_folder(lock: Lock) -> Path:
    """The folder with the three files, built on first use (about ten seconds)."""
    weights, tokenizer = lock.file("model.safetensors"), lock.file("tokenizer.json")
    beside = ("embedder.py", "minilm_onnx.py", "minilm_smoothing.py", "minilm_smoothing.txt")
    recipe = [Path(__file__).with_name(name).read_bytes() for name in beside]
    libraries = [f"{name} {version(name)}" for name in ("numpy", "onnx", "onnxruntime")]
    key = digest([weights.sha256, tokenizer.sha256, *recipe, *libraries])

    def make(folder: Path) -> None:
        from buildlib.minilm_onnx import read_safetensors, write_int8_model

        model = folder / "model.onnx"
        write_int8_model(read_safetensors(cached_path(weights)), model)
        _write_json(folder / "tokenizer.json", _without_fixed_length(cached_path(tokenizer)))
        _write_json(folder / "model.json", _descriptor(model, weights.licence))

    return built("minilm", key, make)


def _without_fixed_length(tokenizer: Path) -> dict[str, object]:
    # The published file cuts and pads every text to 128 tokens; chunks are longer and are never padded.
    settings: dict[str, object] = json.loads(tokenizer.read_text(encoding="utf-8"))
    return settings | {"truncation": None, "padding": None}


def _descriptor(model: Path, licence: str) -> dict[str, object]:
    return {
        "id": MODEL_ID,
        "dimensions": 384,
        "max_tokens": MAX_TOKENS,
        "pooling": "mean",
        "query_prefix": "",
        "licence": licence,
        "size_bytes": model.stat().st_size,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
    }


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
