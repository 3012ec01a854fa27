"""Work in the background gives way to questions.

with quiet.question(): …            while a question is answered
await quiet.wait()                  between two steps of work that can wait
await quiet.undisturbed(work)       a step that is begun anew when a question comes into it
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


class Quiet:
    """Knows whether questions are being answered."""

    def __init__(self) -> None:
        self._n_questions = 0
        self._no_question = asyncio.Event()
        self._no_question.set()
        self._question = asyncio.Event()

    @contextmanager
    def question(self) -> Iterator[None]:
        """While inside, a question is being answered."""
        self._n_questions += 1
        self._no_question.clear()
        self._question.set()
        try:
            yield
        finally:
            self._n_questions -= 1
            if not self._n_questions:
                self._question.clear()
                self._no_question.set()

    async def wait(self) -> None:
        """Wait until no question is being answered."""
        await self._no_question.wait()

    async def undisturbed(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Do `work` while there is no question; one that comes cancels it, and it is begun anew after."""
        while True:
            await self.wait()
            done = await self._race(asyncio.ensure_future(work()))
            if done is not None:
                return done.result()

    async def _race(self, task: "asyncio.Task[Result]") -> "asyncio.Task[Result] | None":
        """The task when it ended before a question came, else None: it is cancelled and over."""
        question = asyncio.ensure_future(self._question.wait())
        try:
            await asyncio.wait({task, question}, return_when=asyncio.FIRST_COMPLETED)
            return task if task.done() else None
        finally:
            question.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
