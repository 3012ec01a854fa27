"""The verdict run: are altered sentences kept from being called supported, and true ones left alone?

The set is `tests/golden/verdicts`: sentences about passages of real pages, each with the span of the passage
that it cites and the class it was made for. Its pages are divided: rules are made by looking at the
`development` half, the `report` half is only counted.

    altered         every class but true and paraphrase; goal: at least 95 % not supported
    flagged         contradicted or not found; goal: at most 5 % of the true, 10 % of the paraphrased.
                    "Partly" is no flag: it says that something was not found, not that it is wrong.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from tabwise.core.model import Judgement, Verdict

TRUE_CLASSES = ("true", "paraphrase")
ALTERED_CLASSES = ("number", "date_or_unit", "name", "negation", "quotation", "source", "addition")
HALVES = ("development", "report")
_WRONG = (Verdict.CONTRADICTED, Verdict.NOT_FOUND)

Judge = Callable[[str, Sequence[str]], Judgement]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, the text it cites, and what a careful reader would say."""

    id: str
    kind: str
    half: str
    language: str
    sentence: str
    cited: str
    expected: Verdict


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case with the verdict it got and the time that took."""

    case: Case
    judgement: Judgement
    ms: float


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Counts of one class of sentences by verdict."""

    kind: str
    n_sentences: int
    n_supported: int
    n_partly: int
    n_flagged: int

    @property
    def supported_rate(self) -> float:
        """Share called supported."""
        return self.n_supported / self.n_sentences

    @property
    def flagged_rate(self) -> float:
        """Share called contradicted or not found."""
        return self.n_flagged / self.n_sentences


def load_cases(folder: Path) -> list[Case]:
    """Read `passages.jsonl` and `sentences.jsonl` of a folder; raises FileNotFoundError."""
    passages = {passage["id"]: passage for passage in _lines(folder / "passages.jsonl")}
    cases = []
    for line in _lines(folder / "sentences.jsonl"):
        passage = passages[line["passage"]]
        cases.append(
            Case(
                id=line["id"],
                kind=line["class"],
                half=passage["half"],
                language=passage["language"],
                sentence=line["sentence"],
                cited=passage["text"][line["start"] : line["end"]],
                expected=Verdict(line["expected"]),
            )
        )
    return cases


def run_verdicts(cases: Sequence[Case], judge: Judge) -> list[JudgedCase]:
    """Judge every case by its own cited text."""
    judged = []
    for case in cases:
        began = perf_counter()
        judgement = judge(case.sentence, [case.cited])
        judged.append(JudgedCase(case, judgement, 1_000.0 * (perf_counter() - began)))
    return judged


def count(judged: Sequence[JudgedCase], kinds: Sequence[str], *, label: str = "") -> VerdictRow:
    """Count the cases of the given classes; raises ValueError when there are none."""
    verdicts = [one.judgement.verdict for one in judged if one.case.kind in kinds]
    if not verdicts:
        raise ValueError(f"no sentences of {kinds}")
    return VerdictRow(
        kind=label or kinds[0],
        n_sentences=len(verdicts),
        n_supported=verdicts.count(Verdict.SUPPORTED),
        n_partly=verdicts.count(Verdict.PARTLY),
        n_flagged=sum(verdict in _WRONG for verdict in verdicts),
    )


def is_mistaken(one: JudgedCase) -> bool:
    """Whether the verdict misses the goal: an altered sentence supported, or a true one flagged."""
    verdict = one.judgement.verdict
    return verdict in _WRONG if one.case.kind in TRUE_CLASSES else verdict is Verdict.SUPPORTED


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
