"""The page of the chunk in each slot.

Slots stand as `bm25` numbers them: the chunks of a page side by side by ordinal, a removed page's slots left
until all are compacted. Pages are numbered as they were added and a number is never given again, so that
what is known by page is spread over the slots by one look-up.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tabwise.core.model import PageHead, SourceId, chunk_id_prefix
from tabwise.core.search.bm25 import grown


class SlotPages:
    """Page numbers by slot, and slots by page."""

    def __init__(self) -> None:
        self._n_slots = 0
        self._sources: list[SourceId] = []  # by page number
        self._number_of: dict[SourceId, int] = {}
        self._numbers: npt.NDArray[np.int32] = np.zeros(0, np.int32)  # by slot, with room behind
        self._tie_ranks: npt.NDArray[np.int64] = np.zeros(0, np.int64)  # by slot, with room behind

    @property
    def numbers(self) -> npt.NDArray[np.int32]:
        """The page number of every slot, (n_slots,)."""
        return self._numbers[: self._n_slots]

    @property
    def tie_ranks(self) -> npt.NDArray[np.int64]:
        """What orders slots as the ids of their chunks do, (n_slots,)."""
        return self._tie_ranks[: self._n_slots]

    def source(self, slot: int) -> SourceId:
        """The page of a slot."""
        return self._sources[int(self._numbers[slot])]

    def sources_of(self, slots: npt.NDArray[np.bool_]) -> list[SourceId]:
        """The pages with a slot in the mask, each once, in the order they were added."""
        return [self._sources[number] for number in np.unique(self.numbers[slots]).tolist()]

    def add(self, heads: Sequence[PageHead], slots: range) -> None:
        """Number the pages that were put into `slots`, the last ones there are."""
        self._n_slots = slots.stop
        self._numbers = grown(self._numbers, slots.stop)
        self._tie_ranks = grown(self._tie_ranks, slots.stop)
        n_chunks = np.array([head.n_chunks for head in heads], np.intp)
        numbers = np.arange(len(self._sources), len(self._sources) + len(heads), dtype=np.int32)
        # Chunks of a page stand in the order of their ids already.
        ranks = np.array([int(chunk_id_prefix(head.source), 16) for head in heads], np.int64)
        self._numbers[slots.start : slots.stop] = np.repeat(numbers, n_chunks)
        self._tie_ranks[slots.start : slots.stop] = np.repeat(ranks, n_chunks)
        for head in heads:
            self._number_of[head.source] = len(self._sources)
            self._sources.append(head.source)

    def remove(self, source: SourceId) -> None:
        """Forget the number of a page; its slots keep it."""
        del self._number_of[source]

    def mask(self, sources: Collection[SourceId]) -> npt.NDArray[np.bool_]:
        """Whether each slot is of one of the pages, (n_slots,); unknown pages are ignored."""
        wanted = np.zeros(len(self._sources), np.bool_)
        wanted[[self._number_of[source] for source in sources if source in self._number_of]] = True
        return wanted[self.numbers]

    def spread(self, values: Mapping[SourceId, float]) -> npt.NDArray[np.float32]:
        """The value of each slot's page, 0 for pages that have none, (n_slots,)."""
        of_number = np.zeros(len(self._sources), np.float32)
        for source, value in values.items():
            if source in self._number_of:
                of_number[self._number_of[source]] = value
        return of_number[self.numbers]

    def compact(self, kept: npt.NDArray[np.int64]) -> None:
        """Keep these slots alone, in this order."""
        self._numbers = self._numbers[kept]
        self._tie_ranks = self._tie_ranks[kept]
        self._n_slots = len(kept)
