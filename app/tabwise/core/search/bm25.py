"""BM25 that can take pages in and out: numpy postings in immutable segments.

    score(q, d) = Σ idf(t) · tf / (tf + k1 · (1 − b + b · |d| / avgdl)),   t ∈ distinct terms of q
    idf(t)      = ln(1 + (N − df + ½) / (df + ½))

Lucene's form of Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), equal to bm25s
`method="lucene"`. N, df and avgdl are those of the live documents, so scores equal a fresh build
whatever was added and removed before. k1 = 1.2 and b = 0.6 were chosen on development collections;
quality is flat around them.

Each add writes one segment: distinct terms, and for each a run of (slot, tf). A removed document's slot
is a tombstone. Segments merge geometrically, an older one being at least twice the next, up to
`MAX_MERGED_POSTINGS`, which bounds the longest pause of an add; `compact` drops tombstones. A segment holds
all postings of a run of slots, so taking a document out looks into one segment.

Worked example, k1 1.2, b 0.6: documents [a, b] and [a, a, a, c], N 2, avgdl 3. df(b) = 1, so
idf(b) = ln(1 + 1.5/1.5) = 0.693; K = 1.2·(0.4 + 0.6·2/3) = 0.96; score([b], d0) = 0.693/1.96 = 0.354.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tabwise.core.search.postings import (
    Draft,
    IntVector,
    NumberVector,
    Postings,
    TfVector,
    numbers_of,
    offsets_of,
    runs,
    term_numbers,
)

FloatVector = npt.NDArray[np.float32]
BoolVector = npt.NDArray[np.bool_]
PlaceVector = npt.NDArray[np.intp]  # the one width that indexes, repeats and counts without a cast

MAX_MERGED_POSTINGS = 262_144
_MAX_MERGED_SLOTS = 0x10000

_Item = TypeVar("_Item", bound=np.generic)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings grouped by term, for the documents of n_slots slots from `first_slot` on.

    Those of term_ids[i] (ascending) are documents[offsets[i]:offsets[i + 1]] and as many tfs; a document is
    numbered from `first_slot`.
    """

    first_slot: int
    n_slots: int
    term_ids: IntVector
    offsets: IntVector
    documents: NumberVector
    tfs: TfVector

    @property
    def n_postings(self) -> int:
        return len(self.documents)

    def runs_of(self, term_ids: IntVector) -> tuple[PlaceVector, PlaceVector, TfVector]:
        """How many postings each of `term_ids` has; the documents and tfs of all, one term after another."""
        counts = np.zeros(len(term_ids), np.intp)
        at = np.searchsorted(self.term_ids, term_ids)
        at[at == len(self.term_ids)] = 0
        found = np.flatnonzero(self.term_ids[at] == term_ids) if len(self.term_ids) else at[:0]
        starts, ends = self.offsets[at[found]], self.offsets[at[found] + 1]
        counts[found] = ends - starts
        places = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        documents = [self.documents[:0], *(self.documents[place] for place in places)]
        tfs = [self.tfs[:0], *(self.tfs[place] for place in places)]
        return counts, np.concatenate(documents).astype(np.intp), np.concatenate(tfs)


class BM25Index:
    """Documents in numbered slots, grouped under the key they were added with.

    Slots are given out in order and keep their number until `compact`. Scores are aligned to slots.
    """

    def __init__(self, *, k1: float = 1.2, b: float = 0.6) -> None:
        self.k1 = k1
        self.b = b
        self._term_ids = term_numbers()
        self._document_frequencies: IntVector = np.zeros(1024, np.int32)
        self._lengths: IntVector = np.zeros(256, np.int32)
        self._live: BoolVector = np.zeros(256, np.bool_)
        self._n_slots = 0
        self._n_documents = 0
        self._total_length = 0
        self._segments: list[_Segment] = []
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
            self._segments.append(segment)
            self._merge()
        return range(start, end)

    def _segment(self, first_slot: int, postings: Postings) -> _Segment:
        """The postings under this index's term numbers, which are given out here."""
        ids = numbers_of(postings.terms, self._term_ids)
        order = np.argsort(ids)
        counts = np.diff(postings.offsets)[order]
        places = runs(postings.offsets[:-1][order], counts)
        return _Segment(
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
        for segment in map(self._without_removed, self._segments):
            if segment.n_slots:
                segments.append(replace(segment, first_slot=first, term_ids=new_term_ids[segment.term_ids]))
                first += segment.n_slots
        self._segments = segments
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
        terms = [term for term in dict.fromkeys(query_terms) if self.document_frequency(term)]
        return self._summed(
            {self._term_ids[term]: self.idf(term) for term in terms},
            lambda idf, tf, saturation: idf * tf / (tf + saturation),
        )

    def scores_of_any(self, terms: Mapping[str, float]) -> FloatVector:
        """Return the score of every slot, (n_slots,) float32, for terms that stand for one word.

        Their term frequencies are added up, each times its weight in `terms`; the document frequency is that
        of the documents with any of them.
        """
        known = {self._term_ids[term]: weight for term, weight in terms.items() if term in self._term_ids}
        tfs = self._summed(known, lambda weight, tf, saturation: weight * tf)
        tfs[~self.live] = 0.0
        found = np.flatnonzero(tfs)
        idf = np.float32(math.log(1.0 + (self._n_documents - len(found) + 0.5) / (len(found) + 0.5)))
        scores = np.zeros(self._n_slots, np.float32)
        scores[found] = idf * tfs[found] / (tfs[found] + self._saturations()[found])
        return scores

    def _summed(
        self,
        weight_of_term: Mapping[int, float],
        weight: Callable[[FloatVector, FloatVector, FloatVector], FloatVector],
    ) -> FloatVector:
        """Add up what `weight` makes of the term's weight, the tf and the saturation of each posting.

        All terms at once, segment by segment: with a step for each term in each segment, most of the time
        would go into steps. Added in double precision, so that the order of the terms hardly matters.
        """
        sums = np.zeros(self._n_slots, np.float32)
        saturations = self._saturations()
        term_ids = np.fromiter(weight_of_term.keys(), np.int32, len(weight_of_term))
        weights = np.fromiter(weight_of_term.values(), np.float32, len(weight_of_term))
        for segment in self._segments:
            counts, documents, tfs = segment.runs_of(term_ids)
            if len(documents):
                own = slice(segment.first_slot, segment.first_slot + segment.n_slots)
                weighed = weight(
                    np.repeat(weights, counts), tfs.astype(np.float32), saturations[own][documents]
                )
                sums[own] = np.bincount(documents, weighed, segment.n_slots)
        return sums

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

    def _without_removed(self, segment: _Segment) -> _Segment:
        """The segment with its live documents alone, numbered anew, its slots no longer where they were."""
        live = self._live[segment.first_slot : segment.first_slot + segment.n_slots]
        if live.all():
            return segment
        numbers = np.cumsum(live, dtype=np.int64) - 1
        mask = live[segment.documents]
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(mask, dtype=np.int64)])
        counts = np.diff(before[segment.offsets])
        used = counts > 0
        return replace(
            segment,
            n_slots=int(np.count_nonzero(live)),
            term_ids=segment.term_ids[used],
            offsets=offsets_of(counts[used]),
            documents=numbers[segment.documents[mask]].astype(segment.documents.dtype),
            tfs=segment.tfs[mask],
        )

    def _merge(self) -> None:
        segments = self._segments
        while len(segments) > 1 and segments[-2].n_postings < 2 * segments[-1].n_postings:
            older, newer = segments[-2:]
            if older.n_postings + newer.n_postings > MAX_MERGED_POSTINGS:
                return
            if older.n_slots + newer.n_slots > _MAX_MERGED_SLOTS:
                return
            segments[-2:] = [_merged(older, newer)]


def _merged(older: _Segment, newer: _Segment) -> _Segment:
    """Two neighbours as one; the slots stay where they are, removed documents among them."""
    term_ids = np.union1d(older.term_ids, newer.term_ids)
    parts = [(part, np.searchsorted(term_ids, part.term_ids)) for part in (older, newer)]
    counts = np.zeros(len(term_ids), np.int64)
    for part, at in parts:
        counts[at] += np.diff(part.offsets)
    offsets = offsets_of(counts)
    documents = np.empty(int(offsets[-1]), np.uint16)
    tfs = np.empty(len(documents), np.uint8)
    ends = offsets[:-1].copy()
    for part, at in parts:
        own = np.diff(part.offsets)
        places = runs(ends[at], own)
        documents[places] = part.documents + np.uint16(part.first_slot - older.first_slot)
        tfs[places] = part.tfs
        ends[at] += own
    n_slots = newer.first_slot + newer.n_slots - older.first_slot
    return _Segment(older.first_slot, n_slots, term_ids, offsets, documents, tfs)


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
