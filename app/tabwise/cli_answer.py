"""`tabwise ask` and `tabwise research`: their options, the agent's steps as they end, the answer as text."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabwise.adapters.clock import SystemClock
from tabwise.core.agent.steps import Step, StepState
from tabwise.engine.agent.researching import Research
from tabwise.engine.asking import Asker
from tabwise.engine.library import Library
from tabwise.protocol.settings import default_settings
from tabwise.protocol.tables.agent import MAX_SECONDS, MAX_STEPS
from tabwise.ui.titles import places_of
from tabwise.ui.words import say


def add_parsers(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", parents: list[argparse.ArgumentParser]
) -> None:
    """Add both commands; `parents` have the options of ranking, of the library and of who writes."""
    ask = commands.add_parser("ask", parents=parents, help="answer a question")
    research = commands.add_parser(
        "research", parents=parents, help="let a model look into a question by itself"
    )
    usual = default_settings()["preferences"]
    for name, most in (("steps", MAX_STEPS), ("seconds", MAX_SECONDS)):
        default = usual[f"agent_{name}"]
        about = f"at most so many (default {default})"
        research.add_argument(f"--{name}", type=_up_to(most), default=default, metavar="N", help=about)
    for one in (ask, research):
        one.add_argument("question")
        about = "add these first and ask only them"
        one.add_argument("files", nargs="*", type=Path, metavar="FILE", help=about)
        one.add_argument("--strict", action="store_true", help="leave out what its source does not bear out")
        about = "write down how the answer came about, as JSON"
        one.add_argument("--receipt", type=Path, default=None, metavar="FILE", help=about)


def research_of(library: Library, asker: Asker, options: argparse.Namespace) -> Research:
    """Return the agent, within the limits of the options, that tells its steps on the error stream."""
    return Research(
        library,
        asker,
        clock=SystemClock(),
        stays_here=_none_stays,
        max_steps=options.steps,
        max_ms=1_000.0 * options.seconds,
        on_step=_tell,
    )


def print_answer(answer: dict[str, Any]) -> None:
    """Print an Answer record: sentences with their marks and doubts, then the sources."""
    if not answer["found"]:
        print(say("nothing_found"))
        return
    if answer["missing"]:
        print(say("missing", parts=", ".join(answer["missing"])) + "\n")
    for sentence in answer["sentences"]:
        marks = "".join(f"[{number}]" for number in sentence["citations"])
        note = "" if sentence["verdict"] == "supported" else f"  ({say(sentence['verdict'])})"
        print(f"{sentence['text']} {marks}{note}")
    print()
    for citation in answer["citations"]:
        place = f", {named}" if (named := places_of([citation])) else ""
        print(f"[{citation['number']}] {citation['title']}{place} — {citation['url']}")


def _tell(step: Step) -> None:
    if step.state is not StepState.RUNNING:
        print(f"{step.number:3} {step.tool} {step.arguments}: {step.summary}", file=sys.stderr)


def _none_stays(url: str) -> bool:
    """Naming a service on the command line is the agreement; rules on sites are the browser's."""
    return False


def _up_to(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not 1 <= value <= most:
            raise argparse.ArgumentTypeError(f"must be from 1 to {most}")
        return value

    return number
