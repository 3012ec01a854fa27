"""Which open tabs are near the reader's interests: one search of the index for each interest.

Without the embedding model a page is near when it has the words of an interest, as a search by words finds
it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabwise.core.model import FusionMode, SourceId
from tabwise.core.summaries.interest import Hint, hint_of
from tabwise.core.text.urls import canonical_source
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.errors import ModelError
from tabwise.ports import Clock, Embedder

_DAY_MS = 86_400_000.0
STAGE = "compare"
FOUND_BY_WORDS = 1.0
"""Stands for the similarity of a page that has the words, where there is no model to measure it."""


@dataclass(frozen=True, slots=True)
class OpenTab:
    """A tab by its address, and when it was last looked at: ms since the epoch, 0 when nobody knows."""

    url: str
    last_accessed_ms: float


@dataclass(frozen=True, slots=True)
class TabHint:
    """The hint for a tab; `source` is the page it shows, `days_unused` 0 when nobody knows."""

    tab: OpenTab
    source: SourceId
    days_unused: float
    hint: Hint


async def hints_of(
    tabs: Sequence[OpenTab],
    interests: Sequence[str],
    *,
    library: Library,
    embedder: Embedder,
    clock: Clock,
    job: Job,
) -> Sequence[TabHint]:
    """Return a hint for each tab, in order; `interests` are short texts of the reader."""
    sources = [canonical_source(tab.url) for tab in tabs]
    saved = frozenset(source for source in sources if library.index.head(source) is not None)
    near: dict[SourceId, dict[str, float]] = {source: {} for source in saved}
    for done, interest in enumerate(interests):
        await job.checkpoint(Progress(STAGE, done, len(interests), "interests"))
        for source, similarity in (await _near(interest, saved, library, embedder)).items():
            near[source][interest] = similarity
    await job.checkpoint(Progress(STAGE, len(interests), len(interests), "interests"))
    now_ms = clock.now_ms()
    hints = []
    for tab, source in zip(tabs, sources, strict=True):
        days = max(0.0, now_ms - tab.last_accessed_ms) / _DAY_MS if tab.last_accessed_ms else 0.0
        hint = hint_of(near.get(source, {}), days_unused=days, is_saved=source in saved)
        hints.append(TabHint(tab, source, days, hint))
    return hints


async def _near(
    interest: str, sources: frozenset[SourceId], library: Library, embedder: Embedder
) -> Mapping[SourceId, float]:
    """How near each page's nearest passage is to an interest; pages that are not near at all are left out."""
    index, vector = library.index, None
    if index.n_vectors and index.reads(interest):
        try:
            vector = (await embedder.embed([embedder.descriptor.query_prefix + interest]))[0]
        except ModelError:
            vector = None
    hits = index.search(
        interest,
        vector,
        sources=sources,
        mode=FusionMode.LEXICAL if vector is None else FusionMode.DENSE,
        k=max(len(sources), 1),
        per_source_cap=1,
        allow_weak=vector is not None,
    )
    if vector is None:
        return {hit.chunk.source: FOUND_BY_WORDS for hit in hits}
    return {hit.chunk.source: hit.dense for hit in hits if hit.dense is not None}
