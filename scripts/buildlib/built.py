"""A cache of what the build makes, keyed by everything that went into it.

An entry is a folder under `<cache>/built`; its name holds a hash of the inputs, so an entry never goes
stale and two checkouts share it. `TABWISE_BUILT` names another folder: given an empty one, everything is
made anew, which is how the reproducibility check knows that its bytes do not come from the cache.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from buildlib.paths import cache


def digest(parts: Iterable[bytes | str]) -> str:
    """One hash over several inputs; where one ends and the next begins counts."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()


def built(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make(folder)` fills, made now or taken from the cache."""
    shelf = _shelf()
    entry = shelf / f"{kind}-{key[:24]}"
    if entry.exists():
        return entry
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{kind}-", dir=shelf) as folder:
        made = Path(folder) / "made"
        made.mkdir()
        make(made)
        if entry.exists():  # another process was faster; both made the same
            shutil.rmtree(made)
        else:
            made.rename(entry)
    return entry


def _shelf() -> Path:
    elsewhere = os.environ.get("TABWISE_BUILT")
    return Path(elsewhere) if elsewhere else cache() / "built"
