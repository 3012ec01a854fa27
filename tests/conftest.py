"""What holds for every suite: no test is judged by its time, machines and runtimes differ too much."""

import re
import sys
from pathlib import Path

from hypothesis import settings

from tabwise.adapters.native.messages import messages
from tabwise.ui import words

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

words.load(messages())

_NATIVE = re.compile(r"^pytestmark = .*\bpytest\.mark\.native\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Under Pyodide, leave out the modules that need CPython before they import what is not there."""
    if sys.platform != "emscripten" or collection_path.suffix != ".py":
        return None
    return True if _NATIVE.search(collection_path.read_text("utf-8")) else None
