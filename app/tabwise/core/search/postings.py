"""Postings as a value: which of a few documents has which term, and how often.

Documents are numbered from 0 within the value and terms are strings, so it means the same in every index and
in a file. An index gives terms numbers of its own and the documents slots (`bm25`).

    terms[i] is in documents[offsets[i]:offsets[i + 1]], as often as the tfs there say

Numbers are narrow, because there are some seventy postings a passage: 16 bits for up to 65,536 documents,
8 for a frequency. A passage of at most 256 tokens cannot hold a term more often than 255 times; in a longer
document a higher count is taken as 255, where BM25 is flat.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

MAX_TF = 0xFF

IntVector = npt.NDArray[np.int32]
NumberVector = npt.NDArray[np.unsignedinteger[Any]]
TfVector = npt.NDArray[np.uint8]

_Item = TypeVar("_Item", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Postings:
    """terms (t,), each once; offsets (t + 1,) int32; documents, tfs (p,); lengths (n,) int32, in terms."""

    terms: Sequence[str]
    offsets: IntVector
    documents: NumberVector
    tfs: TfVector
    lengths: IntVector

    @property
    def n_documents(self) -> int:
        return len(self.lengths)

    @property
    def n_postings(self) -> int:
        return len(self.documents)


class Draft:
    """Documents on their way into postings, counted one by one, so that a long page can go in steps."""

    def __init__(self) -> None:
        self._numbers = term_numbers()
        self._term_numbers: list[IntVector] = []
        self._tfs: list[TfVector] = []
        self._lengths: list[int] = []

    def add(self, document: Iterable[str]) -> None:
        """Count the terms of the next document."""
        counts = Counter(document)
        self._term_numbers.append(numbers_of(counts, self._numbers))
        self._tfs.append(np.fromiter((min(tf, MAX_TF) for tf in counts.values()), np.uint8, len(counts)))
        self._lengths.append(counts.total())

    def postings(self) -> Postings:
        """Return what was counted; a term's documents are in order."""
        term_numbers = _joined(self._term_numbers, np.int32)
        sizes = np.array([len(numbers) for numbers in self._term_numbers], np.intp)
        order = np.argsort(term_numbers, kind="stable")
        counts = np.bincount(term_numbers, minlength=len(self._numbers))
        documents = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)[order]
        return Postings(
            tuple(self._numbers),
            offsets_of(counts),
            documents.astype(_width(len(sizes))),
            _joined(self._tfs, np.uint8)[order],
            np.array(self._lengths, np.int32),
        )


def joined(parts: Sequence[Postings]) -> Generator[None, None, Postings]:
    """Join in steps, two a part; return the documents of all in order, as if drafted together."""
    numbers = term_numbers()
    own = []
    for part in parts:
        own.append(numbers_of(part.terms, numbers))
        yield
    counts = np.zeros(len(numbers), np.int64)
    for part, numbers_of_part in zip(parts, own, strict=True):
        counts[numbers_of_part] += np.diff(part.offsets)
    offsets = offsets_of(counts)
    n_documents = sum(part.n_documents for part in parts)
    documents = np.empty(int(offsets[-1]), _width(n_documents))
    tfs = np.empty(len(documents), np.uint8)
    ends = offsets[:-1].copy()
    first = 0
    for part, numbers_of_part in zip(parts, own, strict=True):
        places = runs(ends[numbers_of_part], np.diff(part.offsets))
        documents[places] = part.documents.astype(np.int64) + first
        tfs[places] = part.tfs
        ends[numbers_of_part] += np.diff(part.offsets)
        first += part.n_documents
        yield
    lengths = _joined([part.lengths for part in parts], np.int32)
    return Postings(tuple(numbers), offsets, documents, tfs, lengths)


def kept_only(postings: Postings, kept: npt.NDArray[np.bool_]) -> Postings:
    """Return the postings of the documents where `kept` (n,) is true, numbered anew, without lost terms."""
    numbers = np.cumsum(kept, dtype=np.int64) - 1
    mask = kept[postings.documents]
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(mask, dtype=np.int64)])
    counts = np.diff(before[postings.offsets])
    used = np.flatnonzero(counts)
    return Postings(
        tuple(postings.terms[i] for i in used.tolist()),
        offsets_of(counts[used]),
        numbers[postings.documents[mask]].astype(_width(int(np.count_nonzero(kept)))),
        postings.tfs[mask],
        postings.lengths[kept],
    )


def runs(starts: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Return start, start + 1 … for each start in turn, as many as its count: [3, 9], [2, 1] → [3, 4, 9]."""
    lengths = counts.astype(np.intp)  # the only width `repeat` takes everywhere
    before = np.cumsum(lengths, dtype=np.int64) - lengths
    total = int(lengths.sum(dtype=np.int64))
    return np.repeat(starts.astype(np.int64) - before, lengths) + np.arange(total, dtype=np.int64)


def offsets_of(counts: npt.NDArray[np.integer]) -> IntVector:
    """Return the running total of `counts` with 0 in front, (n + 1,) int32."""
    offsets = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:], dtype=np.int32)
    return offsets


def term_numbers(terms: Iterable[str] = ()) -> defaultdict[str, int]:
    """Return the number of each term, in order from 0; asked for another one, it gets the next number.

    Without a Python step a term: starting a large library asks a million times.
    """
    known: defaultdict[str, int] = defaultdict(count().__next__)
    for term in terms:
        known[term]
    return known


def numbers_of(terms: Collection[str], known: defaultdict[str, int]) -> IntVector:
    """Return the number of each term, (n,) int32, giving new ones the next numbers; see `term_numbers`."""
    return np.fromiter(map(known.__getitem__, terms), np.int32, len(terms))


def _width(n_documents: int) -> type[np.unsignedinteger[Any]]:
    return np.uint16 if n_documents <= 0x10000 else np.uint32


def _joined(parts: Sequence[npt.NDArray[_Item]], dtype: type[_Item]) -> npt.NDArray[_Item]:
    return np.concatenate([np.zeros(0, dtype), *parts])
