"""Counts out of a JUnit file, the form every pytest run of the project reports in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True, slots=True)
class Counts:
    """What came of a number of checks; `unsteady` ones failed first and passed when asked again."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    unsteady: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.unsteady + other.unsteady,
        )

    def __str__(self) -> str:
        unsteady = f", {self.unsteady} unsteady" if self.unsteady else ""
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped{unsteady}"


def read_counts(junit: Path, exit_code: int) -> Counts:
    """The counts of a pytest run.

    A run that ended badly without a failed test of its own (nothing collected, a crash, no report) counts as
    one failure, so that it can never look like success.
    """
    counts = Counts()
    if junit.exists() and junit.stat().st_size:
        for suite in ElementTree.parse(junit).getroot().iter("testsuite"):
            total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
            failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            counts += Counts(total - failed - skipped, failed, skipped)
    if exit_code and not counts.failed:
        counts += Counts(failed=1)
    if not exit_code and not counts.passed:
        counts += Counts(failed=1)
    return counts
