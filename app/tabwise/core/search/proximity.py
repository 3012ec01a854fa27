"""Word order and nearness: a second look at the chunks that words and meaning put first.

BM25 forgets where a word stands. Of a chunk whose terms are kept in order this adds, 0–1 each:

    phrases = Σ w(a, b) over pairs of neighbouring query terms that also stand side by side in the chunk
              / Σ w(a, b) over all pairs,   w(a, b) = min(idf(a), idf(b))
    window  = the idf-weighted share of the query's terms inside the best window of WINDOW_TERMS terms

after the ordered and unordered windows of Metzler & Croft, "A Markov Random Field Model for Term
Dependencies" (2005). Scored for a few candidates only, so there are no second postings: a chunk keeps its
terms as 16-bit codes, two bytes a term. Two terms that share a code (1 in 65,536) may count for each other.

Worked example: query [tide, gate], idf 1 each; chunk [gate, tide, gate] → phrases 1, window 1;
chunk [gate, tide] → phrases 0, window 1.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

WINDOW_TERMS = 16
MAX_QUERY_TERMS = 64
"""A longer query is a text; its first terms say enough about order, and the cost stays bounded."""

Codes = npt.NDArray[np.uint16]
FloatVector = npt.NDArray[np.float32]


class TermOrder:
    """The codes of many chunks by slot, in the arrays they came in."""

    def __init__(self) -> None:
        self._first_slots: list[int] = []
        self._codes: list[Codes] = []
        self._ends: list[npt.NDArray[np.int32]] = []
        self._n_slots = 0

    def add(self, codes: Codes, counts: npt.NDArray[np.int32]) -> None:
        """Take the codes of the next slots, one after the other; `counts` (n,): how many each has."""
        self._first_slots.append(self._n_slots)
        self._codes.append(codes)
        self._ends.append(np.cumsum(counts, dtype=np.int32))
        self._n_slots += len(counts)

    def of(self, slot: int) -> bytes:
        """The codes of a slot as `encode` gives them."""
        at = bisect_right(self._first_slots, slot) - 1
        row = slot - self._first_slots[at]
        start = int(self._ends[at][row - 1]) if row else 0
        return self._codes[at][start : self._ends[at][row]].astype("<u2", copy=False).tobytes()

    def compact(self, kept: npt.NDArray[np.int64]) -> None:
        """Keep the old slots `kept`, ascending, as the new slots 0, 1, 2 …"""
        arrays = list(zip(self._first_slots, self._codes, self._ends, strict=True))
        self._first_slots, self._codes, self._ends, self._n_slots = [], [], [], 0
        for first, codes, ends in arrays:
            rows = kept[(kept >= first) & (kept < first + len(ends))] - first
            if len(rows):
                counts = np.diff(ends, prepend=np.int32(0))
                mask = np.zeros(len(ends), np.bool_)
                mask[rows] = True
                self.add(codes[np.repeat(mask, counts)], counts[mask])


def encode(terms: Iterable[str]) -> bytes:
    """Return the terms in order as little-endian 16-bit codes, the same on every platform."""
    return np.array([_code(term) for term in terms], "<u2").tobytes()


def phrases_and_window(
    query_terms: Sequence[str], idf: Callable[[str], float], candidates: Sequence[bytes]
) -> tuple[FloatVector, FloatVector]:
    """Return the two shares of every candidate, (n,) float32 each, 0–1; see the module.

    `query_terms` in the order of the query; `candidates` as `encode` gives them; `idf` > 0 for any term.
    """
    n = len(candidates)
    query_terms = query_terms[:MAX_QUERY_TERMS]
    weights = {_code(term): idf(term) for term in query_terms}
    codes = np.frombuffer(b"".join(candidates), "<u2").astype(np.uint16)
    ends = np.cumsum([len(candidate) // 2 for candidate in candidates], dtype=np.int64)
    owners = np.searchsorted(ends, np.arange(len(codes), dtype=np.int64), side="right")
    positions = {code: np.flatnonzero(codes == np.uint16(code)) for code in weights}
    ordered = [_code(term) for term in query_terms]
    pairs = list(dict.fromkeys(pairwise(ordered)))
    return (
        _phrases(pairs, weights, positions, owners, n),
        _window(weights, positions, owners, ends, n),
    )


def _phrases(
    pairs: Sequence[tuple[int, int]],
    weights: dict[int, float],
    positions: dict[int, npt.NDArray[np.int64]],
    owners: npt.NDArray[np.int64],
    n: int,
) -> FloatVector:
    found = np.zeros(n, np.float64)
    total = 0.0
    for a, b in pairs:
        weight = min(weights[a], weights[b])
        total += weight
        first = np.intersect1d(positions[a], positions[b] - 1, assume_unique=True)
        first = first[owners[first] == owners[first + 1]]
        found[np.unique(owners[first])] += weight
    return (found / max(total, 1e-9)).astype(np.float32)


def _window(
    weights: dict[int, float],
    positions: dict[int, npt.NDArray[np.int64]],
    owners: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    n: int,
) -> FloatVector:
    # The best window can be moved until it begins with a term of the query.
    starts = np.sort(np.concatenate([np.zeros(0, np.int64), *positions.values()]))
    stops = np.minimum(starts + WINDOW_TERMS, ends[owners[starts]])
    covered = np.zeros(len(starts), np.float64)
    for code, where in positions.items():
        inside = np.searchsorted(where, starts) < np.searchsorted(where, stops)
        covered[inside] += weights[code]
    best = np.zeros(n, np.float64)
    np.maximum.at(best, owners[starts], covered)
    return (best / max(sum(weights.values()), 1e-9)).astype(np.float32)


def _code(term: str) -> int:
    return crc32(term.encode("utf-8", "surrogatepass")) & 0xFFFF
