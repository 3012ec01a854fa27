"""Both ranked lists behind a search and what each gave to the fused one, as HIT records.

The lists come from the index itself, asked in its lexical and its dense mode. What words and meaning give to
a fused score follows the formulas of `core.fusion`:

    convex   words 0.4 · bm25 / max bm25 and what their order adds, meaning the rest
    rrf      1 / (60 + rank) each
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FusionMode, Hit
from tabwise.core.search.fusion import DENSE_WEIGHT, RRF_K
from tabwise.demo.snippets import snippet
from tabwise.engine.library import Library


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was searched and how; `vector` (d,) float32 or None while there is no model."""

    query: str
    vector: npt.NDArray[np.float32] | None
    mode: FusionMode
    k: int


def rank(library: Library, ranking: Ranking, fused: Sequence[Hit]) -> dict[str, list[dict[str, Any]]]:
    """Return {"lexical", "dense", "fused"}: HIT records, best first, at most k each."""
    index = library.index
    # The index spreads hits over pages; all of them, sorted by their rank, are the plain lists.
    lexical = index.search(ranking.query, ranking.vector, mode=FusionMode.LEXICAL, k=index.n_chunks)
    lexical = sorted(lexical, key=lambda hit: hit.rank_lexical or 0)[: ranking.k]
    dense: Sequence[Hit] = ()
    if ranking.vector is not None:
        dense = index.search(ranking.query, ranking.vector, mode=FusionMode.DENSE, k=index.n_chunks)
        dense = sorted(dense, key=lambda hit: hit.rank_dense or 0)[: ranking.k]
    best_lexical = max((hit.lexical for hit in lexical), default=0.0)
    query_terms = index.query_terms(ranking.query)

    def records(hits: Sequence[Hit], mode: FusionMode) -> list[dict[str, Any]]:
        return [_record(library, hit, query_terms, shares(hit, mode, best_lexical)) for hit in hits]

    return {
        "lexical": records(lexical, FusionMode.LEXICAL),
        "dense": records(dense, FusionMode.DENSE),
        "fused": records(fused, ranking.mode),
    }


def shares(hit: Hit, mode: FusionMode, best_lexical: float) -> tuple[float, float]:
    """Return (meaning, words): what each gave to the score of a hit found in this mode."""
    if mode is FusionMode.LEXICAL or hit.dense is None:
        return 0.0, hit.score
    if mode is FusionMode.DENSE:
        return hit.score, 0.0
    if mode is FusionMode.RRF:
        words = 1.0 / (RRF_K + hit.rank_lexical) if hit.rank_lexical else 0.0
    else:
        words = (1.0 - DENSE_WEIGHT) * hit.lexical / best_lexical if best_lexical > 0.0 else 0.0
        words += hit.word_order
    return max(hit.score - words, 0.0), words


def _record(
    library: Library, hit: Hit, query_terms: Sequence[str], share: tuple[float, float]
) -> dict[str, Any]:
    page = library.page(hit.chunk.source)
    text, marks = snippet(hit.chunk.text, query_terms, page.language)
    return {
        "chunk_id": hit.chunk.id,
        "source": hit.chunk.source,
        "title": page.title,
        "number": hit.chunk.ordinal + 1,
        "snippet": text,
        "marks": marks,
        "score": hit.score,
        "dense": hit.dense,
        "lexical": hit.lexical,
        "rank_dense": hit.rank_dense,
        "rank_lexical": hit.rank_lexical,
        "share_dense": share[0],
        "share_lexical": share[1],
    }
