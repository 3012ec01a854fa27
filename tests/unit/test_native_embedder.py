"""A model that a user brings: exported graphs of token states are pooled as model.json says."""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabwise.errors import ModelError

pytestmark = pytest.mark.native

WORDS = ["[UNK]", "tide", "turns", "mill"]
STATES = np.array([[0, 0, 1], [3, 0, 0], [0, 4, 0], [0, 0, 5]], np.float32)


def write_model(folder: Path, *, pooling: str, dimensions: int = 3, **more: Any) -> Path:
    """Token states straight from a table, and the usual three inputs."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers

    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"]) for name in names]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["n", "length", 3])
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(nodes, "states", inputs, [output], [numpy_helper.from_array(STATES, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    described = {
        "id": "states",
        "dimensions": dimensions,
        "max_tokens": 8,
        "pooling": pooling,
        "query_prefix": "query: ",
        "licence": "MIT",
        "reads_any_script": True,
    } | more
    (folder / "model.json").write_text(json.dumps(described), "utf-8")
    return folder


@pytest.mark.parametrize(("pooling", "expected"), [("mean", [0.6, 0.8, 0.0]), ("cls", [1.0, 0.0, 0.0])])
def test_token_states_are_pooled_as_described(tmp_path: Path, pooling: str, expected: list[float]) -> None:
    from tabwise.adapters.native.embedder import OnnxEmbedder

    embedder = OnnxEmbedder(write_model(tmp_path, pooling=pooling))
    (row,) = asyncio.run(embedder.embed(["tide turns"]))
    assert row.tolist() == pytest.approx(expected)
    assert embedder.descriptor.query_prefix == "query: "
    assert embedder.descriptor.reads_any_script


@pytest.mark.fault("F30")
def test_another_dimension_than_described_is_refused(tmp_path: Path) -> None:
    from tabwise.adapters.native.embedder import OnnxEmbedder

    embedder = OnnxEmbedder(write_model(tmp_path, pooling="mean", dimensions=5))
    with pytest.raises(ModelError) as caught:
        asyncio.run(embedder.embed(["tide"]))
    assert caught.value.code == "model_mismatch"


def test_weights_beside_the_graph_and_another_output_are_read_as_described(tmp_path: Path) -> None:
    import onnx
    from onnx import TensorProto, helper

    from tabwise.adapters.native.embedder import OnnxEmbedder

    folder = write_model(
        tmp_path, pooling="mean", files=["int8.onnx", "int8.onnx_data"], output="sentence_embedding"
    )
    model = onnx.load(str(folder / "model.onnx"))
    model.graph.node.append(
        helper.make_node("ReduceMax", ["last_hidden_state"], ["sentence_embedding"], axes=[1], keepdims=0)
    )
    model.graph.output.append(
        helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["n", 3])
    )
    onnx.save_model(
        model,
        str(folder / "int8.onnx"),
        save_as_external_data=True,
        location="int8.onnx_data",
        size_threshold=0,
    )
    (folder / "model.onnx").unlink()
    embedder = OnnxEmbedder(folder)
    (row,) = asyncio.run(embedder.embed(["tide tide turns"]))
    assert row.tolist() == pytest.approx([0.6, 0.8, 0.0])


def test_an_output_that_the_graph_lacks_is_refused(tmp_path: Path) -> None:
    from tabwise.adapters.native.embedder import OnnxEmbedder

    with pytest.raises(ModelError, match="sentence_embedding"):
        OnnxEmbedder(write_model(tmp_path, pooling="mean", output="sentence_embedding"))
