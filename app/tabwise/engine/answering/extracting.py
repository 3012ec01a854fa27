"""The sentences of the found passages that answer best: the answer that needs no model."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.extract import Candidate, candidates, compose
from tabwise.core.model import AnswerSentence, Citation, Hit
from tabwise.core.verdicts.verify import judge
from tabwise.engine.answering.retrieval import Found, QueryVector
from tabwise.engine.asking import MAX_SENTENCES, N_CANDIDATES, Asker
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library

MAX_PER_PART = 2
"""Sentences for each query of a plan that has several."""


class Extractor:
    """Picks sentences and cites them by construction."""

    def __init__(self, library: Library, asker: Asker) -> None:
        self._library = library
        self._asker = asker

    async def extract(self, found: Found, job: Job) -> tuple[Candidate, ...]:
        """Return the sentences to show, those of the first query first; none when none is good enough."""
        n = MAX_SENTENCES if len(found.by_query) == 1 else MAX_PER_PART
        chosen: list[Candidate] = []
        for done, (query, hits, vector) in enumerate(found.by_query):
            await job.checkpoint(Progress("extract", done, len(found.by_query), "searches"))
            options, similarities = await self.options(query, hits, vector, found)
            for one in compose(query, options, similarities, max_sentences=n):
                if not any(_overlap(one, other) for other in chosen):
                    chosen.append(one)
        await job.checkpoint(Progress("extract", len(found.by_query), len(found.by_query), "searches"))
        return tuple(chosen)

    async def options(
        self, query: str, hits: Sequence[Hit], vector: QueryVector | None, found: Found
    ) -> tuple[tuple[Candidate, ...], npt.NDArray[np.float32] | None]:
        """Return candidates for a query with their similarity to it, None without vectors in time."""
        options = candidates(query, hits, found.pages, self._library.index.idf, limit=N_CANDIDATES)
        if not options or vector is None:
            return options, None
        rows = await self._asker.embed_passages([option.text for option in options])
        return options, np.asarray(rows @ vector, dtype=np.float32) if rows is not None else None


def cited(number: int, candidate: Candidate) -> tuple[AnswerSentence, Citation]:
    """Return a candidate as a judged sentence with its citation."""
    citation = Citation(
        number, candidate.source, candidate.chunk_id, candidate.start, candidate.end, candidate.text
    )
    return AnswerSentence(candidate.text, (number,), judge(candidate.text, [candidate.text])), citation


def _overlap(a: Candidate, b: Candidate) -> bool:
    return a.source == b.source and a.start < b.end and b.start < a.end
