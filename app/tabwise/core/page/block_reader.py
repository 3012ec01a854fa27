"""From the events of a walk to raw blocks: what a reader sees as units, before they have a place in a text.

Inline elements are joined as the browser draws them, `br` is a line break, two of them end a paragraph.

Tables: the cells of a row are joined by a tab, empty ones included, so that a row can be split into
columns again and still be found on the page, where a search that ignores white space reads the cells one
after another. A header row is a row of level 1; headers are not written into the other rows, because what
is cited must be on the page. A table that only arranges things is read as the text it holds.

Definition lists: a term is an item, its description an item one level deeper. The label of a fold
(`summary`) is a heading of the lowest level.

Code is read without the numbers of its lines, and banners that ask for consent are not read
(`core.code_lines`, `core.banners`).

Entries of a listing or a thread (`core.entries`) are one item each, their lines as the page has them; the
level is the depth of the reply. A line of a transcript is an item with its time in seconds; the printed
time is left out of the text, so that what was said reads on.
"""

import re
from dataclasses import dataclass, replace

from tabwise.core.model import BlockKind, Node
from tabwise.core.page.banners import is_banner
from tabwise.core.page.capture import BLOCK_TAGS, attribute
from tabwise.core.page.code_lines import without_line_numbers
from tabwise.core.page.entries import Entries
from tabwise.core.page.tables import RowLayout, is_data_table
from tabwise.core.page.transcripts import without_time
from tabwise.core.text.characters import clean, collapse

_HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "summary": 6}
_ROLE_HEADING_LEVEL = 2  # what ARIA says for role=heading without a level
_LIST_TAGS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_LEAF_TAGS = frozenset(
    {"p", "li", "dt", "dd", "blockquote", "figcaption", "caption", "pre"}.union(_HEADING_LEVELS)
)
_CELL_TAGS = frozenset({"td", "th"})
_KINDS = {
    "blockquote": BlockKind.QUOTE,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "pre": BlockKind.CODE,
}
_ANCHOR_SIGNS = frozenset({"¶", "#", "§", "🔗"})  # links to a heading, inside it
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_MAX_LINKED_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block before it has a place in the page text.

    `container` numbers the element whose child it is, `is_linked`: most of it is the text of links,
    `is_entry`: it is an entry of a listing or thread, `is_post`: one that its class calls a comment, reply, …
    `seconds`: the time of a line of a transcript; `link`: what an entry's own link says, "" for none.
    """

    kind: BlockKind
    level: int
    text: str
    container: int = 0
    is_linked: bool = False
    is_entry: bool = False
    is_post: bool = False
    seconds: int | None = None
    link: str = ""


@dataclass(frozen=True, slots=True)
class _Context:
    """What text means at one place of the tree.

    `joined`: inner blocks are parts of this one. `verbatim`: line breaks and spaces count.
    `table`: the data table around, `in_head`: inside its head, `is_row`: directly inside one of its rows.
    `container`: the element around that may hold several blocks. `n_entries`: entries around, itself
    included; `is_post`, `seconds` and `link` are those of the innermost.
    """

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    list_depth: int = -1
    joined: bool = False
    verbatim: bool = False
    table: RowLayout | None = None
    in_head: bool = False
    is_row: bool = False
    container: int = 0
    n_entries: int = 0
    is_post: bool = False
    seconds: int | None = None
    link: str = ""


class BlockReader:
    """Turns the events of a walk (`capture.walk`) over a page into its raw blocks, `blocks`."""

    def __init__(self, entries: Entries) -> None:
        self.blocks: list[RawBlock] = []
        self.n_removed = 0
        self._entries = entries
        self._banner: Node | None = None
        self._pieces: list[str] = []
        self._contexts: list[_Context] = [_Context()]
        self._n_containers = 0
        self._n_open_links = 0
        self._n_link_chars = 0

    def open(self, node: Node) -> None:
        """An element begins."""
        if self._banner is None and is_banner(node):
            if not self._contexts[-1].joined:
                self._flush()
            self._banner = node
        if self._banner is not None:
            return
        if id(node) in self._entries.starts:
            self._begin_entry(node)
        context = self._contexts[-1]
        self._n_open_links += node.tag == "a"
        if node.tag == "br":
            self._pieces.append("\n" if context.verbatim or context.n_entries or not context.joined else " ")
        elif _is_block(node):
            if not context.joined:
                self._flush()
            elif context.is_row and context.table is not None and node.tag in _CELL_TAGS:
                self._pieces.append("\t" * context.table.begin_cell(node))
            else:
                self._separate(node)
            self._contexts.append(self._numbered(_inner(context, node), node))

    def text(self, text: str) -> None:
        """Text of the innermost open element."""
        if self._banner is not None:
            return
        context = self._contexts[-1]
        if self._n_open_links:
            self._n_link_chars += len(text)
        if context.verbatim:
            self._pieces.append(text)
        elif context.kind is BlockKind.HEADING and text.strip() in _ANCHOR_SIGNS:
            return
        else:
            self._pieces.append(text.replace("\n", " ").replace("\t", " "))

    def close(self, node: Node) -> None:
        """An element ends."""
        if self._banner is not None:
            if node is self._banner:
                self._banner = None
            return
        self._n_open_links -= node.tag == "a"
        if _is_block(node):
            if self._contexts[-2].joined:
                self._contexts.pop()
                self._separate(node)
            else:
                self._flush()
                self._contexts.pop()
        if id(node) in self._entries.ends:
            self._flush()
            self._contexts.pop()

    def _begin_entry(self, node: Node) -> None:
        self._flush()
        context = self._contexts[-1]
        entry = _Context(
            kind=BlockKind.ITEM,
            level=context.n_entries,
            joined=True,
            container=context.container,
            n_entries=context.n_entries + 1,
            is_post=id(node) in self._entries.posts,
            seconds=self._entries.seconds.get(id(node)),
            link=self._entries.links.get(id(node), ""),
        )
        self._contexts.append(entry)

    def _numbered(self, context: _Context, node: Node) -> _Context:
        if node.tag in _LEAF_TAGS:
            return context
        self._n_containers += 1
        return replace(context, container=self._n_containers)

    def _separate(self, node: Node) -> None:
        """Part an inner block from its neighbours in the block that joins them."""
        context = self._contexts[-1]
        has_lines = context.verbatim or context.n_entries
        if node.tag in _CELL_TAGS or not has_lines:
            self._pieces.append("" if context.verbatim else " ")
        elif self._pieces and not self._pieces[-1].endswith("\n"):
            self._pieces.append("\n")

    def _flush(self) -> None:
        """End the running text and keep it as what it was in the innermost context."""
        if not self._pieces:
            return
        context = self._contexts[-1]
        text, n_removed = clean("".join(self._pieces))
        self._pieces.clear()
        is_linked = self._n_link_chars > _MAX_LINKED_SHARE * len(text.strip())
        self._n_link_chars = 0
        self.n_removed += n_removed
        if not text.strip():
            return
        kind = context.kind
        if context.n_entries:
            lines = (collapse(line) for line in text.split("\n"))
            text = "\n".join(line for line in lines if line)
            self._add(without_time(text) if context.seconds is not None else text, is_linked)
        elif kind is BlockKind.CODE:
            self._add("\n".join(without_line_numbers(_trim_code(text).split("\n"))), is_linked)
        elif kind is BlockKind.ROW:
            row = "\t".join(collapse(cell) for cell in text.split("\t"))
            self._add(row.rstrip("\t"), is_linked)
        elif kind is BlockKind.HEADING:
            self._add(collapse(text), is_linked)
        else:
            for paragraph in _BLANK_LINES.split(text):
                lines = (collapse(line) for line in paragraph.split("\n"))
                self._add("\n".join(line for line in lines if line), is_linked)

    def _add(self, text: str, is_linked: bool) -> None:
        if not text:
            return
        context = self._contexts[-1]
        level = context.level
        if context.kind is BlockKind.ROW:
            level = int(context.table is not None and context.table.is_header)
        block = RawBlock(
            context.kind,
            level,
            text,
            container=context.container,
            is_linked=is_linked,
            is_entry=context.n_entries > 0,
            is_post=context.is_post,
            seconds=context.seconds,
            link=context.link,
        )
        self.blocks.append(block)


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
