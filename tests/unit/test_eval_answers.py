"""The XQuAD loader and the answer run, on two articles small enough to know the answers."""

import json
from pathlib import Path

import numpy as np
import pytest

from fakes import ScriptedModel
from tabwise.eval.answers import run_answers, written
from tabwise.eval.xquad import load_xquad

ARTICLES = [
    ("Eiffel_Tower", ["The tower is 330 metres\ntall.", "Gustave Eiffel built the tower in 1889."]),
    ("Tidal_power", ["MeyGen has four turbines.", "The turbines delivered 17 GWh in 2019."]),
]
QUESTIONS = {
    "330 metres": "How tall is the tower?",
    "1889": "When was the tower built by Eiffel?",
    "four": "How many turbines has MeyGen?",
    "17 GWh": "What did the turbines deliver in 2019?",
}


@pytest.fixture
def xquad_path(tmp_path: Path) -> Path:
    data = []
    for title, contexts in ARTICLES:
        paragraphs = []
        for context in contexts:
            found = [answer for answer in QUESTIONS if answer in context]
            qas = [
                {"question": QUESTIONS[a], "answers": [{"text": a, "answer_start": context.index(a)}]}
                for a in found
            ]
            paragraphs.append({"context": context, "qas": qas})
        data.append({"title": title, "paragraphs": paragraphs})
    path = tmp_path / "xquad.en.json"
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    return path


def embed(texts: list[str]) -> np.ndarray:
    words = ["tower", "tall", "eiffel", "built", "meygen", "four", "turbines", "deliver", "2019"]
    rows = np.array([[text.lower().count(word) + 0.05 for word in words] for text in texts], np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def count_tokens(text: str) -> int:
    return 2 + len(text.split())


def test_spans_are_those_of_the_page(xquad_path: Path) -> None:
    pages, questions = load_xquad(xquad_path, language="en")
    texts = {page.source: page.text for page in pages}
    answers = [texts[question.source][question.start : question.end] for question in questions]
    assert answers == list(QUESTIONS)
    assert [page.title for page in pages] == ["Eiffel Tower", "Tidal power"]
    assert [question.is_held_out for question in questions] == [False, False, True, True]
    assert all(page.text.count("\n") == 1 for page in pages)


@pytest.mark.parametrize("embedding", [embed, None])
def test_known_answers_are_shown(xquad_path: Path, embedding: object) -> None:
    pages, questions = load_xquad(xquad_path, language="en")
    row = run_answers(pages, questions, count_tokens=count_tokens, embed=embedding)  # type: ignore[arg-type]
    assert (row.n_questions, row.hit_rate, row.first_rate, row.answered_rate) == (4, 1.0, 1.0, 1.0)
    assert 1.0 <= row.mean_sentences <= 3.0


def test_questions_about_other_pages_are_not_answered(xquad_path: Path) -> None:
    pages, questions = load_xquad(xquad_path, language="en")
    row = run_answers(pages[:1], questions[2:], count_tokens=count_tokens, embed=None)
    assert (row.hit_rate, row.answered_rate) == (0.0, 0.0)


def test_a_run_needs_questions(xquad_path: Path) -> None:
    pages, _ = load_xquad(xquad_path, language="en")
    with pytest.raises(ValueError, match="no questions"):
        run_answers(pages, [], count_tokens=count_tokens, embed=None)


def test_citations_of_the_page_own_sentences_bear_them_out(xquad_path: Path) -> None:
    pages, questions = load_xquad(xquad_path, language="en")
    row = run_answers(pages, questions, count_tokens=count_tokens, embed=None)
    assert row.borne_out_rate == 1.0
    assert 0.0 < row.at_the_place_rate <= 1.0
    assert row.median_ms > 0.0


def test_what_a_model_writes_is_cited_and_judged(xquad_path: Path) -> None:
    pages, questions = load_xquad(xquad_path, language="en")
    replies = [
        "The tower is 330 metres tall [1].",
        "Eiffel built the tower in 1889 [1][9].",
        "MeyGen has five turbines [1].",
        "NOT IN THE SOURCES",
    ]
    model = ScriptedModel(*replies)
    answer = written(model, "en")
    row = run_answers(pages, questions, count_tokens=count_tokens, embed=None, answer=answer)
    assert (row.hit_rate, row.answered_rate, row.mean_sentences) == (0.5, 0.75, 0.75)
    assert row.borne_out_rate == pytest.approx(2 / 3)
    assert row.at_the_place_rate == 1.0
    for prompt, question in zip(model.prompts, questions, strict=True):
        assert question.text in prompt.messages[-1].text
        assert pages[0].source in prompt.sources or pages[1].source in prompt.sources
