"""Where things are: the checkout, what the build makes in it, and the cache outside it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "wheels" / "lock.toml"
APP = ROOT / "app"
EXTENSION_SOURCE = ROOT / "extension"
DOCS = ROOT / "docs"
SAMPLES = DOCS / "samples"
NODE_SCRIPTS = Path(__file__).resolve().parent / "node"

DIST = ROOT / "dist"
EXTENSION = DIST / "extension"
DEMO = DIST / "demo"

VENV = ROOT / ".venv"
NODE_MODULES = ROOT / "node_modules"


def venv_python() -> Path:
    """The interpreter of the project's own environment, whether or not it exists yet."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def cache() -> Path:
    """`$TABWISE_CACHE`, or `tabwise` under the user's cache folder. Safe to delete at any time."""
    named = os.environ.get("TABWISE_CACHE")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabwise"
