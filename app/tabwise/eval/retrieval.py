"""The retrieval run: index a collection, ask every query, score each mode.

Documents are cut as `windows` says, and a document ranks by its best chunk.
"""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.model import FusionMode
from tabwise.core.search.vectors import VectorIndex, quantize
from tabwise.eval.collection import Collection
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.indexing import index_collection
from tabwise.eval.metrics import RankingScores, mean_scores, score_ranking
from tabwise.eval.windows import window_chunks

FloatVector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """One mode over all queries; `per_query` in their order, `query_ms` the median without embedding."""

    mode: FusionMode
    n_documents: int
    n_chunks: int
    per_query: tuple[RankingScores, ...]
    query_ms: float

    @property
    def mean(self) -> RankingScores:
        """Mean of each metric over the queries."""
        return mean_scores(self.per_query)


def run_retrieval(collection: Collection, embed: Embed | None, *, k: int = 10) -> list[RetrievalRow]:
    """Score a collection in every mode; only the lexical one without an embedding model."""
    index = index_collection(collection, embed)
    texts = list(collection.queries.values())
    vectors = embed(texts) if embed is not None else None
    rows = []
    for mode in FusionMode if embed is not None else [FusionMode.LEXICAL]:
        scores, times = [], []
        for number, (query, text) in enumerate(collection.queries.items()):
            vector = vectors[number] if vectors is not None else None
            start = time.perf_counter()
            # One hit a page: the ranking of documents by their best chunk.
            hits = index.search(text, vector, mode=mode, k=k, per_source_cap=1, allow_weak=True)
            times.append(1_000 * (time.perf_counter() - start))
            ranking = [str(hit.chunk.source) for hit in hits]
            scores.append(score_ranking(ranking, collection.relevance[query], k=k))
        row = RetrievalRow(
            mode, len(collection.documents), index.n_chunks, tuple(scores), float(np.median(times))
        )
        rows.append(row)
    return rows


def share_of_equal_top_k(collection: Collection, embed: Embed, *, k: int = 10) -> float:
    """Return the mean share of the exact float32 top k that int8 rows find as well, 0–1.

    Chunks by cosine alone: what quantisation does to a ranking before words mend it.
    """
    chunks = [chunk for document in collection.documents for chunk in window_chunks(document)]
    rows = embed([chunk.embedding_text for chunk in chunks])
    index = VectorIndex(rows.shape[1])
    index.put(range(len(rows)), quantize(rows))
    shares = []
    for vector in embed(list(collection.queries.values())):
        exact = _top_k(np.einsum("ij,j->i", rows, vector), k)
        shares.append(len(exact & _top_k(index.scores(vector), k)) / k)
    return float(np.mean(shares))


def _top_k(scores: FloatVector, k: int) -> set[int]:
    return set(np.argsort(-scores, kind="stable")[:k].tolist())
