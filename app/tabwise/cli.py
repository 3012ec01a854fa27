"""`tabwise` on the command line: the same engine and the same library file, over files instead of tabs.

    tabwise index page.html notes.txt        add files to the library
    tabwise search "tidal range"             rank passages
    tabwise ask "How large …?" page.html     answer, with each sentence checked against its source
    tabwise replay receipt.json              do its searches still come out the same?
    tabwise ask "…" --provider groq          let a service write the answer, or "bundled" help with it
    tabwise research "…" --provider groq     let a model look into a question by itself
    tabwise summarise report.pdf             what files say in short
    tabwise export tabwise.db                everything as one file, for another machine or browser
    tabwise import tabwise.db --dry-run      what would bringing it in change?
    tabwise doctor                           what works here and why not
    tabwise check library.db                 is a library file sound?
    tabwise eval retrieval --data DIR        measure on public collections

Exit status: 0 done, 1 nothing was found or some file could not be read, 2 the command could not be done.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tabwise import (
    __version__,
    cli_answer,
    cli_check,
    cli_data,
    cli_doctor,
    cli_measure,
    cli_pages,
    cli_summarise,
)
from tabwise.adapters.native.messages import messages
from tabwise.cli_services import service_options
from tabwise.cli_session import (
    FAILED,
    Session,
    library_options,
    make_printable,
    opened_session,
    print_json,
)
from tabwise.cli_store import store_options
from tabwise.engine import wire
from tabwise.errors import AppError
from tabwise.eval import command as evaluation
from tabwise.ui import words
from tabwise.ui.words import error_sentence

INTERRUPTED, BROKEN_PIPE = 130, 141

Command = Callable[[Session, argparse.Namespace], Awaitable[int]]

OVER_A_LIBRARY: Mapping[str, Command] = {
    "index": cli_pages.index,
    "reembed": cli_pages.reembed,
    "search": cli_pages.search,
    "ask": cli_answer.ask,
    "research": cli_answer.ask,
    "replay": cli_answer.replay,
    "summarise": cli_summarise.summarise,
    "export": cli_data.export,
    "import": cli_data.bring,
    "eval": cli_measure.ask_itself,
}
"""Commands over an open library; `eval` is one of them only as `eval self`."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    common, services, stored = library_options(), service_options(), store_options()
    ranked = cli_pages.ranking_options()
    top = argparse.ArgumentParser(prog="tabwise", description="Ask your pages; every sentence is checked.")
    top.add_argument("--version", action="version", version=f"tabwise {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    cli_pages.add_parsers(commands, common, ranked, stored)
    cli_answer.add_parsers(commands, common, [ranked, stored, services])
    cli_summarise.add_parser(commands, common, services)
    about = "say what works here and why not; tries a model only when one is named"
    commands.add_parser("doctor", parents=[common, services], help=about)
    cli_check.add_parser(commands, common)
    cli_data.add_parsers(commands, common)
    evaluation.add_parsers(commands, common)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    make_printable(sys.stdout, sys.stderr)
    options = parser().parse_args(arguments)
    words.load(messages())
    try:
        status = cli_measure.measure(options) if _only_measures(options) else asyncio.run(_run(options))
        sys.stdout.flush()
        return status
    except AppError as error:
        _fail(options, error)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered goes nowhere
        return BROKEN_PIPE
    except OSError as error:
        print(f"tabwise: {error.strerror or error}: {error.filename or ''}".rstrip(": "), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _only_measures(options: argparse.Namespace) -> bool:
    """Whether no library is opened."""
    return bool(options.command == "eval" and options.kind != "self")


async def _run(options: argparse.Namespace) -> int:
    if options.command == "check":
        return await cli_check.check(options)
    if options.command == "doctor":
        return await cli_doctor.doctor(options)
    async with opened_session(options) as session:
        return await OVER_A_LIBRARY[options.command](session, options)


def _fail(options: argparse.Namespace, error: AppError) -> None:
    if getattr(options, "json", False):
        print_json({"error": wire.failure(error)})
    about = f" ({error.subject})" if error.subject else ""
    print(f"tabwise: {error_sentence(error.code)}{about}", file=sys.stderr)
    if error.message != error.code:
        print(f"tabwise: {error.code}: {error.message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
