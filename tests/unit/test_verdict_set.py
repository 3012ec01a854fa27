"""The committed set of judged sentences is sound, and the verdict run counts it right."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

import verdict_set
from tabwise.core.model import Judgement, Verdict
from tabwise.eval.verdicts import ALTERED_CLASSES, Case, count, is_mistaken, load_cases, run_verdicts

pytestmark = pytest.mark.native

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden" / "verdicts"
XQUAD = Path(os.environ.get("TABWISE_DATA", "data")) / "xquad"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def test_the_set_is_sound() -> None:
    assert list(verdict_set.faults(rows("passages.jsonl"), rows("sentences.jsonl"))) == []


def test_a_broken_set_is_noticed() -> None:
    passages, sentences = rows("passages.jsonl"), rows("sentences.jsonl")
    passages[0] |= {"licence": "all rights reserved"}
    sentences[0] |= {"end": "0"}
    sentences[1] |= {"id": sentences[0]["id"]}
    assert len(list(verdict_set.faults(passages, sentences))) == 3


def test_every_class_is_in_both_halves_and_in_other_languages() -> None:
    cases = load_cases(FOLDER)
    kinds = {"true", "paraphrase", *ALTERED_CLASSES}
    for half in ("development", "report"):
        assert {case.kind for case in cases if case.half == half} == kinds
    assert len(cases) >= 600
    assert sum(case.kind == "paraphrase" for case in cases) >= 60
    assert {case.language for case in cases} == {"de", "en", "es", "fr", "ru", "zh"}


@pytest.mark.skipif(not XQUAD.is_dir(), reason="no xquad in $TABWISE_DATA")
def test_passages_stand_in_the_public_collection() -> None:
    read = verdict_set.origins(XQUAD.parent, None)["xquad"]
    passages = [passage for passage in rows("passages.jsonl") if passage["id"].startswith("xquad")]
    assert all(verdict_set.is_from(passage["text"], read(passage) or "") for passage in passages)


def case(kind: str, sentence: str) -> Case:
    return Case(sentence, kind, "report", "en", sentence, "cited", Verdict.SUPPORTED)


def test_counts_and_mistakes() -> None:
    verdicts = {
        "a": Verdict.SUPPORTED,
        "b": Verdict.PARTLY,
        "c": Verdict.NOT_FOUND,
        "d": Verdict.CONTRADICTED,
    }

    def judge(sentence: str, cited: Sequence[str]) -> Judgement:
        assert list(cited) == ["cited"]
        return Judgement(verdicts[sentence])

    judged = run_verdicts([case(kind, s) for kind in ("true", "number") for s in "abcd"], judge)
    row = count(judged, ["true"])
    assert (row.n_sentences, row.n_supported, row.n_partly, row.n_flagged) == (4, 1, 1, 2)
    assert (row.supported_rate, row.flagged_rate) == (0.25, 0.5)
    mistaken = [(one.case.kind, one.case.sentence) for one in judged if is_mistaken(one)]
    assert mistaken == [("true", "c"), ("true", "d"), ("number", "a")]
    with pytest.raises(ValueError, match="no sentences"):
        count(judged, ["name"])
