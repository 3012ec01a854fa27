"""Hits from more than one page: a page that was picked steps back a little before it is picked again.

Hits are picked one by one; each hit already picked from a page takes `REPEAT_PENALTY` of the best score off
that page's further chunks, `MAX_REPEATS` times at most: without that end a long page that answers alone would
give way to pages that do not. The first hit, and the order in which pages first appear, are those of the
plain ranking; scores are reported without the penalty.
"""

import numpy as np
import numpy.typing as npt

from tabwise.core.search.fusion import top_k

REPEAT_PENALTY = 0.05
MAX_REPEATS = 3
"""On long documents: 0.96 instead of 0.93 of the reference characters within 1,800 words."""


def pick(
    scores: npt.NDArray[np.float32],
    k: int,
    *,
    pages: npt.NDArray[np.int32],
    tie_ranks: npt.NDArray[np.int64],
    cap: int | None = None,
    first: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.int64]:
    """Return the positions of at most `k` scores above 0 in the order picked, at most `cap` of one page.

    scores, pages, tie_ranks (n,): `pages` numbers the page of each position, `tie_ranks` orders equal scores.
    `first`: positions known to come before all others in the plain ranking, in any order; saves a pass.
    """
    n_pool = 4 * k
    while True:
        if first is not None and n_pool <= len(first):
            pool = first[top_k(scores[first], n_pool, tie_ranks[first])]
        else:
            pool = top_k(scores, n_pool, tie_ranks)
        is_whole = len(pool) < n_pool
        picked, worst = _pick_from(pool, scores[pool], pages[pool], k, cap)
        # A position outside the pool scores at most as much as the last one inside.
        if is_whole or (len(picked) == k and worst >= float(scores[pool[-1]])):
            return picked
        n_pool *= 4


def _pick_from(
    pool: npt.NDArray[np.int64],
    scores: npt.NDArray[np.float32],
    pages: npt.NDArray[np.int32],
    k: int,
    cap: int | None,
) -> tuple[npt.NDArray[np.int64], float]:
    """Those of a pool, best first, and the score of the last one less its penalty."""
    if not len(pool):
        return pool, 0.0
    step = REPEAT_PENALTY * float(scores[0])
    queues: dict[int, list[tuple[float, int]]] = {}
    for rank, (page, score) in enumerate(zip(pages.tolist(), scores.tolist(), strict=True)):
        queues.setdefault(page, []).append((score, rank))
    # Within a page the penalty never falls, so each page is a descending list: merge them.
    offers = [
        (score - step * min(n_before, MAX_REPEATS), -rank)
        for queue in queues.values()
        for n_before, (score, rank) in enumerate(queue[:cap])
    ]
    offers.sort(reverse=True)
    chosen = offers[:k]
    return pool[[-rank for _, rank in chosen]], chosen[-1][0]
