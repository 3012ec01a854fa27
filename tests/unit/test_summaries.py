"""Summaries of a library: made once, kept, made anew when a page changed, given way to questions."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from desk import TIDES, Desk
from fakes import FakeClock, ScriptedModel, capture_of
from summary_queue import BREAD_SOURCE, GOOD, TIDES_SOURCE, Queue
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.chat import Completion, Prompt
from tabwise.core.model import SourceId
from tabwise.core.summaries.summary_find import best_sentence
from tabwise.engine.summarising.making import TELL_EVERY_MS
from tabwise.errors import AppError, ModelError, ProviderError


def test_every_line_is_a_span_of_its_page_without_a_model(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        summaries = await queue.run(TIDES_SOURCE, BREAD_SOURCE, SourceId("https://gone.example"))
        assert [summary.engine for summary in summaries] == [EXTRACTIVE, EXTRACTIVE]
        assert desk.library
        for source, summary in zip((TIDES_SOURCE, BREAD_SOURCE), summaries, strict=True):
            page = desk.library.page(source)
            assert summary.content_hash == page.content_hash
            assert all(page.text[line.start : line.end] == line.text for line in summary.sentences)

    with_pages(scenario)


def test_a_summary_is_made_once_and_again_when_the_page_changed(with_pages: Any) -> None:
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

    with_pages(scenario)


def test_summaries_survive_a_restart_and_only_what_is_missing_is_made(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(GOOD, "A sourdough starter is fed with equal weights of flour and water.")
        (first,) = await Queue(desk, model).run(TIDES_SOURCE)
        after = Queue(desk, model)
        assert after.queue.of(TIDES_SOURCE) == first
        assert after.queue.missing(model.descriptor.id) == [BREAD_SOURCE]
        await after.run(*after.queue.missing(model.descriptor.id))
        assert next(summary for _, summary in after.queue.all()) == first
        assert len(model.prompts) == 2

    with_pages(scenario)


def test_what_a_model_writes_is_shown_as_far_as_the_page_bears_it_out(with_pages: Any) -> None:
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

    with_pages(scenario)


def test_the_same_is_said_once_and_a_cut_sentence_not_at_all(with_pages: Any) -> None:
    first = "The largest tidal range on Earth is found in the Bay of Fundy."
    twin = "On Earth, the largest tidal range is found in the Bay of Fundy."
    filler = " Spring tides occur around the new moon and the full moon when sun and moon pull in one line"

    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(f"{first} {twin}{filler * 9}")
        (summary,) = await Queue(desk, model).run(TIDES_SOURCE)
        assert [line.text for line in summary.sentences] == [first]

    with_pages(scenario)


@pytest.mark.parametrize("reply", ["", "Bananas are yellow fruits from the tropics.", "<think>hmm"])
def test_a_useless_text_leaves_the_pages_own_words_and_is_not_asked_for_again(
    with_pages: Any, reply: str
) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(reply)
        queue = Queue(desk, model)
        (summary,) = await queue.run(TIDES_SOURCE)
        assert (summary.engine, summary.asked) == (EXTRACTIVE, model.descriptor.id)
        assert await queue.run(TIDES_SOURCE) == [summary]

    with_pages(scenario)


@pytest.mark.parametrize("error", [ProviderError("network_lost"), ModelError("model_unavailable")])
def test_a_model_that_fails_is_asked_again_in_a_later_run(with_pages: Any, error: AppError) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(error, GOOD)
        queue = Queue(desk, model)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.asked for summary in told] == [EXTRACTIVE, EXTRACTIVE]
        assert len(model.prompts) == 1
        assert set(queue.queue.missing(model.descriptor.id)) == {TIDES_SOURCE, BREAD_SOURCE}
        (summary,) = await queue.run(TIDES_SOURCE)
        assert summary.engine == model.descriptor.id

    with_pages(scenario)


@pytest.mark.parametrize("code", ["prompt_too_long", "request_refused"])
def test_a_page_that_a_model_cannot_do_leaves_it_the_others(with_pages: Any, code: str) -> None:
    async def scenario(desk: Desk) -> None:
        baked = "A sourdough starter is fed with equal weights of flour and water."
        model = ScriptedModel(ModelError(code), baked)
        queue = Queue(desk, model)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.engine for summary in told] == [EXTRACTIVE, model.descriptor.id]
        assert queue.queue.missing(model.descriptor.id) == []

    with_pages(scenario)


class SlowModel(ScriptedModel):
    """A model that takes half of TELL_EVERY_MS for each piece."""

    clock: FakeClock

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        def later(piece: str) -> None:
            self.clock.ms += TELL_EVERY_MS / 2
            on_text(piece)

        return await super().complete(prompt, on_text=later)


def test_a_text_is_told_while_it_is_written(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = SlowModel(f"<think>Well.</think>{GOOD}")
        queue = Queue(desk, model)
        model.clock = queue.clock
        await queue.run(TIDES_SOURCE)
        told = [told.part for told in queue.told if told.summary is None]
        assert 5 < len(told) < len(GOOD) / SlowModel.PIECE_CHARS
        assert all(GOOD.startswith(part) for part in told)
        assert told[-1] == GOOD

    with_pages(scenario)


def test_a_page_that_stays_here_is_told_in_its_own_words(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel("A sourdough starter is fed with equal weights of flour and water.")
        queue = Queue(desk, model)
        queue.choice = replace(queue.choice, may_read=lambda url: "sea.example" not in url)
        told = await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        assert [summary.engine for summary in told] == [EXTRACTIVE, model.descriptor.id]
        assert [prompt.sources for prompt in model.prompts] == [{BREAD_SOURCE}]

    with_pages(scenario)


def test_questions_go_first(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        with queue.quiet.question():
            task = asyncio.ensure_future(queue.run(TIDES_SOURCE))
            await asyncio.sleep(0.01)
            assert queue.told == []
        assert len(await task) == 1

    with_pages(scenario)


def test_a_page_that_went_away_meanwhile_leaves_nothing(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        assert desk.library
        library = desk.library

        def removes(prompt: Prompt) -> str:
            library.remove(TIDES_SOURCE)
            return GOOD

        queue = Queue(desk, ScriptedModel(removes))
        assert await queue.run(TIDES_SOURCE) == []
        assert queue.queue.all() == []

    with_pages(scenario)


def test_summaries_are_found_while_typing(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        await queue.run(TIDES_SOURCE, BREAD_SOURCE)
        ((source, summary),) = queue.queue.find("FUNDY tid")
        assert source == TIDES_SOURCE
        assert "Fundy" in best_sentence("fundy", summary).text
        assert queue.queue.find("fundy flour") == []
        assert queue.queue.find(" ") == []

    with_pages(scenario)
