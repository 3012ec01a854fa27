"""Replace a folder as a whole: built beside its place, swapped in when complete."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `target` at the end of the block, unless the block fails.

    What was at `target` stays there until then, so a browser never sees half a build, and two builds at the
    same time do not write into each other's folder.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as name:
        new = Path(name) / "new"
        new.mkdir()
        yield new
        if target.exists():
            target.rename(Path(name) / "old")
        new.rename(target)
