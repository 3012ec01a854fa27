"""SmolLM2-135M-Instruct as the product ships it: an ONNX file, `tokenizer.json` and `model.json`.

What `model.json` says is read by tabwise.core.llm.model. The int8 file is part of the extension; the
four-bit file, for WebGPU, is made on request and brought in as a folder.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from buildlib.built import built, digest
from buildlib.fetch import cached_path
from buildlib.lock import Lock, LockedFile

GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_ID = "smollm2-135m-instruct"
LABEL = "SmolLM2 135M"
CONTEXT_TOKENS = 2048
"""The model was trained for 8,192, but each costs 46 kB of memory and time at every step."""
FILES = {"int8": "model_int8.onnx", "q4": "model_q4.onnx"}
_RECIPE = ("smollm2.py", "gguf_llama.py", "llama_onnx.py", "llama_smoothing.py")
_SELF_TEST_TEXT = "The capital of France is Paris, and the capital of Germany is"
_N_COMPARED = 512


def language_model_folder(lock: Lock, kind: str = "int8") -> Path:
    """The folder with the three files, made on first use in a few seconds; `kind` is "int8" or "q4"."""
    source = lock.file(GGUF)
    recipe = [Path(__file__).with_name(name).read_bytes() for name in _RECIPE]
    libraries = [f"{name} {version(name)}" for name in ("gguf", "numpy", "onnx", "onnxruntime")]

    def make(folder: Path) -> None:
        import onnx
        from tokenizers import Tokenizer

        from buildlib.gguf_llama import LlamaFile, tokenizer_json
        from buildlib.llama_onnx import build_decoder
        from buildlib.llama_smoothing import CALIBRATION_TEXT, SmoothedLlama

        file = LlamaFile(cached_path(source))
        _write_json(folder / "tokenizer.json", tokenizer_json(file))
        if kind == "int8":
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            file = SmoothedLlama(cached_path(source), tokenizer.encode(CALIBRATION_TEXT).ids)
        model = folder / FILES[kind]
        onnx.save(build_decoder(file, kind), str(model))
        described = _description(file, source, model, kind)
        if kind == "q4":
            described |= {"self_test": _self_test(folder)}
        _write_json(folder / "model.json", described)

    return built(f"smollm2-{kind}", digest([source.sha256, kind, *recipe, *libraries]), make)


def _description(file: Any, source: LockedFile, model: Path, kind: str) -> dict[str, Any]:
    from buildlib.gguf_llama import control_tokens

    device = "wasm" if kind == "int8" else "webgpu"
    return {
        "id": MODEL_ID if kind == "int8" else f"{MODEL_ID}-{kind}",
        "label": LABEL if kind == "int8" else f"{LABEL} (4 bit)",
        "licence": source.licence,
        "context_tokens": min(CONTEXT_TOKENS, file.context_tokens),
        "template": "chatml",
        "end_tokens": [file.field("tokenizer.ggml.eos_token_id")],
        "control_tokens": list(control_tokens(file).values()),
        # Its activations are so large that they spoil those of the others when quantised together.
        "first_token_alone": kind == "int8",
        "files": {device: [model.name]},
        "size_bytes": model.stat().st_size,
        "sha256": {model.name: hashlib.sha256(model.read_bytes()).hexdigest()},
    }


def _self_test(folder: Path) -> dict[str, Any]:
    """The logits of the first tokens of the vocabulary after a text, as the CPU computes them."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    session = onnxruntime.InferenceSession(str(folder / FILES["q4"]), providers=["CPUExecutionProvider"])
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(_SELF_TEST_TEXT).ids
    feed = {
        "input_ids": np.array([tokens], np.int64),
        "attention_mask": np.ones((1, len(tokens)), np.int64),
        "position_ids": np.arange(len(tokens), dtype=np.int64)[None],
        "num_logits_to_keep": np.array(1, np.int64),
    }
    for one in session.get_inputs():
        if one.name.startswith("past_key_values."):
            feed[one.name] = np.zeros((1, one.shape[1], 0, one.shape[3]), np.float32)
    logits = session.run(["logits"], feed)[0][0, -1, :_N_COMPARED]
    return {"tokens": tokens, "logits": [round(float(value), 3) for value in logits]}


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
