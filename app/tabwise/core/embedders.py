"""Embedding models that a person brings along: what their files must say, and how a vector comes of them.

Three files make a model: `model.onnx`, `tokenizer.json` of the tokenizers library, and `model.json` with
id, dimensions, max_tokens, query_prefix, licence and, where the model wants them, passage_prefix, pooling,
files (the graph, then what holds its weights) and output (the name of one that is not the first).

The graph's output is a vector of `dimensions`, or a state for each token (length, dimensions); of those
the mean is taken (Sentence-BERT, https://arxiv.org/abs/1908.10084) or the first ("cls"). Tokens that every
text begins and ends with, as [CLS] and [SEP], stand in the tokenizer's post-processor.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tabwise.core.llm.description import is_file_name
from tabwise.core.model import EmbedderDescriptor
from tabwise.core.text.bounded_json import read_json

POOLINGS = ("mean", "cls")
GRAPH = "model.onnx"
MAX_FILES = 8
MAX_DIMENSIONS = 4096
DIMENSION_STEP = 16
"""Rows of vectors are read sixteen numbers at a time."""
TOKEN_BOUNDS = (8, 8192)
BERT_ENDS = ((101,), (102,))
"""[CLS] and [SEP] of BERT's own vocabulary, which the packaged model has."""


@dataclass(frozen=True, slots=True)
class EmbedderDescription:
    """A model's descriptor, how token states become a vector, and the tokens before and after every text.

    `files` are the graph and then the files its weights are in; `output` is the name of the graph's output,
    "" for the first.
    """

    descriptor: EmbedderDescriptor
    pooling: str = "mean"
    files: tuple[str, ...] = (GRAPH,)
    output: str = ""
    before: tuple[int, ...] = BERT_ENDS[0]
    after: tuple[int, ...] = BERT_ENDS[1]

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "EmbedderDescription":
        """Read the fields of a `model.json`; raises ValueError that names a bad field."""
        descriptor = EmbedderDescriptor(
            id=_text(fields, "id", 1, 100),
            dimensions=_number(fields, "dimensions", DIMENSION_STEP, MAX_DIMENSIONS),
            max_tokens=_number(fields, "max_tokens", *TOKEN_BOUNDS),
            query_prefix=_text(fields, "query_prefix", 0, 500),
            licence=_text(fields, "licence", 0, 100),
            reads_any_script=fields.get("reads_any_script") is True,
            passage_prefix=_text(fields, "passage_prefix", 0, 500) if "passage_prefix" in fields else "",
        )
        if descriptor.dimensions % DIMENSION_STEP:
            raise ValueError(f"dimensions: not a multiple of {DIMENSION_STEP}")
        pooling = fields.get("pooling", "mean")
        if pooling not in POOLINGS:
            raise ValueError(f"pooling: not one of {', '.join(POOLINGS)}")
        files = fields.get("files", [GRAPH])
        if not isinstance(files, list) or not files or not all(is_file_name(name) for name in files):
            raise ValueError("files: not a list of names of files")
        if len(files) > MAX_FILES:
            raise ValueError(f"files: more than {MAX_FILES}")
        output = _text(fields, "output", 0, 100) if "output" in fields else ""
        before, after = (tuple(fields.get(name, ends)) for name, ends in zip(ENDS, BERT_ENDS, strict=True))
        return cls(descriptor, pooling, tuple(files), output, before, after)

    def fields(self) -> dict[str, Any]:
        """Return the fields that `of` reads."""
        descriptor = self.descriptor
        return {
            "id": descriptor.id,
            "dimensions": descriptor.dimensions,
            "max_tokens": descriptor.max_tokens,
            "query_prefix": descriptor.query_prefix,
            "passage_prefix": descriptor.passage_prefix,
            "licence": descriptor.licence,
            "reads_any_script": descriptor.reads_any_script,
            "pooling": self.pooling,
            "files": list(self.files),
            "output": self.output,
            "before": list(self.before),
            "after": list(self.after),
        }

    def vector(self, output: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the vector (dimensions,) of a graph's output for one text, flat and of unit length.

        output: float32, flat: `dimensions` numbers, or so many for each token. Raises ValueError for another
        size. A vector of zeros stays one, for the caller to refuse.
        """
        dimensions = self.descriptor.dimensions
        if output.size == 0 or output.size % dimensions:
            raise ValueError(f"{output.size} numbers are no rows of {dimensions}")
        states = output.reshape(-1, dimensions)
        row = states[0] if self.pooling == "cls" else states.mean(axis=0, dtype=np.float32)
        length = np.float32(np.linalg.norm(row))
        return np.asarray(row / length if length > 0 else row, np.float32)


ENDS = ("before", "after")


def read_tokenizer(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Return a `tokenizer.json` that neither cuts nor pads, and the tokens before and after every text.

    Raises ValueError for what is none.
    """
    tokenizer = read_json(text)
    if not isinstance(tokenizer, dict) or "model" not in tokenizer:
        raise ValueError("no tokenizer of the tokenizers library")
    before, after = _ends(tokenizer.get("post_processor"))
    uncut = tokenizer | {"truncation": None, "padding": None}
    return json.dumps(uncut, ensure_ascii=False, separators=(",", ":")), before, after


def _ends(processor: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tokens before and after the text; none without a post-processor that adds any."""
    kind = processor.get("type") if isinstance(processor, dict) else None
    if kind == "Sequence":
        found = [_ends(one) for one in processor["processors"]]
        return next((ends for ends in found if any(ends)), ((), ()))
    if kind in ("BertProcessing", "RobertaProcessing"):
        return (int(processor["cls"][1]),), (int(processor["sep"][1]),)
    if kind != "TemplateProcessing":
        return (), ()
    sides: tuple[list[int], list[int]] = ([], [])
    is_after = False
    for piece in processor["single"]:
        if "Sequence" in piece:
            is_after = True
        else:
            sides[is_after].extend(processor["special_tokens"][piece["SpecialToken"]["id"]]["ids"])
    return tuple(sides[0]), tuple(sides[1])


def _text(fields: Mapping[str, Any], name: str, shortest: int, longest: int) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not shortest <= len(value) <= longest:
        raise ValueError(f"{name}: not a text of {shortest} to {longest} characters")
    return value


def _number(fields: Mapping[str, Any], name: str, lowest: int, highest: int) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise ValueError(f"{name}: not a whole number from {lowest} to {highest}")
    return value
