"""Loaders, the embedding cache and the command, on collections small enough to know by heart."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from tabwise.core.model import FloatMatrix
from tabwise.eval import command
from tabwise.eval.baseline import run_baseline
from tabwise.eval.classic import load_cranfield, load_med
from tabwise.eval.collection import Collection, Document
from tabwise.eval.docs_sections import load_docs_sections
from tabwise.eval.embedding_cache import CachedEmbed
from tabwise.eval.long_documents import covered_share, load_long_documents, run_long_documents
from tabwise.eval.measurements import load
from tabwise.eval.retrieval import run_retrieval, share_of_equal_top_k
from tabwise.eval.verdicts import ALTERED_CLASSES
from tabwise.eval.xquad import xquad_paragraphs

TOPICS = ("tide", "bread", "moon", "chess")


class CountingEmbed:
    """A vector of how often each topic is named; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> FloatMatrix:
        self.asked += texts
        rows = np.array([[text.lower().count(topic) + 0.1 for topic in TOPICS] for text in texts], np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def test_a_text_is_embedded_once_per_model(tmp_path: Path) -> None:
    embed = CountingEmbed()
    cached = CachedEmbed(embed, tmp_path, fingerprint="one")
    first = cached(["tide", "bread", "tide"])
    cached.close()
    again = CachedEmbed(embed, tmp_path, fingerprint="one")
    assert np.array_equal(again(["bread", "moon"])[0], first[1])
    assert embed.asked == ["tide", "bread", "moon"]
    other = CachedEmbed(embed, tmp_path, fingerprint="two")
    other(["tide"])
    assert embed.asked[3:] == ["tide"]
    again.close()
    other.close()


def test_smart_files_are_read_and_queries_numbered_as_judged(tmp_path: Path) -> None:
    (tmp_path / "cran.all.1400").write_text(
        ".I 1\n.T\nlift of a wing\n.W\nlift of a wing\nin a stream .\n.I 2\n.W\n"
    )
    (tmp_path / "cran.qry").write_text(".I 004\n.W\nwhat lifts\na wing\n.I 009\n.W\nunjudged\n")
    (tmp_path / "cranqrel").write_text("1 1 2\n1 2 5\n2 7 1\n")
    collection = load_cranfield(tmp_path)
    assert collection.documents == (Document("1", "lift of a wing", "in a stream ."), Document("2", "", ""))
    assert collection.queries == {"1": "what lifts a wing"}
    assert collection.relevance == {"1": {"1": 1}}


def test_med_is_read(tmp_path: Path) -> None:
    (tmp_path / "MED.ALL").write_text(".I 1\n.W\nlens proteins\n")
    (tmp_path / "MED.QRY").write_text(".I 1\n.W\nproteins of the lens\n")
    (tmp_path / "MED.REL").write_text("1 0 1 1\n")
    collection = load_med(tmp_path)
    assert collection.relevance == {"1": {"1": 1}}
    assert collection.queries == {"1": "proteins of the lens"}


def test_documentation_sections_are_found_by_address(tmp_path: Path) -> None:
    sections = [{"chunk_link": "https://d/a#b", "chunk_heading": "B", "text": "B\n\nOn bread."}]
    questions = [{"id": "q", "question": "bread?", "correct_chunks": ["https://d/a#b"]}]
    (tmp_path / "anthropic_docs.json").write_text(json.dumps(sections))
    (tmp_path / "docs_evaluation_dataset.json").write_text(json.dumps(questions))
    collection = load_docs_sections(tmp_path)
    assert collection.documents == (Document("https://d/a#b", "B", "B On bread."),)
    assert collection.relevance == {"q": {"https://d/a#b": 1}}


@pytest.mark.parametrize(
    ("spans", "share"),
    [([], 0.0), ([(0, 100)], 1.0), ([(10, 15)], 0.25), ([(0, 15), (12, 20)], 0.5), ([(45, 60)], 0.25)],
)
def test_covered_share_counts_each_character_once(spans: list[tuple[int, int]], share: float) -> None:
    assert covered_share([(10, 20), (40, 50)], spans) == share


def test_references_of_a_long_text_are_found_within_the_budget(tmp_path: Path) -> None:
    (tmp_path / "corpora").mkdir()
    filler = "\n".join(f"Line {i} says nothing of note to anyone at all." for i in range(400))
    answer = "The tide at Fundy is sixteen metres."
    text = f"{filler}\n{answer}\n{filler}"
    (tmp_path / "corpora" / "long.md").write_text(text, encoding="utf-8")
    span = {
        "content": answer,
        "start_index": text.index(answer),
        "end_index": text.index(answer) + len(answer),
    }
    quoted = json.dumps([span]).replace('"', '""')
    (tmp_path / "questions_df.csv").write_text(f'question,references,corpus_id\ntide?,"{quoted}",long\n')
    pages, questions = load_long_documents(tmp_path)
    assert pages[0].text[slice(*questions[0].references[0])] == answer
    rows = run_long_documents(pages, questions, count_tokens=lambda text: len(text.split()), embed=None)
    assert [(row.n_budget_words, row.per_question) for row in rows] == [
        (450, (1.0,)),
        (900, (1.0,)),
        (1_800, (1.0,)),
    ]


def tiny() -> Collection:
    documents = tuple(
        Document(topic, f"On {topic}", f"All about the {topic} and no more.") for topic in TOPICS
    )
    return Collection(documents, {t: f"what of the {t}" for t in TOPICS}, {t: {t: 1} for t in TOPICS})


def test_the_baseline_finds_what_every_mode_finds() -> None:
    embed = CountingEmbed()
    assert [score.ndcg for score in run_baseline(tiny(), embed)] == [1.0] * 4
    assert [row.mean.ndcg for row in run_retrieval(tiny(), embed)] == [1.0] * 4
    assert share_of_equal_top_k(tiny(), embed, k=1) == 1.0


def test_paragraphs_of_even_articles_can_be_asked_alone(tmp_path: Path) -> None:
    articles = [
        {"title": f"A_{i}", "paragraphs": [{"context": f"c{i}", "qas": [{"id": f"q{i}", "question": "?"}]}]}
        for i in range(3)
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"data": articles}))
    assert list(xquad_paragraphs(path, language="en", held_out=False).queries) == ["q0", "q2"]
    assert len(xquad_paragraphs(path, language="en", held_out=True).documents) == 3


def test_the_command_measures_what_is_there_and_writes_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "classic" / "med").mkdir(parents=True)
    (tmp_path / "classic" / "med" / "MED.ALL").write_text(".I 1\n.W\nlens tide\n.I 2\n.W\nbread\n")
    (tmp_path / "classic" / "med" / "MED.QRY").write_text(".I 1\n.W\ntide\n")
    (tmp_path / "classic" / "med" / "MED.REL").write_text("1 0 1 1\n")
    record = tmp_path / "measurements.json"
    monkeypatch.setattr(command, "measurement_record", lambda: record)
    monkeypatch.setenv("TABWISE_CACHE", str(tmp_path / "cache"))
    options = argparse.Namespace(kind="retrieval", data=tmp_path, sets=["scifact", "med"])
    model = command.Model(CountingEmbed(), lambda text: len(text.split()), "tiny")
    assert command.run(options, model) == command.OK
    told = capsys.readouterr()
    assert "scifact skipped" in told.err
    rows = {row.name: row for row in load(record)}
    assert rows["convex combination: nDCG@10"].value == 1.0
    assert "by the first configuration" in rows["convex combination: nDCG@10"].compared_with
    assert {row.command for row in rows.values()} == {"tabwise eval retrieval --set med"}


def test_the_command_judges_the_committed_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passage = {"id": "p", "half": "development", "language": "en", "text": "The tower is 330 metres tall."}
    rows = [
        ("true", "The tower is 330 metres tall.", "supported"),
        ("paraphrase", "The tower is tall: 330 metres.", "supported"),
        *((kind, "The tower is 340 metres tall.", "contradicted") for kind in ALTERED_CLASSES[1:]),
        ("number", "The tower is 330 metres tall.", "contradicted"),
    ]
    passages, sentences = [], []
    for half in ("development", "report"):
        passages.append({**passage, "id": half, "half": half})
        for n, (kind, sentence, expected) in enumerate(rows):
            span = {"id": f"{half}/{n}", "passage": half, "start": 0, "end": 29}
            sentences.append({**span, "class": kind, "sentence": sentence, "expected": expected})
    for name, lines in (("passages", passages), ("sentences", sentences)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    record = tmp_path / "measurements.json"
    monkeypatch.setattr(command, "measurement_record", lambda: record)
    monkeypatch.setattr(command, "VERDICT_SET", tmp_path)
    assert command.run_verdict_set(shows_mistakes=True) == command.OK
    told = capsys.readouterr().out
    values = {row.name: row.value for row in load(record)}
    assert values["development: altered, not supported"] == pytest.approx(6 / 7, abs=1e-3)
    assert values["report: number, not supported"] == 0.0
    assert values["report: true, flagged as wrong"] == 0.0
    assert "development/8 number: supported verbatim" in told
    assert "report/8" not in told


def test_the_command_says_when_the_sentences_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "VERDICT_SET", tmp_path)
    assert command.run_verdict_set(shows_mistakes=False) == command.NOTHING
    assert "verdicts skipped" in capsys.readouterr().err
