"""Rows of `tabwise eval` as measurements: what is said about each run, and what it stands against."""

from collections.abc import Mapping, Sequence

from tabwise.core.model import FusionMode
from tabwise.eval.answers import AnswerRow
from tabwise.eval.long_documents import BudgetRow
from tabwise.eval.measurements import Measurement, measured
from tabwise.eval.metrics import RankingScores, mean_scores, paired_bootstrap
from tabwise.eval.retrieval import RetrievalRow

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


def answer_rows(name: str, rows: Mapping[str, AnswerRow]) -> list[Measurement]:
    """Hit rate and number of sentences, for each labelled run."""
    command = f"tabwise eval answers --set {name}"
    found = []
    for label, row in rows.items():
        found += [
            measured(f"{label}: a shown sentence holds the answer", row.hit_rate, "", command=command),
            measured(f"{label}: questions answered", row.answered_rate, "", command=command),
            measured(f"{label}: sentences shown", row.mean_sentences, "", command=command),
        ]
    return found


def _against(scores: Sequence[RankingScores], baseline: Sequence[RankingScores]) -> str:
    gain = paired_bootstrap([one.ndcg for one in scores], [one.ndcg for one in baseline])
    first = mean_scores(baseline).ndcg
    interval = f"95 % {gain.low:+.3f} to {gain.high:+.3f}"
    return f"{first:.3f} by the first configuration; gain {gain.mean:+.4f}, {interval}"
