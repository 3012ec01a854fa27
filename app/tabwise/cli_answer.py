"""`tabwise ask`, `research` and `replay`: answers as text, steps as they end, receipts searched anew."""

import argparse
import sys
from pathlib import Path
from typing import Any

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.no_models import NoModels
from tabwise.cli_arguments import new_file, whole_number
from tabwise.cli_models import opened_models
from tabwise.cli_pages import scope_of
from tabwise.cli_services import tell_fallback
from tabwise.cli_session import FAILED, NOTHING, OK, Session, print_json
from tabwise.cli_store import always, tell_why_local
from tabwise.core.agent.steps import Step, StepState
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.model import FusionMode
from tabwise.engine.agent.researching import Research
from tabwise.engine.answering import records
from tabwise.engine.answering.pipeline import Answerer
from tabwise.engine.answering.question import Question
from tabwise.engine.answering.replaying import replay as replayed
from tabwise.errors import InputError
from tabwise.protocol.settings import default_settings
from tabwise.protocol.tables.agent import MAX_SECONDS, MAX_STEPS
from tabwise.ui.receipts import replay_text
from tabwise.ui.titles import places_of
from tabwise.ui.words import say


def add_parsers(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    common: argparse.ArgumentParser,
    others: list[argparse.ArgumentParser],
) -> None:
    """Add the three commands; `others` have the options of ranking, of the vector store and of who writes."""
    parents = [common, *others]
    ask = commands.add_parser("ask", parents=parents, help="answer a question")
    research = commands.add_parser(
        "research", parents=parents, help="let a model look into a question by itself"
    )
    usual = default_settings()["preferences"]
    for name, most in (("steps", MAX_STEPS), ("seconds", MAX_SECONDS)):
        default = usual[f"agent_{name}"]
        about = f"at most so many (default {default})"
        limits = whole_number(1, most)
        research.add_argument(f"--{name}", type=limits, default=default, metavar="N", help=about)
    for one in (ask, research):
        one.add_argument("question")
        about = "add these first and ask only them"
        one.add_argument("files", nargs="*", type=Path, metavar="FILE", help=about)
        one.add_argument("--strict", action="store_true", help="leave out what its source does not bear out")
        about = "write down how the answer came about, as JSON"
        one.add_argument("--receipt", type=new_file, default=None, metavar="FILE", help=about)
    about = "run the searches of a receipt again and tell what differs"
    again = commands.add_parser("replay", parents=[common], help=about)
    again.add_argument("receipt", type=Path, metavar="FILE")


async def ask(session: Session, options: argparse.Namespace) -> int:
    """Answer a question, of the files it names alone when it names some."""
    session.warn_of_another_model()
    added = await session.added(options.files)
    if options.files and not added:
        return FAILED
    await session.follow()
    async with opened_models(options) as named:
        models, engine = named or (NoModels(), EXTRACTIVE)
        asked = Question(
            text=options.question,
            scope=scope_of(options, added),
            k=options.k,
            mode=FusionMode(options.mode),
            engine=engine,
            strict=options.strict,
        )
        answerer = Answerer(
            session.library,
            embedder=session.embedder,
            models=models,
            clock=SystemClock(),
            mirror=always(session.mirror),
        )
        answered = await answerer.ask(
            asked,
            job=session.job(),
            on_sentence=lambda *_: None,
            first=_research(session, options) if options.command == "research" else None,
        )
    if options.receipt:
        options.receipt.write_text(answered.receipt + "\n", "utf-8")
    tell_why_local(answered.answer.why_local)
    record = records.answer(answered.answer, session.library.page)
    if record["fallback"]:
        tell_fallback(record["fallback"])
    if session.as_json:
        print_json(record)
    else:
        print_answer(record)
    return OK if record["found"] else NOTHING


async def replay(session: Session, options: argparse.Namespace) -> int:
    """Run the searches of a receipt again; raises InputError: receipt_unreadable."""
    session.warn_of_another_model()
    file: Path = options.receipt
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("receipt_unreadable", str(error), subject=str(file)) from error
    receipt, found = await replayed(
        text, library=session.library, asker=session.asker, embedder=session.embedder, job=session.job()
    )
    record = records.replay(receipt, found)
    if session.as_json:
        print_json(record)
    else:
        print(replay_text(record))
        for item in record["differences"]:
            print(f"  {say('replay_' + item['change'], subject=item['subject'])}")
    return OK if record["same"] else NOTHING


def _research(session: Session, options: argparse.Namespace) -> Research:
    """The agent, within the limits of the options, that tells its steps on the error stream."""
    return Research(
        session.library,
        session.asker,
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
