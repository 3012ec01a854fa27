"""Which channels of MiniLM's activations are scaled down before they are rounded to int8, and by how much.

A few channels of a normalised hidden state are ten times the others, and one scale for all leaves those
others few of the 256 steps. Dividing each channel by a factor and multiplying its row of weights by the same
moves the spread to the weights, which have a scale per output channel (Xiao et al. 2023, "SmoothQuant",
https://arxiv.org/abs/2211.10438):

    factor(c) = max |activation(c)| ^ 0.6 / max |weights(c)| ^ 0.4, over its geometric mean, to a power of two

Powers of two, so that scaling is exact. The factors were measured once, on the demo's corpus, and are kept as
letters beside this file ("m" for 1, "n" for 2, "l" for 1/2), a line for each input, so that every build gives
the same bytes:

    python scripts/buildlib/minilm_smoothing.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

FACTORS = Path(__file__).with_suffix(".txt")
_ONE = ord("m")
_OF_ACTIVATIONS = 0.6
_N_TEXTS = 60
_MIN_WORDS = 15

Vector = npt.NDArray[np.float32]


def smoothing() -> list[tuple[Vector, Vector]]:
    """Per layer the factors (384,) of the input of attention and of the feed-forward part."""
    lines = [np.frombuffer(line, np.uint8).astype(np.float32) for line in FACTORS.read_bytes().split()]
    factors = [np.exp2(line - np.float32(_ONE)) for line in lines]
    return list(zip(factors[::2], factors[1::2], strict=True))


def measured() -> str:
    """The factors as the file has them, from a run of the float model."""
    import onnxruntime
    from onnx import TensorProto, helper
    from tokenizers import Tokenizer

    from buildlib.fetch import cached_path
    from buildlib.lock import read_lock
    from buildlib.minilm_onnx import N_LAYERS, build_float_model, read_safetensors
    from buildlib.paths import APP

    lock = read_lock()
    weights = read_safetensors(cached_path(lock.file("model.safetensors")))
    tokenizer = Tokenizer.from_file(str(cached_path(lock.file("tokenizer.json"))))
    tokenizer.no_padding()
    model = build_float_model(weights)
    parts = [part for i in range(N_LAYERS) for part in (f"layer{i - 1}_hidden", f"layer{i}_middle")]
    inputs = ["hidden", *parts[1:]]
    model.graph.output.extend(helper.make_tensor_value_info(one, TensorProto.FLOAT, None) for one in inputs)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    peaks = [np.zeros(1, np.float32)] * len(inputs)
    corpus = sorted((APP / "tabwise" / "demo" / "corpus").glob("*.md"))
    texts = [text for path in corpus for text in path.read_text("utf-8").split("\n\n")]
    for text in [text for text in texts if len(text.split()) > _MIN_WORDS][:_N_TEXTS]:
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        states = session.run(inputs, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        peaks = [
            np.maximum(peak, np.abs(state[0]).max(axis=0)) for peak, state in zip(peaks, states, strict=True)
        ]
    matrices = [matrix for i in range(N_LAYERS) for matrix in _matrices(weights, i)]
    return "".join(_line(peak, matrix) for peak, matrix in zip(peaks, matrices, strict=True))


def _matrices(weights: dict[str, Vector], layer: int) -> tuple[Vector, Vector]:
    """The weights behind attention's input and behind the feed-forward part's, (outputs, 384)."""
    names = [f"encoder.layer.{layer}.attention.self.{part}.weight" for part in ("query", "key", "value")]
    wide = weights[f"encoder.layer.{layer}.intermediate.dense.weight"]
    return np.concatenate([weights[name] for name in names]), wide


def _line(peak: Vector, matrix: Vector) -> str:
    of_weights = np.abs(matrix).max(axis=0)
    exponents = _OF_ACTIVATIONS * np.log2(peak) - (1.0 - _OF_ACTIVATIONS) * np.log2(of_weights)
    letters = np.rint(exponents - exponents.mean()).astype(np.int64) + _ONE
    return "".join(map(chr, letters.tolist())) + "\n"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    FACTORS.write_text(measured(), encoding="ascii")
