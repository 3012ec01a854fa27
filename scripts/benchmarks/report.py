"""Figures of a suite: printed as a table and kept in docs/measurements.json."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buildlib.console import say
from buildlib.paths import ROOT
from tabwise.eval.measurements import measured, save, table

RECORD = ROOT / "docs" / "measurements.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a suite; `compared_with` says what it stands against."""

    name: str
    value: float
    unit: str
    compared_with: str = ""


def report(suite: str, figures: Sequence[Figure]) -> None:
    """Print the figures and write them into the record."""
    command = f"scripts/bench.py {suite}"
    rows = [
        measured(figure.name, figure.value, figure.unit, command=command, compared_with=figure.compared_with)
        for figure in figures
    ]
    say(f"\n{command}\n{table(rows)}")
    save(RECORD, rows)
