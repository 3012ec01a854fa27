"""What became of a cited passage: by its page as it is in a tab now, else by the page as it is saved."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.answers.freshness import Freshness, compare
from tabwise.core.model import Page, SourceId
from tabwise.core.text.urls import canonical_source
from tabwise.engine.indexing import Indexer, TabRef
from tabwise.engine.jobs import Job
from tabwise.engine.library import Library
from tabwise.errors import AppError

log = logging.getLogger(__name__)


class Basis(StrEnum):
    """Which text a passage was compared with."""

    TAB = "tab"
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a passage, by which text, and when that was read (ms since the epoch)."""

    freshness: Freshness
    basis: Basis
    read_at: float


async def check(
    source: SourceId,
    quote: str,
    before: str,
    after: str,
    *,
    tabs: Sequence[TabRef],
    indexer: Indexer,
    library: Library,
    job: Job,
) -> Checked:
    """Compare a passage with its page now; nothing is stored.

    `before` and `after` are the texts around it when it was cited. Of `tabs` those that show the page are
    tried in order. Raises InputError source_unknown when no tab can be read and the page is not saved.
    """
    page, basis = await _open_page(source, tabs, indexer, job), Basis.TAB
    if page is None:
        page, basis = library.page(source), Basis.SAVED
    freshness = await job.drive(compare(quote, before, after, page.text))
    return Checked(freshness, basis, page.captured_at)


async def _open_page(source: SourceId, tabs: Sequence[TabRef], indexer: Indexer, job: Job) -> Page | None:
    for tab in tabs:
        if canonical_source(tab.url) != source:
            continue
        try:
            page = await indexer.look(tab, job)
        except AppError as error:
            log.info("tab of a cited page not read: %s", error.code)
            continue
        if page.source == source:
            return page
    return None
