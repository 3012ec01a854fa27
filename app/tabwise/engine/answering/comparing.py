"""A comparison as a table of topics by pages, each cell a cited sentence of that page."""

from collections.abc import Sequence

from tabwise.core.answers.agreement import tabulate
from tabwise.core.answers.answer import Agreement, AgreementRow
from tabwise.core.answers.extract import Candidate
from tabwise.core.answers.plan import Plan
from tabwise.core.model import AnswerSentence, Citation
from tabwise.engine.answering.extracting import Extractor, cited
from tabwise.engine.answering.retrieval import Found
from tabwise.engine.jobs import Job


async def compare(
    plan: Plan, found: Found, citations: Sequence[Citation], extractor: Extractor, job: Job
) -> tuple[Agreement | None, tuple[Citation, ...]]:
    """Return the table, None when no cell can be filled, and the citations with those of the cells added.

    A cell whose span is cited already has that number.
    """
    options, similarities = [], []
    for query, hits, vector in found.by_query:
        await job.checkpoint()
        candidates, cosines = await extractor.options(query, hits, vector, found)
        options.append(candidates)
        similarities.append(cosines)
    queries = [query for query, _, _ in found.by_query]
    sources, rows = tabulate(plan.topics, queries, options, similarities)
    if not sources:
        return None, tuple(citations)
    numbered = {(one.source, one.start, one.end): one for one in citations}

    def cell(candidate: Candidate | None) -> AnswerSentence | None:
        if candidate is None:
            return None
        key = (candidate.source, candidate.start, candidate.end)
        number = numbered[key].number if key in numbered else len(numbered) + 1
        sentence, citation = cited(number, candidate)
        numbered.setdefault(key, citation)
        return sentence

    table = tuple(
        AgreementRow(row.topic, tuple(cell(row.cells.get(source)) for source in sources)) for row in rows
    )
    return Agreement(sources, table), tuple(numbered.values())
