"""What the panel's Python holds while an answer streams in, under Node: MicroPython as the build ships it."""

import json
import subprocess
from pathlib import Path

import pytest

from buildlib.paths import EXTENSION

SCRIPT = Path(__file__).with_name("stream_updates.mjs")


@pytest.mark.slow
def test_ten_thousand_updates_of_an_answer_leave_nothing_behind() -> None:
    command = ["node", str(SCRIPT), str(EXTENSION), "1200", "8800"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-600:]
    early, late = json.loads(done.stdout)
    assert early["is_shown"]
    assert late["is_shown"]
    assert late["memory_bytes"] == early["memory_bytes"]
    assert late["n_elements"] == early["n_elements"]
    # two bytes an update: garbage that a stale word of the stack still points to may stay
    assert late["allocated_bytes"] - early["allocated_bytes"] < 16_384
