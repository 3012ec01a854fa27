"""Runs an agent: does what `core.agent.decide` wants, watches the clock, tells of every step.

Cancelling the job cancels the model's reply or the tool at work, wherever it is. A researcher is a run of its
own inside a step of the first one: it has its own steps, the same passages and the same clock, and cannot
send for another.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tabwise.core.agent.decide import CLOSING_SHARE, begin, decide
from tabwise.core.agent.passages import Passages
from tabwise.core.agent.state import (
    HELPER_STEPS,
    TIME_UP,
    AskModel,
    Conclude,
    Failed,
    GiveUp,
    Limits,
    Observation,
    Replied,
    Returned,
    Setup,
    ToolResult,
    ToolUse,
    UseTools,
)
from tabwise.core.agent.steps import Step, StepState
from tabwise.core.agent.tools import HELPER_TOOLS
from tabwise.core.answers.cited import parse
from tabwise.core.answers.followup import Turn as PastTurn
from tabwise.core.answers.prompts import escape
from tabwise.core.chat import Completion, Prompt
from tabwise.engine.agent.toolbox import Done, Toolbox
from tabwise.engine.jobs import Job, Progress
from tabwise.errors import ModelError, ProviderError
from tabwise.ports import Clock, LanguageModel

STAGE = "research"
HELPER_FOUND_NOTHING = "The helper came to no answer ({reason})."


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: with a text that cites passages by number, or with the reason why there is none.

    is_cut: the model had no room to end its text. n_steps: replies of the model, without those of helpers.
    """

    text: str
    reason: str
    is_cut: bool
    n_steps: int


class AgentRun:
    """One run of an agent over one toolbox."""

    def __init__(
        self,
        model: LanguageModel,
        toolbox: Toolbox,
        passages: Passages,
        *,
        clock: Clock,
        job: Job,
        on_step: Callable[[Step], None],
        on_reply: Callable[[Prompt, Completion, float], None],
    ) -> None:
        """`on_step` is given each step as it begins and as it ends, `on_reply` each reply and its ms."""
        self._model = model
        self._toolbox = toolbox
        self._passages = passages
        self._clock = clock
        self._job = job
        self._on_step = on_step
        self._on_reply = on_reply
        self._started_ms = clock.monotonic_ms()
        self._steps: list[Step] = []

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step as it ended, in the order they began."""
        return tuple(self._steps)

    async def run(self, setup: Setup, past: Sequence[PastTurn] = (), *, parent: int = 0) -> Outcome:
        """Run until there is an answer or a reason why not; `parent` is the step of a helper's run."""
        turn = begin(setup, past)
        while True:
            state, action = turn.state, turn.action
            if isinstance(action, AskModel):
                total = setup.limits.max_steps
                await self._job.checkpoint(Progress(STAGE, state.n_steps, total, "steps"))
                turn = decide(state, await self._reply(action.prompt, setup.limits))
            elif isinstance(action, UseTools):
                by_rule = bool(setup.calls_first) and state.n_steps == 0
                turn = decide(state, await self._use(action, setup, parent, by_rule=by_rule))
            elif isinstance(action, Conclude):
                return Outcome(action.text, "", action.is_cut, state.n_steps)
            elif isinstance(action, GiveUp):
                return Outcome("", action.reason, False, state.n_steps)

    async def _reply(self, prompt: Prompt, limits: Limits) -> Observation:
        prompt = replace(prompt, sources=self._toolbox.given)
        began_ms = self._elapsed_ms()
        left_ms = limits.max_ms - began_ms
        try:
            completion = await asyncio.wait_for(
                self._model.complete(prompt, on_text=_unheard), max(left_ms, 0.0) / 1000.0
            )
            self._on_reply(prompt, completion, self._elapsed_ms() - began_ms)
        except TimeoutError:
            return Failed(TIME_UP)
        except (ModelError, ProviderError) as error:
            return Failed(error.code)
        return Replied(completion, self._elapsed_ms())

    async def _use(self, action: UseTools, setup: Setup, parent: int, *, by_rule: bool) -> Observation:
        for refusal in action.refusals:
            step = self._begin(refusal.name, refusal.arguments, parent)
            self._end(replace(step, state=StepState.REFUSED, summary=refusal.reason))
        results: list[ToolResult] = []
        for use in action.uses:
            results.append(await self._one(use, setup, parent, by_rule=by_rule))
        return Returned(tuple(results), self._elapsed_ms())

    async def _one(self, use: ToolUse, setup: Setup, parent: int, *, by_rule: bool) -> ToolResult:
        arguments = json.dumps(use.arguments, ensure_ascii=False)
        step = self._begin(use.name, arguments, parent, by_rule=by_rule)
        began_ms = self._clock.monotonic_ms()

        async def research(question: str) -> Done:
            return await self._research(question, setup, step.number)

        done = await self._toolbox.use(use, research, self._job)
        self._end(
            replace(
                step,
                state=StepState.FAILED if done.is_failed else StepState.DONE,
                summary=done.result.text if done.is_failed else done.summary,
                n_passages=done.n_passages,
                ms=self._clock.monotonic_ms() - began_ms,
            )
        )
        return done.result

    async def _research(self, question: str, setup: Setup, step: int) -> Done:
        limits = replace(
            setup.limits,
            max_steps=min(HELPER_STEPS, setup.limits.max_steps),
            max_ms=CLOSING_SHARE * setup.limits.max_ms,
        )
        own = replace(setup, question=question, tools=HELPER_TOOLS, limits=limits, is_helper=True)
        outcome = await self.run(own, parent=step)
        if outcome.reason:
            text = HELPER_FOUND_NOTHING.format(reason=outcome.reason)
            return Done(ToolResult("", text, is_data=False), outcome.reason, is_failed=True)
        said = parse(outcome.text)
        known = [[number for number in one.numbers if self._passages.get(number)] for one in said]
        lines = [
            escape(one.text, setup.key) + "".join(f" [{number}]" for number in numbers)
            for one, numbers in zip(said, known, strict=True)
        ]
        n_passages = len({number for numbers in known for number in numbers})
        return Done(ToolResult("", "\n".join(lines)), " ".join(one.text for one in said), n_passages)

    def _begin(self, tool: str, arguments: str, parent: int, *, by_rule: bool = False) -> Step:
        step = Step(len(self._steps) + 1, parent, tool, arguments, StepState.RUNNING, by_rule=by_rule)
        self._steps.append(step)
        self._on_step(step)
        return step

    def _end(self, step: Step) -> None:
        self._steps[step.number - 1] = step
        self._on_step(step)

    def _elapsed_ms(self) -> float:
        return self._clock.monotonic_ms() - self._started_ms


def _unheard(text: str) -> None:
    """A reply is read when it is whole: until then nobody knows whether it is a call."""
