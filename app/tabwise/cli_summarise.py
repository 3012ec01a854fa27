"""`tabwise summarise`: what pages say in short, in their own words or written by a service and checked.

    tabwise summarise report.pdf notes.txt       add these first and tell only them
    tabwise summarise                            every page of the library
    tabwise summarise report.pdf --provider groq

A summary is kept in the library and made again only when its page has changed or another one is to write it.
"""

import argparse
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tabwise.adapters.clock import SystemClock
from tabwise.cli_models import BUNDLED
from tabwise.cli_services import opened_service, tell_fallback
from tabwise.cli_session import FAILED, NOTHING, OK, Session, print_json
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.network.http import Purpose
from tabwise.engine.quiet import Quiet
from tabwise.engine.requests.summaries import summary_row
from tabwise.engine.summarising.making import Maker
from tabwise.engine.summarising.queue import Choice, SummaryQueue, Told
from tabwise.engine.summarising.writers import ModelWriter, Writer
from tabwise.engine.wire import Record
from tabwise.errors import InputError
from tabwise.ui.text import percent
from tabwise.ui.words import say


def add_parser(commands: Any, common: argparse.ArgumentParser, services: argparse.ArgumentParser) -> None:
    """Add the command; `services` has the options of who writes."""
    one = commands.add_parser("summarise", parents=[common, services], help="say what pages say in short")
    about = "add these first and tell only them (default: every page of the library)"
    one.add_argument("files", nargs="*", type=Path, metavar="FILE", help=about)


async def summarise(session: Session, options: argparse.Namespace) -> int:
    """Print the summary of each file, of every page when none is named; raises InputError: library_empty."""
    added = await session.added(options.files)
    if options.files and not added:
        return FAILED
    index = session.library.index
    sources = [source for source in index.sources() if not added or source in added]
    if not sources:
        raise InputError("library_empty")
    rows: list[Record] = []

    def tell(told: Told) -> None:
        head = index.head(told.source)
        if told.summary is not None and head is not None:
            rows.append(summary_row(head, told.summary))

    async with _opened_writer(options) as writer:
        failed = await _queue(session, writer).run(sources, session.job(), tell)
    if failed is not None:
        tell_fallback({"code": failed.code, "subject": failed.subject})
    if session.as_json:
        print_json(rows)
    else:
        _print(rows)
    return OK if len(rows) == len(sources) and len(added) == len(set(options.files)) else NOTHING


@asynccontextmanager
async def _opened_writer(options: argparse.Namespace) -> AsyncIterator[Writer | None]:
    """The service that the options name, None for the pages' own words; the bundled model writes none."""
    if options.provider == BUNDLED:
        print(f"tabwise: {say('fallback_model_too_small')}", file=sys.stderr)
        yield None
        return
    async with opened_service(options, Purpose.SUMMARY) as service:
        yield ModelWriter(await service[0].open(service[1])) if service else None


def _queue(session: Session, writer: Writer | None) -> SummaryQueue:
    async def choose() -> Choice:
        return Choice(writer.engine if writer else EXTRACTIVE, writer, _may_read, automatic=False)

    quiet, clock = Quiet(), SystemClock()
    maker = Maker(session.library, quiet=quiet, clock=clock)
    return SummaryQueue(session.library, maker, quiet=quiet, choose=choose)


def _may_read(url: str) -> bool:
    """Naming a service on the command line is the agreement; rules on sites are the browser's."""
    return True


def _print(rows: list[Record]) -> None:
    for row in rows:
        print(f"{row['title']} — {row['url']}")
        for sentence in row["sentences"]:
            note = "" if sentence["verdict"] == "supported" else f"  ({say(sentence['verdict'])})"
            print(f"  {' '.join(sentence['text'].split())}{note}")
        if row["read_share"] < 1.0:
            print(f"  {say('summary_read', share=percent(min(row['read_share'], 0.99)))}")
        print()
