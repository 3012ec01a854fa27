"""Rows of `tabwise eval` as measurements: what is said about each run, and what it stands against."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from tabwise.core.model import FusionMode
from tabwise.eval.answers import AnswerRow
from tabwise.eval.long_documents import BudgetRow
from tabwise.eval.measurements import Measurement, measured
from tabwise.eval.metrics import RankingScores, mean_scores, paired_bootstrap
from tabwise.eval.retrieval import RetrievalRow
from tabwise.eval.small_uses import UseRow
from tabwise.eval.verdicts import ALTERED_CLASSES, HALVES, JudgedCase, count

_NAMES = {
    FusionMode.CONVEX: "convex combination",
    FusionMode.RRF: "reciprocal rank fusion",
    FusionMode.DENSE: "meaning alone",
    FusionMode.LEXICAL: "words alone",
}


def retrieval_rows(
    name: str, rows: Sequence[RetrievalRow], baseline: Sequence[RankingScores] | None
) -> list[Measurement]:
    """nDCG, recall and MRR of every mode; the first mode with the baseline and the interval of the gain."""
    command = f"tabwise eval retrieval --set {name}"
    found = []
    for row in rows:
        mode, mean = _NAMES[row.mode], row.mean
        against = "" if baseline is None or row is not rows[0] else _against(row.per_query, baseline)
        found += [
            measured(f"{mode}: nDCG@10", mean.ndcg, "", command=command, compared_with=against),
            measured(f"{mode}: Recall@10", mean.recall, "", command=command),
            measured(f"{mode}: MRR@10", mean.reciprocal_rank, "", command=command),
            measured(f"{mode}: a query, embedding excluded", row.query_ms, "ms", command=command),
        ]
    return found


def overlap_row(name: str, share: float) -> Measurement:
    """Share of the float32 top 10 that int8 rows find."""
    return measured(
        "top 10 of int8 vectors: share of the float32 top 10",
        share,
        "",
        command=f"tabwise eval retrieval --set {name}",
    )


def long_document_rows(name: str, rows: Sequence[BudgetRow]) -> list[Measurement]:
    """Mean share of the reference characters by mode and budget."""
    return [
        measured(
            f"{_NAMES[row.mode]}: references within {row.n_budget_words:,} words",
            sum(row.per_question) / len(row.per_question),
            "",
            command=f"tabwise eval retrieval --set {name}",
        )
        for row in rows
    ]


def answer_rows(name: str, rows: Mapping[str, AnswerRow], *, engine: str = "") -> list[Measurement]:
    """Hit rate, citations, number of sentences and time, for each labelled run."""
    command = f"tabwise eval answers --set {name}" + (f" --engine {engine}" if engine else "")
    row_of = partial(measured, command=command)
    found = []
    for label, row in rows.items():
        found += [
            row_of(f"{label}: a shown sentence holds the answer", row.hit_rate, ""),
            row_of(f"{label}: the first sentence holds it", row.first_rate, ""),
            row_of(f"{label}: questions answered", row.answered_rate, ""),
            row_of(f"{label}: sentences shown", row.mean_sentences, ""),
            row_of(f"{label}: citations that bear out their sentence", row.borne_out_rate, ""),
            row_of(f"{label}: citations in the paragraph of the answer", row.at_the_place_rate, ""),
            row_of(f"{label}: an answer, embedding excluded", row.median_ms, "ms"),
        ]
    return found


def small_use_rows(name: str, rows: Sequence[UseRow]) -> list[Measurement]:
    """For each use and form, how often the search finds the paragraph, and nothing was made up."""
    row_of = partial(measured, command=f"tabwise eval uses --set {name}")
    found = []
    for row in rows:
        about = f"{row.n} paragraphs"
        label = f"{row.use}, {row.form}"
        name = f"{label}: its paragraph is found first"
        found.append(row_of(name, row.found / row.n, "", compared_with=about))
        if row.grounded is not None:
            name = f"{label}: no word but those of its text"
            found.append(row_of(name, row.grounded / row.n, "", compared_with=about))
    return found


def verdict_rows(judged: Sequence[JudgedCase]) -> list[Measurement]:
    """For each half and class of sentences, how many are called supported or flagged, and the time."""
    row_of = partial(measured, command="tabwise eval verdicts")
    found = []
    for half in HALVES:
        own = [one for one in judged if one.case.half == half]
        altered = count(own, ALTERED_CLASSES, label="altered")
        for row in (altered, *(count(own, [kind]) for kind in ALTERED_CLASSES)):
            name = f"{half}: {_KINDS.get(row.kind, row.kind)}, not supported"
            goal = "; goal ≥ 0.95" if row is altered else ""
            against = f"{row.n_sentences} sentences{goal}"
            found.append(row_of(name, 1.0 - row.supported_rate, "", compared_with=against))
        for kind, most in (("true", 0.05), ("paraphrase", 0.1)):
            row = count(own, [kind])
            against = f"{row.n_sentences} sentences; goal ≤ {most:g}"
            found += [
                row_of(f"{half}: {kind}, flagged as wrong", row.flagged_rate, "", compared_with=against),
                row_of(f"{half}: {kind}, partly", row.n_partly / row.n_sentences, ""),
                row_of(f"{half}: {kind}, supported", row.supported_rate, ""),
            ]
    return [*found, row_of("a sentence, median", float(np.median([one.ms for one in judged])), "ms")]


_KINDS = {"date_or_unit": "date or unit", "source": "right sentence, wrong source"}


def _against(scores: Sequence[RankingScores], baseline: Sequence[RankingScores]) -> str:
    gain = paired_bootstrap([one.ndcg for one in scores], [one.ndcg for one in baseline])
    first = mean_scores(baseline).ndcg
    interval = f"95 % {gain.low:+.3f} to {gain.high:+.3f}"
    return f"{first:.3f} by the first configuration; gain {gain.mean:+.4f}, {interval}"
