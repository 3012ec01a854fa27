"""Every page gets its summary, one after the other; a page that changed gets a new one.

What is left to do is derived: pages whose content has no summary by the engine that is wanted. So work that
was stopped, by a cancelled job or a closed browser, goes on where it ended. Questions go first (`quiet`).

A writer that fails is not asked again in the same run: pages are told in their own words, and a later run
asks it again for them. One that cannot do a certain page, by its length or language, goes on with the next.
A page that a rule keeps on this machine is never given to a writer elsewhere.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.model import Page, PageHead, SourceId
from tabwise.core.summaries.summary import Summary
from tabwise.core.summaries.summary_find import SummaryFinder
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library
from tabwise.engine.quiet import Quiet
from tabwise.engine.summarising.making import STAGE, Maker
from tabwise.engine.summarising.writers import Writer
from tabwise.errors import AppError, ModelError, ProviderError

log = logging.getLogger(__name__)

_OF_ONE_PAGE = ("prompt_too_long", "request_refused")
"""What a model says of a page; what a service refuses it may refuse of all."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Who writes summaries: `writer` is None exactly when `asked` is EXTRACTIVE, the pages' own words.

    An engine that is wanted and not there now is not `asked`, so its pages stay to be done. may_read: whether
    a page, by its address, may be given to the writer. automatic: pages get their summary unasked.
    """

    asked: str
    writer: Writer | None
    may_read: Callable[[str], bool]
    automatic: bool


@dataclass(frozen=True, slots=True)
class Told:
    """What happens while summaries are made: a part was written, or a summary is there."""

    source: SourceId
    part: str = ""
    number: int = 0
    n_parts: int = 0
    summary: Summary | None = None


class SummaryQueue:
    """The summaries of one library, and the work on those that are missing."""

    def __init__(
        self, library: Library, maker: Maker, *, quiet: Quiet, choose: Callable[[], Awaitable[Choice]]
    ) -> None:
        self._library = library
        self._maker = maker
        self._quiet = quiet
        self._choose = choose
        self._turn = asyncio.Lock()
        self._by_content = {one.content_hash: one for one in library.store.summaries.load_all()}
        self._finder = SummaryFinder()
        self.background: asyncio.Task[None] | None = None
        for head in library.index.heads():
            if head.content_hash in self._by_content:
                self._finder.put(head.source, self._by_content[head.content_hash])

    def of(self, source: SourceId) -> Summary | None:
        """The summary of a page as it is now, None when it has none."""
        head = self._library.index.head(source)
        return self._by_content.get(head.content_hash) if head else None

    def all(self) -> Sequence[tuple[PageHead, Summary]]:
        """Every page that has a summary, oldest first."""
        return [
            (head, self._by_content[head.content_hash])
            for head in self._library.index.heads()
            if head.content_hash in self._by_content
        ]

    def missing(self, asked: str) -> Sequence[SourceId]:
        """The pages without a summary by the engine that is wanted, newest first."""
        return [
            head.source
            for head in reversed(self._library.index.heads())
            if not self._is_done(head.source, asked)
        ]

    def find(self, text: str) -> Sequence[tuple[SourceId, Summary]]:
        """Return the pages whose summary has every word of a text that is being typed."""
        found = [(source, self.of(source)) for source in self._finder.find(text)]
        return [(source, summary) for source, summary in found if summary is not None]

    async def run(
        self, sources: Sequence[SourceId], job: Job, on_told: Callable[[Told], None]
    ) -> ModelError | ProviderError | None:
        """Tell of the summary of each page, made now where it is missing; unknown pages are left out.

        Returns what kept the writer from writing, None when nothing did.
        """
        choice = await self._choose()
        asked, writer, failed = choice.asked, choice.writer, None
        for done, source in enumerate(sources):
            await job.checkpoint(Progress(STAGE, done, len(sources), "pages"))
            await self._quiet.wait()
            async with self._turn:
                page = self._library.index.page(source)
                if page is None:
                    continue
                if not self._is_done(source, asked):
                    own = writer if choice.may_read(page.url) else None
                    error = await self._make(page, asked, own, job, on_told)
                    if error is not None:
                        asked, writer, failed = EXTRACTIVE, None, error
                summary = self.of(source)
            if summary is not None:
                on_told(Told(source, summary=summary))
        await job.checkpoint(Progress(STAGE, len(sources), len(sources), "pages"))
        return failed

    def wake(self) -> None:
        """Begin to work in the background on what is missing, if the reader wants it."""
        if self.background is None or self.background.done():
            self.background = asyncio.ensure_future(self._work())

    async def _work(self) -> None:
        try:
            choice = await self._choose()
            if choice.automatic:
                await self.run(self.missing(choice.asked), silent_job(), lambda told: None)
        except AppError as error:
            log.warning("summaries put off: %s: %s", error.code, error.message)

    async def _make(
        self, page: Page, asked: str, writer: Writer | None, job: Job, on_told: Callable[[Told], None]
    ) -> ModelError | ProviderError | None:
        """Make a summary and keep it; return what kept the writer from writing it, None when nothing did."""

        def on_part(text: str, number: int, n_parts: int) -> None:
            on_told(Told(page.source, text, number, n_parts))

        try:
            if writer is not None:
                self._keep(page.source, await self._maker.write(page, writer, job, on_part))
                return None
        except (ModelError, ProviderError) as error:
            log.warning("no summary by %s: %s", asked, error.code)
            if isinstance(error, ModelError) and error.code in _OF_ONE_PAGE:
                self._keep(page.source, await self._maker.extract(page, asked, job))
                return None
            if self.of(page.source) is None:
                self._keep(page.source, await self._maker.extract(page, EXTRACTIVE, job))
            return error
        self._keep(page.source, await self._maker.extract(page, asked, job))
        return None

    def _keep(self, source: SourceId, summary: Summary) -> None:
        head = self._library.index.head(source)
        if head is None or head.content_hash != summary.content_hash:
            return  # the page has gone or changed meanwhile
        self._library.store.summaries.put(summary)
        self._by_content[summary.content_hash] = summary
        self._finder.put(source, summary)

    def _is_done(self, source: SourceId, asked: str) -> bool:
        summary = self.of(source)
        return summary is not None and (asked == EXTRACTIVE or summary.asked == asked)
