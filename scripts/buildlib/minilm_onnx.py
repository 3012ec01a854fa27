"""all-MiniLM-L6-v2 as one fused ONNX graph, quantised to int8, from the published safetensors.

    input_ids, attention_mask  int64 [B, L]   ->   embedding  float32 [B, 384], rows of unit length

The graph is written operator by operator instead of exported: BERT's embedding sum, then six layers of
com.microsoft Attention, SkipLayerNormalization and BiasGelu, then the mean over unmasked tokens and the L2
norm (Reimers & Gurevych 2019, https://arxiv.org/abs/1908.10084; the recipe is in the model's own
1_Pooling/config.json). Fused operators let ONNX Runtime compute the matrix products in int8; the int8 files
one can download only store int8 and multiply in float, which takes twice the time.

Weights are quantised per output channel. Per tensor it is as fast, but the cosine to the float graph falls
to 0.91 at worst. Activations are rounded with one scale for all of a run, so whatever is large in few places
is evened out before: channels of the normalised states by fixed factors (`minilm_smoothing`), tokens behind
the GELU by their own largest value. The least cosine to the float graph rises from 0.992 to 0.998 and, since
fewer roundings hang in the balance, that between ONNX Runtime's native and wasm builds from 0.997 to 0.999.
Left alone because it gained nothing: the other inputs, 7-bit weights, a scale for each row of the word table;
keeping the widest product in float costs a third more time for 0.0002.
"""

from __future__ import annotations

import json
import logging
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from buildlib.minilm_smoothing import smoothing

N_LAYERS = 6
N_HEADS = 12
DIMENSIONS = 384
LAYER_NORM_EPSILON = 1e-12
OPSET = 17
IR_VERSION = 8
FUSED = "com.microsoft"
_FUSED_OPERATORS = ("Attention", "BiasGelu", "SkipLayerNormalization")

Weights = dict[str, npt.NDArray[np.float32]]
Factors = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

_LEAST_PEAK = 1e-6


def read_safetensors(path: Path) -> Weights:
    """The float32 tensors of a safetensors file by name; other dtypes are left out.

    Format: https://huggingface.co/docs/safetensors, an 8-byte length, a JSON header, the raw tensors.
    """
    data = path.read_bytes()
    (header_bytes,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + header_bytes])
    header.pop("__metadata__", None)
    weights = {}
    for name, info in header.items():
        if info["dtype"] != "F32":
            continue
        start, end = info["data_offsets"]
        raw = data[8 + header_bytes + start : 8 + header_bytes + end]
        weights[name] = np.frombuffer(raw, dtype="<f4").reshape(info["shape"])
    return weights


def build_float_model(weights: Weights, *, evened: bool = False) -> onnx.ModelProto:
    """The float32 graph, before quantisation; `evened`: with activations made ready for it."""
    graph = _Graph()
    factors = smoothing() if evened else [None] * N_LAYERS
    hidden = _embed(graph, weights)
    graph.node("Cast", ["attention_mask"], "mask_int32", to=TensorProto.INT32)
    for layer in range(N_LAYERS):
        hidden = _layer(graph, weights, layer, hidden, factors[layer])
    _pool(graph, hidden)
    return graph.model()


def write_int8_model(weights: Weights, path: Path) -> None:
    """Write the quantised graph to `path`. The bytes depend on weights and library versions alone."""
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "float.onnx"
        onnx.save(build_float_model(weights, evened=True), str(full))
        logging.disable(logging.WARNING)  # it advises to fuse operators first, which they are
        quantize_dynamic(
            str(full),
            str(path),
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Shape inference knows nothing of the fused operators; their outputs are all float.
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
        logging.disable(logging.NOTSET)


class _Graph:
    """Collects nodes and constants; a node is called after its output."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def ints(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, dtype=np.int64))

    def node(
        self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: Any
    ) -> str:
        node = helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        self._nodes.append(node)
        return output

    def model(self) -> onnx.ModelProto:
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", DIMENSIONS])
        graph = helper.make_graph(self._nodes, "minilm", inputs, [output], self._constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="tabwise")


def _embed(graph: _Graph, weights: Weights) -> str:
    """Word + position + token type 0, normalised."""
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    positions = graph.constant("positions", weights["embeddings.position_embeddings.weight"])
    token_type = graph.constant("token_type", weights["embeddings.token_type_embeddings.weight"][0])
    gain = graph.constant("embeddings_gain", weights["embeddings.LayerNorm.weight"])
    bias = graph.constant("embeddings_bias", weights["embeddings.LayerNorm.bias"])
    word = graph.node("Gather", [words, "input_ids"], "word")
    n_tokens = graph.node("Shape", ["input_ids"], "n_tokens", start=1, end=2)
    first, axis = graph.ints("first_position", 0), graph.ints("position_axis", 0)
    position = graph.node("Slice", [positions, first, n_tokens, axis], "position")
    placed = graph.node("Add", [position, token_type], "placed")
    total = graph.node("Add", [word, placed], "embedded")
    return graph.node(
        "LayerNormalization", [total, gain, bias], "hidden", axis=-1, epsilon=LAYER_NORM_EPSILON
    )


def _layer(graph: _Graph, weights: Weights, layer: int, hidden: str, factors: Factors | None) -> str:
    """One transformer layer: self-attention and feed-forward, each added to its input and normalised.

    `factors`: by which the channels of the inputs of both are divided, and their weights multiplied.
    """

    def weight(name: str) -> npt.NDArray[np.float32]:
        return weights[f"encoder.layer.{layer}.{name}"]

    def constant(name: str, value: npt.NDArray[np.float32]) -> str:
        return graph.constant(f"layer{layer}_{name}", value)

    def node(operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        domain = FUSED if operator in _FUSED_OPERATORS else ""
        return graph.node(operator, inputs, f"layer{layer}_{output}", domain=domain, **attributes)

    def normalised_sum(branch: str, skip: str, part: str, output: str) -> str:
        gain = constant(f"{output}_gain", weight(f"{part}.LayerNorm.weight"))
        shift = constant(f"{output}_shift", weight(f"{part}.LayerNorm.bias"))
        bias = constant(f"{output}_bias", weight(f"{part}.dense.bias"))
        inputs = [branch, skip, gain, shift, bias]
        return node("SkipLayerNormalization", inputs, output, epsilon=LAYER_NORM_EPSILON)

    def evened(
        state: str, name: str, matrix: npt.NDArray[np.float32], factor: npt.NDArray[np.float32]
    ) -> tuple[str, npt.NDArray[np.float32]]:
        """The state with its channels divided, and the matrix that makes up for it."""
        inverse = constant(f"{name}_inverse", 1.0 / factor)
        return node("Mul", [state, inverse], f"{name}_evened"), matrix * factor[:, None]

    def scaled_product(state: str, matrix: str, output: str) -> str:
        """state @ matrix, each token divided by its peak before and multiplied by it after."""
        highest = node("ReduceMax", [state], f"{output}_highest", axes=[-1], keepdims=1)
        least = constant(f"{output}_least", np.array(_LEAST_PEAK, np.float32))
        peak = graph.node("Max", [highest, least], f"layer{layer}_{output}_peak")
        inverse = node("Reciprocal", [peak], f"{output}_inverse")
        product = node("MatMul", [node("Mul", [state, inverse], f"{output}_from"), matrix], f"{output}_raw")
        return node("Mul", [product, peak], output)

    parts = [f"attention.self.{part}" for part in ("query", "key", "value")]
    qkv = np.concatenate([weight(f"{part}.weight").T for part in parts], axis=1)
    attended_to = hidden
    if factors:
        attended_to, qkv = evened(hidden, "qkv", qkv, factors[0])
    qkv_bias = constant("qkv_bias", np.concatenate([weight(f"{part}.bias") for part in parts]))
    inputs = [attended_to, constant("qkv", qkv), qkv_bias, "mask_int32"]
    attended = node("Attention", inputs, "attended", num_heads=N_HEADS)
    projected = node(
        "MatMul", [attended, constant("out", weight("attention.output.dense.weight").T)], "projected"
    )
    middle = normalised_sum(projected, hidden, "attention.output", "middle")

    widened_from, wide = middle, weight("intermediate.dense.weight").T
    if factors:
        widened_from, wide = evened(middle, "wide", wide, factors[1])
    widened = node("MatMul", [widened_from, constant("wide", wide)], "widened")
    active = node("BiasGelu", [widened, constant("wide_bias", weight("intermediate.dense.bias"))], "active")
    narrow = constant("narrow", weight("output.dense.weight").T)
    if factors:
        narrowed = scaled_product(active, narrow, "narrowed")
    else:
        narrowed = node("MatMul", [active, narrow], "narrowed")
    return normalised_sum(narrowed, middle, "output", "hidden")


def _pool(graph: _Graph, hidden: str) -> None:
    """The mean over tokens whose mask is 1, then unit length."""
    mask = graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", [mask, graph.ints("last_axis", -1)], "mask_column")
    kept = graph.node("Mul", [hidden, column], "kept")
    tokens = graph.ints("token_axis", 1)
    total = graph.node("ReduceSum", [kept, tokens], "total", keepdims=0)
    count = graph.node("ReduceSum", [mask, tokens], "count", keepdims=1)
    mean = graph.node("Div", [total, count], "mean")
    graph.node("LpNormalization", [mean], "embedding", axis=1, p=2)
