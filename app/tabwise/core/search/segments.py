"""Segments: the postings of a run of slots under an index's own term numbers, immutable once written.

Two neighbours can be merged into one, and one written anew without its removed documents. A segment holds all
postings of its slots, so taking a document out looks into one segment.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tabwise.core.search.postings import IntVector, NumberVector, TfVector, offsets_of, runs

PlaceVector = npt.NDArray[np.intp]  # the one width that indexes, repeats and counts without a cast


@dataclass(frozen=True, slots=True)
class Segment:
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

    @property
    def slots(self) -> slice:
        """Where its documents are among all slots."""
        return slice(self.first_slot, self.first_slot + self.n_slots)

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


def merged(older: Segment, newer: Segment) -> Segment:
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
    return Segment(older.first_slot, n_slots, term_ids, offsets, documents, tfs)


def without_removed(segment: Segment, live: npt.NDArray[np.bool_]) -> Segment:
    """Return the segment with its live documents alone, numbered anew, its slots no longer where they were.

    `live` (n_slots,): which of its slots hold a document.
    """
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
