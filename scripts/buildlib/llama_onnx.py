"""A llama decoder as an ONNX graph with a key-value cache, written operator by operator.

    input_ids [1, n], attention_mask [1, past + n], position_ids [1, n], num_logits_to_keep [],
    past_key_values.{i}.{key,value} [1, kv heads, past, head width]
      ->  logits [1, kept, vocabulary], present.{i}.{key,value} [1, kv heads, past + n, head width]

the layout of the usual exports, so that one loader reads both. Positions are counted from the mask;
`position_ids` is declared for loaders that insist on it. Two kinds of weights:

    int8   rows of int8 with a scale each, activations quantised at run time: MatMulIntegerToFloat has SIMD
           kernels in WebAssembly (45 ms a token, against 410 for four bits, which are unpacked at each call)
    q4     the four-bit blocks of the file, bit for bit: for WebGPU

MatMulNBits knows w = d * (q - 8); a Q4_1 block is w = d * q + m. The rest, m + 8 d, is constant over a block,
so it is multiplied by the sum of the block's inputs: exact, at 1/32 of the work. Requantising to integer zero
points instead costs a KL divergence of 0.2.

Not used: GatherBlockQuantized, which the build of ONNX Runtime with WebGPU lacks on the CPU.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from buildlib.gguf_llama import BLOCK, Floats, LlamaFile

OPSET = 20
IR_VERSION = 9
FUSED = "com.microsoft"
# Added to attention as a sink it weighs exp(-1e4) = 0, but it keeps ONNX Runtime off its flash kernel, whose
# tiles are sized by an L2 cache that WebAssembly does not report: 1,000 tokens took 31 s instead of 6.
NO_SINK = -1e4


def build_decoder(file: LlamaFile, kind: str) -> onnx.ModelProto:
    """The graph of the file's weights; `kind` is "int8" or "q4"."""
    graph = _Graph()
    weights: _Weights = {"int8": _Int8, "q4": _FourBit}[kind](graph, file)
    hidden = _layers(graph, file, weights)
    last = _last_rows(graph, hidden)
    weights.head(last, "logits")
    model = graph.model(_inputs(file), _outputs(file))
    # What extension/js/llama_step.js goes by, which reads the constants by the names that they have here.
    helper.set_model_props(model, {"layout": f"llama-{kind}", "norm_epsilon": str(file.norm_epsilon)})
    return model


class _Graph:
    """Collects nodes and constants; a node is called after its output."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: npt.NDArray[Any]) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def ints(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, np.int64))

    def node(
        self, operator: str, inputs: list[str], *outputs: str, domain: str = "", **attributes: Any
    ) -> str:
        self._nodes.append(
            helper.make_node(operator, inputs, list(outputs), name=outputs[0], domain=domain, **attributes)
        )
        return outputs[0]

    def model(self, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]) -> onnx.ModelProto:
        graph = helper.make_graph(self._nodes, "decoder", inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="tabwise")


class _Weights(ABC):
    """How matrices are stored and multiplied."""

    def __init__(self, graph: _Graph, file: LlamaFile) -> None:
        self.graph = graph
        self.file = file

    @abstractmethod
    def embed(self) -> str:
        """The embedding of input_ids [1, n, width]."""

    @abstractmethod
    def linear(self, x: str, names: list[str], output: str) -> str:
        """`x` times the transposed matrices, their outputs side by side."""

    @abstractmethod
    def head(self, x: str, output: str) -> str:
        """`x` times the transposed embedding table, which the model ties to its head."""


class _Int8(_Weights):
    """One scale a row; the quantised form of an input is made once for all matrices that take it."""

    def __init__(self, graph: _Graph, file: LlamaFile) -> None:
        super().__init__(graph, file)
        self._quantized: set[str] = set()

    def embed(self) -> str:
        codes, scales = _int8_rows(self.file.dense("token_embd.weight"))
        self.graph.constant("table", codes)
        self.graph.constant("table_scales", scales[:, None])
        looked_up = self.graph.node("Gather", ["table", "input_ids"], "embedding_codes")
        floats = self.graph.node("Cast", [looked_up], "embedding_unscaled", to=TensorProto.FLOAT)
        scale = self.graph.node("Gather", ["table_scales", "input_ids"], "embedding_scale")
        return self.graph.node("Mul", [floats, scale], "embedding")

    def linear(self, x: str, names: list[str], output: str) -> str:
        codes, scales = _int8_rows(self.file.dense(*names))
        matrix = self.graph.constant(f"{output}_codes", codes.T)
        return self._multiply(x, matrix, self.graph.constant(f"{output}_scales", scales), output)

    def head(self, x: str, output: str) -> str:
        matrix = self.graph.node("Transpose", ["table"], "head_codes", perm=[1, 0])
        flat = self.graph.ints("flat", -1)
        scales = self.graph.node("Reshape", ["table_scales", flat], "head_scales")
        return self._multiply(x, matrix, scales, output)

    def _multiply(self, x: str, matrix: str, scales: str, output: str) -> str:
        codes, scale, zero = f"{x}_codes", f"{x}_scale", f"{x}_zero"
        if x not in self._quantized:
            self._quantized.add(x)
            self.graph.node("DynamicQuantizeLinear", [x], codes, scale, zero)
        inputs = [codes, matrix, scale, scales, zero]
        return self.graph.node("MatMulIntegerToFloat", inputs, output, domain=FUSED)


class _FourBit(_Weights):
    """The file's own blocks; its table and head stay in eight bits."""

    def __init__(self, graph: _Graph, file: LlamaFile) -> None:
        super().__init__(graph, file)
        self._summed: dict[str, str] = {}

    def embed(self) -> str:
        scales, codes = self.file.eight_bit("token_embd.weight")
        # Unsigned around 128, which is how MatMulNBits reads the table when it serves as the head.
        self.graph.constant("table", codes.view(np.uint8) ^ 128)
        self.graph.constant("table_scales", scales)
        looked_up = self.graph.node("Gather", ["table", "input_ids"], "embedding_codes")
        floats = self.graph.node("Cast", [looked_up], "embedding_offset", to=TensorProto.FLOAT)
        middle = self.graph.constant("table_zero", np.array(128, np.float32))
        signed = self.graph.node("Sub", [floats, middle], "embedding_unscaled")
        column = self.graph.constant("table_scale_columns", scales[..., None])
        scale = self.graph.node("Gather", [column, "input_ids"], "embedding_scale")
        blocks = self.graph.node("Mul", [signed, scale], "embedding_blocks")
        row = self.graph.ints("embedding_shape", 0, 0, self.file.width)
        return self.graph.node("Reshape", [blocks, row], "embedding")

    def linear(self, x: str, names: list[str], output: str) -> str:
        blocks = self.file.four_bit(*names)
        n_outputs, n_blocks = blocks.scales.shape
        packed = blocks.codes[..., ::2] | blocks.codes[..., 1::2] << 4
        inputs = [
            x,
            self.graph.constant(f"{output}_codes", packed),
            self.graph.constant(f"{output}_scales", blocks.scales),
        ]
        centred = self.graph.node(
            "MatMulNBits",
            inputs,
            f"{output}_centred",
            domain=FUSED,
            K=n_blocks * BLOCK,
            N=n_outputs,
            bits=4,
            block_size=BLOCK,
        )
        rest = self.graph.constant(f"{output}_rest", (blocks.offsets + 8 * blocks.scales).T)
        correction = self.graph.node("MatMul", [self._sums(x, n_blocks), rest], f"{output}_correction")
        return self.graph.node("Add", [centred, correction], output)

    def head(self, x: str, output: str) -> str:
        return self.graph.node(
            "MatMulNBits",
            [x, "table", "table_scales"],
            output,
            domain=FUSED,
            K=self.file.width,
            N=self.file.n_vocabulary,
            bits=8,
            block_size=BLOCK,
        )

    def _sums(self, x: str, n_blocks: int) -> str:
        """The sum of each block of 32 inputs."""
        if x not in self._summed:
            ones = np.repeat(np.eye(n_blocks, dtype=np.float32), BLOCK, axis=0)
            matrix = self.graph.constant(f"sum_of_{n_blocks}_blocks", ones)
            self._summed[x] = self.graph.node("MatMul", [x, matrix], f"{x}_sums")
        return self._summed[x]


def _int8_rows(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    scales = np.abs(matrix).max(axis=1) / np.float32(127)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def _layers(graph: _Graph, file: LlamaFile, weights: _Weights) -> str:
    """All layers and the last norm: attention and a gated feed-forward, each added to its input."""
    past_tokens, all_tokens = _counts(graph)
    positions = np.arange(file.context_tokens)[:, None]
    angles = positions / file.rotary_base ** (np.arange(0, file.head_width, 2) / file.head_width)
    graph.constant("cosines", np.cos(angles).astype(np.float32))
    graph.constant("sines", np.sin(angles).astype(np.float32))
    graph.constant("sink", np.full(file.n_heads, NO_SINK, np.float32))
    epsilon = file.norm_epsilon

    def norm(name: str) -> str:
        return graph.constant(name, file.vector(name))

    def added_and_normalised(x: str, branch: str, weight: str, output: str) -> tuple[str, str]:
        outputs = [output, "", "", f"{output}_sum"]
        inputs = [x, branch, norm(weight)]
        graph.node("SkipSimplifiedLayerNormalization", inputs, *outputs, domain=FUSED, epsilon=epsilon)
        return output, outputs[3]

    x = weights.embed()
    first = [x, norm("blk.0.attn_norm.weight")]
    normalised = graph.node(
        "SimplifiedLayerNormalization", first, "norm0", axis=-1, epsilon=epsilon, stash_type=1
    )
    for i in range(file.n_layers):
        block, layer = f"blk.{i}.", f"layer{i}_"
        names = [f"{block}attn_{part}.weight" for part in ("q", "k", "v")]
        qkv = weights.linear(normalised, names, f"{layer}qkv")
        cache = [f"past_key_values.{i}.key", f"past_key_values.{i}.value"]
        graph.node(
            "GroupQueryAttention",
            [qkv, "", "", *cache, past_tokens, all_tokens, "cosines", "sines", "", "", "sink"],
            f"{layer}attended",
            f"present.{i}.key",
            f"present.{i}.value",
            domain=FUSED,
            num_heads=file.n_heads,
            kv_num_heads=file.n_kv_heads,
            do_rotary=1,
        )
        projected = weights.linear(f"{layer}attended", [f"{block}attn_output.weight"], f"{layer}projected")
        normalised, x = added_and_normalised(x, projected, f"{block}ffn_norm.weight", f"{layer}norm")
        gate = weights.linear(normalised, [f"{block}ffn_gate.weight"], f"{layer}gate")
        up = weights.linear(normalised, [f"{block}ffn_up.weight"], f"{layer}up")
        opened = graph.node("Sigmoid", [gate], f"{layer}opened")
        active = graph.node("Mul", [gate, opened], f"{layer}active")
        gated = graph.node("Mul", [active, up], f"{layer}gated")
        down = weights.linear(gated, [f"{block}ffn_down.weight"], f"{layer}down")
        following = "output_norm" if i + 1 == file.n_layers else f"blk.{i + 1}.attn_norm"
        normalised, x = added_and_normalised(x, down, f"{following}.weight", f"norm{i + 1}")
    return normalised


def _counts(graph: _Graph) -> tuple[str, str]:
    """What GroupQueryAttention wants to know: all tokens less one per row, and all tokens."""
    one = graph.ints("one", 1)
    n_unmasked = graph.node("ReduceSum", ["attention_mask", one], "n_unmasked", keepdims=0)
    n_before_last = graph.node("Sub", [n_unmasked, one], "n_before_last")
    past = graph.node("Cast", [n_before_last], "n_before_last_int32", to=TensorProto.INT32)
    shape = graph.node("Shape", ["attention_mask"], "mask_shape")
    width = graph.constant("mask_axis", np.array(1, np.int64))
    n_all = graph.node("Gather", [shape, width], "n_all")
    return past, graph.node("Cast", [n_all], "n_all_int32", to=TensorProto.INT32)


def _last_rows(graph: _Graph, hidden: str) -> str:
    """The last `num_logits_to_keep` positions, all for 0."""
    kept = graph.node("Reshape", ["num_logits_to_keep", "one"], "n_kept")
    start = graph.node("Neg", [kept], "first_kept")
    return graph.node("Slice", [hidden, start, graph.ints("end", 2**31 - 1), "one"], "last_hidden")


# Loaders give an unknown size of an empty cache 0, but know "batch_size".
_BATCH = "batch_size"


def _inputs(file: LlamaFile) -> list[onnx.ValueInfoProto]:
    def ints(name: str, *shape: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.INT64, list(shape))

    return [
        ints("input_ids", _BATCH, "sequence_length"),
        ints("attention_mask", _BATCH, "total_sequence_length"),
        ints("position_ids", _BATCH, "sequence_length"),
        ints("num_logits_to_keep"),
        *_cache(file, "past_key_values", "past_sequence_length"),
    ]


def _outputs(file: LlamaFile) -> list[onnx.ValueInfoProto]:
    shape: list[str | int | None] = [_BATCH, "num_logits_to_keep", file.n_vocabulary]
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape)
    return [logits, *_cache(file, "present", "total_sequence_length")]


def _cache(file: LlamaFile, prefix: str, length: str) -> list[onnx.ValueInfoProto]:
    shape: list[str | int | None] = [_BATCH, file.n_kv_heads, length, file.head_width]
    return [
        helper.make_tensor_value_info(f"{prefix}.{i}.{part}", TensorProto.FLOAT, shape)
        for i in range(file.n_layers)
        for part in ("key", "value")
    ]
