"""Know that a build is up to date: a stamp beside it holds the hash of all that went into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from buildlib.built import digest
from buildlib.console import say, step


def rebuild_if_changed(name: str, target: Path, inputs: Iterable[Path], make: Callable[[], None]) -> None:
    """Run `make`, which writes the folder `target`, unless the inputs are those of the last time.

    Inputs are files and folders; caches in them do not count. A build that fails leaves no stamp.
    """
    stamp = target.with_name(f".{target.name}.stamp")
    key = digest(_parts(inputs))
    if target.exists() and stamp.exists() and stamp.read_text() == key:
        say(f"- {name}: up to date")
        return
    stamp.unlink(missing_ok=True)
    with step(name):
        make()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)


def _parts(inputs: Iterable[Path]) -> Iterable[bytes | str]:
    for path in inputs:
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
        for file in files:
            if "__pycache__" not in file.parts:
                yield file.as_posix()
                yield file.read_bytes()
