"""The subcommands of `build.py`: what each is called, takes and does, in a few lines apiece.

Modules that need the environment are imported inside the commands, after `_environment` has continued there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from buildlib.console import say, step
from buildlib.environment import continue_in_venv, ensure_node, ensure_python
from buildlib.fetch import fetch, inspect_source
from buildlib.lock import GROUPS, Lock, read_lock


@dataclass(frozen=True, slots=True)
class Command:
    """One subcommand."""

    name: str
    summary: str
    description: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _environment() -> None:
    ensure_python()
    continue_in_venv()
    ensure_node()


def _fetched(*groups: str) -> Lock:
    lock = read_lock()
    fetch(lock.group(*groups))
    return lock


def _fetch_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--group", action="append", choices=GROUPS, help="only this group; may be repeated")
    parser.add_argument("--inspect", metavar="SOURCE", help="print size and sha256 of what a source gives")


def _fetch(arguments: argparse.Namespace) -> int:
    ensure_python()  # a system Python may come without pip; ours has it
    if arguments.inspect:
        size, sha256 = inspect_source(arguments.inspect)
        say(f'size = {size}\nsha256 = "{sha256}"')
        return 0
    lock = _fetched(*(arguments.group or GROUPS))
    say(f"{len(lock.group(*(arguments.group or GROUPS)))} files are in the cache.")
    return 0


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def _dist(arguments: argparse.Namespace) -> int:
    del arguments
    _environment()
    build_dist()
    return 0


def build_dist() -> None:
    """Fetch what the extension needs and write `dist/extension`, unless nothing changed since."""
    from buildlib.extension import GROUPS as NEEDED
    from buildlib.extension import build_extension

    lock = _fetched(*NEEDED)
    with step("dist/extension"):
        build_extension(lock)


COMMANDS = (
    Command(
        "fetch",
        "fill the cache of third-party files",
        "Fetch every file of wheels/lock.toml into the cache, each verified by size and sha256. "
        "Interrupted downloads resume; a warm cache uses no network.",
        _fetch_arguments,
        _fetch,
    ),
    Command(
        "dist",
        "build dist/extension",
        "Build the unpacked extension. Two builds give byte-identical files.",
        _no_arguments,
        _dist,
    ),
)
