"""Long work that can be watched and stopped.

    for batch in batched(chunks, size):
        await job.checkpoint(Progress("embed", done, total, "chunks"))
        ...

A job is cancelled by cancelling its asyncio task: the next `await` raises CancelledError, and since
every change of the store is one synchronous transaction, nothing is left half done.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")

_REPORT_EVERY_S = 0.1
_YIELD_EVERY_S = 0.015


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units of one stage; total 0 means not yet known."""

    stage: str
    done: int
    total: int
    unit: str


class Job:
    """Reports progress at most ten times a second and gives way to the event loop."""

    def __init__(self, report: Callable[[Progress], None]) -> None:
        self._report = report
        self._reported_at = 0.0
        self._yielded_at = time.monotonic()
        self._stage = ""

    async def checkpoint(self, progress: Progress | None = None) -> None:
        """Report, yield if enough time has passed, raise CancelledError if the job was cancelled.

        The first and the last report of a stage are never dropped.
        """
        now = time.monotonic()
        if progress and self._is_due(progress, now):
            self._stage, self._reported_at = progress.stage, now
            self._report(progress)
        if now - self._yielded_at >= _YIELD_EVERY_S:
            await asyncio.sleep(0)
            self._yielded_at = time.monotonic()

    async def drive(self, steps: Generator[None, None, Result]) -> Result:
        """Run a computation that yields between steps, with a checkpoint at each; return its value."""
        while True:
            try:
                next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result
            await self.checkpoint()

    def _is_due(self, progress: Progress, now: float) -> bool:
        is_edge = progress.stage != self._stage or progress.done == progress.total
        return is_edge or now - self._reported_at >= _REPORT_EVERY_S


def silent_job() -> Job:
    """A job that nobody watches."""
    return Job(lambda progress: None)
