"""BM25 that can take pages in and out: numpy postings in immutable segments.

    score(q, d) = Σ idf(t) · tf / (tf + k1 · (1 − b + b · |d| / avgdl)),   t ∈ distinct terms of q
    idf(t)      = ln(1 + (N − df + ½) / (df + ½))

Lucene's form of Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), equal to bm25s
`method="lucene"`. N, df and avgdl are those of the live documents, so scores equal a fresh build
whatever was added and removed before. k1 = 1.2 and b = 0.6 were chosen on development collections;
quality is flat around them.

Each add writes one segment: distinct terms, and for each a run of (slot, tf). A removed document's slot
is a tombstone. Segments merge geometrically, an older one being at least twice the next, up to
`MAX_MERGED_POSTINGS`, which bounds the longest pause of an add; `compact` drops tombstones. A library of
100,000 passages then has some forty segments, which the kernel visits in one call (`kernel.add_postings`).

Worked example, k1 1.2, b 0.6: documents [a, b] and [a, a, a, c], N 2, avgdl 3. df(b) = 1, so
idf(b) = ln(1 + 1.5/1.5) = 0.693; K = 1.2·(0.4 + 0.6·2/3) = 0.96; score([b], d0) = 0.693/1.96 = 0.354.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tabwise.core.search.kernel import NumpyKernel, SearchKernel
from tabwise.core.search.postings import (
    Draft,
    IntVector,
    Postings,
    numbers_of,
    offsets_of,
    runs,
    term_numbers,
)
from tabwise.core.search.segments import Segment, merged, without_removed

FloatVector = npt.NDArray[np.float32]
BoolVector = npt.NDArray[np.bool_]

MAX_MERGED_POSTINGS = 262_144
_MAX_MERGED_SLOTS = 0x10000

_Item = TypeVar("_Item", bound=np.generic)


class BM25Index:
    """Documents in numbered slots, grouped under the key they were added with.

    Slots are given out in order and keep their number until `compact`. Scores are aligned to slots.
    """

    def __init__(self, *, k1: float = 1.2, b: float = 0.6, kernel: SearchKernel | None = None) -> None:
        self.k1 = k1
        self.b = b
        self._kernel = kernel or NumpyKernel()
        self._term_ids = term_numbers()
        self._document_frequencies: IntVector = np.zeros(1024, np.int32)
        self._lengths: IntVector = np.zeros(256, np.int32)
        self._live: BoolVector = np.zeros(256, np.bool_)
        self._n_slots = 0
        self._n_documents = 0
        self._total_length = 0
        self._segments: tuple[Segment, ...] = ()
        self._slots_by_key: dict[str, tuple[int, int]] = {}
        self._saturation: FloatVector | None = None

    @property
    def n_slots(self) -> int:
        """Number of slots given out, removed ones included."""
        return self._n_slots

    @property
    def n_documents(self) -> int:
        """Number of live documents."""
        return self._n_documents

    @property
    def n_segments(self) -> int:
        """Number of segments; a query visits each once a term."""
        return len(self._segments)

    @property
    def live(self) -> BoolVector:
        """Which slots hold a document, (n_slots,) bool; a view that must not be written."""
        return self._live[: self._n_slots]

    def slots(self, key: str) -> range:
        """Return the slots of the documents under `key` in order, none when it is unknown."""
        return range(*self._slots_by_key.get(key, (0, 0)))

    def add(self, key: str, documents: Sequence[Iterable[str]]) -> range:
        """Add the terms of each document under `key` and return their slots, replacing what was there."""
        draft = Draft()
        for document in documents:
            draft.add(document)
        return self.put([(key, len(documents))], draft.postings())

    def put(self, keys: Sequence[tuple[str, int]], postings: Postings) -> range:
        """Add documents and return their slots, replacing what was there.

        `keys`: the keys in order, each with the number of its documents; no key comes twice.
        """
        for key, _ in keys:
            if key in self._slots_by_key:
                self.remove(key)
        start, end = self._n_slots, self._n_slots + postings.n_documents
        self._lengths = grown(self._lengths, end)
        self._live = grown(self._live, end)
        self._lengths[start:end] = postings.lengths
        self._live[start:end] = True
        self._n_slots = end
        self._n_documents += end - start
        self._total_length += int(postings.lengths.sum(dtype=np.int64))
        self._saturation = None
        first = start
        for key, n_documents in keys:
            self._slots_by_key[key] = (first, first + n_documents)
            first += n_documents
        segment = self._segment(start, postings)
        self._document_frequencies = grown(self._document_frequencies, len(self._term_ids))
        self._document_frequencies[segment.term_ids] += np.diff(segment.offsets)
        if segment.n_slots:
            self._segments = _with_newest(self._segments, segment)
        return range(start, end)

    def _segment(self, first_slot: int, postings: Postings) -> Segment:
        """The postings under this index's term numbers, which are given out here."""
        ids = numbers_of(postings.terms, self._term_ids)
        order = np.argsort(ids)
        counts = np.diff(postings.offsets)[order]
        places = runs(postings.offsets[:-1][order], counts)
        return Segment(
            first_slot,
            postings.n_documents,
            ids[order],
            offsets_of(counts),
            postings.documents[places],
            postings.tfs[places],
        )

    def remove(self, key: str) -> None:
        """Take the documents under `key` out; their slots stay empty. Raises KeyError."""
        start, end = self._slots_by_key.pop(key)
        self._live[start:end] = False
        self._n_documents -= end - start
        self._total_length -= int(self._lengths[start:end].sum(dtype=np.int64))
        self._saturation = None
        if start == end:
            return
        at = bisect_right(self._segments, start, key=lambda segment: segment.first_slot) - 1
        segment = self._segments[at]
        first, last = start - segment.first_slot, end - segment.first_slot
        gone = np.flatnonzero((segment.documents >= first) & (segment.documents < last))
        owners = np.searchsorted(segment.offsets, gone, side="right") - 1
        # Counted within the segment, as its terms are distinct and far fewer than the vocabulary.
        counts = np.bincount(owners, minlength=len(segment.term_ids)).astype(np.int32)
        self._document_frequencies[segment.term_ids] -= counts

    def compact(self) -> npt.NDArray[np.int64]:
        """Drop empty slots and unused terms; return the old slot of each new one, (n_documents,) int64."""
        kept = np.flatnonzero(self.live)
        used = self._document_frequencies[: len(self._term_ids)] > 0
        new_term_ids = (np.cumsum(used, dtype=np.int32) - 1).astype(np.int32)
        segments, first = [], 0
        for segment in self._segments:
            segment = without_removed(segment, self._live[segment.slots])
            if segment.n_slots:
                segments.append(replace(segment, first_slot=first, term_ids=new_term_ids[segment.term_ids]))
                first += segment.n_slots
        self._segments = tuple(segments)
        new_slots = np.full(self._n_slots, -1, np.int32)
        new_slots[kept] = np.arange(len(kept), dtype=np.int32)
        self._term_ids = term_numbers(
            term for term, is_used in zip(self._term_ids, used.tolist(), strict=True) if is_used
        )
        self._document_frequencies = self._document_frequencies[: len(used)][used]
        self._lengths = self._lengths[kept]
        self._live = np.ones(len(kept), np.bool_)
        self._slots_by_key = {
            key: _renumbered(new_slots, start, end) for key, (start, end) in self._slots_by_key.items()
        }
        self._n_slots = len(kept)
        self._saturation = None
        return kept.astype(np.int64)

    @property
    def n_terms(self) -> int:
        """Number of terms there was a document with."""
        return len(self._term_ids)

    def newest_terms(self, n: int) -> Iterable[str]:
        """Return the `n` terms that came last, in no particular order."""
        return islice(reversed(self._term_ids), n)

    def vocabulary(self) -> Iterable[str]:
        """Return every term there was a document with, in no particular order."""
        return self._term_ids.keys()

    def document_frequency(self, term: str) -> int:
        """Number of live documents that contain `term`."""
        term_id = self._term_ids.get(term)
        return 0 if term_id is None else int(self._document_frequencies[term_id])

    def idf(self, term: str) -> float:
        """Inverse document frequency of `term`, > 0; highest for a term no document has."""
        df = self.document_frequency(term)
        return math.log(1.0 + (self._n_documents - df + 0.5) / (df + 0.5))

    def scores(self, query_terms: Iterable[str]) -> FloatVector:
        """Return the score of every slot, (n_slots,) float32; 0 without a term in common or when removed.

        A repeated query term counts once.
        """
        weights = {
            self._term_ids[term]: self.idf(term)
            for term in dict.fromkeys(query_terms)
            if self.document_frequency(term)
        }
        sums = np.zeros(self._n_slots, np.float64)
        self._kernel.add_postings(self._segments, *_arrays(weights), self._saturations(), sums)
        return sums.astype(np.float32)

    def scores_of_any(self, terms: Mapping[str, float]) -> FloatVector:
        """Return the score of every slot, (n_slots,) float32, for terms that stand for one word.

        Their term frequencies are added up, each times its weight in `terms`; the document frequency is that
        of the documents with any of them.
        """
        known = {self._term_ids[term]: weight for term, weight in terms.items() if term in self._term_ids}
        term_ids, weights = _arrays(known)
        tfs = np.zeros(self._n_slots, np.float32)
        for segment in self._segments:
            counts, documents, own_tfs = segment.runs_of(term_ids)
            weighed = np.repeat(weights, counts) * own_tfs.astype(np.float32)
            tfs[segment.slots] = np.bincount(documents, weighed, segment.n_slots)
        tfs[~self.live] = 0.0
        found = np.flatnonzero(tfs)
        idf = np.float32(math.log(1.0 + (self._n_documents - len(found) + 0.5) / (len(found) + 0.5)))
        scores = np.zeros(self._n_slots, np.float32)
        scores[found] = idf * tfs[found] / (tfs[found] + self._saturations()[found])
        return scores

    def _saturations(self) -> FloatVector:
        """k1 · (1 − b + b · |d| / avgdl) of every slot, kept until the documents change.

        Infinite where a document was removed: whatever it had then scores 0.
        """
        if self._saturation is None:
            average = self._total_length / max(1, self._n_documents) or 1.0
            relative = self._lengths[: self._n_slots] / np.float64(average)
            self._saturation = (self.k1 * (1.0 - self.b + self.b * relative)).astype(np.float32)
            self._saturation[~self.live] = np.inf
        return self._saturation


def _with_newest(segments: tuple[Segment, ...], newest: Segment) -> tuple[Segment, ...]:
    """The segments and one more, merged with those before it until each is at least twice the next."""
    older = list(segments)
    while older and older[-1].n_postings < 2 * newest.n_postings:
        if older[-1].n_postings + newest.n_postings > MAX_MERGED_POSTINGS:
            break
        if older[-1].n_slots + newest.n_slots > _MAX_MERGED_SLOTS:
            break
        newest = merged(older.pop(), newest)
    return (*older, newest)


def _arrays(weight_of_term: Mapping[int, float]) -> tuple[IntVector, FloatVector]:
    """The numbers of the terms and their weights, (t,) int32 and (t,) float32."""
    n = len(weight_of_term)
    return np.fromiter(weight_of_term.keys(), np.int32, n), np.fromiter(
        weight_of_term.values(), np.float32, n
    )


def _renumbered(new_slots: IntVector, start: int, end: int) -> tuple[int, int]:
    # Documents of one key are live or gone together, so their new slots are a run as well.
    first = int(new_slots[start]) if start < end else 0
    return first, first + end - start


def grown(array: npt.NDArray[_Item], size: int) -> npt.NDArray[_Item]:
    """The array, or one of at least twice its size with zeros behind, when `size` does not fit."""
    if size <= len(array):
        return array
    larger = np.zeros(max(size, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger
