"""Every check of the project as a named step, fast ones first, and the summary at the end.

A step is a function that returns its counts. To add a check, write one and put it into STEPS.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from buildlib.console import BuildError, say
from buildlib.junit import Counts, read_counts
from buildlib.lock import read_lock
from buildlib.paths import EXTENSION, ROOT

TYPE_CHECKED = ("app/tabwise", "scripts", "hatch_build.py")
MAX_ASKED_AGAIN = 5
"""More failures than this are no accident of one run."""
NATIVE_SUITES = ("tests/unit", "tests/contract", "tests/golden", "tests/faults", "tests/fuzz")
SIDE_BY_SIDE = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")
"""One process for each core; the tests of a file share its fixtures and stay in one."""


@dataclass(frozen=True, slots=True)
class Step:
    """One check; `fast` ones need neither a build nor a browser."""

    name: str
    fast: bool
    run: Callable[[], Counts]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a step."""

    name: str
    counts: Counts
    seconds: float


def run_steps(*, only: list[str] | None = None, fast: bool = False, nightly: bool = False) -> int:
    """Run the chosen steps and print the summary; 1 when anything failed, else 0.

    `nightly`: the long tests as well, after everything else.
    """
    offered = (*STEPS, NIGHTLY) if nightly or "nightly" in (only or ()) else STEPS
    chosen = [step for step in offered if (step.name in only if only else step.fast or not fast)]
    results = [_timed(step) for step in chosen]
    say("\nSummary")
    for result in results:
        mark = "FAILED" if result.counts.failed else "ok"
        say(f"  {result.name:<18} {mark:<7} {result.seconds:7.1f} s   {result.counts}")
    total = sum((result.counts for result in results), Counts())
    say(f"\n{total}")
    return 1 if total.failed or not total.passed else 0


def _timed(step: Step) -> Result:
    say(f"\n== {step.name}")
    started = time.monotonic()
    try:
        counts = step.run()
    except BuildError as error:
        say(str(error))
        counts = Counts(failed=1)
    return Result(step.name, counts, time.monotonic() - started)


def _commands(*commands: list[str]) -> Counts:
    counts = Counts()
    for command in commands:
        say("$ " + " ".join(command))
        done = subprocess.run(_program(command), cwd=ROOT, check=False)
        counts += Counts(failed=1) if done.returncode else Counts(passed=1)
    return counts


def _program(command: list[str]) -> list[str]:
    if command[0] == "python":
        return [sys.executable, *command[1:]]
    if command[0] == "tsc":
        return ["node", str(ROOT / "node_modules" / "typescript" / "bin" / "tsc"), *command[1:]]
    return [sys.executable, "-m", *command]


def _style() -> Counts:
    return _commands(["ruff", "check", "."], ["ruff", "format", "--check", "."])


def _types() -> Counts:
    return _commands(["mypy", "--strict", *TYPE_CHECKED])


def _javascript() -> Counts:
    return _commands(["python", "scripts/buildlib/typedefs.py", "--check"], ["tsc", "-p", "tsconfig.json"])


def _pytest(*arguments: str) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={junit}", *arguments]
        done = subprocess.run(command, cwd=ROOT, check=False)
        return read_counts(junit, done.returncode)


def _native() -> Counts:
    suites = (suite for suite in NATIVE_SUITES if any((ROOT / suite).rglob("test_*.py")))
    return _pytest(*SIDE_BY_SIDE, "-m", "not browser", *suites)


def _dist() -> Counts:
    from buildlib.commands import build_dist
    from buildlib.dist_checks import code_urls, differences

    build_dist()
    counts = Counts()
    for what, problems in (
        ("URLs code could be loaded from", code_urls(EXTENSION)),
        ("files that differ when built again", differences(read_lock(), EXTENSION)),
    ):
        say(f"{what}: {len(problems)}")
        for problem in problems:
            say(f"  {problem}")
        counts += Counts(failed=1) if problems else Counts(passed=1)
    return counts


def _pyodide(where: str) -> Counts:
    from buildlib import pyodide_tests
    from buildlib.fetch import fetch

    lock = read_lock()
    fetch(lock.group(*pyodide_tests.GROUPS))
    run = {"node": pyodide_tests.run_in_node, "chromium": pyodide_tests.run_in_chromium}[where]
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        return read_counts(junit, run(lock, junit))


def _browser() -> Counts:
    from buildlib.commands import build_demo, build_dist

    build_dist()
    build_demo()
    counts = _pytest(*SIDE_BY_SIDE, "tests/browser")
    if not 0 < counts.failed <= MAX_ASKED_AGAIN:
        return counts
    # A browser on a busy machine is not fully ours: what failed is asked once more in a fresh one, and told.
    say("asking again what failed")
    again = _pytest("tests/browser", "--last-failed", "--last-failed-no-failures", "none")
    steady = Counts(counts.passed, 0, counts.skipped)
    return steady + again + Counts(unsteady=again.passed)


def _nightly() -> Counts:
    from buildlib.commands import build_dist
    from buildlib.fuzzing import install_fuzzer

    build_dist()
    install_fuzzer()
    return _pytest("--nightly", "tests")


STEPS = (
    Step("style", True, _style),
    Step("types", True, _types),
    Step("javascript", True, _javascript),
    Step("cpython", True, _native),
    Step("dist", False, _dist),
    Step("pyodide-node", False, lambda: _pyodide("node")),
    Step("pyodide-chromium", False, lambda: _pyodide("chromium")),
    Step("browser", False, _browser),
)
NIGHTLY = Step("nightly", False, _nightly)
STEP_NAMES = tuple(step.name for step in (*STEPS, NIGHTLY))
