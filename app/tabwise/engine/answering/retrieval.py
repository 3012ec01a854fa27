"""The searches of a plan, one after the other, judged, and at most one more for what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.plan import Plan
from tabwise.core.answers.receipt import Search
from tabwise.core.answers.sufficiency import Level, Sufficiency, assess, refined_query
from tabwise.core.model import Hit, Page, SourceId
from tabwise.engine.answering.question import Question
from tabwise.engine.answering.trace import Trace, search_record
from tabwise.engine.asking import Asker, SearchResult
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library

QueryVector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Found:
    """What the searches of a plan came up with.

    by_query: hits of each query, best first, with its vector or None. hits: all of them, each once, the best
    of every query first. pages: those of the hits.
    """

    by_query: tuple[tuple[str, tuple[Hit, ...], QueryVector | None], ...]
    hits: tuple[Hit, ...]
    pages: Mapping[SourceId, Page]
    semantic: bool
    sufficiency: Sufficiency


class Retriever:
    """Runs the searches of a plan over a library."""

    def __init__(self, library: Library, asker: Asker) -> None:
        self._library = library
        self._asker = asker

    async def retrieve(self, plan: Plan, asked: Question, job: Job, trace: Trace) -> Found:
        """Search for every query, then, when something is missing, once more.

        Raises InputError: question_empty, question_too_long, library_empty.
        """
        results: list[SearchResult] = []
        for done, query in enumerate(plan.queries):
            await job.checkpoint(Progress("retrieve", done, len(plan.queries), "searches"))
            results.append(await self._noted(query, asked, trace, refined=False))
        found = self._found(plan, plan.queries, results)
        await job.checkpoint(Progress("retrieve", len(plan.queries), len(plan.queries), "searches"))
        if found.sufficiency.level is not Level.ENOUGH:
            found = await self._refine(plan, asked, results, found, trace)
        trace.level = found.sufficiency.level
        return found

    async def _refine(
        self, plan: Plan, asked: Question, results: list[SearchResult], found: Found, trace: Trace
    ) -> Found:
        """One more search, its hits behind those of the query they are for."""
        index = self._library.index
        of_unknown = index.idf("")  # no document has the empty term
        query = refined_query(
            plan, found.sufficiency.missing, index.idf, lambda term: index.idf(term) < of_unknown
        )
        if not query:
            return found
        more = await self._noted(query, asked, trace, refined=True)
        if not more.hits:
            return found
        empty = next((i for i, result in enumerate(results) if not result.hits), len(results) - 1)
        known = {hit.chunk.id for hit in results[empty].hits}
        hits = (*results[empty].hits, *(hit for hit in more.hits if hit.chunk.id not in known))
        results[empty] = replace(results[empty], hits=hits)
        return self._found(plan, plan.queries, results)

    def _found(self, plan: Plan, queries: Sequence[str], results: Sequence[SearchResult]) -> Found:
        hits = _interleaved([result.hits for result in results])
        pages = {hit.chunk.source: self._library.page(hit.chunk.source) for hit in hits}
        by_query = tuple(
            (query, result.hits, result.query_vector) for query, result in zip(queries, results, strict=True)
        )
        return Found(
            by_query=by_query,
            hits=hits,
            pages=pages,
            semantic=any(result.semantic for result in results),
            sufficiency=assess(plan, [result.hits for result in results], pages),
        )

    async def search(
        self, query: str, asked: Question, *, refined: bool = False
    ) -> tuple[SearchResult, Search]:
        """Search once; return what was found, and the search as receipts keep it.

        That has both rankings, by meaning (none without vectors) and by words, each the best k.
        """
        result = await self._asker.search(query, scope=asked.scope, k=asked.k, mode=asked.mode)
        index = self._library.index
        vector = result.query_vector if result.semantic else None
        dense, lexical = index.rankings(query, vector, sources=asked.scope.pages(index), k=asked.k)
        return result, search_record(query, refined, result.semantic, result.hits, dense, lexical)

    async def _noted(self, query: str, asked: Question, trace: Trace, *, refined: bool) -> SearchResult:
        result, record = await self.search(query, asked, refined=refined)
        trace.searched(record, result.store, result.why_local)
        return result


def _interleaved(by_query: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """The first of each, the second of each, …, every chunk once."""
    longest = max(map(len, by_query), default=0)
    hits: dict[str, Hit] = {}
    for rank in range(longest):
        for ranking in by_query:
            if rank < len(ranking):
                hits.setdefault(ranking[rank].chunk.id, ranking[rank])
    return tuple(hits.values())
