"""What the build says while it works: steps, one progress line, and problems with a way out.

On a terminal the progress line rewrites itself ten times a second; in a log it appears once in five seconds.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class BuildError(Exception):
    """Something the build cannot go on without. The text says what happened and what to do."""


def say(text: str) -> None:
    """Print one line at once, so that it keeps its place among the output of child processes."""
    print(text, flush=True)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Announce a step, and say how long it took once it is done."""
    say(f"- {name}")
    started = time.monotonic()
    yield
    say(f"  {name}: {time.monotonic() - started:.1f} s")


class Progress:
    """Bytes done of bytes expected, over several downloads at once. Safe to call from several threads."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._expected: dict[str, int] = {}
        self._done: dict[str, int] = {}
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._shown = 0.0
        self._rewrites = sys.stdout.isatty()

    def expect(self, key: str, size_bytes: int) -> None:
        """Set how many bytes `key` will take; a better figure replaces an earlier one."""
        with self._lock:
            self._expected[key] = size_bytes

    def advance(self, key: str, size_bytes: int) -> None:
        """Count bytes that arrived for `key`."""
        with self._lock:
            self._done[key] = self._done.get(key, 0) + size_bytes
            now = time.monotonic()
            if now - self._shown >= (0.1 if self._rewrites else 5.0):
                self._shown = now
                self._show(now)

    def restart(self, key: str, size_bytes: int = 0) -> None:
        """Forget what arrived for `key` beyond `size_bytes`: it is being fetched again from there."""
        with self._lock:
            self._done[key] = size_bytes

    def finish(self) -> None:
        """Leave the final figures on the screen."""
        with self._lock:
            done = sum(self._done.values())
            seconds = time.monotonic() - self._started
            self._write(f"{self._title}: {done / 1e6:.1f} MB in {seconds:.0f} s", last=True)

    def _show(self, now: float) -> None:
        done = sum(self._done.values())
        expected = max(done, sum(self._expected.values()))
        rate = done / max(now - self._started, 1e-3)
        left = f", {(expected - done) / rate:.0f} s left" if rate > 0 else ""
        self._write(f"{self._title}: {done / 1e6:.1f} of {expected / 1e6:.1f} MB{left}", last=False)

    def _write(self, text: str, *, last: bool) -> None:
        if self._rewrites:
            sys.stdout.write(f"\r  {text:<70}" + ("\n" if last else ""))
        else:
            sys.stdout.write(f"  {text}\n")
        sys.stdout.flush()
