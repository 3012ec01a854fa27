"""Pyodide under Node, as a build tool: a folder with the pinned runtime, and running a script against it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from buildlib.built import built, digest
from buildlib.console import BuildError
from buildlib.fetch import cached_path
from buildlib.lock import Lock
from buildlib.paths import NODE_SCRIPTS

RUNTIME_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def runtime_key(lock: Lock) -> str:
    """Identifies the pinned runtime; part of the key of all that is made with it."""
    return digest(lock.file(name).sha256 for name in RUNTIME_FILES)


def runtime_folder(lock: Lock) -> Path:
    """The runtime's five files, side by side as `loadPyodide` wants them."""

    def make(folder: Path) -> None:
        for name in RUNTIME_FILES:
            shutil.copyfile(cached_path(lock.file(name)), folder / name)

    return built("pyodide", runtime_key(lock), make)


def run_node(script: str, *arguments: str) -> None:
    """Run one of the scripts under `node/`. Raises BuildError with the end of its output."""
    command = ["node", str(NODE_SCRIPTS / script), *arguments]
    fixed = os.environ | {"TZ": "UTC", "LC_ALL": "C", "NODE_OPTIONS": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=fixed, check=False)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()[-20:]
        output = "\n".join(line[:300] for line in lines)  # Node quotes whole lines of minified code
        raise BuildError(f"{script} failed:\n{output}")
