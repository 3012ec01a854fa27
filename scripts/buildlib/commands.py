"""The subcommands of `build.py`: what each is called, takes and does, in a few lines apiece.

Modules that need the environment are imported inside the commands, after `_environment` has continued there.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from buildlib.console import say
from buildlib.environment import check_node, continue_in_venv, ensure_node, ensure_python
from buildlib.fetch import fetch, inspect_source
from buildlib.lock import GROUPS, Lock, read_lock
from buildlib.paths import APP, DEMO, EXTENSION, EXTENSION_SOURCE, ROOT
from buildlib.staging import staged
from buildlib.stamps import rebuild_if_changed

GPU_MODEL = EXTENSION.with_name("smollm2-q4")


@dataclass(frozen=True, slots=True)
class Command:
    """One subcommand."""

    name: str
    summary: str
    description: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _environment() -> None:
    check_node()
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


def _demo(arguments: argparse.Namespace) -> int:
    del arguments
    _environment()
    build_demo()
    return 0


def _gpu_model(arguments: argparse.Namespace) -> int:
    del arguments
    _environment()
    lock = _fetched("llm")
    from buildlib.smollm2 import language_model_folder

    with staged(GPU_MODEL) as folder:
        shutil.copytree(
            language_model_folder(lock, "q4"), folder, copy_function=shutil.copyfile, dirs_exist_ok=True
        )
    say(f"{GPU_MODEL}: choose this folder in the settings to bring it into the browser.")
    return 0


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    from buildlib.showcase import QUESTION

    parser.add_argument(
        "--headless", action="store_true", help="without a screen: ask one question and print the answer"
    )
    parser.add_argument("--question", default=QUESTION, help="what --headless asks (default: %(default)s)")
    parser.add_argument(
        "--profile", type=Path, metavar="DIR", help="keep the browser's profile in this folder"
    )


def _run(arguments: argparse.Namespace) -> int:
    _environment()
    from buildlib.showcase import run_headless, run_window

    build_dist()
    build_demo()
    if arguments.headless:
        run_headless(arguments.question, arguments.profile)
    else:
        run_window(arguments.profile)
    return 0


def _test_arguments(parser: argparse.ArgumentParser) -> None:
    from buildlib.steps import STEP_NAMES

    parser.add_argument(
        "--fast", action="store_true", help="stop after the checks that need no browser and no build"
    )
    parser.add_argument(
        "--nightly", action="store_true", help="run the long tests too: hundreds of kills, thousands of pages"
    )
    parser.add_argument(
        "--only", action="append", choices=STEP_NAMES, metavar="STEP", help=f"one of: {', '.join(STEP_NAMES)}"
    )


def _test(arguments: argparse.Namespace) -> int:
    _environment()
    from buildlib.steps import run_steps

    return run_steps(only=arguments.only, fast=arguments.fast, nightly=arguments.nightly)


def build_dist() -> None:
    """Fetch what the extension needs and write `dist/extension`, unless nothing changed since."""
    from buildlib.extension import GROUPS as needed
    from buildlib.extension import build_extension

    lock = _fetched(*needed)
    rebuild_if_changed("dist/extension", EXTENSION, _inputs(), lambda: build_extension(lock))


def build_demo() -> None:
    """Fetch what the demo needs and write `dist/demo`, unless nothing changed since."""
    from buildlib import demo

    lock = _fetched(*demo.GROUPS)
    rebuild_if_changed("dist/demo", DEMO, _inputs(), lambda: demo.build_demo(lock))


def _inputs() -> list[Path]:
    return [APP, EXTENSION_SOURCE, ROOT / "wheels", ROOT / "scripts" / "buildlib", ROOT / "package-lock.json"]


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
    Command(
        "demo",
        "build dist/demo",
        "Build the demo page with everything it loads, for any static host.",
        _no_arguments,
        _demo,
    ),
    Command(
        "gpu-model",
        "build dist/smollm2-q4",
        "Build the bundled language model in four bits for WebGPU, as a folder that the settings take in.",
        _no_arguments,
        _gpu_model,
    ),
    Command(
        "run",
        "build everything and open it in Chromium",
        "Build all, then open Chromium with the extension loaded and the sample pages open.",
        _run_arguments,
        _run,
    ),
    Command(
        "test",
        "run every check",
        "Run every check, fast ones first. The last line counts what passed, failed and was skipped; "
        "the exit code is 1 when anything failed.",
        _test_arguments,
        _test,
    ),
)
