"""How well does it work on one's own pages? Known-item questions over the library.

They are searched for in every mode, and answered with sentences of the pages in the usual one: how many
citations are at the place that the question was made from (`core.search.known_items`)?
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.extract import Candidate
from tabwise.core.answers.sufficiency import Level, Sufficiency
from tabwise.core.model import FloatMatrix, FusionMode
from tabwise.core.search.known_items import KnownItem, is_at_the_place, known_items, rank_of
from tabwise.engine.answering.extracting import Extractor
from tabwise.engine.answering.retrieval import Found
from tabwise.engine.asking import N_HITS, Asker
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library
from tabwise.errors import InputError, ModelError
from tabwise.ports import Clock, Embedder

CUTS = (1, 3, 10)
_EMBED_BATCH = 4


@dataclass(frozen=True, slots=True)
class SelfTestRow:
    """One mode: share of the items among the first k of CUTS, mean reciprocal rank, median ms a search."""

    mode: FusionMode
    recall: tuple[float, ...]
    reciprocal_rank: float
    query_ms: float


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What was asked and how each mode did; only the lexical one without vectors.

    n_answered: questions that got an answer. n_citations: in all of them, n_at_the_place: of these.
    """

    n_questions: int
    n_chunks: int
    rows: tuple[SelfTestRow, ...]
    n_answered: int
    n_citations: int
    n_at_the_place: int


async def self_test(
    library: Library, *, embedder: Embedder, clock: Clock, job: Job, max_questions: int
) -> SelfTest:
    """Ask at most `max_questions`; raises InputError library_empty when no page has a usable sentence."""
    index = library.index
    items = []
    for item in known_items(index.heads(), index.chunk, index.idf, limit=max_questions):
        items.append(item)
        await job.checkpoint()
    if not items:
        raise InputError("library_empty")
    vectors = await _vectors(library, items, embedder, job)
    modes = list(FusionMode) if vectors is not None else [FusionMode.LEXICAL]
    rows, total = [], len(items) * len(modes)
    for number, mode in enumerate(modes):
        ranks, times = [], []
        for i, item in enumerate(items):
            await job.checkpoint(Progress("retrieve", number * len(items) + i, total, "searches"))
            started = clock.monotonic_ms()
            vector = vectors[i] if vectors is not None else None
            hits = index.search(item.query, vector, mode=mode, k=max(CUTS), allow_weak=True)
            times.append(clock.monotonic_ms() - started)
            ranks.append(rank_of(item, hits))
        rows.append(_row(mode, ranks, times))
    await job.checkpoint(Progress("retrieve", total, total, "searches"))
    cited = await _cited(library, items, Asker(library, embedder=embedder, clock=clock), job)
    return SelfTest(
        n_questions=len(items),
        n_chunks=index.n_chunks,
        rows=tuple(rows),
        n_answered=sum(bool(of_item) for of_item in cited),
        n_citations=sum(map(len, cited)),
        n_at_the_place=sum(
            is_at_the_place(library.page(item.source), item.start, (one.source, one.start, one.end))
            for item, of_item in zip(items, cited, strict=True)
            for one in of_item
        ),
    )


async def _cited(
    library: Library, items: Sequence[KnownItem], asker: Asker, job: Job
) -> list[tuple[Candidate, ...]]:
    """The sentences that answer each question, which cite themselves; none when none is good enough."""
    extractor, cited = Extractor(library, asker), []
    for done, item in enumerate(items):
        await job.checkpoint(Progress("extract", done, len(items), "questions"))
        result = await asker.search(item.query, k=N_HITS)
        pages = {hit.chunk.source: library.page(hit.chunk.source) for hit in result.hits}
        by_query = ((item.query, result.hits, result.query_vector),)
        found = Found(by_query, result.hits, pages, result.semantic, Sufficiency(Level.ENOUGH))
        cited.append(await extractor.extract(found, silent_job()))
    await job.checkpoint(Progress("extract", len(items), len(items), "questions"))
    return cited


async def _vectors(
    library: Library, items: Sequence[KnownItem], embedder: Embedder, job: Job
) -> FloatMatrix | None:
    """Vectors of the questions, None when the library or the model has none."""
    if not library.index.n_vectors:
        return None
    prefix = embedder.descriptor.query_prefix
    parts: list[npt.NDArray[np.float32]] = []
    try:
        for start in range(0, len(items), _EMBED_BATCH):
            await job.checkpoint(Progress("embed", start, len(items), "questions"))
            batch = items[start : start + _EMBED_BATCH]
            parts.append(await embedder.embed([prefix + item.query for item in batch]))
    except ModelError:
        return None
    return np.concatenate(parts)


def _row(mode: FusionMode, ranks: Sequence[int | None], times: Sequence[float]) -> SelfTestRow:
    found = [rank for rank in ranks if rank is not None]
    return SelfTestRow(
        mode=mode,
        recall=tuple(sum(rank <= cut for rank in found) / len(ranks) for cut in CUTS),
        reciprocal_rank=sum(1.0 / rank for rank in found) / len(ranks),
        query_ms=float(np.median(times)),
    )
