"""The one record of everything measured: docs/measurements.json.

Every benchmark and evaluation writes its rows here; tables in the README and in docs/ are rendered
from it, so a number that no script printed cannot get into them.
"""

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number. `command` is what prints it; (command, name) identifies it.

    `compared_with` says what a ratio stands against, or the figure to beat; "" when nothing.
    """

    name: str
    value: float
    unit: str
    compared_with: str
    command: str
    date: str
    machine: str


def machine() -> str:
    """What the numbers were measured on, without names of hosts or people."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def measured(name: str, value: float, unit: str, *, command: str, compared_with: str = "") -> Measurement:
    """A measurement of today on this machine; the value keeps four significant digits."""
    return Measurement(
        name, float(f"{value:.4g}"), unit, compared_with, command, date.today().isoformat(), machine()
    )


def load(path: Path) -> list[Measurement]:
    """Read the record; a missing file is an empty one."""
    if not path.exists():
        return []
    return [Measurement(**row) for row in json.loads(path.read_text("utf-8"))]


def save(path: Path, rows: Iterable[Measurement]) -> None:
    """Put the rows of whole runs into the record, in place of all that their commands printed before.

    The order is by command and name.
    """
    fresh = list(rows)
    run = {row.command for row in fresh}
    kept = [row for row in load(path) if row.command not in run]
    ordered = [asdict(row) for row in sorted([*kept, *fresh], key=lambda row: (row.command, row.name))]
    path.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", "utf-8")


def table(rows: Iterable[Measurement]) -> str:
    """Render rows as a Markdown table."""
    lines = ["| what | value | compared with |", "| --- | ---: | --- |"]
    lines += [f"| {row.name} | {_figure(row)} | {row.compared_with} |" for row in rows]
    return "\n".join(lines)


def _figure(row: Measurement) -> str:
    value = f"{row.value:,.0f}" if abs(row.value) >= 1000 else f"{row.value:g}"
    return f"{value} {row.unit}".rstrip()
