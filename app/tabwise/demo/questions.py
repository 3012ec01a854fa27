"""The questions of the page: searched, answered, weighed against a budget, looked into with tools.

Every step is the engine's own; what is told is what it returns.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict

from tabwise.core.agent.steps import Step
from tabwise.core.answers.budget import BudgetConfig
from tabwise.core.answers.followup import Turn
from tabwise.core.answers.prompts import Source
from tabwise.core.answers.receipt import NotAReceipt, decode, encode
from tabwise.core.model import FusionMode, Hit
from tabwise.demo.budget_lab import weigh
from tabwise.demo.rankings import Ranking, rank
from tabwise.demo.rules_planner import RULES, RulesPlanner
from tabwise.demo.surroundings import Fields, Handler, Surroundings, Tell
from tabwise.engine import wire
from tabwise.engine.agent.researching import Research
from tabwise.engine.answering import records
from tabwise.engine.answering.pipeline import Answered, Answerer
from tabwise.engine.answering.prompting import BUNDLED
from tabwise.engine.answering.question import Question
from tabwise.engine.asking import Asker
from tabwise.engine.jobs import silent_job
from tabwise.errors import InputError, ModelError
from tabwise.ports import LanguageModel

MAX_STEPS = 5
MAX_MS = 120_000.0
MAX_BUDGET_TOKENS = 8_192


class Writers:
    """Implements ports.LanguageModels: the rules, and whatever the page came with."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    async def open(self, model_id: str) -> LanguageModel:
        """Return the planner for RULES, else what the page's own models have; raises ModelError."""
        if model_id == RULES:
            return RulesPlanner(self._around.embedder.count)
        return await self._around.models.open(model_id)


class Questions:
    """The requests about questions."""

    def __init__(self, around: Surroundings, tell: Tell, *, has_model: Callable[[], bool]) -> None:
        """`has_model`: whether the embedder is there; until then questions are answered by words."""
        self._around = around
        self._tell = tell
        self._has_model = has_model
        self._library = around.library
        self._asker = Asker(around.library, embedder=around.embedder, clock=around.clock)
        self._answerer = Answerer(
            around.library, embedder=around.embedder, models=Writers(around), clock=around.clock
        )
        self._found: Sequence[Hit] = ()

    def handlers(self) -> dict[str, tuple[str, Handler]]:
        """Lane and handler of each request."""
        return {
            "ask": ("ask", self._ask),
            "stop": ("ask", self._stopped("ask")),
            "weigh": ("weigh", self._weigh),
            "act": ("act", self._act),
            "halt": ("act", self._stopped("act")),
            "receipt": ("receipt", self._receipt),
        }

    async def _ask(self, fields: Fields) -> None:
        query, k = fields["query"], fields["k"]
        mode = FusionMode(fields["mode"]) if self._has_model() else FusionMode.LEXICAL
        started = self._around.clock.monotonic_ms()
        found = await self._asker.search(query, k=k, mode=mode)
        self._found = found.hits
        ranking = Ranking(query, found.query_vector, mode if found.semantic else FusionMode.LEXICAL, k)
        lists = rank(self._library, ranking, found.hits)
        n_ms = self._around.clock.monotonic_ms() - started
        self._tell(
            "results", query=query, mode=fields["mode"], k=k, semantic=found.semantic, ms=n_ms, **lists
        )
        asked = Question(text=query, k=k, mode=mode, engine=fields["engine"])
        answered = await self._answerer.ask(
            asked,
            job=silent_job(),
            on_sentence=lambda i, sentence, citations: self._tell(
                "sentence",
                index=i,
                sentence=wire.sentence(sentence),
                citations=[wire.citation(one, self._library.page(one.source)) for one in citations],
            ),
        )
        self._tell("answer", **await self._answered(answered))

    async def _answered(self, answered: Answered) -> Fields:
        return {
            "answer": records.answer(answered.answer, self._library.page),
            "receipt": answered.receipt,
            "device": await self._device(answered.answer.engine),
        }

    async def _device(self, engine: str) -> str:
        """Where the model that answered runs now."""
        if engine != BUNDLED:
            return ""
        try:
            return str(getattr(await self._around.models.open(engine), "device", ""))
        except ModelError:  # lost since
            return ""

    def _stopped(self, request: str) -> Handler:
        """The handler that only takes the lane: whatever was in it has been cancelled by then."""

        async def stop(fields: Fields) -> None:
            self._tell("stopped", request=request)

        return stop

    async def _weigh(self, fields: Fields) -> None:
        config = BudgetConfig(
            min(max(fields["budget_tokens"], 0), MAX_BUDGET_TOKENS),
            max(fields["reserve_tokens"], 0),
            max(fields["window_turns"], 0),
        )
        turns = [Turn(turn["question"], turn["answer"]) for turn in fields["turns"]]
        sources = [
            Source(
                number,
                self._library.page(hit.chunk.source).title,
                hit.chunk.heading_path,
                hit.chunk.text,
            )
            for number, hit in enumerate(self._found, 1)
            if self._library.index.head(hit.chunk.source) is not None
        ]
        count = self._around.embedder.count
        self._tell("budget", **weigh(config, fields["question"], turns, sources, count))

    async def _act(self, fields: Fields) -> None:
        research = Research(
            self._library,
            self._asker,
            clock=self._around.clock,
            stays_here=lambda url: False,
            max_steps=MAX_STEPS,
            max_ms=MAX_MS,
            on_step=lambda step: self._tell("step", step=_step(step)),
        )
        answered = await self._answerer.ask(
            Question(text=fields["question"], engine=fields["engine"]),
            job=silent_job(),
            on_sentence=lambda *_: None,
            first=research,
        )
        self._tell("acted", **await self._answered(answered), steps=[_step(step) for step in research.steps])

    async def _receipt(self, fields: Fields) -> None:
        """Read a receipt that any copy of the product saved."""
        try:
            self._tell("receipt", text=encode(decode(fields["text"])))
        except NotAReceipt as error:
            raise InputError("receipt_unreadable", str(error)) from error


def _step(step: Step) -> Fields:
    return asdict(step) | {"state": str(step.state)}
