"""Embedding models that can be downloaded, as data: their files at the hub, and what is said of them.

Prefixes and pooling are those of the models' own cards: https://huggingface.co/MongoDB/mdbr-leaf-ir,
https://huggingface.co/BAAI/bge-small-en-v1.5, https://huggingface.co/intfloat/multilingual-e5-small. The
repositories named here hold their int8 graphs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabwise.core.network.hub import HubModel

TEXT_FILES = ("tokenizer.json",)
_FOR_QUESTIONS = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderEntry(HubModel):
    """An embedding model; the fields are those of `core/embedders.py`."""

    dimensions: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str = ""
    pooling: str = "mean"
    output: str = ""
    reads_any_script: bool = False

    def fields(self, graph_files: Sequence[str]) -> dict[str, Any]:
        """Return the fields of the model's `model.json`; `graph_files` are the graph and then its data."""
        return {
            "id": self.id,
            "dimensions": self.dimensions,
            "max_tokens": self.max_tokens,
            "query_prefix": self.query_prefix,
            "passage_prefix": self.passage_prefix,
            "licence": self.licence,
            "reads_any_script": self.reads_any_script,
            "pooling": self.pooling,
            "output": self.output,
            "files": list(graph_files),
        }


EMBEDDERS = (
    EmbedderEntry(
        id="mdbr-leaf-ir",
        label="MongoDB LEAF IR",
        repository="MongoDB/mdbr-leaf-ir",
        model="onnx/model_quantized.onnx",
        licence="Apache-2.0",
        about_bytes=24_000_000,
        dimensions=768,
        max_tokens=512,
        query_prefix=_FOR_QUESTIONS,
        output="sentence_embedding",
    ),
    EmbedderEntry(
        id="bge-small-en-v1.5",
        label="BGE small v1.5",
        repository="Xenova/bge-small-en-v1.5",
        model="onnx/model_quantized.onnx",
        licence="MIT",
        about_bytes=35_000_000,
        dimensions=384,
        max_tokens=512,
        query_prefix=_FOR_QUESTIONS,
        pooling="cls",
    ),
    EmbedderEntry(
        id="multilingual-e5-small",
        label="Multilingual E5 small",
        repository="Xenova/multilingual-e5-small",
        model="onnx/model_quantized.onnx",
        licence="MIT",
        about_bytes=135_000_000,
        dimensions=384,
        max_tokens=512,
        query_prefix="query: ",
        passage_prefix="passage: ",
        reads_any_script=True,
    ),
)
