"""From a captured tree to a page: one text, and the blocks it is made of.

Blocks are what a reader sees as units: a heading, a paragraph, a list item, a table row, a piece of code.
Inline elements are joined as the browser draws them, `br` is a line break, two of them end a paragraph.
The page text is the blocks joined by "\\n"; every block is an exact span of it.

Tables: the cells of a row are joined by a tab, empty ones included, so that a row can be split into
columns again and still be found on the page, where a search that ignores white space reads the cells one
after another. A header row is a row of level 1; headers are not written into the other rows, because what
is cited must be on the page. A table that only arranges things is read as the text it holds.

Definition lists: a term is an item, its description an item one level deeper. The label of a fold
(`summary`) is a heading of the lowest level.
"""

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from tabwise.core.capture import BLOCK_TAGS, attribute, walk
from tabwise.core.main_part import main_part
from tabwise.core.model import Block, BlockKind, Capture, Node, Page
from tabwise.core.tables import RowLayout, is_data_table
from tabwise.core.text import clean, collapse, cut_point, repair_surrogates
from tabwise.core.urls import canonical_source, display_site
from tabwise.errors import InputError

MIN_PAGE_CHARS = 20
MAX_TITLE_CHARS = 300
PROSE_CHARS = 100
"""Blocks from this length on are prose: menus and link lists are made of shorter ones."""
MIN_KEPT_PROSE_SHARE = 0.1
MIN_KEPT_SHARE = 0.25
"""With less of the visible prose, or of all text where no prose is, the main part is taken for a mistake.

A quarter of all visible text was tried as the only rule: 18 of 181 news pages then lost a right main part,
because saved pages hold whole menus that a browser would not show (F1 0.91 instead of 0.95).
"""

_HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}
_ROLE_HEADING_LEVEL = 2  # what ARIA says for role=heading without a level
_LIST_TAGS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_KINDS = {
    "blockquote": BlockKind.QUOTE,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "pre": BlockKind.CODE,
}
_ANCHOR_SIGNS = frozenset({"¶", "#", "§", "🔗"})  # links to a heading, inside it
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)
_EVENTS_PER_STEP = 2000


@dataclass(frozen=True, slots=True)
class _RawBlock:
    """A block before it has a place in the page text."""

    kind: BlockKind
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class _Context:
    """What text means at one place of the tree.

    `joined`: inner blocks are parts of this one. `verbatim`: line breaks and spaces count.
    `table`: the data table around, `in_head`: inside its head, `is_row`: directly inside one of its rows.
    """

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    list_depth: int = -1
    joined: bool = False
    verbatim: bool = False
    table: RowLayout | None = None
    in_head: bool = False
    is_row: bool = False


class _BlockReader:
    """Turns the events of a walk into raw blocks."""

    def __init__(self) -> None:
        self.blocks: list[_RawBlock] = []
        self.n_removed = 0
        self._pieces: list[str] = []
        self._contexts: list[_Context] = [_Context()]

    def open(self, node: Node) -> None:
        context = self._contexts[-1]
        if node.tag == "br":
            self._pieces.append("\n" if context.verbatim or not context.joined else " ")
        elif _is_block(node):
            if not context.joined:
                self._flush(context)
            elif context.is_row and context.table is not None and node.tag in ("td", "th"):
                self._pieces.append("\t" * context.table.begin_cell(node))
            else:
                self._separate(context)
            self._contexts.append(_inner(context, node))

    def text(self, text: str) -> None:
        context = self._contexts[-1]
        if context.verbatim:
            self._pieces.append(text)
        elif context.kind is BlockKind.HEADING and text.strip() in _ANCHOR_SIGNS:
            return
        else:
            self._pieces.append(text.replace("\n", " ").replace("\t", " "))

    def close(self, node: Node) -> None:
        if not _is_block(node):
            return
        context = self._contexts.pop()
        if self._contexts[-1].joined:
            self._separate(self._contexts[-1])
        else:
            self._flush(context)

    def _separate(self, context: _Context) -> None:
        if not context.verbatim:
            self._pieces.append(" ")
        elif self._pieces and not self._pieces[-1].endswith("\n"):
            self._pieces.append("\n")

    def _flush(self, context: _Context) -> None:
        """End the running text and keep it as what it was in `context`."""
        if not self._pieces:
            return
        text, n_removed = clean("".join(self._pieces))
        self._pieces.clear()
        self.n_removed += n_removed
        if not text.strip():
            return
        kind, level = context.kind, context.level
        if kind is BlockKind.CODE:
            self._add(kind, level, _trim_code(text))
        elif kind is BlockKind.ROW:
            is_header = context.table is not None and context.table.is_header
            row = "\t".join(collapse(cell) for cell in text.split("\t"))
            self._add(kind, int(is_header), row.rstrip("\t"))
        elif kind is BlockKind.HEADING:
            self._add(kind, level, collapse(text))
        else:
            for paragraph in _BLANK_LINES.split(text):
                lines = (collapse(line) for line in paragraph.split("\n"))
                self._add(kind, level, "\n".join(line for line in lines if line))

    def _add(self, kind: BlockKind, level: int, text: str) -> None:
        if text:
            self.blocks.append(_RawBlock(kind, level, text))


def build_page(capture: Capture, main_text: str | None, captured_at: float) -> Page:
    """Return the page of a capture: its main part when `main_text` is given, else all that is visible.

    captured_at: ms since the epoch. Everything is kept, too, when the main part would hold next to nothing
    of what is visible (`MIN_KEPT_PROSE_SHARE`).
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
    reader = _BlockReader()
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
        raw = _main_blocks(raw, main_text)
        yield
    title, n_removed = clean(capture.title)
    title = collapse(title)
    title = title[: cut_point(title, 0, MAX_TITLE_CHARS)]
    return _assemble(capture, raw, title, reader.n_removed + n_removed, captured_at)


def _main_blocks(blocks: list[_RawBlock], main_text: str) -> list[_RawBlock]:
    mask = main_part(blocks, main_text)
    kept = [block for block, keep in zip(blocks, mask, strict=True) if keep]
    prose, kept_prose = _n_prose_chars(blocks), _n_prose_chars(kept)
    if prose > 0:
        is_enough = kept_prose >= MIN_KEPT_PROSE_SHARE * prose
    else:
        is_enough = _n_chars(kept) >= MIN_KEPT_SHARE * _n_chars(blocks)
    return kept if is_enough else blocks


def _n_prose_chars(blocks: Sequence[_RawBlock]) -> int:
    return sum(len(block.text) for block in blocks if len(block.text) >= PROSE_CHARS)


def _n_chars(blocks: Sequence[_RawBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _assemble(
    capture: Capture, raw: Sequence[_RawBlock], title: str, n_removed: int, captured_at: float
) -> Page:
    blocks: list[Block] = []
    start = 0
    for block in raw:
        blocks.append(Block(block.kind, start, start + len(block.text), block.level))
        start += len(block.text) + 1
    text = "\n".join(block.text for block in raw)
    if not text:
        raise InputError("page_empty", "no visible text", subject=capture.url)
    if len(text) < MIN_PAGE_CHARS:
        raise InputError("page_too_short", f"{len(text)} characters", subject=capture.url)
    title = title or _first_heading(raw) or display_site(capture.url)
    language = capture.language.strip().replace("_", "-")
    return Page(
        source=canonical_source(capture.url, capture.canonical_url),
        url=repair_surrogates(capture.url),
        title=title,
        language=language if _LANGUAGE.fullmatch(language) else "",
        text=text,
        blocks=tuple(blocks),
        content_hash=hashlib.sha256(f"{title}\0{text}".encode()).hexdigest(),
        captured_at=captured_at,
        n_removed=n_removed,
        n_total_chars=capture.n_total_chars,
        n_read_chars=capture.n_read_chars,
    )


def _first_heading(raw: Sequence[_RawBlock]) -> str:
    return next((block.text for block in raw if block.kind is BlockKind.HEADING), "")


def _is_block(node: Node) -> bool:
    return node.tag in BLOCK_TAGS or attribute(node, "role") == "heading"


def _inner(outer: _Context, node: Node) -> _Context:
    """The context inside `node`, which stands in `outer`."""
    tag = node.tag
    if outer.joined:
        return replace(outer, is_row=False) if outer.is_row else outer
    if tag in _HEADING_LEVELS or attribute(node, "role") == "heading":
        level = _HEADING_LEVELS.get(tag, _ROLE_HEADING_LEVEL)
        return replace(outer, kind=BlockKind.HEADING, level=level, joined=True)
    if tag in _LIST_TAGS:
        return replace(outer, list_depth=outer.list_depth + 1)
    if tag in ("li", "dt", "dd"):
        level = max(outer.list_depth, 0) + (tag == "dd")
        return replace(outer, kind=BlockKind.ITEM, level=level)
    if tag == "table":
        return replace(outer, table=RowLayout() if is_data_table(node) else None)
    if tag == "thead":
        return replace(outer, in_head=True)
    if tag == "tr" and outer.table is not None:
        outer.table.begin_row(in_head=outer.in_head)
        return replace(outer, kind=BlockKind.ROW, level=0, joined=True, is_row=True)
    if tag in _KINDS:
        is_code = tag == "pre"
        return replace(outer, kind=_KINDS[tag], level=0, joined=is_code, verbatim=is_code)
    return outer


def _trim_code(text: str) -> str:
    """Code without the blank lines around it and the blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
