"""What the panel's Python holds while an answer streams in, under Node: MicroPython as the build ships it."""

import json
import subprocess
from pathlib import Path

import pytest

from buildlib.paths import EXTENSION

SCRIPT = Path(__file__).with_name("stream_updates.mjs")


@pytest.mark.slow
@pytest.mark.parametrize("n_updates", [1_800, pytest.param(8_800, marks=pytest.mark.nightly)])
def test_updates_of_an_answer_leave_nothing_behind(n_updates: int) -> None:
    command = ["node", str(SCRIPT), str(EXTENSION), "1200", str(n_updates)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-600:]
    early, late = json.loads(done.stdout)
    assert early["is_shown"]
    assert late["is_shown"]
    assert late["memory_bytes"] == early["memory_bytes"]
    assert late["n_elements"] == early["n_elements"]
    # two bytes an update: garbage that a stale word of the stack still points to may stay
    assert late["allocated_bytes"] - early["allocated_bytes"] < 16_384
