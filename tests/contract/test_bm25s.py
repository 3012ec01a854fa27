"""Our BM25 against the reference library: equal scores on random collections."""

import numpy as np
import pytest

from tabwise.core.search.bm25 import BM25Index

pytestmark = pytest.mark.native


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.6), (1.2, 0.75), (0.9, 0.4), (2.0, 1.0)])
def test_scores_equal_bm25s_lucene(k1: float, b: float) -> None:
    bm25s = pytest.importorskip("bm25s")
    generator = np.random.default_rng(7)
    vocabulary = [f"w{number}" for number in range(400)]
    weights = 1.0 / np.arange(1, 401)
    weights /= weights.sum()
    documents = [
        generator.choice(vocabulary, size=generator.integers(5, 120), p=weights).tolist() for _ in range(300)
    ]
    reference = bm25s.BM25(k1=k1, b=b, method="lucene")
    reference.index(documents, show_progress=False)
    index = BM25Index(k1=k1, b=b)
    for start in range(0, 300, 20):
        index.add(str(start), documents[start : start + 20])
    for _ in range(50):
        query = list(dict.fromkeys(generator.choice(vocabulary, size=6).tolist()))
        known = [term for term in query if index.document_frequency(term)]
        np.testing.assert_allclose(index.scores(query), reference.get_scores(known), atol=1e-5)
