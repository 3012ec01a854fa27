"""Summaries of pages that a model does not read at once: part by part, each part once."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from desk import Desk
from fakes import ScriptedModel, capture_of
from summary_queue import Queue
from tabwise.core.chat import Completion, Prompt
from tabwise.core.model import SourceId
from tabwise.core.summaries.summary_prompts import MAX_PARTS, PART_TOKENS
from tabwise.engine.summarising.writers import PROMPT_TOKENS, ModelWriter

LONG = capture_of(
    "https://long.example/",
    "Long",
    *(f"Section number {i} tells of the tidal range in bay {i} with turbines. " * 25 for i in range(4)),
    headings=[f"Bay {i}" for i in range(4)],
)
LONG_SOURCE = SourceId("https://long.example/")


def part_text(i: int) -> str:
    return f"Section number {i} tells of the tidal range in bay {i} with turbines."


def test_a_long_page_is_read_part_by_part_and_told_once(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(*(part_text(i) for i in range(4)), part_text(2), context_tokens=1000)
        queue = Queue(desk, model)
        (summary,) = await queue.run(LONG_SOURCE)
        parts = [(told.number, told.n_parts) for told in queue.told if told.summary is None]
        assert parts == [(1, 4), (2, 4), (3, 4), (4, 4), (4, 4)]
        assert all(part_text(i) in model.prompts[4].messages[-1].text for i in range(4))
        assert [line.text for line in summary.sentences] == [part_text(2)]

    with_pages(scenario, tabs={1: LONG})


def test_more_parts_than_a_model_reads_at_once_are_told_run_by_run(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        more = "It goes on and on for quite some while in here, and out there too."
        wordy = [f"{part_text(i)} " * 6 + more for i in range(4)]
        model = ScriptedModel(*wordy, part_text(1), part_text(1), context_tokens=780)
        assert 3 * model.count(wordy[0]) <= ModelWriter(model).max_merge_tokens < 4 * model.count(wordy[0])
        (summary,) = await Queue(desk, model).run(LONG_SOURCE)
        of_run, of_all = (prompt.messages[-1].text for prompt in model.prompts[4:])
        assert [part_text(i) in of_run for i in range(4)] == [True, True, True, False]
        assert [part_text(i) in of_all for i in range(4)] == [False, True, False, True]
        assert [line.text for line in summary.sentences] == [part_text(1)]

    with_pages(scenario, tabs={1: LONG})


BOOK = capture_of(
    "https://long.example/book",
    "Book",
    *(f"Chapter {i} tells of the tidal range in bay {i} with turbines. " * 90 for i in range(50)),
    headings=[f"Bay {i}" for i in range(50)],
)
BOOK_SOURCE = SourceId("https://long.example/book")


@pytest.mark.parametrize(("destination", "n_parts"), [("", 150), ("https://far.example", 50)])
def test_of_fifty_thousand_words_each_is_read(with_pages: Any, destination: str, n_parts: int) -> None:
    def last_chapter(prompt: Prompt) -> str:
        text = prompt.messages[-1].text
        return re.findall(r"Chapter \d+ tells of the tidal range in bay \d+ with turbines\.", text)[-1]

    async def scenario(desk: Desk) -> None:
        assert desk.library
        page = desk.library.page(BOOK_SOURCE)
        assert page.n_words > 50_000
        model = ScriptedModel(*[last_chapter] * 300, destination=destination)
        queue = Queue(desk, model)
        (summary,) = await queue.run(BOOK_SOURCE)
        assert next(told.n_parts for told in queue.told if told.summary is None) == n_parts
        read = "".join(prompt.messages[-1].text for prompt in model.prompts[:n_parts])
        assert [read.count(f"Chapter {i} tells") for i in range(50)] == [90] * 50
        (line,) = summary.sentences
        assert line.text == "Chapter 49 tells of the tidal range in bay 49 with turbines."
        assert page.text[line.start : line.end] == line.text
        assert summary.read_share == 1.0

    with_pages(scenario, tabs={1: BOOK})


def test_a_page_of_too_many_parts_says_how_much_of_it_was_read(with_pages: Any) -> None:
    said = "The tide of the bay is large."

    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(*[said] * 1000, context_tokens=PART_TOKENS + PROMPT_TOKENS + 10)
        queue = Queue(desk, model)
        (summary,) = await queue.run(SourceId("https://many.example/"))
        assert queue.told[0].n_parts == MAX_PARTS
        assert summary.read_share == pytest.approx(MAX_PARTS / 200, abs=0.01)

    many = capture_of("https://many.example/", "Many", *(f"{said} It is number {i:03}." for i in range(100)))
    with_pages(scenario, tabs={1: many})


def test_work_goes_on_where_it_was_stopped_wherever_that_was(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        n_asked = 0
        for n_before in range(5):
            replies: list[Any] = [part_text(i) for i in range(4)] + [part_text(2)]
            stops = StopsAt(1, *replies[n_before:], context_tokens=1000)
            queue = Queue(desk, stops)
            task = asyncio.ensure_future(queue.run(LONG_SOURCE))
            await stops.reached.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            n_asked += 1
            assert queue.queue.of(LONG_SOURCE) is None
        (summary,) = await Queue(desk, ScriptedModel(part_text(2), context_tokens=1000)).run(LONG_SOURCE)
        assert summary.sentences[0].text == part_text(2)
        assert n_asked == 5

    with_pages(scenario, tabs={1: LONG})


class StopsAt(ScriptedModel):
    """A model that replies `n` times and then never again."""

    def __init__(self, n: int, *replies: Any, **fields: Any) -> None:
        super().__init__(*replies, **fields)
        self.reached = asyncio.Event()
        self._n = n

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        if len(self.prompts) == self._n or len(self.replies) == 1:
            self.reached.set()
            await asyncio.Event().wait()
        return await super().complete(prompt, on_text=on_text)


def test_a_changed_section_alone_is_read_anew(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(*(part_text(i) for i in range(4)), part_text(2), context_tokens=1000)
        await Queue(desk, model).run(LONG_SOURCE)
        changed = [
            f"Section number {i} tells of the tidal range in bay {i} with turbines. " * 25 for i in range(4)
        ]
        changed[3] = "Section number 3 was rewritten and now tells of harbours and their piers. " * 22
        desk.tabs[1] = capture_of(LONG.url, "Long", *changed, headings=[f"Bay {i}" for i in range(4)])
        await desk.add(1)
        again = ScriptedModel("It tells of harbours.", part_text(2), context_tokens=1000)
        await Queue(desk, again).run(LONG_SOURCE)
        assert "harbours" in again.prompts[0].messages[-1].text
        assert len(again.prompts) == 2

    with_pages(scenario, tabs={1: LONG})
