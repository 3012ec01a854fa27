"""Background work gives way to questions."""

import asyncio

import pytest

from tabwise.engine.quiet import Quiet


async def others() -> None:
    """Let everything that can go on go on."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_work_waits_for_every_question() -> None:
    async def scenario() -> None:
        quiet, log = Quiet(), []

        async def work() -> None:
            await quiet.wait()
            log.append("work")

        with quiet.question():
            with quiet.question():
                task = asyncio.ensure_future(work())
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            log.append("answered")
        await task
        assert log == ["answered", "work"]

    asyncio.run(scenario())


def test_work_that_a_question_disturbs_is_begun_anew() -> None:
    async def scenario() -> None:
        quiet, log = Quiet(), []
        release = asyncio.Event()

        async def work() -> str:
            log.append("begin")
            try:
                await release.wait()
            except asyncio.CancelledError:
                log.append("stopped")
                raise
            return "done"

        task = asyncio.ensure_future(quiet.undisturbed(work))
        await others()
        with quiet.question():
            await others()
            assert log == ["begin", "stopped"]
        release.set()
        assert await task == "done"
        assert log == ["begin", "stopped", "begin"]

    asyncio.run(scenario())


def test_work_that_fails_fails() -> None:
    async def scenario() -> None:
        async def work() -> str:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await Quiet().undisturbed(work)

    asyncio.run(scenario())


def test_cancelling_stops_the_work_too() -> None:
    async def scenario() -> None:
        stopped = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()

        task = asyncio.ensure_future(Quiet().undisturbed(work))
        await others()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert stopped.is_set()

    asyncio.run(scenario())
