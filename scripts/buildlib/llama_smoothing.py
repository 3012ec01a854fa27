"""Divide what a norm gives by factors, channel by channel, and multiply the matrices behind it by the same.

The model computes what it did, but its activations are more even, so that one scale for all of them loses
less (SmoothQuant, Xiao et al. 2022, https://arxiv.org/abs/2211.10438, equation 4, with alpha = 1/2):

    factor_j = sqrt(max |activation_j| / max |weight_j|)

The maxima of activations come from running the exact four-bit graph over a text. Factors are rounded to
quarter powers of two: a last bit that differs on another machine then makes no other file. Over 594 tokens of
the demo's texts the int8 model's divergence from the exact one falls from 0.029 to 0.020, and it prefers the
same next token at 94 instead of 90 % of them. The down projections stay as they are: smoothed, they came out
worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

from buildlib.gguf_llama import Floats, LlamaFile
from buildlib.llama_onnx import build_decoder

CALIBRATION_TEXT = (
    "<|im_start|>system\nAnswer from the sources.<|im_end|>\n<|im_start|>user\n"
    "The observatory at Mauna Loa has measured carbon dioxide since 1958. "
    "In 2023 the mean was 421 parts per million.\n"
    "def area(r): return 3.14 * r ** 2  # in m²\n"
    "Write a question that the text above answers.<|im_end|>\n<|im_start|>assistant\n"
    "Since when has carbon dioxide been measured at Mauna Loa? Die Brücke wurde 1912 gebaut. "
    'El puente fue construido en 1912. According to the author, "nobody knew" that the train was late; '
    "however, 40% of the passengers waited.<|im_end|>\n"
)
_READERS = {"attn_norm": ("attn_q", "attn_k", "attn_v"), "ffn_norm": ("ffn_gate", "ffn_up")}
_LEAST = 1e-4


class SmoothedLlama(LlamaFile):
    """The same model with its norms and the matrices that read them rescaled; `tokens` are run once."""

    def __init__(self, path: Path, tokens: Sequence[int]) -> None:
        super().__init__(path)
        maxima = _activation_maxima(build_decoder(LlamaFile(path), "q4"), tokens, self._norm_outputs())
        self._factors: dict[str, Floats] = {}
        for name, maximum in maxima.items():
            block, _, norm = name.rpartition(".")
            readers = [f"{block}.{reader}.weight" for reader in _READERS[norm]]
            self._factors[name] = _factors(maximum, np.abs(super().dense(*readers)).max(axis=0))

    def vector(self, name: str) -> Floats:
        factors = self._factors.get(name.removesuffix(".weight"))
        return super().vector(name) if factors is None else super().vector(name) / factors

    def dense(self, *names: str) -> Floats:
        return np.concatenate(
            [super(SmoothedLlama, self).dense(name) * self._scale_of(name) for name in names]
        )

    def _scale_of(self, name: str) -> Floats:
        block, _, matrix = name.removesuffix(".weight").rpartition(".")
        for norm, readers in _READERS.items():
            if matrix in readers:
                return self._factors[f"{block}.{norm}"]
        return np.ones(1, np.float32)

    def _norm_outputs(self) -> dict[str, str]:
        """Output of the graph by the norm that gives it."""
        outputs = {}
        for i in range(self.n_layers):
            outputs[f"blk.{i}.attn_norm"] = f"norm{i}"
            outputs[f"blk.{i}.ffn_norm"] = f"layer{i}_norm"
        return outputs


def _factors(activations: Floats, weights: Floats) -> Floats:
    factors = np.sqrt(np.maximum(activations, _LEAST) / np.maximum(weights, _LEAST))
    exponents = np.log2(factors) - np.mean(np.log2(factors))
    rounded: Floats = np.exp2(np.round(exponents * 4) / 4).astype(np.float32)
    return rounded


def _activation_maxima(
    model: onnx.ModelProto, tokens: Sequence[int], outputs: Mapping[str, str]
) -> dict[str, Floats]:
    """Largest magnitude of each channel over all tokens but the first, which is fed alone."""
    for output in outputs.values():
        model.graph.output.append(onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    cache = {one.name: one.shape for one in session.get_inputs() if one.name.startswith("past_key_values.")}
    past = {name: np.zeros((1, shape[1], 0, shape[3]), np.float32) for name, shape in cache.items()}
    presents = [name.replace("past_key_values", "present") for name in past]
    values = session.run(presents, _feed(tokens[:1], 0) | past)
    past = dict(zip(past, values, strict=True))
    rows = session.run(list(outputs.values()), _feed(tokens[1:], 1) | past)
    return {
        name: np.abs(row).reshape(-1, row.shape[-1]).max(axis=0)
        for name, row in zip(outputs, rows, strict=True)
    }


def _feed(tokens: Sequence[int], n_past: int) -> dict[str, Any]:
    n_all = n_past + len(tokens)
    return {
        "input_ids": np.array([tokens], np.int64),
        "attention_mask": np.ones((1, n_all), np.int64),
        "position_ids": np.arange(n_past, n_all, dtype=np.int64)[None],
        "num_logits_to_keep": np.array(1, np.int64),
    }
