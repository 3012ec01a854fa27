"""Choose the next token among the likeliest: the best, or by chance from the nucleus.

The nucleus is the fewest likeliest tokens that hold 95 % of the probability (Holtzman et al. 2020,
https://arxiv.org/abs/1904.09751), taken of the k tokens that came over the bridge.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatVector = npt.NDArray[np.float32]
IntVector = npt.NDArray[np.int32]

NUCLEUS = 0.95
N_LIKELIEST = 64
"""Tokens that a step returns."""


@dataclass(frozen=True, slots=True)
class TopTokens:
    """Token numbers (k,) int32 and their logits (k,) float32, likeliest first, equal ones by number."""

    tokens: npt.NDArray[np.int32]
    logits: npt.NDArray[np.float32]


def top_tokens(
    logits: npt.NDArray[np.float32], k: int, allow: npt.NDArray[np.int32] | None = None
) -> TopTokens:
    """The k likeliest of a whole vocabulary's logits (v,), of the tokens in `allow` if given."""
    tokens = np.arange(len(logits), dtype=np.int32) if allow is None else np.unique(allow)
    chosen = logits[tokens]
    best = np.lexsort((tokens, -chosen))[:k]
    return TopTokens(tokens[best], chosen[best])


def choose(top: TopTokens, among: Sequence[int], *, temperature: float, chance: random.Random) -> int:
    """The chosen token; `among` are rows of `top` that may be chosen, likeliest first, at least one."""
    rows = np.asarray(among, np.int64)
    if temperature <= 0 or len(rows) == 1:
        return int(top.tokens[rows[0]])
    scaled = top.logits[rows].astype(np.float64) / temperature
    weights = np.exp(scaled - scaled[0])
    shares = np.cumsum(weights / weights.sum())
    n_nucleus = int(np.searchsorted(shares, NUCLEUS)) + 1
    drawn = chance.random() * shares[min(n_nucleus, len(shares)) - 1]
    return int(top.tokens[rows[min(int(np.searchsorted(shares, drawn)), len(rows) - 1)]])
