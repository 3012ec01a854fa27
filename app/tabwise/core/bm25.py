"""BM25 that can take pages in and out: numpy postings in immutable segments.

    score(q, d) = Σ idf(t) · tf / (tf + k1 · (1 − b + b · |d| / avgdl)),   t ∈ distinct terms of q
    idf(t)      = ln(1 + (N − df + ½) / (df + ½))

Lucene's form of Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009), equal to bm25s
`method="lucene"`. N, df and avgdl are those of the live documents, so scores equal a fresh build
whatever was added and removed before. k1 = 1.2 and b = 0.6 were chosen on development collections;
quality is flat around them.

Each add writes one segment: distinct terms, and for each a run of (slot, tf). A removed document's slot
is a tombstone. Segments merge geometrically, an older one being at least twice the next, up to
`MAX_MERGED_POSTINGS`, which bounds the longest pause of an add; `compact` drops tombstones.

Worked example, k1 1.2, b 0.6: documents [a, b] and [a, a, a, c], N 2, avgdl 3. df(b) = 1, so
idf(b) = ln(1 + 1.5/1.5) = 0.693; K = 1.2·(0.4 + 0.6·2/3) = 0.96; score([b], d0) = 0.693/1.96 = 0.354.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

IntVector = npt.NDArray[np.int32]
FloatVector = npt.NDArray[np.float32]
BoolVector = npt.NDArray[np.bool_]

MAX_MERGED_POSTINGS = 262_144

_Item = TypeVar("_Item", bound=np.generic)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Postings grouped by term: those of term_ids[i] are slots[offsets[i]:offsets[i + 1]] and as many tfs."""

    term_ids: IntVector
    offsets: IntVector
    slots: IntVector
    tfs: npt.NDArray[np.uint16]

    @property
    def n_postings(self) -> int:
        return len(self.slots)

    def repeated_term_ids(self) -> IntVector:
        return np.repeat(self.term_ids, np.diff(self.offsets))


def _segment(term_ids: IntVector, slots: IntVector, tfs: npt.NDArray[np.uint16]) -> _Segment:
    order = np.argsort(term_ids, kind="stable")
    ordered = term_ids[order]
    first = np.flatnonzero(np.diff(ordered, prepend=np.int32(-1)))
    offsets = np.append(first, len(term_ids)).astype(np.int32)
    return _Segment(ordered[first], offsets, slots[order], tfs[order])


class Draft:
    """Documents on their way into an index, counted one by one under term numbers of their own.

    Nothing of the index is touched, so a long page can be drafted in steps and put in at once.
    """

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.term_numbers: list[IntVector] = []
        self.tfs: list[npt.NDArray[np.uint16]] = []
        self.lengths: list[int] = []

    def add(self, document: Iterable[str]) -> None:
        """Count the terms of the next document."""
        counts = Counter(document)
        numbers = (self.vocabulary.setdefault(term, len(self.vocabulary)) for term in counts)
        self.term_numbers.append(np.fromiter(numbers, np.int32, len(counts)))
        self.tfs.append(np.fromiter((min(tf, 0xFFFF) for tf in counts.values()), np.uint16, len(counts)))
        self.lengths.append(counts.total())


class BM25Index:
    """Documents in numbered slots, grouped under the key they were added with.

    Slots are given out in order and keep their number until `compact`. Scores are aligned to slots.
    """

    def __init__(self, *, k1: float = 1.2, b: float = 0.6) -> None:
        self.k1 = k1
        self.b = b
        self._term_ids: dict[str, int] = {}
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
        return self.put(key, draft)

    def put(self, key: str, draft: Draft) -> range:
        """Add drafted documents under `key` and return their slots, replacing what was there."""
        if key in self._slots_by_key:
            self.remove(key)
        start, end = self._n_slots, self._n_slots + len(draft.lengths)
        self._lengths = _grown(self._lengths, end)
        self._live = _grown(self._live, end)
        self._lengths[start:end] = draft.lengths
        vocabulary = self._term_ids
        own_ids = np.fromiter(
            (vocabulary.setdefault(term, len(vocabulary)) for term in draft.vocabulary),
            np.int32,
            len(draft.vocabulary),
        )
        term_ids = own_ids[_joined(draft.term_numbers, np.int32)]
        sizes = [len(numbers) for numbers in draft.term_numbers]
        slots = np.repeat(np.arange(start, end, dtype=np.int32), sizes)
        self._slots_by_key[key] = (start, end)
        self._live[start:end] = True
        self._n_slots = end
        self._n_documents += end - start
        self._total_length += int(self._lengths[start:end].sum(dtype=np.int64))
        self._saturation = None
        segment = _segment(term_ids, slots, _joined(draft.tfs, np.uint16))
        self._document_frequencies = _grown(self._document_frequencies, len(vocabulary))
        self._document_frequencies[segment.term_ids] += np.diff(segment.offsets)
        if segment.n_postings:
            self._segments.append(segment)
            self._merge()
        return range(start, end)

    def remove(self, key: str) -> None:
        """Take the documents under `key` out; their slots stay empty. Raises KeyError."""
        start, end = self._slots_by_key.pop(key)
        self._live[start:end] = False
        self._n_documents -= end - start
        self._total_length -= int(self._lengths[start:end].sum(dtype=np.int64))
        self._saturation = None
        for segment in self._segments:
            gone = np.flatnonzero((segment.slots >= start) & (segment.slots < end))
            owners = np.searchsorted(segment.offsets, gone, side="right") - 1
            # Counted within the segment, as its terms are distinct and far fewer than the vocabulary.
            counts = np.bincount(owners, minlength=len(segment.term_ids)).astype(np.int32)
            self._document_frequencies[segment.term_ids] -= counts

    def compact(self) -> npt.NDArray[np.int64]:
        """Drop empty slots and unused terms; return the old slot of each new one, (n_documents,) int64."""
        kept = np.flatnonzero(self.live)
        new_slots = np.full(self._n_slots, -1, np.int32)
        new_slots[kept] = np.arange(len(kept), dtype=np.int32)
        used = self._document_frequencies[: len(self._term_ids)] > 0
        new_term_ids = (np.cumsum(used, dtype=np.int32) - 1).astype(np.int32)
        self._segments = [
            _segment(new_term_ids[term_ids], new_slots[slots], tfs)
            for term_ids, slots, tfs in (self._live_postings(segment) for segment in self._segments)
            if len(slots)
        ]
        self._term_ids = {
            term: int(new_term_ids[term_id]) for term, term_id in self._term_ids.items() if used[term_id]
        }
        self._document_frequencies = self._document_frequencies[: len(used)][used]
        self._lengths = self._lengths[kept]
        self._live = np.ones(len(kept), np.bool_)
        self._slots_by_key = {
            key: _renumbered(new_slots, start, end) for key, (start, end) in self._slots_by_key.items()
        }
        self._n_slots = len(kept)
        self._saturation = None
        return kept.astype(np.int64)

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
        scores = np.zeros(self._n_slots, np.float32)
        saturation = self._saturations()
        for term in dict.fromkeys(query_terms):
            if self.document_frequency(term) == 0:
                continue
            idf = np.float32(self.idf(term))
            for slots, own in self._postings(term):
                tfs = own.astype(np.float32)
                scores[slots] += idf * tfs / (tfs + saturation[slots])
        scores[~self.live] = 0.0
        return scores

    def scores_of_any(self, terms: Mapping[str, float]) -> FloatVector:
        """Return the score of every slot, (n_slots,) float32, for terms that stand for one word.

        Their term frequencies are added up, each times its weight in `terms`; the document frequency is that
        of the documents with any of them.
        """
        tfs = np.zeros(self._n_slots, np.float32)
        for term, weight in terms.items():
            for slots, own in self._postings(term):
                tfs[slots] += np.float32(weight) * own.astype(np.float32)
        tfs[~self.live] = 0.0
        df = int(np.count_nonzero(tfs))
        idf = np.float32(math.log(1.0 + (self._n_documents - df + 0.5) / (df + 0.5)))
        found = np.flatnonzero(tfs)
        scores = np.zeros(self._n_slots, np.float32)
        scores[found] = idf * tfs[found] / (tfs[found] + self._saturations()[found])
        return scores

    def _postings(self, term: str) -> Iterator[tuple[IntVector, npt.NDArray[np.uint16]]]:
        """Slots and term frequencies of a term, segment by segment, removed documents included."""
        term_id = self._term_ids.get(term)
        if term_id is None:
            return
        for segment in self._segments:
            at = int(np.searchsorted(segment.term_ids, term_id))
            if at < len(segment.term_ids) and segment.term_ids[at] == term_id:
                run = slice(segment.offsets[at], segment.offsets[at + 1])
                yield segment.slots[run], segment.tfs[run]

    def _saturations(self) -> FloatVector:
        """k1 · (1 − b + b · |d| / avgdl) of every slot, kept until the documents change."""
        if self._saturation is None:
            average = self._total_length / max(1, self._n_documents) or 1.0
            relative = self._lengths[: self._n_slots] / np.float64(average)
            self._saturation = (self.k1 * (1.0 - self.b + self.b * relative)).astype(np.float32)
        return self._saturation

    def _live_postings(self, segment: _Segment) -> tuple[IntVector, IntVector, npt.NDArray[np.uint16]]:
        kept = self._live[segment.slots]
        return segment.repeated_term_ids()[kept], segment.slots[kept], segment.tfs[kept]

    def _merge(self) -> None:
        segments = self._segments
        while len(segments) > 1 and segments[-2].n_postings < 2 * segments[-1].n_postings:
            if segments[-2].n_postings + segments[-1].n_postings > MAX_MERGED_POSTINGS:
                return
            newer, older = segments.pop(), segments.pop()
            parts = [self._live_postings(older), self._live_postings(newer)]
            term_ids, slots, tfs = (np.concatenate(columns) for columns in zip(*parts, strict=True))
            if len(slots):
                segments.append(_segment(term_ids, slots, tfs))


def _joined(parts: Sequence[npt.NDArray[_Item]], dtype: type[_Item]) -> npt.NDArray[_Item]:
    return np.concatenate([np.zeros(0, dtype), *parts])


def _renumbered(new_slots: IntVector, start: int, end: int) -> tuple[int, int]:
    # Documents of one key are live or gone together, so their new slots are a run as well.
    first = int(new_slots[start]) if start < end else 0
    return first, first + end - start


def _grown(array: npt.NDArray[_Item], size: int) -> npt.NDArray[_Item]:
    """The array, or one of at least twice its size with zeros behind, when `size` does not fit."""
    if size <= len(array):
        return array
    larger = np.zeros(max(size, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger
