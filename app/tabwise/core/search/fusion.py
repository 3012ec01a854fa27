"""Two scores per chunk become one: pure arrays in, arrays out.

Default, the convex combination over the whole scope (Bruch, Gai & Ingber, "An Analysis of Fusion
Functions for Hybrid Retrieval", 2023):

    0.6 · (cos − min cos) / (max cos − min cos) + 0.4 · bm25 / max bm25

0.6 was best on eight development collections and on seven without SciFact. Minimum and maximum are over
every searched chunk, never over a fetched top-k, which would make a score depend on the cut. A chunk
without a vector is scored by its lexical part alone, at full weight.

Reciprocal rank fusion (Cormack, Clarke & Büttcher, 2009) is Σ 1 / (60 + rank), rank from 1; 60 was level
with 10 on the development collections and is the usual value.

Worked example: cos [.8, .2, .5], bm25 [0, 4, 2] → dense [1, 0, .5], lexical [0, 1, .5]
→ convex [.6, .4, .5].
"""

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FusionMode
from tabwise.core.search.kernel import SearchKernel

FloatVector = npt.NDArray[np.float32]
BoolVector = npt.NDArray[np.bool_]
IndexVector = npt.NDArray[np.int64]

DENSE_WEIGHT = 0.6
RRF_K = 60
COLUMN_SCORES = 32
"""Of 100,000 scores the best 40 of any order are then looked for among some 40 to 60."""


def fuse(
    dense: FloatVector,
    lexical: FloatVector,
    *,
    mode: FusionMode,
    has_dense: BoolVector,
    tie_ranks: IndexVector,
) -> FloatVector:
    """Return one score per chunk, (n,) float32, higher-better; 0 means found by neither.

    dense (n,): cosine similarities, read where `has_dense`. lexical (n,): BM25, ≥ 0.
    `tie_ranks` (n,) int64 orders equal scores, smaller first; of equal ones the earlier position comes first.
    In the dense mode a similarity below 0 counts as not found.
    """
    if mode is FusionMode.LEXICAL:
        return lexical.astype(np.float32)
    if mode is FusionMode.DENSE:
        return np.where(has_dense, np.maximum(dense, np.float32(0.0)), np.float32(0.0))
    if mode is FusionMode.RRF:
        return _reciprocal_ranks(dense, has_dense, tie_ranks) + _reciprocal_ranks(
            lexical, lexical > 0.0, tie_ranks
        )
    return _convex(dense, lexical, has_dense)


def top_k(scores: FloatVector, k: int, tie_ranks: IndexVector) -> IndexVector:
    """Return the positions of the k best scores above 0, best first, ties by `tie_ranks`, (≤ k,) int64."""
    found = np.flatnonzero(scores >= _reached_by(scores, k)).astype(np.int64)
    found = found[scores[found] > 0.0]
    return found[np.lexsort((tie_ranks[found], -scores[found]))][:k]


def _reached_by(scores: FloatVector, k: int) -> np.float32:
    """A score that at least `k` of `scores` reach, and of many scores few more; 0 when there are not as many.

    The k-th best of the best of each column, when the scores are laid out in COLUMN_SCORES rows: k columns
    have one as good. Many times faster than partitioning all scores.
    """
    n_columns = len(scores) // COLUMN_SCORES
    if not 0 < k <= n_columns:
        return np.float32(0.0)
    rows = scores[: n_columns * COLUMN_SCORES].reshape(COLUMN_SCORES, n_columns)
    return np.float32(np.partition(rows.max(axis=0), n_columns - k)[n_columns - k])


def ranks_at(
    scores: FloatVector,
    positions: IndexVector,
    tie_ranks: IndexVector,
    kernel: SearchKernel,
    *,
    floor: float = 0.0,
) -> list[int | None]:
    """Return the rank, from 1, of each of `positions` among the scores above `floor`, None for others.

    Equal scores are ordered by `tie_ranks`, then by position.
    """
    wanted = positions[scores[positions] > floor]
    ranks: dict[int, int] = {}
    counts = kernel.count_above(scores, scores[wanted]).tolist()
    for position, (n_above, n_reaching) in zip(wanted.tolist(), counts, strict=True):
        ranks[position] = 1 + n_above
        # Equals are rare, and to name them costs more than to count them.
        if n_reaching > n_above + 1:
            equals, own = np.flatnonzero(scores == scores[position]), tie_ranks[position]
            is_before = (tie_ranks[equals] < own) | ((tie_ranks[equals] == own) & (equals < position))
            ranks[position] += int(np.count_nonzero(is_before))
    return [ranks.get(position) for position in positions.tolist()]


def _convex(dense: FloatVector, lexical: FloatVector, has_dense: BoolVector) -> FloatVector:
    best = float(lexical.max(initial=0.0))
    lexical_part = lexical / np.float32(best) if best > 0.0 else np.zeros_like(lexical)
    if not has_dense.any():
        return lexical_part
    compared = dense if has_dense.all() else dense[has_dense]
    low = float(compared.min())
    spread = float(compared.max()) - low
    # A scope of one, or of equals, has no minimum to stand out from: all are equally near.
    both = dense - np.float32(low) if spread > 0.0 else np.ones_like(dense)
    # Without any lexical match the dense part keeps the whole weight, so scores stay comparable.
    weight = np.float32(DENSE_WEIGHT if best > 0.0 else 1.0)
    # In place: another array for each step would cost as much as the step.
    if spread > 0.0:
        both /= np.float32(spread)
    both *= weight
    both += (np.float32(1.0) - weight) * lexical_part
    return both if len(compared) == len(dense) else np.where(has_dense, both, lexical_part)


def _reciprocal_ranks(scores: FloatVector, eligible: BoolVector, tie_ranks: IndexVector) -> FloatVector:
    positions = np.flatnonzero(eligible)
    ordered = positions[np.lexsort((tie_ranks[positions], -scores[positions]))]
    ranks = np.arange(1, len(ordered) + 1, dtype=np.float64)
    reciprocal = np.zeros(len(scores), np.float32)
    reciprocal[ordered] = (1.0 / (RRF_K + ranks)).astype(np.float32)
    return reciprocal
