"""The request that lets a model look into a question by itself."""

from typing import Any

from tabwise.core.agent.steps import Step
from tabwise.engine import wire
from tabwise.engine.agent.researching import Research
from tabwise.engine.answering import records
from tabwise.engine.answering.question import Question
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.requests.writing import answerer_of, asker_of, at_most, telling, writing
from tabwise.engine.wire import Record
from tabwise.engine.workroom import Workroom
from tabwise.protocol.rules import stays_here
from tabwise.protocol.tables.agent import MAX_SECONDS, MAX_STEPS


class AgentRequests:
    """Lets the agent answer."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"research": self._research}

    async def _research(self, request: Request, reply: Reply) -> Any:
        library, ports = self._room.library, self._room.ports
        settings = await self._room.settings()
        preferences = settings["preferences"]
        research = Research(
            library,
            asker_of(self._room),
            clock=ports.clock,
            stays_here=lambda url: stays_here(url, settings),
            max_steps=at_most(request["max_steps"] or preferences["agent_steps"], MAX_STEPS),
            max_ms=1000.0 * at_most(request["max_seconds"] or preferences["agent_seconds"], MAX_SECONDS),
            on_step=lambda step: reply.send("step", step=_step(step)),
        )
        answerer = answerer_of(self._room, settings)
        answered = await answerer.ask(
            Question(
                text=request["question"],
                history=records.turns(request["history"]),
                scope=wire.scope(request),
                **writing(request, settings),
            ),
            job=reply.job(),
            on_sentence=telling(reply, library),
            first=research,
        )
        self._room.receipts.keep(answered.answer.id, answered.receipt)
        return {
            "answer": records.answer(answered.answer, library.page),
            "steps": [_step(step) for step in research.steps],
        }


def _step(value: Step) -> Record:
    return {
        "number": value.number,
        "parent": value.parent,
        "tool": value.tool,
        "arguments": value.arguments,
        "state": str(value.state),
        "summary": value.summary,
        "n_passages": value.n_passages,
        "ms": value.ms,
        "by_rule": value.by_rule,
    }
