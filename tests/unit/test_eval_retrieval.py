"""The SciFact protocol and the run, on a collection small enough to know the answer."""

import json
from pathlib import Path

import numpy as np
import pytest

from tabwise.core.model import FusionMode
from tabwise.eval.collection import Document
from tabwise.eval.metrics import mean_scores
from tabwise.eval.retrieval import run_retrieval
from tabwise.eval.scifact import load_scifact, mulberry32
from tabwise.eval.windows import OVERLAP_WORDS, WINDOW_WORDS, window_chunks

TOPICS = ["tides", "turbines", "glaciers", "pollen", "magnets", "violins", "ferries", "tunnels"]


@pytest.fixture
def collection_dir(tmp_path: Path) -> Path:
    """Eight documents on a topic each, a query on each of the first three, one unjudged query."""
    corpus = [
        {"_id": str(number), "title": f"On {topic}", "text": f"We studied {topic} for years. " * 5}
        for number, topic in enumerate(TOPICS)
    ]
    queries = [{"_id": str(number), "text": f"studies about {TOPICS[number]}"} for number in range(4)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("2 0 2 1\n0 0 0 1\n1 0 1 1\n1 0 5 0\n", encoding="utf-8")
    (tmp_path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n3\t3\t1\n", encoding="utf-8")
    return tmp_path


def embed(texts: list[str]) -> np.ndarray:
    rows = [[float(text.lower().count(topic)) + 0.01 for topic in TOPICS] for text in texts]
    matrix = np.array(rows, np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_judged_queries_come_by_number(collection_dir: Path) -> None:
    collection = load_scifact(collection_dir)
    assert list(collection.queries) == ["0", "1", "2"]
    assert collection.relevance["1"] == {"1": 1}
    assert len(collection.documents) == 8


def test_both_forms_of_judgements_are_read(collection_dir: Path) -> None:
    assert load_scifact(collection_dir, split="train").relevance == {"3": {"3": 1}}


def test_a_subset_keeps_judged_documents_and_fills_up(collection_dir: Path) -> None:
    subset = load_scifact(collection_dir, n_documents=5)
    ids = [document.id for document in subset.documents]
    assert ids[:3] == ["0", "1", "2"]
    assert len(set(ids)) == 5
    assert [document.id for document in load_scifact(collection_dir, n_documents=5).documents] == ids
    assert len(load_scifact(collection_dir, n_documents=1).documents) == 3


def test_mulberry32_gives_the_published_sequence() -> None:
    draw = mulberry32(42)
    drawn = [draw() for _ in range(3)]
    assert drawn == pytest.approx([0.6011037519201636, 0.44829055899754167, 0.8524657934904099], abs=1e-15)


def test_windows_overlap_and_cover_every_word() -> None:
    words = [f"w{number}" for number in range(500)]
    chunks = window_chunks(Document("d", "Title", " ".join(words)))
    texts = [chunk.text.split() for chunk in chunks]
    assert [len(text) for text in texts] == [WINDOW_WORDS, WINDOW_WORDS, WINDOW_WORDS, 50]
    assert texts[1][:OVERLAP_WORDS] == texts[0][-OVERLAP_WORDS:]
    assert texts[-1][-1] == "w499"
    assert all(chunk.embedding_text.startswith("Title. w") for chunk in chunks)


@pytest.mark.parametrize(("n_words", "n_chunks"), [(0, 1), (1, 1), (180, 1), (181, 2), (330, 2), (331, 3)])
def test_number_of_windows(n_words: int, n_chunks: int) -> None:
    assert len(window_chunks(Document("d", "T", "w " * n_words))) == n_chunks


def test_every_mode_finds_what_is_there(collection_dir: Path) -> None:
    rows = run_retrieval(load_scifact(collection_dir), embed)
    assert [row.mode for row in rows] == list(FusionMode)
    assert [mean_scores(row.per_query).ndcg for row in rows] == [1.0] * 4
    assert {(row.n_documents, row.n_chunks) for row in rows} == {(8, 8)}


def test_without_a_model_the_run_is_lexical(collection_dir: Path) -> None:
    (row,) = run_retrieval(load_scifact(collection_dir), None)
    assert row.mode is FusionMode.LEXICAL
    assert len(row.per_query) == 3
