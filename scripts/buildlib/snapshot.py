"""`snapshot.bin`: the memory of a Python that has started and imported the standard library we use.

Loading it instead of starting Python saves about two of three seconds (the private options `_makeSnapshot`
and `_loadSnapshot` of Pyodide, bound to the exact build, which they check). Extension modules such as numpy
cannot be part of it. A snapshot carries the hash seed, the state of `random` and the time zone (UTC) with it:
whoever loads one has to call `random.seed()`, and gives local times to the user by other means.
"""

from __future__ import annotations

from pathlib import Path

from buildlib.built import built, digest
from buildlib.lock import Lock
from buildlib.node_pyodide import run_node, runtime_folder, runtime_key
from buildlib.paths import NODE_SCRIPTS

# What tabwise, numpy and trafilatura import from the standard library at start.
MODULES = (
    "array", "ast", "asyncio", "base64", "bisect", "calendar", "collections", "contextlib", "contextvars",
    "copy", "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "email.message", "enum",
    "fractions", "functools", "hashlib", "heapq", "html", "html.parser", "importlib.metadata",
    "importlib.resources", "inspect", "io", "itertools", "json", "logging", "math", "numbers", "operator",
    "pathlib", "pickle", "platform", "random", "re", "secrets", "shutil", "sqlite3", "statistics",
    "string", "struct", "tempfile", "textwrap", "threading", "time", "traceback", "types", "typing",
    "unicodedata", "urllib.parse", "uuid", "warnings", "weakref", "zipfile",
)  # fmt: skip


def snapshot_file(lock: Lock) -> Path:
    """The snapshot for the pinned runtime, made on first use (a few seconds)."""
    script = "make_snapshot.mjs"
    key = digest([runtime_key(lock), (NODE_SCRIPTS / script).read_bytes(), *MODULES])

    def make(folder: Path) -> None:
        run_node(script, str(runtime_folder(lock)), str(folder / "snapshot.bin"), ",".join(MODULES))

    return built("snapshot", key, make) / "snapshot.bin"
