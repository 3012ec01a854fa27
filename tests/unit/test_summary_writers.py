"""Who writes the summaries: the browser's own summariser, a model, or the page itself."""

from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import ScriptedModel
from summary_queue import BREAD_SOURCE, Queue
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.summaries.summary import SummarizerState
from tabwise.engine.summarising.choosing import choose
from tabwise.engine.summarising.queue import Choice
from tabwise.engine.summarising.writers import BROWSER, BrowserWriter
from tabwise.protocol.settings import default_settings


class FakeSummarizer:
    """`Summarizer` in one state."""

    def __init__(self, state: SummarizerState) -> None:
        self._state = state

    async def state(self) -> SummarizerState:
        return self._state

    async def summarise(self, text: str, *, context: str, language: str) -> str:
        return f"{context}: {text.partition('.')[0].partition(chr(10))[2]}."


@pytest.mark.parametrize("state", list(SummarizerState))
def test_the_browsers_summariser_writes_where_it_is_there(with_pages: Any, state: SummarizerState) -> None:
    async def scenario(desk: Desk) -> None:
        settings = default_settings()
        settings["preferences"]["summary_engine"] = BROWSER
        chosen = await choose(settings, models=desk.models, summarizer=FakeSummarizer(state))
        is_there = state is SummarizerState.AVAILABLE
        assert isinstance(chosen.writer, BrowserWriter) is is_there
        assert chosen.asked == (BROWSER if is_there else EXTRACTIVE)

    with_pages(scenario)


def test_the_browsers_summary_is_checked_like_every_other(with_pages: Any) -> None:
    async def scenario(desk: Desk) -> None:
        queue = Queue(desk)
        writer = BrowserWriter(FakeSummarizer(SummarizerState.AVAILABLE))
        queue.choice = Choice(BROWSER, writer, lambda url: True, True)
        (summary,) = await queue.run(BREAD_SOURCE)
        assert summary.engine == BROWSER
        assert desk.library
        line = summary.sentences[0]
        assert "starter" in desk.library.page(BREAD_SOURCE).text[line.start : line.end]

    with_pages(scenario)


def test_a_model_elsewhere_reads_what_may_leave(with_pages: Any) -> None:
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

    with_pages(scenario)
