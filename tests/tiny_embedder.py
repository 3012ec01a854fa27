"""An embedding model of a few words as the hub has them: weights beside the graph, two outputs.

The state of each token is a row of a table, the sentence's vector the largest number of each column.
"""

from pathlib import Path

import numpy as np

from tabwise.core.embedder_catalogue import EmbedderEntry

WORDS = ("[UNK]", "<s>", "</s>", "passage", "tide", "mill", "gulls", "cliff", "turns", "night")
ENTRY = EmbedderEntry(
    id="tiny-words",
    label="Tiny words",
    repository="somebody/tiny",
    model="onnx/model_int8.onnx",
    licence="MIT",
    about_bytes=5_000,
    dimensions=16,
    max_tokens=64,
    query_prefix="",
    passage_prefix="passage ",
    output="sentence_embedding",
)


def write_tiny_embedder(folder: Path) -> dict[str, bytes]:
    """Return the files of the repository by path; `folder` is for work."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    table = np.eye(len(WORDS), ENTRY.dimensions, dtype=np.float32) + 0.01
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"]) for name in names]
    outputs = [
        helper.make_tensor_value_info("token_embeddings", TensorProto.FLOAT, ["n", "length", 16]),
        helper.make_tensor_value_info(ENTRY.output, TensorProto.FLOAT, ["n", 16]),
    ]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["token_embeddings"]),
        helper.make_node("ReduceMax", ["token_embeddings"], [ENTRY.output], axes=[1], keepdims=0),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, [numpy_helper.from_array(table, "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data = "model_int8.onnx_data"
    onnx.save_model(
        model, str(folder / "model_int8.onnx"), save_as_external_data=True, location=data, size_threshold=0
    )
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    tokenizer.enable_truncation(4)
    return {
        "config.json": b"{}",
        "tokenizer.json": tokenizer.to_str().encode(),
        "onnx/model.onnx": b"another",
        ENTRY.model: (folder / "model_int8.onnx").read_bytes(),
        f"onnx/{data}": (folder / data).read_bytes(),
    }
