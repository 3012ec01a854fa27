"""The parts of the index that the library file keeps, so that starting need not read every page again.

Every page is put with a part of its own. When MERGED parts of about one size have gathered, they become one,
without the pages that are gone; larger than MAX_MERGED_POSTINGS / MERGED they stay as they are. So there are
few parts, each page is written a few times at most, and no step takes long. Parts are derived: what is
damaged, outdated or of another snapshot is dropped, and its pages are read again.
"""

from collections.abc import Callable, Collection, Mapping

from tabwise.core.model import PageHead, SourceId
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.page_part import PagePart, decode_part, encode_part, joined_parts, pages_only
from tabwise.engine.jobs import Job
from tabwise.ports import PartRow, Store

MERGED = 12
"""Pages of ordinary length then gather in parts that the index takes as they are, without merging."""
MAX_MERGED_POSTINGS = 262_144
_LIMITS = (MAX_MERGED_POSTINGS // MERGED // MERGED, MAX_MERGED_POSTINGS // MERGED)


def part_row(part: PagePart) -> PartRow:
    """Return the row of a part; its stamp is the last one in it."""
    return PartRow(part.chunks.n_postings, encode_part(part), max(part.stamps.tolist(), default=0))


class IndexParts:
    """Reads the parts of a store into an index, and keeps them few."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load_into(self, index: SearchIndex, heads: Mapping[SourceId, PageHead], job: Job) -> None:
        """Put all pages into an empty index whose snapshot a part has; drop parts that have none."""
        waiting = {head.stamp: head for head in heads.values() if head.stamp}
        useless = []
        for part_id in self._store.part_sizes():
            part = decode_part(self._store.load_part(part_id))
            await job.checkpoint()
            if part is not None:
                part = pages_only(part, lambda stamp, n: stamp in waiting and waiting[stamp].n_chunks == n)
            if part is None or not len(part.stamps):
                useless.append(part_id)
                continue
            index.put_part([waiting.pop(stamp) for stamp in part.stamps.tolist()], part)
            await job.checkpoint()
        if useless:
            self._store.replace_parts(useless, None)

    async def tidy(self, stamps_of: Callable[[], Collection[int]], job: Job) -> None:
        """Make one part of many small ones; `stamps_of` gives the snapshots still there."""
        low = 0
        for limit in _LIMITS:
            sizes = self._store.part_sizes()
            small = [part_id for part_id, n_postings in sizes.items() if low <= n_postings < limit]
            if len(small) >= MERGED:
                await self._merge(small, stamps_of(), job)
            low = limit

    async def _merge(self, part_ids: list[int], stamps: Collection[int], job: Job) -> None:
        parts = []
        for part_id in part_ids:
            part = decode_part(self._store.load_part(part_id))
            if part is not None:
                parts.append(pages_only(part, lambda stamp, n: stamp in stamps))
            await job.checkpoint()
        merged = await job.drive(joined_parts(parts)) if parts else None
        await job.checkpoint()
        row = part_row(merged) if merged and len(merged.stamps) else None
        await job.checkpoint()
        self._store.replace_parts(part_ids, row)
