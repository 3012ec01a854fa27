"""Running the searches of a receipt again: do the same pages still rank the same?"""

from dataclasses import replace

from tabwise.core.answers.receipt import Difference, NotAReceipt, Receipt, Search, decode, differences
from tabwise.core.model import SourceId
from tabwise.engine.answering.question import Question
from tabwise.engine.answering.retrieval import Retriever
from tabwise.engine.answering.trace import versions_of
from tabwise.engine.asking import Asker
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.engine.scoping import Scope
from tabwise.errors import InputError
from tabwise.ports import Embedder


async def replay(
    text: str, *, library: Library, asker: Asker, embedder: Embedder, job: Job
) -> tuple[Receipt, tuple[Difference, ...]]:
    """Return a receipt and how its searches, run again, differ; nothing when they are the same.

    Raises InputError: receipt_unreadable, library_empty.
    """
    try:
        receipt = decode(text)
    except NotAReceipt as error:
        raise InputError("receipt_unreadable", str(error)) from error
    asked = receipt.asked_of
    question = Question(
        text=receipt.question,
        scope=Scope(
            frozenset(asked.sources), asked.sites, asked.after_ms, asked.before_ms, asked.prefer_recent
        ),
        k=asked.k,
        mode=asked.mode,
    )
    retriever = Retriever(library, asker)
    again: list[Search] = []
    for done, search in enumerate(receipt.searches):
        await job.checkpoint(Progress("retrieve", done, len(receipt.searches), "searches"))
        own = _put_to(search, question)
        again.append((await retriever.search(search.query, own, refined=search.refined))[1])
    known = frozenset(SourceId(source) for source in library.index.sources())
    versions = versions_of(library, embedder, None)
    return receipt, differences(receipt, again, versions, known)


def _put_to(search: Search, question: Question) -> Question:
    """The question with the passages and pages that a search was for."""
    sources = frozenset(search.sources) or question.scope.sources
    return replace(question, k=search.k or question.k, scope=replace(question.scope, sources=sources))
