"""The agent as a way to answer: it looks for itself, and what it writes is checked like every answer.

A model that calls tools is given all of them; one that does not is spoken to by text (`text_protocol`). A
small one on this machine has few tools and five rounds, and the first search is made for it, as is a
calculation that the question states: left to choose, the bundled model calculates where nothing is asked for,
and else does not. Prose of that one is never shown: when it has looked, it chooses among sentences of the
pages, as for any other question, behind what was calculated.

Whatever keeps the agent from an answer is left to the pipeline, with the reason: a limit, a model that calls
no tool in any form, a provider's error.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from tabwise.core.agent.calculations import bearing
from tabwise.core.agent.decide import first_calls
from tabwise.core.agent.passages import Passage, Passages
from tabwise.core.agent.state import GIVE_UP_REASONS, SMALL, Dialect, Limits, Setup
from tabwise.core.agent.steps import Step, StepState
from tabwise.core.agent.tools import CALCULATOR, SMALL_TOOLS, TOOLS
from tabwise.core.answers.answer import Fallback, Given
from tabwise.core.answers.cited import Said
from tabwise.core.chat import Completion, ModelDescriptor, Prompt
from tabwise.core.model import AnswerSentence, Hit, Page
from tabwise.engine.agent.running import AgentRun, Outcome
from tabwise.engine.agent.toolbox import Toolbox
from tabwise.engine.answering.calling import Calls, Piece
from tabwise.engine.answering.checking import Checker, Numbering
from tabwise.engine.answering.pipeline import Run
from tabwise.engine.answering.prompting import BUNDLED, Prepared, kept_here, new_key
from tabwise.engine.answering.retrieval import Retriever
from tabwise.engine.answering.writing import Unusable, Writer, Written
from tabwise.engine.asking import Asker
from tabwise.engine.library import Library
from tabwise.engine.scoping import Scope
from tabwise.ports import Clock

NO_MODEL = "agent_no_model"
"""Answers are written without a model: nobody could use tools."""
MAX_RESULT_TOKENS = 2_000
RESULT_SHARE, SMALL_RESULT_SHARE = 6, 3
"""A tool may return this part of the model's context."""
BUNDLED_CONTEXT_TOKENS = 1_200
"""The bundled model reads 160 tokens a second: a longer conversation is not worth the wait."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a model works with: how calls are written, which tools, how long, how much it is given."""

    dialect: Dialect
    small: bool
    context_tokens: int
    max_result_tokens: int
    limits: Limits


def means_of(model: ModelDescriptor, *, max_steps: int, max_ms: float) -> Means:
    """Return what fits a model, within the reader's limits."""
    is_small = not model.calls_tools and not model.destination
    context_tokens = min(model.context_tokens, BUNDLED_CONTEXT_TOKENS if model.id == BUNDLED else 2**31 - 1)
    base = SMALL if is_small else Limits()
    limits = replace(
        base,
        max_steps=min(max_steps, SMALL.max_steps) if is_small else max_steps,
        max_ms=max_ms,
        max_output_tokens=min(base.max_output_tokens, context_tokens // 4),
    )
    dialect = Dialect.NATIVE if model.calls_tools else Dialect.TEXT
    share = SMALL_RESULT_SHARE if is_small else RESULT_SHARE
    max_result_tokens = min(MAX_RESULT_TOKENS, context_tokens // share)
    return Means(dialect, is_small, context_tokens, max_result_tokens, limits)


class Research:
    """One run of the agent for one question; `pipeline.FirstTry`."""

    def __init__(
        self,
        library: Library,
        asker: Asker,
        *,
        clock: Clock,
        stays_here: Callable[[str], bool],
        max_steps: int,
        max_ms: float,
        on_step: Callable[[Step], None],
    ) -> None:
        """`stays_here`: whether a rule keeps what the page at an address says on this machine."""
        self._library = library
        self._asker = asker
        self._clock = clock
        self._stays_here = stays_here
        self._max_steps = max_steps
        self._max_ms = max_ms
        self._on_step = on_step
        self._hits: dict[str, Hit] = {}
        self._calculations: tuple[str, ...] = ()
        self.steps: tuple[Step, ...] = ()

    async def __call__(self, run: Run) -> tuple[Written, tuple[Hit, ...]] | None:
        """Let the agent answer; None, with the reason in `run.fallback`, when it has no answer."""
        calls = run.calls
        if calls is None:
            run.fallback = run.fallback or Fallback(NO_MODEL)
            return None
        passages = Passages()
        outcome = await self._outcome(run, calls, passages)
        run.trace.steps = self.steps
        run.trace.lap("research")
        if outcome.reason:
            run.fallback = Fallback(outcome.reason)
            if outcome.reason not in GIVE_UP_REASONS:
                run.give_up(run.fallback)  # the model itself failed
            return None
        if calls.model.descriptor.id == BUNDLED:
            run.worked_out = await self._worked_out(run, passages.all())
            return None
        try:
            written = await self._written(run, calls, passages, outcome)
        except Unusable as unusable:
            run.fallback = unusable.fallback
            return None
        return written, tuple(self._hits.values())

    async def _outcome(self, run: Run, calls: Calls, passages: Passages) -> Outcome:
        model = calls.model
        means = means_of(model.descriptor, max_steps=self._max_steps, max_ms=self._max_ms)
        key, retriever = new_key(), Retriever(self._library, self._asker)
        in_scope = run.asked.scope.pages(self._library.index)
        everything = frozenset(self._library.index.sources() if in_scope is None else in_scope)

        async def search(query: str, scope: Scope, k: int) -> Sequence[Hit]:
            own = replace(run.asked, scope=scope, k=k)
            found, record = await retriever.search(query, own)
            sources = () if scope.sources == everything else tuple(sorted(scope.sources))
            run.trace.searched(replace(record, k=k, sources=sources), found.store, found.why_local)
            for hit in found.hits:
                self._hits.setdefault(hit.chunk.id, hit)
            return found.hits

        box = Toolbox(
            self._library,
            run.asked.scope,
            search,
            passages,
            key=key,
            count=model.count,
            max_result_tokens=means.max_result_tokens,
            stays_here=self._stays_here if model.descriptor.destination else _none_stays,
        )
        setup = Setup(
            question=run.asked.text,
            tools=SMALL_TOOLS if means.small else TOOLS,
            dialect=means.dialect,
            limits=means.limits,
            key=key,
            count=model.count,
            context_tokens=means.context_tokens,
            calls_first=first_calls(run.asked.text) if means.small else (),
        )

        def note(prompt: Prompt, completion: Completion, ms: float) -> None:
            run.trace.called("agent", prompt, completion, n_counted=calls.count(prompt), ms=ms)

        agent = AgentRun(
            model, box, passages, clock=self._clock, job=run.job, on_step=self._on_step, on_reply=note
        )
        try:
            return await agent.run(setup, run.asked.history)
        finally:
            self.steps = agent.steps
            self._calculations = box.calculations

    async def _worked_out(self, run: Run, passages: Sequence[Passage]) -> Written:
        """What was calculated as checked sentences, each citing the passage that has its numbers."""
        stated = [step for step in self.steps if step.by_rule and step.tool == CALCULATOR.name]
        numbering, checker = Numbering(self._library), Checker(self._library, run.job)
        sentences: list[AnswerSentence] = []
        for calculation in (step.summary for step in stated if step.state is StepState.DONE):
            place = bearing(calculation, [self._text(one) for one in passages])
            said = Said(f"{calculation}.", () if place is None else (passages[place].number,))
            cited = {} if place is None else {passages[place].number: passages[place]}
            checked = await checker.check(said, cited, (calculation,))
            sentence, citations = numbering.number(checked)
            run.on_sentence(len(sentences), sentence, citations)
            sentences.append(sentence)
        return Written(tuple(sentences), numbering.citations)

    def _text(self, passage: Passage) -> str:
        return self._library.page(passage.source).text[passage.start : passage.end]

    async def _written(self, run: Run, calls: Calls, passages: Passages, outcome: Outcome) -> Written:
        """The text as checked sentences; raises Unusable."""
        given = passages.all()
        prepared = Prepared(
            prompt=Prompt((), 0),
            passages={passage.number: passage for passage in given},
            given=tuple(
                Given(
                    passage.number,
                    passage.source,
                    passage.start,
                    passage.end,
                    calls.model.count(self._text(passage)),
                )
                for passage in given
            ),
            dropped=kept_here(self._kept_here(run, calls), lambda source: False),
            calculations=self._calculations,
        )
        return await Writer(self._library, calls, run.job, run.trace).read(
            _once(Piece(outcome.text, is_whole=True, is_cut=outcome.is_cut)),
            prepared,
            language=run.plan.language,
            strict=run.asked.strict,
            on_sentence=run.on_sentence,
        )

    def _kept_here(self, run: Run, calls: Calls) -> Sequence[Page]:
        """The pages in scope that the model must not see."""
        if not calls.model.descriptor.destination:
            return ()
        return [
            self._library.page(head.source)
            for head in run.asked.scope.heads(self._library)
            if self._stays_here(head.url)
        ]


async def _once(piece: Piece) -> AsyncIterator[Piece]:
    yield piece


def _none_stays(url: str) -> bool:
    return False
