"""A graph in the layout of the usual exports whose attention is not fused: it appends to its cache.

Its key is the token itself and its logit of token 0 the sum of all tokens so far: it can be checked by hand.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def write_appending_model(folder: Path) -> Path:
    """Write `model.onnx` into a new folder; return the folder."""
    folder.mkdir(parents=True)

    def info(name: str, kind: int, *shape: str | int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, list(shape))

    def ints(name: str, *values: int) -> onnx.TensorProto:
        return numpy_helper.from_array(np.array(values, np.int64), name)

    past = ("batch_size", 1, "past_sequence_length", 1)
    present = ("batch_size", 1, "total_sequence_length", 1)
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Reshape", ["floats", "as_cache"], ["new"]),
        helper.make_node("Concat", ["past_key_values.0.key", "new"], ["present.0.key"], axis=2),
        helper.make_node("ReduceSum", ["present.0.key", "token_axis"], ["sum"], keepdims=0),
        helper.make_node("Pad", ["sum", "to_the_right"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "appending",
        [
            info("input_ids", TensorProto.INT64, "batch_size", "sequence_length"),
            info("past_key_values.0.key", TensorProto.FLOAT, *past),
        ],
        [info("logits", TensorProto.FLOAT, 1, 1, 2), info("present.0.key", TensorProto.FLOAT, *present)],
        [ints("as_cache", 1, 1, -1, 1), ints("token_axis", 2), ints("to_the_right", 0, 0, 0, 0, 0, 1)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    return folder
