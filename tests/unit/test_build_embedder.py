"""The embedder we build: close to the float graph, unit length, indifferent to padding; its tokenizer."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from buildlib.embedder import MAX_TOKENS, embedder_folder
from buildlib.fetch import cached_path, fetch
from buildlib.lock import read_lock

pytestmark = [pytest.mark.native, pytest.mark.slow]

TEXTS = (
    "A honey bee queen lives three to five years.",
    "Queen?",
    "The tidal power station on the Rance was opened in 1966 and has 24 turbines of 10 MW each.",
    "Text ohne Bezug: Käsekuchen braucht eine Stunde im Ofen.",
)


@pytest.fixture(scope="module")
def folder() -> Path:
    lock = read_lock()
    fetch(lock.group("models"))
    return embedder_folder(lock)


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[list[int]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return [tokenizer.encode(text).ids for text in TEXTS]


def session(model: Path | bytes) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(model if isinstance(model, bytes) else str(model))


def embed(model: Any, rows: list[list[int]]) -> npt.NDArray[np.float32]:
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    (vectors,) = model.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
    result: npt.NDArray[np.float32] = vectors
    return result


def test_int8_model_agrees_with_the_float_graph(folder: Path, rows: list[list[int]]) -> None:
    from buildlib.minilm_onnx import build_float_model, read_safetensors

    weights = read_safetensors(cached_path(read_lock().file("model.safetensors")))
    float_model = session(build_float_model(weights).SerializeToString())
    int8_model = session(folder / "model.onnx")
    cosines = [float(embed(float_model, [row])[0] @ embed(int8_model, [row])[0]) for row in rows]
    assert np.mean(cosines) >= 0.998
    assert min(cosines) >= 0.997


def test_vectors_have_unit_length(folder: Path, rows: list[list[int]]) -> None:
    vectors = embed(session(folder / "model.onnx"), rows)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_batch_of_different_lengths_nearly_equals_single_texts(folder: Path, rows: list[list[int]]) -> None:
    # Nearly: activations are quantised with one scale for the whole batch.
    model = session(folder / "model.onnx")
    alone = np.concatenate([embed(model, [row]) for row in rows])
    together = embed(model, rows)
    assert np.min(np.sum(alone * together, axis=1)) >= 0.98


def test_texts_of_one_subject_are_nearest(folder: Path, rows: list[list[int]]) -> None:
    bees, queen, tide, cake = embed(session(folder / "model.onnx"), rows)
    assert bees @ queen > max(bees @ tide, bees @ cake)


def test_descriptor_states_what_the_model_is(folder: Path, rows: list[list[int]]) -> None:
    import hashlib

    descriptor = json.loads((folder / "model.json").read_text())
    assert descriptor["dimensions"] == embed(session(folder / "model.onnx"), rows).shape[1]
    assert descriptor["max_tokens"] == MAX_TOKENS
    assert descriptor["sha256"] == hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()


def test_tokenizer_neither_cuts_nor_pads(rows: list[list[int]], folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    assert len(tokenizer.encode("tide " * 400).ids) == 402
    assert [len(row) for row in rows] == [12, 4, 23, 23]
