"""BM25 as a product of two sparse vectors, for a store that keeps vectors and knows no words.

    document:  w(t, d) = tf / (tf + k1 · (1 − b + b · |d| / AVERAGE_LENGTH))
    query:     1 for each distinct term
    store:     idf(t), from its own counts, times w(t, d), summed over the terms of the query

which is the score of `bm25` with one difference: the average length is a constant, because the weights of a
chunk are written once and every further page would move the true average. On chunks as we cut them the two
orders agree closely (tests/contract/test_vector_store.py).

A term is known by 32 bits of its BLAKE2b digest (RFC 7693), so the store learns no word and no vocabulary has
to be kept in step. Two terms of one chunk that share a number are added up. Among 200,000 terms about five
pairs do, and one matters only when a question has one of the two and a chunk the other.

Worked example, k1 1.2, b 0.6: in a chunk of AVERAGE_LENGTH terms a term that is there twice has
w = 2 / (2 + 1.2) = 0.625.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tabwise.core.text.terms import terms

K1 = 1.2
B = 0.6
AVERAGE_LENGTH = 80.0
"""Terms of a chunk and its title: 75 on average in documentation sections, 93 in SciFact abstracts."""


@dataclass(frozen=True, slots=True)
class TermVector:
    """Term numbers in ascending order, each once, and the weight of each."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


def term_number(term: str) -> int:
    """Return the number of a term, 0 to 2³² − 1; lone surrogates are accepted."""
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "little")


def chunk_vector(embedding_text: str, title: str, language: str) -> TermVector:
    """Return the vector of a chunk: the terms of its text, and those of the page's title once more."""
    return document_vector(terms(embedding_text, language) + terms(title, language))


def document_vector(document: Sequence[str]) -> TermVector:
    """Return the weights w(t, d) of a document given as its terms with repetitions."""
    norm = K1 * (1.0 - B + B * len(document) / AVERAGE_LENGTH)
    weights: dict[int, float] = {}
    for term, tf in Counter(document).items():
        number = term_number(term)
        weights[number] = weights.get(number, 0.0) + tf / (tf + norm)
    return _sorted(weights)


def query_vector(query_terms: Iterable[str]) -> TermVector:
    """Return the vector of a query: 1 for each distinct term."""
    return _sorted({term_number(term): 1.0 for term in query_terms})


def _sorted(weights: dict[int, float]) -> TermVector:
    indices = tuple(sorted(weights))
    return TermVector(indices, tuple(weights[index] for index in indices))
