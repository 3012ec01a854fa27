"""Ranking metrics as the BEIR collections report them, and the paired bootstrap that compares two runs.

    nDCG@k   Σ (2^rel − 1) / log2(rank + 1) over the ideal sum (Järvelin & Kekäläinen, 2002)
    Recall@k relevant among the first k / all relevant
    MRR@k    1 / rank of the first relevant, 0 below k

Worked example: ranking [a, b, c], relevant {b: 1} → nDCG 1/log2(3) = 0.631, recall 1, MRR 0.5.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class RankingScores:
    """nDCG, recall and reciprocal rank of one query at one cut, each 0–1."""

    ndcg: float
    recall: float
    reciprocal_rank: float


def score_ranking(ranking: Sequence[str], relevance: Mapping[str, int], *, k: int = 10) -> RankingScores:
    """Score one ranking of distinct document ids, best first, against graded relevance.

    Raises ValueError when nothing is relevant: such a query says nothing about a ranking.
    """
    grades = sorted((grade for grade in relevance.values() if grade > 0), reverse=True)
    if not grades:
        raise ValueError("no relevant document")
    gained = [relevance.get(document, 0) for document in ranking[:k]]
    ranks = [rank for rank, grade in enumerate(gained, start=1) if grade > 0]
    return RankingScores(
        ndcg=_dcg(gained) / _dcg(grades[:k]),
        recall=len(ranks) / len(grades),
        reciprocal_rank=1.0 / ranks[0] if ranks else 0.0,
    )


def mean_scores(scores: Sequence[RankingScores]) -> RankingScores:
    """Return the mean of each metric over queries, at least one."""
    table = np.array([(s.ndcg, s.recall, s.reciprocal_rank) for s in scores], np.float64)
    ndcg, recall, reciprocal_rank = table.mean(axis=0).tolist()
    return RankingScores(ndcg, recall, reciprocal_rank)


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of a − b over queries and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def paired_bootstrap(
    a: Sequence[float], b: Sequence[float], *, n_samples: int = 5_000, seed: int = 0
) -> Difference:
    """Resample the per-query differences a − b with replacement (Efron's percentile interval).

    `a` and `b` are one metric of two runs over the same queries in the same order; equal seeds give
    equal intervals. Raises ValueError when the lengths differ or are zero.
    """
    if len(a) != len(b) or not len(a):
        raise ValueError(f"runs over {len(a)} and {len(b)} queries")
    differences: npt.NDArray[np.float64] = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    generator = np.random.default_rng(seed)
    means = np.array(
        [
            differences[generator.integers(0, len(differences), len(differences))].mean()
            for _ in range(n_samples)
        ]
    )
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    return Difference(float(differences.mean()), low, high)


def _dcg(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1.0) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
