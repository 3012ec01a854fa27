"""Whether a library holds together: list, texts, passages, vectors and postings tell of the same pages.

The file's own check comes first; a file that fails it is not read further. Then, page by page:

- the page that the list names is there, with as many passages as the list says;
- page and passages are what was stored: hashes, spans, numbers (`core/page/page_faults.py`);
- where it has vectors, it has one a passage, each of a positive and finite scale;
- where the index keeps its part, the part holds the terms of these very passages.

A page without a part, or whose vectors are still to come, is no fault: both are made at the next start.
Nothing is changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tabwise.core.model import Chunk, Page, PageHead, QuantizedVectors
from tabwise.core.page.page_faults import fault_of
from tabwise.core.search.page_part import PagePart, decode_part, pages_only, read_page
from tabwise.engine.jobs import Job
from tabwise.ports import Store


@dataclass(frozen=True, slots=True)
class Findings:
    """What was looked at, and what is wrong with it, each fault in a line; none when sound.

    `n_waiting`: passages whose vectors are still to come.
    """

    n_pages: int
    n_chunks: int
    n_vectors: int
    faults: tuple[str, ...]

    @property
    def n_waiting(self) -> int:
        return self.n_chunks - self.n_vectors


async def look_through(store: Store, job: Job) -> Findings:
    """Look through a whole library, a page at a time; raises StoreError."""
    faults = list(store.check())
    if faults:
        return Findings(0, 0, 0, tuple(faults))
    heads = store.load_heads()
    parts = await _parts(store, heads, job)
    n_chunks = n_vectors = 0
    for head in heads:
        page, chunks = store.load_page(head.source), store.load_chunks(head.source)
        if page is None:
            faults.append(f"{head.source}: is listed and not there")
            continue
        known, vectors = store.load_vectors([chunk.content_hash for chunk in chunks])
        n_chunks += len(chunks)
        n_vectors += int(np.count_nonzero(known))
        found = [*_of_page(head, page, chunks), *_of_vectors(vectors)]
        if head.stamp in parts and not found:
            anew = await job.drive(read_page(page, chunks, head.stamp))
            found += _of_part(parts[head.stamp], anew)
        faults += [f"{head.source}: {fault}" for fault in found]
        await job.checkpoint()
    return Findings(len(heads), n_chunks, n_vectors, tuple(faults))


async def _parts(store: Store, heads: Sequence[PageHead], job: Job) -> dict[int, PagePart]:
    """The part of each listed page by the stamp of its snapshot."""
    listed = {head.stamp for head in heads if head.stamp}
    found = {}
    for part_id in store.part_sizes():
        part = decode_part(store.load_part(part_id))
        if part is None:
            continue
        for stamp in listed.intersection(part.stamps.tolist()):
            found[stamp] = _of_stamp(part, stamp)
            await job.checkpoint()
    return found


def _of_stamp(part: PagePart, stamp: int) -> PagePart:
    return pages_only(part, lambda one, n_chunks: one == stamp)


def _of_page(head: PageHead, page: Page, chunks: Sequence[Chunk]) -> Iterator[str]:
    if len(chunks) != head.n_chunks:
        yield f"{len(chunks)} passages, the list says {head.n_chunks}"
    if fault := fault_of(page, chunks):
        yield fault


def _of_vectors(vectors: QuantizedVectors) -> Iterator[str]:
    usable = np.isfinite(vectors.scales) & (vectors.scales > 0.0)
    if not usable.all():
        yield f"{np.count_nonzero(~usable)} vectors are no numbers"


def _of_part(kept: PagePart, anew: PagePart) -> Iterator[str]:
    """Lengths, number of postings and the terms in order are what they are when the page is read again."""
    if (
        kept.n_chunks.tolist() != anew.n_chunks.tolist()
        or kept.chunks.n_postings != anew.chunks.n_postings
        or kept.chunks.lengths.tolist() != anew.chunks.lengths.tolist()
        or not np.array_equal(kept.code_counts, anew.code_counts)
        or not np.array_equal(kept.codes, anew.codes)
    ):
        yield "the index holds other terms than its text"
