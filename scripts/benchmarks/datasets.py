"""Public collections that are measured on and not shipped: where they are on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from buildlib.console import say
from buildlib.paths import ROOT

VARIABLE = "TABWISE_DATA"
DEFAULT = ROOT.parent / "shared" / "data"


def folder_of(collection: str) -> Path | None:
    """The folder of a collection, or None, with a word about it, where it is not."""
    folder = Path(os.environ.get(VARIABLE, DEFAULT)) / collection
    if folder.is_dir():
        return folder
    say(f"left out: no {collection} in {folder.parent} (set {VARIABLE} or give --data)")
    return None
