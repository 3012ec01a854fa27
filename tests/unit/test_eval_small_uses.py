"""The run of small uses, on three paragraphs and a model that writes what a test wants."""

import json
from pathlib import Path

from fakes import ScriptedModel
from tabwise.eval.small_uses import UseRow, run_small_uses
from tabwise.eval.xquad import load_xquad

PARAGRAPHS = {
    "Gustave Eiffel built the Eiffel Tower in Paris in 1889.": (
        ("Who built the Eiffel Tower?", "Gustave Eiffel"),
        ("When was the Eiffel Tower built?", "1889"),
    ),
    "MeyGen has four turbines in the sea.": (("How many turbines has MeyGen?", "four"),),
    "Sourdough is a bread that is made with a starter of wild yeast and of flour.": (
        ("What is sourdough?", "a bread"),
    ),
}


def collection(tmp_path: Path) -> Path:
    paragraphs = [
        {
            "context": text,
            "qas": [
                {"question": asked, "answers": [{"text": answer, "answer_start": text.index(answer)}]}
                for asked, answer in questions
            ],
        }
        for text, questions in PARAGRAPHS.items()
    ]
    data = [{"title": f"Page {i}", "paragraphs": [paragraph]} for i, paragraph in enumerate(paragraphs)]
    path = tmp_path / "xquad.en.json"
    path.write_text(json.dumps({"data": data}), "utf-8")
    return path


def rows_of(tmp_path: Path, reply: str) -> dict[tuple[str, str], UseRow]:
    pages, questions = load_xquad(collection(tmp_path), language="en")
    model = ScriptedModel(*[reply] * 20)
    rows = run_small_uses(
        pages, questions, model, count_tokens=lambda text: len(text.split()), embed=None, n=9
    )
    return {(row.use, row.form): row for row in rows}


def test_each_use_is_counted_against_the_rules(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "How many turbines has MeyGen?")
    assert rows["starter", "bundled model"] == UseRow("starter", "bundled model", 3, found=1, grounded=None)
    assert rows["title", "rules"] == UseRow("title", "rules", 3, found=3, grounded=3)
    assert rows["title", "bundled model"] == UseRow("title", "bundled model", 3, found=1, grounded=1)


def test_a_follow_up_has_its_name_as_a_pronoun(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "no JSON")
    assert [row.n for (use, _), row in rows.items() if use == "follow-up"] == [1, 1, 1, 1]
    assert rows["follow-up", "rules"].found == 1
    assert rows["follow-up", "whole question"].found == 1
