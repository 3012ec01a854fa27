"""`tabwise index`, `reembed` and `search`: pages come in, vectors are made anew, passages ranked."""

import argparse
from pathlib import Path
from typing import Any

from tabwise.cli_arguments import day_ms, whole_number
from tabwise.cli_session import NOTHING, OK, Session, print_json
from tabwise.cli_store import tell_why_local
from tabwise.core.model import FusionMode, SourceId
from tabwise.engine import wire
from tabwise.engine.asking import N_HITS
from tabwise.engine.scoping import Scope
from tabwise.ui.words import say


def add_parsers(
    commands: Any,
    common: argparse.ArgumentParser,
    ranked: argparse.ArgumentParser,
    stored: argparse.ArgumentParser,
) -> None:
    """Add the three commands; `ranked` and `stored` have the options of ranking and of a vector store."""
    index = commands.add_parser(
        "index", parents=[common, stored], help="add HTML, PDF and text files to the library"
    )
    index.add_argument("files", nargs="+", type=Path, metavar="FILE")
    search = commands.add_parser(
        "search", parents=[common, ranked, stored], help="rank passages of the library"
    )
    search.add_argument("query")
    commands.add_parser("reembed", parents=[common], help="make all vectors anew with the model in use")


def ranking_options() -> argparse.ArgumentParser:
    """The options of a command that ranks passages."""
    options = argparse.ArgumentParser(add_help=False)
    about = f"number of passages (default {N_HITS})"
    options.add_argument("-k", type=whole_number(1), default=N_HITS, metavar="N", help=about)
    modes = [str(mode) for mode in FusionMode]
    options.add_argument("--mode", choices=modes, default="convex", help="how words and meaning are combined")
    options.add_argument(
        "--site", action="append", default=[], metavar="HOST", help="only pages of this host; may be repeated"
    )
    for name, about in (("--after", "on this day or later"), ("--before", "before this day")):
        options.add_argument(
            name, type=day_ms, default=0.0, metavar="YYYY-MM-DD", help=f"only pages added {about}"
        )
    options.add_argument("--recent", action="store_true", help="prefer pages added recently")
    return options


def scope_of(options: argparse.Namespace, sources: frozenset[SourceId] = frozenset()) -> Scope:
    """The pages that the options of ranking leave of `sources`, of all when there are none."""
    return Scope(sources, tuple(options.site), options.after, options.before, options.recent)


async def index(session: Session, options: argparse.Namespace) -> int:
    """Add files."""
    outcomes = await session.add(options.files)
    is_mirrored = await session.follow()
    if session.as_json:
        rows = [wire.row_result(outcome) for outcome in outcomes]
        print_json([{"file": str(file)} | row for file, row in zip(options.files, rows, strict=True)])
    else:
        for file, outcome in zip(options.files, outcomes, strict=True):
            if outcome.page:
                print(f"{outcome.state:9}  {file}  {say('n_words', n=outcome.page.n_words)}")
    return NOTHING if any(outcome.error for outcome in outcomes) or not is_mirrored else OK


async def reembed(session: Session, options: argparse.Namespace) -> int:
    """Make all vectors anew."""
    await session.indexer({}).reembed(session.job())
    stats = wire.stats(session.library.stats())
    if session.as_json:
        print_json(stats)
    else:
        print(f"{stats['n_vectors']} passages by {stats['model']}")
    return OK


async def search(session: Session, options: argparse.Namespace) -> int:
    """Rank passages."""
    session.warn_of_another_model()
    await session.follow()
    found = await session.asker.search(
        options.query, scope=scope_of(options), k=options.k, mode=FusionMode(options.mode)
    )
    tell_why_local(found.why_local)
    rows = [wire.hit(hit, session.library.page(hit.chunk.source)) for hit in found.hits]
    if session.as_json:
        print_json(rows)
    else:
        for row in rows:
            where = " › ".join([row["title"], *row["heading_path"]])
            print(f"{row['score']:.3f}  {where}\n       {row['url']}")
            print(f"       {' '.join(row['text'].split())[:300]}\n")
    return OK if rows else NOTHING
