"""The first configuration that was frozen and read on SciFact's test queries: what later ones are held to.

Lucene BM25 (k1 1.2, b 0.6) over terms split on `. _ : -` and camelCase with the compound kept, English
Snowball stems, a short stop list, titles counted twice; 0.6 · min–max(cosine) + 0.4 · bm25 / max, a document
by its best chunk. Published: nDCG@10 0.867, Recall@10 0.942, MRR@10 0.848 on SciFact-1000 and
0.741 / 0.877 / 0.705 on all documents, with another int8 file of the same embedder.
"""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from tabwise.core.search.bm25 import BM25Index
from tabwise.core.text.stemming import Stemmer
from tabwise.eval.collection import Collection
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.metrics import RankingScores, score_ranking
from tabwise.eval.windows import window_chunks

DENSE_WEIGHT = 0.6

_STOP_TEXT = (
    "the a an and or of to in on for is are was were be been being with as at by from that this it its into"
    " than then so such these those there their your you our we but if do does did have has had will would"
    " can could should may might must not no"
)
_STOP_WORDS = frozenset(_STOP_TEXT.split())
_WORD = re.compile(r"[A-Za-z0-9]+(?:[._:-][A-Za-z0-9]+)*")
_SEPARATORS = re.compile(r"[._:-]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def run_baseline(collection: Collection, embed: Embed, *, k: int = 10) -> list[RankingScores]:
    """Score every query of an English collection, in order."""
    chunks = [chunk for document in collection.documents for chunk in window_chunks(document)]
    titles = {document.id: document.title for document in collection.documents}
    analyser = _Analyser()
    lexical = BM25Index()
    for chunk in chunks:
        of_title = analyser.terms(titles[chunk.source])
        lexical.add(chunk.id, [Counter([*analyser.terms(chunk.embedding_text), *of_title])])
    rows = embed([chunk.embedding_text for chunk in chunks])
    queries = embed(list(collection.queries.values()))
    scores = []
    for (query, text), vector in zip(collection.queries.items(), queries, strict=True):
        cosines = np.einsum("ij,j->i", rows, vector)
        matches = lexical.scores(analyser.terms(text))
        near = (cosines - cosines.min()) / max(float(np.ptp(cosines)), 1e-9)
        fused = DENSE_WEIGHT * near + (1.0 - DENSE_WEIGHT) * matches / max(float(matches.max()), 1e-9)
        best_first = (str(chunks[i].source) for i in np.argsort(-fused, kind="stable").tolist())
        ranking = list(dict.fromkeys(best_first))[:k]
        scores.append(score_ranking(ranking, collection.relevance[query], k=k))
    return scores


class _Analyser:
    """The terms of the first configuration."""

    def __init__(self) -> None:
        self._stem = Stemmer("en")
        self._stems: dict[str, str] = {}

    def terms(self, text: str) -> list[str]:
        return [term for word in _WORD.findall(text) for term in self._of_word(word)]

    def _of_word(self, word: str) -> Iterator[str]:
        parts = _SEPARATORS.split(word)
        for part in parts:
            yield from self._kept(part)
            if len(part) > 3 and not part.islower() and not part.isupper():
                pieces = _CAMEL.findall(part)
                if len(pieces) > 1:
                    for piece in pieces:
                        yield from self._kept(piece)
        if len(parts) > 1:
            yield word.lower()

    def _kept(self, part: str) -> Iterator[str]:
        folded = part.lower()
        if len(folded) > 1 and folded not in _STOP_WORDS:
            if folded not in self._stems:
                self._stems[folded] = self._stem(folded)
            yield self._stems[folded]
