"""What a query has in common with every chunk, and whether any chunk is near at all.

Fused scores are relative to the scope, someone always has the best one. So a search first looks at two
absolute scores together:

    coverage = bm25 / Σ idf(t)              the share of the best score any text could reach, 0–1
    evidence = coverage + max(0, cosine)    ≥ MIN_EVIDENCE; coverage ≥ MIN_COVERAGE without a vector

Calibrated for MiniLM on questions put to their own collection and to foreign ones; see the constants.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MIN_EVIDENCE = 0.4
"""Keeps 99.1–100 % of the answerable questions of four collections (SciFact train, documentation sections,
XQuAD, single articles of it) and turns away 79–99 % of those that belong to another one. What it lets
through meets the answer's own floor; 0.5 would turn away 92–99 % and lose 3 % of the answerable."""
MIN_COVERAGE = 0.12
"""Without vectors: keeps 95–100 %, turns away 33–98 %. Shared words alone are a weak witness."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What a query has in common with every slot, (n_slots,) each; lexical is 0 outside the scope.

    `has_dense` is true inside the scope alone. `is_semantic`: whether there was a vector to compare with.
    """

    lexical: npt.NDArray[np.float32]
    dense: npt.NDArray[np.float32]
    has_dense: npt.NDArray[np.bool_]
    is_semantic: bool


def words_of(lexical: npt.NDArray[np.float32]) -> Matched:
    """Return what there is in common when there is no vector to compare with."""
    return Matched(lexical, np.zeros_like(lexical), np.zeros(len(lexical), np.bool_), is_semantic=False)


def is_any_near(matched: Matched, best_possible: float) -> bool:
    """Return whether any chunk is near enough; `best_possible`: Σ idf(t) of the query, see `coverage`."""
    coverage = matched.lexical / np.float32(max(best_possible, 1e-6))
    by_words = coverage[~matched.has_dense]
    if by_words.max(initial=0.0) >= MIN_COVERAGE:
        return True
    evidence = np.maximum(matched.dense, np.float32(0.0))
    evidence += coverage
    if len(by_words):
        evidence = evidence[matched.has_dense]
    return bool(evidence.max(initial=0.0) >= MIN_EVIDENCE)
