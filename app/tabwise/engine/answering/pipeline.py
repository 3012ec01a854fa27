"""The order of things: plan, retrieve, judge, answer with the engine that was chosen, keep a receipt.

    1. plan the searches, by rules; a model may do better where it pays
    2. a wish for a summary: read the pages; else search, judge whether it is enough, search once more at most
    3. pick the best sentences: when none is good enough, nothing was found, and no model is called
    4. with a model: write from the passages and check every sentence; the bundled one chooses among sentences
    5. whatever keeps the model from answering: the sentences of step 3, and the reason

Every step leaves its note in the trace, which becomes the receipt.
"""

import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tabwise.core.answers.answer import (
    EXTRACTIVE,
    MODEL_TOO_SMALL,
    Agreement,
    Answer,
    Fallback,
    Notice,
    NoticeKind,
)
from tabwise.core.answers.instructions import instruction_steps
from tabwise.core.answers.plan import Kind, Plan, plan_by_rules
from tabwise.core.answers.planning import plan_from_reply, planning_prompt
from tabwise.core.answers.receipt import encode
from tabwise.core.model import AnswerSentence, Citation, Hit, Page, SourceId
from tabwise.core.text.language import NAMES, tells_language
from tabwise.core.text.stemming import language_key
from tabwise.core.text.terms import terms
from tabwise.engine.answering.calling import FAILURES, Calls
from tabwise.engine.answering.comparing import compare
from tabwise.engine.answering.extracting import Extractor, cited
from tabwise.engine.answering.prompting import (
    BUNDLED,
    Prepared,
    kept_here,
    limits_of,
    new_key,
    prepare_answer,
    prepare_summary,
)
from tabwise.engine.answering.question import Question, Style
from tabwise.engine.answering.reading import EXTRACTIVE_TOKENS, Reader
from tabwise.engine.answering.retrieval import Found, Retriever
from tabwise.engine.answering.trace import Trace, receipt_of, versions_of
from tabwise.engine.answering.weighing import choose, scoring
from tabwise.engine.answering.writing import NOTHING, OnSentence, Unusable, Writer, Written
from tabwise.engine.asking import Asker
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library
from tabwise.engine.passages import OpenMirror, no_mirror
from tabwise.ports import Clock, Embedder, LanguageModels, ScoringModel

SMALLER = (1.0, 0.6, 0.35)
"""Tries of a prompt that a service finds too long, each a share of what the model should take."""
MIN_PLANNING_WORDS = 25
"""A question of so many words is worth a model's plan, and one in another language than the pages."""
MAX_PLANNED_LANGUAGES = 2
MAX_NOTICE_CHARS = 200
FRAME_TOKENS = 300
"""About what instructions and question take of a prompt that is to hold whole sections."""
Plans = dict[tuple[str, ...], Plan]
"""What a model planned for one question, by the languages it was to search in."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer and the text of its receipt."""

    answer: Answer
    receipt: str


@dataclass
class Run:
    """One question on its way. `calls`: of the model that is to write; `fallback`: why it does not.

    worked_out: what was shown already, before the sentences of pages. plans: see `Answerer.ask`.
    """

    plan: Plan
    asked: Question
    job: Job
    trace: Trace
    on_sentence: OnSentence
    calls: Calls | None
    fallback: Fallback | None = None
    worked_out: Written = NOTHING
    plans: Plans = field(default_factory=dict)

    def give_up(self, fallback: Fallback) -> None:
        """Go on without the model."""
        self.calls, self.fallback = None, fallback


FirstTry = Callable[[Run], Awaitable[tuple[Written, tuple[Hit, ...]] | None]]
"""Another way to answer: what was written and the passages found, None for the way of this module."""


class Answerer:
    """Answers questions from a library."""

    def __init__(
        self,
        library: Library,
        *,
        embedder: Embedder,
        models: LanguageModels,
        clock: Clock,
        stays_here: Callable[[str], bool] = lambda url: False,
        mirror: OpenMirror = no_mirror,
    ) -> None:
        """`stays_here`: whether a rule keeps what the page at an address says on this machine.

        `mirror` gives the vector store to search in the place of the index, None for none.
        """
        self._library = library
        self._embedder = embedder
        self._models = models
        self._clock = clock
        self._stays_here = stays_here
        self._asker = Asker(library, embedder=embedder, clock=clock, mirror=mirror)
        self._extractor = Extractor(library, self._asker)

    async def ask(
        self,
        asked: Question,
        *,
        job: Job,
        on_sentence: OnSentence,
        first: FirstTry | None = None,
        plans: Plans | None = None,
    ) -> Answered:
        """Answer a question; sentences are handed over as soon as they are checked, and again when better.

        `first`: a way to answer that is tried before; it says in `Run.fallback` why it has no answer.
        `plans`: kept by a caller that puts one question to several scopes, so that a model plans it once.
        Raises InputError: question_empty, question_too_long, library_empty.
        """
        asked = replace(asked, text=self._asker.checked(asked.text))
        await job.checkpoint(Progress("plan", 0, 1, "searches"))
        trace = Trace(asked, self._clock)
        run = Run(plan_by_rules(asked.text, asked.history), asked, job, trace, on_sentence, None)
        if plans is not None:
            run.plans = plans
        await self._open(run)
        self._keep_history_here(run)
        await self._plan(run)
        await job.checkpoint(Progress("plan", 1, 1, "searches"))
        trace.lap("plan")
        tried = await first(run) if first is not None else None
        if tried is not None:
            answer = await self._finished(run, *tried, bool(self._library.index.n_vectors), (), None)
        else:
            answer = await (self._read(run) if run.plan.kind is Kind.READ else self._answer(run))
        versions = versions_of(self._library, self._embedder, trace.model)
        return Answered(answer, encode(receipt_of(trace, answer, self._library, versions)))

    async def standing_alone(self, asked: Question) -> Question:
        """Return a question as rules understand it from its conversation, and without that."""
        plan, trace = plan_by_rules(asked.text, asked.history), Trace(asked, self._clock)
        run = Run(plan, asked, silent_job(), trace, lambda *_: None, None)
        await self._open(run)
        self._keep_history_here(run)
        return replace(asked, text=run.plan.question, history=())

    async def _open(self, run: Run) -> None:
        if run.asked.engine == EXTRACTIVE:
            return
        try:
            model = await self._models.open(run.asked.engine)
        except FAILURES as error:
            run.give_up(Fallback(error.code, error.subject))
            return
        run.trace.model = model.descriptor
        run.calls = Calls(model, run.trace)

    def _keep_history_here(self, run: Run) -> None:
        """Leave out of the conversation what a model elsewhere must not read: answers from certain pages."""
        if run.calls is None or not run.calls.model.descriptor.destination:
            return
        history = tuple(
            replace(turn, answer="", sources=()) if any(map(self._stays_here, turn.sources)) else turn
            for turn in run.asked.history
        )
        run.asked = replace(run.asked, history=history)
        run.plan = plan_by_rules(run.asked.text, history)

    async def _plan(self, run: Run) -> None:
        """Heed what the request says, and let a model plan where it pays."""
        plan, style = run.plan, run.asked.style
        if style is Style.READ:
            plan = replace(plan, kind=Kind.READ, topics=(), queries=(plan.question,))
        elif style is Style.ANSWER and plan.kind is Kind.READ:
            plan = replace(plan, kind=Kind.ANSWER)
        run.plan = plan
        calls, asked = run.calls, run.asked
        if calls is None or calls.model.descriptor.id == BUNDLED:
            return
        languages = self._foreign_languages(run)
        if not (asked.history or languages or len(asked.text.split()) >= MIN_PLANNING_WORDS):
            return
        if languages not in run.plans:
            try:
                prompt = planning_prompt(
                    asked.text, asked.history, new_key(), languages=languages, topics=plan.topics
                )
                reply = await calls.text("plan", prompt)
            except FAILURES as error:
                run.give_up(Fallback(error.code, error.subject))
                return
            run.plans[languages] = plan_from_reply(reply, plan)
        run.plan = run.plans[languages]

    def _foreign_languages(self, run: Run) -> tuple[str, ...]:
        """The languages of most of the pages asked; none where one page is in that of the question.

        "Photovoltaik versus Windkraft" tells no language: it is foreign where no page knows one side of it.
        """
        heads = run.asked.scope.heads(self._library)
        languages = Counter(language_key(head.language) for head in heads)
        if run.plan.language in languages and (tells_language(run.asked.text) or self._knows(run.plan)):
            return ()
        known = [language for language, _ in languages.most_common() if language in NAMES]
        return tuple(known[:MAX_PLANNED_LANGUAGES])

    def _knows(self, plan: Plan) -> bool:
        """Whether some chunk of the library has a term of each query."""
        idf = self._library.index.idf
        of_unknown = idf("")  # no document has the empty term
        return all(any(idf(term) < of_unknown for term in terms(query)) for query in plan.queries)

    async def _answer(self, run: Run) -> Answer:
        """Answer from passages that were found."""
        found = await Retriever(self._library, self._asker).retrieve(run.plan, run.asked, run.job, run.trace)
        run.trace.lap("retrieve")
        chosen = await self._extractor.extract(found, run.job)
        run.trace.lap("extract")
        written = None
        if chosen and run.calls is not None:
            chooser = scoring(run.calls.model) if run.calls.model.descriptor.id == BUNDLED else None
            if chooser is not None:
                written = await self._chosen(run, found, chooser)
            else:
                written = await self._written(run, found.hits, found.pages)
        if written is None:
            written = await self._shown([cited(i + 1, one) for i, one in enumerate(chosen)], run)
        agreement = None
        if run.plan.kind is Kind.COMPARE and written.sentences:
            agreement, citations = await compare(run.plan, found, written.citations, self._extractor, run.job)
            written = Written(written.sentences, citations)
            run.trace.lap("extract")
        missing = found.sufficiency.missing if written.sentences else ()
        return await self._finished(run, written, found.hits, found.semantic, missing, agreement)

    async def _read(self, run: Run) -> Answer:
        """Read whole pages; a model that cannot hold a page is not asked."""
        if run.calls is not None and run.calls.model.descriptor.id == BUNDLED:
            run.give_up(Fallback(MODEL_TOO_SMALL))
        reader = Reader(self._library, run.job)
        budget = EXTRACTIVE_TOKENS
        if run.calls is not None:
            config = limits_of(run.calls.model.descriptor)
            room = config.budget_tokens - config.reserve_tokens - FRAME_TOKENS
            budget = min(max(room, 0), EXTRACTIVE_TOKENS)
        reading = await reader.read(run.plan, run.asked, budget)
        run.trace.lap("retrieve")
        written = None
        if run.calls is not None:
            calls, may_leave = run.calls, self._may_leave(run.calls, reading.pages)
            parts = [(part, chunk) for part, chunk in reading.parts if may_leave(part.source)]
            left_out = (*reading.dropped, *kept_here(reading.pages.values(), may_leave))

            def prepare(scale: float) -> Prepared:
                prepared = prepare_summary(
                    run.plan.question, run.plan.language, parts, reading.pages, calls, scale=scale
                )
                return replace(prepared, dropped=(*left_out, *prepared.dropped))

            written = await self._write("summary", run, prepare)
        if written is None:
            if run.asked.engine != EXTRACTIVE:
                reading = await reader.read(run.plan, run.asked, EXTRACTIVE_TOKENS)
            run.trace.was_given(reading.given, reading.dropped)
            written = await self._shown(await reader.extract(reading), run)
        return await self._finished(run, written, (), bool(self._library.index.n_vectors), (), None)

    async def _chosen(self, run: Run, found: Found, chooser: ScoringModel) -> Written | None:
        """Sentences of pages that a small model chose; None when it fails."""
        assert run.calls is not None, "only with a model"
        try:
            chosen = await choose(chooser, found, self._extractor, run.calls, run.job, run.trace)
        except FAILURES as error:
            run.give_up(Fallback(error.code, error.subject))
            return None
        return await self._shown([cited(i + 1, one) for i, one in enumerate(chosen)], run)

    async def _written(self, run: Run, hits: Sequence[Hit], pages: Mapping[SourceId, Page]) -> Written | None:
        calls = run.calls
        assert calls is not None, "only with a model"
        may_leave = self._may_leave(calls, pages)
        return await self._write(
            "answer",
            run,
            lambda scale: prepare_answer(
                run.plan, run.asked.history, hits, pages, calls, may_leave=may_leave, scale=scale
            ),
        )

    async def _write(self, purpose: str, run: Run, prepare: Callable[[float], Prepared]) -> Written | None:
        """What the model wrote, from a smaller prompt when it was too long; None when it did not."""
        assert run.calls is not None, "only with a model"
        writer = Writer(self._library, run.calls, run.job, run.trace)
        for scale in SMALLER:
            try:
                return await writer.write(
                    purpose,
                    prepare(scale),
                    language=run.plan.language,
                    strict=run.asked.strict,
                    on_sentence=run.on_sentence,
                )
            except Unusable as unusable:
                run.give_up(unusable.fallback)
                return None
            except FAILURES as error:
                if error.code != "prompt_too_long" or scale == SMALLER[-1]:
                    run.give_up(Fallback(error.code, error.subject))
                    return None
        return None

    async def _shown(self, found: Sequence[tuple[AnswerSentence, Citation]], run: Run) -> Written:
        """Hand over sentences of pages one by one, behind what was worked out."""
        written = Written(tuple(one for one, _ in found), tuple(citation for _, citation in found))
        shown, n_before = written.behind(run.worked_out), len(run.worked_out.sentences)
        citations = {citation.number: citation for citation in shown.citations}
        for i, sentence in enumerate(shown.sentences[n_before:]):
            await run.job.checkpoint(Progress("verify", i, len(found), "sentences"))
            run.on_sentence(n_before + i, sentence, [citations[number] for number in sentence.citations])
        run.trace.lap("verify")
        return shown

    def _may_leave(self, calls: Calls, pages: Mapping[SourceId, Page]) -> Callable[[SourceId], bool]:
        """Which pages may be shown to a model: all of them to one on this machine."""
        if not calls.model.descriptor.destination:
            return lambda source: True
        kept = frozenset(source for source, page in pages.items() if self._stays_here(page.url))
        return lambda source: source not in kept

    async def _finished(
        self,
        run: Run,
        written: Written,
        hits: Sequence[Hit],
        semantic: bool,
        missing: Sequence[str],
        agreement: Agreement | None,
    ) -> Answer:
        await self._notice_instructions(run, written.citations)
        model = run.calls.model.descriptor if run.calls is not None and written.sentences else None
        trace = run.trace
        return Answer(
            id=secrets.token_hex(8),
            question=run.asked.text,
            plan=run.plan,
            engine=model.id if model else EXTRACTIVE,
            engine_label=model.label if model else "",
            semantic=semantic,
            sentences=written.sentences,
            citations=written.citations,
            hits=tuple(hits),
            timings=tuple(trace.laps),
            missing=tuple(missing),
            fallback=run.fallback,
            given=tuple(trace.given),
            dropped=tuple(trace.dropped),
            notices=tuple(trace.notices),
            agreement=agreement,
            store=trace.store,
            why_local=trace.why_local,
        )

    async def _notice_instructions(self, run: Run, citations: Sequence[Citation]) -> None:
        """Add a notice for every passage, given or cited, that has text which looks like instructions."""
        spans = [(one.source, one.start, one.end) for one in run.trace.given]
        spans += [(one.source, one.start, one.end) for one in citations]
        found: dict[tuple[SourceId, int, int], Notice] = {}
        for source, start, end in spans:
            text = self._library.page(source).text
            for a, b in await run.job.drive(instruction_steps(text[start:end])):
                place = (source, start + a, start + b)
                number = next((one.number for one in citations if _covers(one, *place)), None)
                snippet = text[place[1] : place[2]][:MAX_NOTICE_CHARS]
                found[place] = Notice(NoticeKind.INSTRUCTIONS, snippet, source, number)
        run.trace.notices += found.values()


def _covers(citation: Citation, source: SourceId, start: int, end: int) -> bool:
    return citation.source == source and citation.start < end and start < citation.end
