"""The record of measurements holds the last run of each command, whole."""

from pathlib import Path

import pytest

from tabwise.eval.measurements import load, measured, save

pytestmark = pytest.mark.native


def test_a_run_replaces_all_that_its_command_printed_before_and_nothing_else(tmp_path: Path) -> None:
    record = tmp_path / "measurements.json"
    save(record, [measured("start", 2, "ms", command="boot"), measured("old name", 3, "ms", command="boot")])
    save(record, [measured("a query", 1, "ms", command="search")])
    save(record, [measured("start", 1, "ms", command="boot"), measured("end", 5, "ms", command="boot")])
    rows = [(row.command, row.name, row.value) for row in load(record)]
    assert rows == [("boot", "end", 5), ("boot", "start", 1), ("search", "a query", 1)]
