"""The same question to every page: whether it has something on it, and if so its own short answer.

A follow-up is made to stand alone by rules, once for all pages. A model that plans the question does so once
for each language of the pages; the call is in the receipt of the page it was made for. A page is asked by
score first: one that nothing is near in is not shown to a model. With a model a page also has nothing when
the model says that it does not answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tabwise.core.answers.answer import REPLY_DECLINED, Answer
from tabwise.core.model import PageHead, SourceId
from tabwise.core.search.relevance import relevance
from tabwise.engine.answering.pipeline import Answerer, Plans
from tabwise.engine.answering.question import Question, Style
from tabwise.engine.asking import Asker
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library

N_HITS_EACH = 4


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What one page has on a question; `answer` is None unless it is relevant, `score` is `relevance`."""

    source: SourceId
    score: float
    answer: Answer | None

    @property
    def is_relevant(self) -> bool:
        """Whether the page answers."""
        return self.answer is not None


async def ask_each(
    asked: Question,
    *,
    library: Library,
    asker: Asker,
    answerer: Answerer,
    job: Job,
    on_page: Callable[[PageAnswer], None],
    on_receipt: Callable[[Answer, str], None],
) -> tuple[PageAnswer, ...]:
    """Ask every page in scope, the newest first; each is handed over as soon as it is done.

    Raises InputError: question_empty, question_too_long, library_empty.
    """
    asked = replace(asked, text=asker.checked(asked.text), k=N_HITS_EACH, style=Style.ANSWER)
    asked = await answerer.standing_alone(asked)
    heads = asked.scope.heads(library)
    answers: list[PageAnswer] = []
    plans: Plans = {}
    for done, head in enumerate(reversed(heads)):
        await job.checkpoint(Progress("retrieve", done, len(heads), "pages"))
        one = await _ask_page(asked, head, library, asker, answerer, plans, on_receipt)
        answers.append(one)
        on_page(one)
    await job.checkpoint(Progress("retrieve", len(heads), len(heads), "pages"))
    return tuple(answers)


async def _ask_page(
    asked: Question,
    head: PageHead,
    library: Library,
    asker: Asker,
    answerer: Answerer,
    plans: Plans,
    on_receipt: Callable[[Answer, str], None],
) -> PageAnswer:
    own = replace(asked, scope=replace(asked.scope, sources=frozenset((head.source,))))
    hits = (await asker.search(own.text, scope=own.scope, k=1, mode=own.mode)).hits
    if not hits:
        return PageAnswer(head.source, 0.0, None)
    score = relevance(own.text, hits[0], library.page(head.source), library.index.idf)
    answered = await answerer.ask(own, job=silent_job(), on_sentence=lambda *_: None, plans=plans)
    answer = answered.answer
    is_declined = answer.fallback is not None and answer.fallback.code == REPLY_DECLINED
    if not answer.sentences or is_declined:
        return PageAnswer(head.source, score, None)
    on_receipt(answer, answered.receipt)
    return PageAnswer(head.source, score, answer)
