"""What holds for every suite: no test is judged by its time, machines and runtimes differ too much.

Long tests, marked nightly, run only with --nightly.
"""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tabwise.adapters.native.messages import messages
from tabwise.ui import words

# The same examples in every run, so that a change is judged by what it changed alone;
# `--hypothesis-profile searching` looks for new ones.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None)
settings.load_profile("steady")

words.load(messages())

_NATIVE = re.compile(r"^pytestmark = .*\bpytest\.mark\.native\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run the tests marked nightly, and no others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests out, or everything else."""
    is_nightly = config.getoption("--nightly", default=False)
    left_out = [item for item in items if (item.get_closest_marker("nightly") is not None) != is_nightly]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Under Pyodide, leave out the modules that need CPython before they import what is not there."""
    if sys.platform != "emscripten" or collection_path.suffix != ".py":
        return None
    return True if _NATIVE.search(collection_path.read_text("utf-8")) else None
