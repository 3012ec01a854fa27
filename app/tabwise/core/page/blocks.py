"""From a captured tree to a page: one text, and the blocks it is made of.

The page text is the blocks joined by "\\n"; every block is an exact span of it. `core.block_reader` says
what a block is, `core.main_part` which blocks belong to the content of the page.
"""

import hashlib
import re
from collections.abc import Generator, Sequence
from itertools import compress

from tabwise.core.model import Block, BlockKind, Capture, EntryLink, Moment, Page, SourceId
from tabwise.core.page.block_reader import BlockReader, RawBlock
from tabwise.core.page.capture import walk
from tabwise.core.page.entries import find_entries_steps
from tabwise.core.page.main_part import main_part
from tabwise.core.text.characters import clean, collapse, cut_point, repair_surrogates
from tabwise.core.text.urls import canonical_source, display_site, web_address
from tabwise.errors import InputError

MIN_PAGE_CHARS = 20
MAX_TITLE_CHARS = 300

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)
_EVENTS_PER_STEP = 2000


def build_page(capture: Capture, main_text: str | None, captured_at: float) -> Page:
    """Return the page of a capture: its main part when `main_text` is given, else all that is visible.

    captured_at: ms since the epoch. A selection is a page of its own, with the address of the page it is from
    and a source that its text names.
    Raises InputError: page_empty, page_too_short (under `MIN_PAGE_CHARS` characters).
    """
    steps = build_page_steps(capture, main_text, captured_at)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            page: Page = end.value
            return page


def build_page_steps(
    capture: Capture, main_text: str | None, captured_at: float
) -> Generator[None, None, Page]:
    """The same as `build_page` in steps of a few milliseconds, for callers that share their thread."""
    entries = yield from find_entries_steps(capture.root, capture.url)
    reader = BlockReader(entries)
    for n_events, (event, item) in enumerate(walk(capture.root)):
        if isinstance(item, str):
            reader.text(item)
        elif event == "open":
            reader.open(item)
        else:
            reader.close(item)
        if n_events % _EVENTS_PER_STEP == _EVENTS_PER_STEP - 1:
            yield
    raw = reader.blocks
    if main_text is not None:
        yield
        raw = list(compress(raw, main_part(raw, main_text)))
        yield
    title, n_removed = clean(capture.title)
    title = collapse(title)
    title = title[: cut_point(title, 0, MAX_TITLE_CHARS)]
    return _assemble(capture, raw, title, reader.n_removed + n_removed, captured_at)


def _assemble(
    capture: Capture, raw: Sequence[RawBlock], title: str, n_removed: int, captured_at: float
) -> Page:
    blocks: list[Block] = []
    moments: list[Moment] = []
    links: list[EntryLink] = []
    start = 0
    for block in raw:
        blocks.append(Block(block.kind, start, start + len(block.text), block.level))
        if block.seconds is not None:
            moments.append(Moment(start, start + len(block.text), block.seconds))
        address = web_address(block.link, capture.url) if block.link else ""
        if address:
            links.append(EntryLink(start, start + len(block.text), address))
        start += len(block.text) + 1
    text = "\n".join(block.text for block in raw)
    if not text:
        raise InputError("page_empty", "no visible text", subject=capture.url)
    if len(text) < MIN_PAGE_CHARS:
        raise InputError("page_too_short", f"{len(text)} characters", subject=capture.url)
    title = title or _first_heading(raw) or display_site(capture.url)
    source = canonical_source(capture.url, capture.canonical_url)
    if capture.is_selection:
        source = SourceId(f"{source}#selection-{hashlib.sha256(text.encode()).hexdigest()[:12]}")
        title = f"Selection from {title}"
    language = capture.language.strip().replace("_", "-")
    return Page(
        source=source,
        url=repair_surrogates(capture.url),
        title=title,
        language=language if _LANGUAGE.fullmatch(language) else "",
        text=text,
        blocks=tuple(blocks),
        content_hash=page_hash(title, text),
        captured_at=captured_at,
        n_removed=n_removed,
        n_total_chars=capture.n_total_chars,
        n_read_chars=capture.n_read_chars,
        moments=tuple(moments),
        has_video=capture.has_video,
        links=tuple(links),
    )


def page_hash(title: str, text: str) -> str:
    """Return the content hash of a page: hex sha256 of title and text, UTF-8."""
    return hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()


def _first_heading(raw: Sequence[RawBlock]) -> str:
    return next((block.text for block in raw if block.kind is BlockKind.HEADING), "")
