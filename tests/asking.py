"""Whole runs from question to answer: pages are added, a model follows a script, the answer is returned."""

from collections.abc import Callable
from typing import Any

from desk import BREAD, TIDES, Desk
from fakes import Reply, ScriptedModel
from tabwise.core.chat import Prompt

RANGE = "How large is the tidal range in the Bay of Fundy?"
GOOD = "The largest tidal range on Earth is found in the Bay of Fundy [1]."
QUOTE = "The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres."
Run = Callable[..., Desk]


def ask(
    run: Run,
    *replies: Reply,
    question: str = RANGE,
    model: ScriptedModel | None = None,
    tabs: dict[int, Any] | None = None,
    settings: object = None,
    **fields: Any,
) -> tuple[dict[str, Any], ScriptedModel, Desk]:
    """Ask with a scripted model; return the answer, the model and the desk."""
    model = model or ScriptedModel(*replies)
    answers: list[dict[str, Any]] = []
    pages = tabs or {1: TIDES, 2: BREAD}

    async def scenario(desk: Desk) -> None:
        desk.models.models[model.descriptor.id] = model
        desk.settings.stored = settings
        await desk.add(*pages)
        fields.setdefault("engine", model.descriptor.id)
        end = await desk.ask("ask", question=question, sources=[], **fields)
        assert end["type"] == "done", end
        answers.append(end["result"])

    desk = run(scenario, tabs=pages)
    return answers[0], model, desk


def kinds(answer: dict[str, Any]) -> list[str]:
    return [notice["kind"] for notice in answer["notices"]]


def verdicts(answer: dict[str, Any]) -> list[str]:
    return [sentence["verdict"] for sentence in answer["sentences"]]


def given_number(prompt: Prompt, words: str) -> int:
    """The number under which a prompt gives the passage with some words."""
    text = prompt.messages[-1].text
    return int(text[: text.index(words)].rpartition("\n[")[2].partition("]")[0])
