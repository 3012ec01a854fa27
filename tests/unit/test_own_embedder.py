"""An embedding model of one's own: what its files must say, vectors of its graph, taking it, going back."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from fakes import BagEmbedder
from tabwise.core.embedders import EmbedderDescription, read_tokenizer
from tabwise.engine.jobs import silent_job
from tabwise.engine.own_embedder import (
    CHECKED,
    SLOTS,
    adopt,
    folder_in_use,
    forget,
    own_or,
    read_checked,
)
from tabwise.errors import ModelError
from tabwise.ports import Embedder

FIELDS: dict[str, Any] = {
    "id": "my-model",
    "dimensions": 16,
    "max_tokens": 128,
    "query_prefix": "query: ",
    "licence": "MIT",
}
BERT = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ],
    "special_tokens": {
        "[CLS]": {"id": "[CLS]", "ids": [7], "tokens": ["[CLS]"]},
        "[SEP]": {"id": "[SEP]", "ids": [8], "tokens": ["[SEP]"]},
    },
}
TOKENIZER = {"model": {"vocab": {}}, "post_processor": BERT, "truncation": {"max_length": 8}, "padding": {}}


class Folders:
    """ModelFolders in memory; a URL is the text of its file, and copying "broken" fails."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, bytes]] = {}

    async def sizes(self) -> Mapping[str, Mapping[str, int]]:
        return {name: {f: len(data) for f, data in held.items()} for name, held in self.files.items()}

    async def free_bytes(self) -> int:
        return 1_000_000_000

    async def read(self, folder: str, name: str, start: int, end: int) -> bytes:
        return self.files[folder][name][start:end]

    async def write(self, folder: str, name: str, at: int, data: bytes) -> None:
        held = self.files.setdefault(folder, {})
        held[name] = held.get(name, b"")[:at] + data

    async def copy(self, folder: str, name: str, url: str) -> None:
        if url == "broken":
            raise ModelError("model_no_room", "full")
        await self.write(folder, name, 0, url.encode())

    async def rename(self, folder: str, name: str, new_name: str) -> None:
        self.files[folder][new_name] = self.files[folder].pop(name)

    async def remove(self, folder: str) -> None:
        self.files.pop(folder, None)


def model_files(**changes: Any) -> dict[str, str]:
    """The three files, by name their text."""
    files = {
        "model.json": json.dumps(FIELDS),
        "tokenizer.json": json.dumps(TOKENIZER),
        "model.onnx": "graph",
    }
    return files | {name.replace("_", "."): text for name, text in changes.items()}


async def works(folder: str, description: EmbedderDescription) -> Embedder:
    return BagEmbedder()


async def does_not_run(folder: str, description: EmbedderDescription) -> Embedder:
    raise ModelError("model_unavailable", "not a graph")


def take(folders: Folders, files: Mapping[str, str], trial: Any = works) -> str:
    return asyncio.run(adopt(folders, files, trial, silent_job()))


def in_use(folders: Folders) -> str:
    slot = asyncio.run(folder_in_use(folders))
    return asyncio.run(read_checked(folders, slot)).descriptor.id if slot else ""


@pytest.mark.parametrize(
    ("processor", "ends"),
    [
        (BERT, ((7,), (8,))),
        ({"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]}, ((0,), (2,))),
        ({"type": "BertProcessing", "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]}, ((101,), (102,))),
        ({"type": "Sequence", "processors": [{"type": "ByteLevel"}, BERT]}, ((7,), (8,))),
        ({"type": "ByteLevel"}, ((), ())),
        (None, ((), ())),
    ],
)
def test_the_tokens_of_every_text_are_read_from_the_tokenizer(processor: Any, ends: Any) -> None:
    text, before, after = read_tokenizer(json.dumps(TOKENIZER | {"post_processor": processor}))
    assert (before, after) == ends
    assert json.loads(text)["truncation"] is json.loads(text)["padding"] is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "no json"])
def test_what_is_no_tokenizer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_tokenizer(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("id", 7),
        ("dimensions", 15),
        ("dimensions", 24),
        ("dimensions", 8192),
        ("dimensions", True),
        ("max_tokens", 4),
        ("max_tokens", "512"),
        ("query_prefix", None),
        ("pooling", "last"),
        ("passage_prefix", None),
        ("files", []),
        ("files", "model.onnx"),
        ("files", ["../model.onnx"]),
        ("files", ["model.onnx"] * 9),
        ("output", 1),
    ],
)
def test_a_field_that_cannot_be_is_named(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=field):
        EmbedderDescription.of(FIELDS | {field: value})


def test_a_description_is_read_as_it_was_written() -> None:
    description = EmbedderDescription.of(
        FIELDS
        | {"pooling": "cls", "before": [0], "after": [], "passage_prefix": "passage: "}
        | {"files": ["int8.onnx", "int8.onnx_data"], "output": "sentence_embedding"}
    )
    assert EmbedderDescription.of(description.fields()) == description


def test_a_vector_is_brought_to_unit_length() -> None:
    output = np.arange(16, dtype=np.float32)
    vector = EmbedderDescription.of(FIELDS).vector(output)
    np.testing.assert_allclose(vector, output / np.sqrt((output**2).sum()), rtol=1e-6)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_states_of_tokens_are_pooled_as_the_model_says(pooling: str) -> None:
    states = np.random.default_rng(5).normal(size=(3, 16)).astype(np.float32)
    row = states.mean(axis=0) if pooling == "mean" else states[0]
    vector = EmbedderDescription.of(FIELDS | {"pooling": pooling}).vector(states.reshape(-1))
    np.testing.assert_allclose(vector, row / np.linalg.norm(row), rtol=1e-5)


@pytest.mark.parametrize("n", [0, 15, 17])
def test_numbers_that_are_no_rows_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="no rows of 16"):
        EmbedderDescription.of(FIELDS).vector(np.ones(n, np.float32))


def test_a_model_that_works_is_in_use_afterwards() -> None:
    folders = Folders()
    assert take(folders, model_files()) == "my-model"
    assert in_use(folders) == "my-model"
    description = asyncio.run(read_checked(folders, SLOTS[0]))
    assert (description.before, description.after) == ((7,), (8,))


def test_the_next_model_takes_the_place_of_the_last() -> None:
    folders = Folders()
    for name in ("one", "two", "three"):
        take(folders, model_files(model_json=json.dumps(FIELDS | {"id": name})))
        assert in_use(folders) == name
        assert len(folders.files) == 1


@pytest.mark.parametrize(
    ("files", "trial", "code", "subject"),
    [
        ({"model_json": "{}"}, works, "model_damaged", "model.json"),
        ({"model_json": "[]"}, works, "model_damaged", "model.json"),
        ({"tokenizer_json": "no json"}, works, "model_damaged", "tokenizer.json"),
        ({"tokenizer_json": json.dumps({"model": 1, "post_processor": {"type": "TemplateProcessing"}})},
         works, "model_damaged", "tokenizer.json"),
        ({"model_onnx": "broken"}, works, "model_no_room", ""),
        ({}, does_not_run, "model_unavailable", ""),
    ],
)  # fmt: skip
def test_a_model_that_fails_changes_nothing(
    files: dict[str, str], trial: Any, code: str, subject: str
) -> None:
    folders = Folders()
    take(folders, model_files(model_json=json.dumps(FIELDS | {"id": "before"})))
    before = json.dumps({name: sorted(held) for name, held in folders.files.items()})
    with pytest.raises(ModelError) as caught:
        take(folders, model_files(**files), trial)
    assert (caught.value.code, caught.value.subject) == (code, subject)
    assert in_use(folders) == "before"
    assert json.dumps({name: sorted(held) for name, held in folders.files.items()}) == before


@pytest.mark.parametrize("name", ["model.json", "tokenizer.json", "model.onnx"])
def test_a_file_that_is_missing_is_named(name: str) -> None:
    files = model_files()
    del files[name]
    with pytest.raises(ModelError) as caught:
        take(Folders(), files)
    assert caught.value.subject == name


def test_going_back_leaves_nothing_behind() -> None:
    folders = Folders()
    take(folders, model_files())
    asyncio.run(forget(folders))
    assert folders.files == {}
    assert in_use(folders) == ""


def test_a_model_that_no_longer_opens_gives_way_to_the_packaged_one() -> None:
    folders, packaged = Folders(), BagEmbedder()
    assert asyncio.run(own_or(packaged, folders, works)) is packaged
    take(folders, model_files())
    assert asyncio.run(own_or(packaged, folders, works)) is not packaged
    assert asyncio.run(own_or(packaged, folders, does_not_run)) is packaged
    folders.files[SLOTS[0]][CHECKED] = b"{"
    assert asyncio.run(own_or(packaged, folders, works)) is packaged
