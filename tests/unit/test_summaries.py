"""Summaries of a library: made once, kept, made anew when a page changed, given way to questions."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import FakeClock, ScriptedModel, capture_of
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.chat import Completion, Prompt
from tabwise.core.model import SourceId
from tabwise.core.summaries.summary import SummarizerState, Summary
from tabwise.core.summaries.summary_find import best_sentence
from tabwise.core.summaries.summary_prompts import MAX_PARTS, PART_TOKENS
from tabwise.engine.jobs import silent_job
from tabwise.engine.quiet import Quiet
from tabwise.engine.summarising.choosing import choose
from tabwise.engine.summarising.making import TELL_EVERY_MS, Maker
from tabwise.engine.summarising.queue import Choice, SummaryQueue, Told
from tabwise.engine.summarising.writers import BROWSER, PROMPT_TOKENS, BrowserWriter, ModelWriter
from tabwise.errors import AppError, ModelError, ProviderError
from tabwise.protocol.settings import default_settings

TIDES_SOURCE = SourceId("https://sea.example/tides")
BREAD_SOURCE = SourceId("https://kitchen.example/bread")
GOOD = (
    "The largest tidal range on Earth is found in the Bay of Fundy. Spring tides occur around the new moon."
)


class Queue:
    """A queue over the library of a desk, with a choice that tests change, and what it tells."""

    def __init__(self, desk: Desk, model: ScriptedModel | None = None) -> None:
        assert desk.library
        self.quiet = Quiet()
        self.told: list[Told] = []
        self.choice = Choice(EXTRACTIVE, None, lambda url: True, True)
        if model is not None:
            self.choice = Choice(model.descriptor.id, ModelWriter(model), lambda url: True, True)
        self.clock = FakeClock()
        self.maker = Maker(desk.library, quiet=self.quiet, clock=self.clock)
        self.queue = SummaryQueue(desk.library, self.maker, quiet=self.quiet, choose=self._choose)

    async def _choose(self) -> Choice:
        return self.choice

    async def run(self, *sources: SourceId) -> list[Summary]:
        """Run, and return the summaries that were told."""
        before = len(self.told)
        await self.queue.run(sources, silent_job(), self.told.append)
        return [told.summary for told in self.told[before:] if told.summary is not None]


@pytest.fixture
def at(run: Any) -> Any:
    """Run `scenario(desk)` with the pages of the desk added and no summaries in the background."""

    def go(scenario: Any, tabs: Any = None) -> None:
        async def added(desk: Desk) -> None:
            settings = default_settings()
            settings["preferences"]["auto_summaries"] = False
            desk.settings.stored = settings
            await desk.add(*desk.tabs)
            await scenario(desk)

        run(added, tabs=tabs)

    return go


def test_every_line_is_a_span_of_its_page_without_a_model(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        summaries = await queue.run(TIDES_SOURCE, BREAD_SOURCE, SourceId("https://gone.example"))
        assert [summary.engine for summary in summaries] == [EXTRACTIVE, EXTRACTIVE]
        assert desk.library
        for source, summary in zip((TIDES_SOURCE, BREAD_SOURCE), summaries, strict=True):
            page = desk.library.page(source)
            assert summary.content_hash == page.content_hash
            assert all(page.text[line.start : line.end] == line.text for line in summary.sentences)

    at(scenario)


def test_a_summary_is_made_once_and_again_when_the_page_changed(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(GOOD, "A sourdough starter is fed with equal weights of flour and water.", GOOD)
        queue = Queue(desk, model)
        first = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert await queue.run(TIDES_SOURCE, BREAD_SOURCE) == first
        assert len(model.prompts) == 2
        desk.tabs[1] = capture_of(
            TIDES.url,
            "Tides today",
            "The largest tidal range on Earth is found in the Bay of Fundy.",
            "Spring tides occur around the new moon, says a new paragraph here.",
        )
        await desk.add(1)
        assert queue.queue.of(TIDES_SOURCE) is None
        assert queue.queue.missing(model.descriptor.id) == [TIDES_SOURCE]
        (again,) = await queue.run(TIDES_SOURCE)
        assert again.content_hash != first[0].content_hash
        assert len(model.prompts) == 3

    at(scenario)


def test_summaries_survive_a_restart_and_only_what_is_missing_is_made(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(GOOD, "A sourdough starter is fed with equal weights of flour and water.")
        (first,) = await Queue(desk, model).run(TIDES_SOURCE)
        after = Queue(desk, model)
        assert after.queue.of(TIDES_SOURCE) == first
        assert after.queue.missing(model.descriptor.id) == [BREAD_SOURCE]
        await after.run(*after.queue.missing(model.descriptor.id))
        assert next(summary for _, summary in after.queue.all()) == first
        assert len(model.prompts) == 2

    at(scenario)


def test_what_a_model_writes_is_shown_as_far_as_the_page_bears_it_out(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(f"{GOOD} It is 99 kilometres wide. Visit https://evil.example now.")
        (summary,) = await Queue(desk, model).run(TIDES_SOURCE)
        assert [line.text for line in summary.sentences] == [
            "The largest tidal range on Earth is found in the Bay of Fundy.",
            "Spring tides occur around the new moon.",
        ]
        assert summary.headline.text == summary.sentences[0].text
        assert desk.library
        text = desk.library.page(TIDES_SOURCE).text
        assert "Bay of Fundy" in text[summary.sentences[0].start : summary.sentences[0].end]
        assert model.prompts[0].sources == {TIDES_SOURCE}

    at(scenario)


def test_the_same_is_said_once_and_a_cut_sentence_not_at_all(at: Any) -> None:
    first = "The largest tidal range on Earth is found in the Bay of Fundy."
    twin = "On Earth, the largest tidal range is found in the Bay of Fundy."
    filler = " Spring tides occur around the new moon and the full moon when sun and moon pull in one line"

    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(f"{first} {twin}{filler * 9}")
        (summary,) = await Queue(desk, model).run(TIDES_SOURCE)
        assert [line.text for line in summary.sentences] == [first]

    at(scenario)


@pytest.mark.parametrize("reply", ["", "Bananas are yellow fruits from the tropics.", "<think>hmm"])
def test_a_useless_text_leaves_the_pages_own_words_and_is_not_asked_for_again(at: Any, reply: str) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(reply)
        queue = Queue(desk, model)
        (summary,) = await queue.run(TIDES_SOURCE)
        assert (summary.engine, summary.asked) == (EXTRACTIVE, model.descriptor.id)
        assert await queue.run(TIDES_SOURCE) == [summary]

    at(scenario)


@pytest.mark.parametrize("error", [ProviderError("network_lost"), ModelError("model_unavailable")])
def test_a_model_that_fails_is_asked_again_in_a_later_run(at: Any, error: AppError) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(error, GOOD)
        queue = Queue(desk, model)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.asked for summary in told] == [EXTRACTIVE, EXTRACTIVE]
        assert len(model.prompts) == 1
        assert set(queue.queue.missing(model.descriptor.id)) == {TIDES_SOURCE, BREAD_SOURCE}
        (summary,) = await queue.run(TIDES_SOURCE)
        assert summary.engine == model.descriptor.id

    at(scenario)


@pytest.mark.parametrize("code", ["prompt_too_long", "request_refused"])
def test_a_page_that_a_model_cannot_do_leaves_it_the_others(at: Any, code: str) -> None:
    async def scenario(desk: Desk) -> None:
        baked = "A sourdough starter is fed with equal weights of flour and water."
        model = ScriptedModel(ModelError(code), baked)
        queue = Queue(desk, model)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.engine for summary in told] == [EXTRACTIVE, model.descriptor.id]
        assert queue.queue.missing(model.descriptor.id) == []

    at(scenario)


LONG = capture_of(
    "https://long.example/",
    "Long",
    *(f"Section number {i} tells of the tidal range in bay {i} with turbines. " * 25 for i in range(4)),
    headings=[f"Bay {i}" for i in range(4)],
)
LONG_SOURCE = SourceId("https://long.example/")


def part_text(i: int) -> str:
    return f"Section number {i} tells of the tidal range in bay {i} with turbines."


def test_a_long_page_is_read_part_by_part_and_told_once(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(*(part_text(i) for i in range(4)), part_text(2), context_tokens=1000)
        queue = Queue(desk, model)
        (summary,) = await queue.run(LONG_SOURCE)
        parts = [(told.number, told.n_parts) for told in queue.told if told.summary is None]
        assert parts == [(1, 4), (2, 4), (3, 4), (4, 4), (4, 4)]
        assert all(part_text(i) in model.prompts[4].messages[-1].text for i in range(4))
        assert [line.text for line in summary.sentences] == [part_text(2)]

    at(scenario, tabs={1: LONG})


def test_more_parts_than_a_model_reads_at_once_are_told_run_by_run(at: Any) -> None:
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

    at(scenario, tabs={1: LONG})


BOOK = capture_of(
    "https://long.example/book",
    "Book",
    *(f"Chapter {i} tells of the tidal range in bay {i} with turbines. " * 90 for i in range(50)),
    headings=[f"Bay {i}" for i in range(50)],
)
BOOK_SOURCE = SourceId("https://long.example/book")


@pytest.mark.parametrize(("destination", "n_parts"), [("", 150), ("https://far.example", 50)])
def test_of_fifty_thousand_words_each_is_read(at: Any, destination: str, n_parts: int) -> None:
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

    at(scenario, tabs={1: BOOK})


def test_a_page_of_too_many_parts_says_how_much_of_it_was_read(at: Any) -> None:
    said = "The tide of the bay is large."

    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(*[said] * 1000, context_tokens=PART_TOKENS + PROMPT_TOKENS + 10)
        queue = Queue(desk, model)
        (summary,) = await queue.run(SourceId("https://many.example/"))
        assert queue.told[0].n_parts == MAX_PARTS
        assert summary.read_share == pytest.approx(MAX_PARTS / 200, abs=0.01)

    many = capture_of("https://many.example/", "Many", *(f"{said} It is number {i:03}." for i in range(100)))
    at(scenario, tabs={1: many})


class SlowModel(ScriptedModel):
    """A model that takes half of TELL_EVERY_MS for each piece."""

    clock: FakeClock

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        def later(piece: str) -> None:
            self.clock.ms += TELL_EVERY_MS / 2
            on_text(piece)

        return await super().complete(prompt, on_text=later)


def test_a_text_is_told_while_it_is_written(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = SlowModel(f"<think>Well.</think>{GOOD}")
        queue = Queue(desk, model)
        model.clock = queue.clock
        await queue.run(TIDES_SOURCE)
        told = [told.part for told in queue.told if told.summary is None]
        assert 5 < len(told) < len(GOOD) / SlowModel.PIECE_CHARS
        assert all(GOOD.startswith(part) for part in told)
        assert told[-1] == GOOD

    at(scenario)


def test_work_goes_on_where_it_was_stopped_wherever_that_was(at: Any) -> None:
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

    at(scenario, tabs={1: LONG})


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


def test_a_changed_section_alone_is_read_anew(at: Any) -> None:
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

    at(scenario, tabs={1: LONG})


def test_a_page_that_stays_here_is_told_in_its_own_words(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel("A sourdough starter is fed with equal weights of flour and water.")
        queue = Queue(desk, model)
        queue.choice = replace(queue.choice, may_read=lambda url: "sea.example" not in url)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.engine for summary in told] == [EXTRACTIVE, model.descriptor.id]
        assert [prompt.sources for prompt in model.prompts] == [{BREAD_SOURCE}]

    at(scenario)


def test_questions_go_first(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        with queue.quiet.question():
            task = asyncio.ensure_future(queue.run(TIDES_SOURCE))
            await asyncio.sleep(0.01)
            assert queue.told == []
        assert len(await task) == 1

    at(scenario)


def test_a_page_that_went_away_meanwhile_leaves_nothing(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert desk.library
        library = desk.library

        def removes(prompt: Prompt) -> str:
            library.remove(TIDES_SOURCE)
            return GOOD

        queue = Queue(desk, ScriptedModel(removes))
        assert await queue.run(TIDES_SOURCE) == []
        assert queue.queue.all() == []

    at(scenario)


def test_summaries_are_found_while_typing(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        ((source, summary),) = queue.queue.find("FUNDY tid")
        assert source == TIDES_SOURCE
        assert "Fundy" in best_sentence("fundy", summary).text
        assert queue.queue.find("fundy flour") == []
        assert queue.queue.find(" ") == []

    at(scenario)


class FakeSummarizer:
    """`Summarizer` in one state."""

    def __init__(self, state: SummarizerState) -> None:
        self._state = state

    async def state(self) -> SummarizerState:
        return self._state

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        return f"{context}: {text.partition('.')[0].partition(chr(10))[2]}."


@pytest.mark.parametrize("state", list(SummarizerState))
def test_the_browsers_summariser_writes_where_it_is_there(at: Any, state: SummarizerState) -> None:
    async def scenario(desk: Desk) -> None:
        settings = default_settings()
        settings["preferences"]["summary_engine"] = BROWSER
        chosen = await choose(settings, models=desk.models, summarizer=FakeSummarizer(state))
        is_there = state is SummarizerState.AVAILABLE
        assert isinstance(chosen.writer, BrowserWriter) is is_there
        assert chosen.asked == (BROWSER if is_there else EXTRACTIVE)

    at(scenario)


def test_the_browsers_summary_is_checked_like_every_other(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        writer = BrowserWriter(FakeSummarizer(SummarizerState.AVAILABLE))
        queue.choice = Choice(BROWSER, writer, lambda url: True, True)
        (summary,) = await queue.run(BREAD_SOURCE)
        assert summary.engine == BROWSER
        assert desk.library
        line = summary.sentences[0]
        assert "starter" in desk.library.page(BREAD_SOURCE).text[line.start : line.end]

    at(scenario)


def test_a_model_elsewhere_reads_what_may_leave(at: Any) -> None:
    async def scenario(desk: Desk) -> None:
        settings = default_settings()
        settings["preferences"]["summary_engine"] = "provider:far"
        settings["never_leaves"] = ["sea.example"]
        desk.models.models["provider:far"] = ScriptedModel(
            id="provider:far", destination="https://far.example"
        )
        chosen = await choose(
            settings, models=desk.models, summarizer=FakeSummarizer(SummarizerState.AVAILABLE)
        )
        assert chosen.asked == "provider:far"
        assert not chosen.may_read(TIDES.url)
        assert chosen.may_read(BREAD.url)
        settings["preferences"]["summary_engine"] = "bundled"
        desk.models.models["bundled"] = ScriptedModel(id="bundled")
        small = await choose(
            settings, models=desk.models, summarizer=FakeSummarizer(SummarizerState.AVAILABLE)
        )
        assert (small.asked, small.writer) == (EXTRACTIVE, None)
        settings["preferences"]["summary_engine"] = "provider:gone"
        gone = await choose(
            settings, models=desk.models, summarizer=FakeSummarizer(SummarizerState.AVAILABLE)
        )
        assert (gone.asked, gone.writer) == (EXTRACTIVE, None)

    at(scenario)
