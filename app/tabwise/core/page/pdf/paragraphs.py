"""Lines joined to what a reader sees as units: headings, paragraphs, list items, table rows.

Type larger than the body (the size of most characters) is a heading, the largest size first; so is a short
line in another font than the body that stands apart and does not end like a sentence. A paragraph ends where
the gap to the next line is wider than usual, where type or indent change, at the mark of a list, and after a
short line that ends a sentence. It goes on in the next column or page when it does not end a sentence there,
past notes in small type.

A word broken by a hyphen at the end of a line is joined. The hyphen stays where the file writes the compound
with it inside a line elsewhere ("well-known"), or where a capital or a digit follows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from tabwise.core.model import BlockKind
from tabwise.core.page.pdf.lines import BULLET, NUMBER_MARK, Line

HEADING_SIZE = 1.15
"""Times the body's size."""
WIDE_GAP = 1.3
"""Times the usual distance of baselines."""
MAX_HEADING_LINE_CHARS = 90
_USUAL_LEADING = 1.2
_INDENT = 0.8
_SHORT_LINE = 0.7
_SAME_SIZE = 0.08
_N_LEVELS = 6
_END_CHARS = 200
"""How much of a text's end tells how it ends: a paragraph grows over many pages, and each line asks."""
_NO_HEADING_FONT = re.compile(r"mono|courier|typewriter|consol|code|cmtt|italic|oblique|cmti", re.I)
_SENTENCE_END = re.compile(r"[.!?:;。！？…][\"'”’»)\]]*\Z")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-\u2010]\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_COMPOUND = re.compile(r"(?<![\w-])[^\W\d_]+-[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a block in one column: where its text begins, and the lines it has there."""

    start: int
    lines: tuple[Line, ...]


@dataclass(slots=True)
class PdfBlock:
    """A block before it has a place in the page text."""

    kind: BlockKind
    level: int
    text: str
    pieces: list[Piece] = field(default_factory=list)

    @property
    def last(self) -> Line:
        """Its last line."""
        return self.pieces[-1].lines[-1]


@dataclass(frozen=True, slots=True)
class Typography:
    """What is usual in a file: type of the body, heading sizes from the largest, compounds with a hyphen."""

    size: float
    font: str
    heading_sizes: tuple[float, ...]
    compounds: frozenset[str]


class TypographyMeter:
    """Measures the lines of a file, some at a time."""

    def __init__(self) -> None:
        self._chars = Counter[tuple[float, str]]()
        self._compounds: set[str] = set()

    def add(self, lines: Iterable[Line]) -> None:
        """Take more lines."""
        for line in lines:
            self._chars[(_step(line.size), line.font)] += len(line.text)
            self._compounds.update(match[0].casefold() for match in _COMPOUND.finditer(line.text))

    @property
    def n_chars(self) -> int:
        """Characters of all lines."""
        return self._chars.total()

    def result(self) -> Typography:
        """What is usual in the lines; one at least must have been added."""
        sizes = Counter[float]()
        for (size, _), n in self._chars.items():
            sizes[size] += n
        body = min(sizes, key=lambda size: (-sizes[size], size))
        fonts = {font: n for (size, font), n in self._chars.items() if size == body}
        larger = sorted((size for size in sizes if size >= HEADING_SIZE * body), reverse=True)
        return Typography(
            size=body,
            font=min(fonts, key=lambda font: (-fonts[font], font)),
            heading_sizes=tuple(larger),
            compounds=frozenset(self._compounds),
        )


class BlockReader:
    """Turns columns in reading order into blocks."""

    def __init__(self, usual: Typography) -> None:
        self.blocks: list[PdfBlock] = []
        self._usual = usual

    def add(self, column: Sequence[Line]) -> None:
        """Take the next column."""
        if not column:
            return
        n_before = len(self.blocks)
        self.blocks += _column_blocks(column, self._usual)
        _continue_paragraph(self.blocks, n_before, self._usual)


def _column_blocks(column: Sequence[Line], usual: Typography) -> list[PdfBlock]:
    reader = _ColumnReader(column, usual)
    for index in range(len(column)):
        reader.feed(index)
    return reader.blocks


class _ColumnReader:
    """Joins the lines of one column."""

    def __init__(self, column: Sequence[Line], usual: Typography) -> None:
        self.blocks: list[PdfBlock] = []
        self._column = column
        self._usual = usual
        self._leading = _leadings(column)
        self._left = min(line.left for line in column)
        self._width = max(line.right for line in column) - self._left
        self._marks: list[float] = []  # left edges of the list marks in force, outermost first

    def feed(self, index: int) -> None:
        """Take the next line: part of the block at hand, or the start of one."""
        line = self._column[index]
        if line.cells:
            is_header = not (self.blocks and self.blocks[-1].kind is BlockKind.ROW) and self._is_header(index)
            self._begin(BlockKind.ROW, int(is_header), "\t".join(line.cells).rstrip("\t"), line)
            return
        level = self._heading_level(index)
        before = self.blocks[-1] if self.blocks else None
        if level:
            joins = before is not None and before.kind is BlockKind.HEADING and before.level == level
            if joins and before is not None and not self._is_wide(before.last, line) and not _is_mark(line):
                _append(before, line, self._usual)
            else:
                self._begin(BlockKind.HEADING, level, line.text, line)
        elif before is not None and self._continues(before, line):
            _append(before, line, self._usual)
        elif self._is_item(before, line):
            self._begin(BlockKind.ITEM, self._depth(line), _without_bullet(line.text), line)
        else:
            self._begin(BlockKind.PARAGRAPH, 0, line.text, line)

    def _begin(self, kind: BlockKind, level: int, text: str, line: Line) -> None:
        if kind is not BlockKind.ITEM:
            self._marks.clear()
        self.blocks.append(PdfBlock(kind, level, text, [Piece(0, (line,))]))

    def _heading_level(self, index: int) -> int:
        """Level of a line as a heading, 0 when it is none."""
        line, usual = self._column[index], self._usual
        if not any(letter.isalpha() for letter in line.text):
            return 0
        size = _step(line.size)
        if size >= HEADING_SIZE * usual.size:
            return min(usual.heading_sizes.index(size) + 1, _N_LEVELS)
        if line.font == usual.font or size < usual.size or _NO_HEADING_FONT.search(line.font):
            return 0
        if not self._stands_apart(index):
            return 0
        return min(len(usual.heading_sizes) + 1, _N_LEVELS)

    def _stands_apart(self, index: int) -> bool:
        """Whether a line in an unusual font looks like a heading: alone, short, no sentence."""
        line = self._column[index]
        is_short = len(line.text) <= MAX_HEADING_LINE_CHARS and line.right - self._left <= 0.9 * self._width
        if not is_short or _SENTENCE_END.search(line.text) or BULLET.match(line.text):
            return False
        if not (line.text[0].isupper() or line.text[0].isdigit()):
            return False
        before = self._column[index - 1] if index else None
        after = self._column[index + 1] if index + 1 < len(self._column) else None
        is_apart = before is None or self._is_wide(before, line) or before.size > line.size
        return is_apart and after is not None and after.font != line.font and not after.cells

    def _is_header(self, index: int) -> bool:
        """Whether a table's first row differs from the rows below: in font, or in having no numbers."""
        line = self._column[index]
        rows = [row for row in self._column[index + 1 : index + 4] if row.cells]
        if not rows:
            return False
        if all(row.font != line.font for row in rows):
            return True
        has_digits = any(letter.isdigit() for letter in line.text)
        return not has_digits and all(any(letter.isdigit() for letter in row.text) for row in rows)

    def _continues(self, before: PdfBlock, line: Line) -> bool:
        """Whether a line of body text is part of the paragraph or item before it."""
        if before.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            return False
        last = before.last
        if abs(last.size - line.size) > _SAME_SIZE * last.size or self._is_wide(last, line):
            return False
        if self._is_item(before, line):
            return False
        first = before.pieces[-1].lines[0]
        indent = _INDENT * line.size
        if before.kind is BlockKind.ITEM:
            if len(before.pieces[-1].lines) > 1:  # the second line told whether the item hangs
                return abs(line.left - last.left) <= indent / 2
            if abs(line.left - first.text_left) <= indent:
                return True
            return abs(line.left - first.left) <= indent / 2 and not _SENTENCE_END.search(before.text)
        if _is_centered(last, line):
            return True
        if line.left - last.left > indent:
            return False
        return not _ends_sentence(last, self._left, self._width)

    def _is_wide(self, before: Line, line: Line) -> bool:
        usual = self._leading.get(_step(line.size), _USUAL_LEADING * line.size)
        return line.baseline - before.baseline > WIDE_GAP * max(usual, line.size)

    def _is_item(self, before: PdfBlock | None, line: Line) -> bool:
        """Whether a line begins with the mark of a list; a number only where a sentence may begin."""
        if BULLET.match(line.text):
            return True
        if not _is_mark(line):
            return False
        return (
            before is None
            or before.kind is not BlockKind.PARAGRAPH
            or self._is_wide(before.last, line)
            or _SENTENCE_END.search(before.text) is not None
        )

    def _depth(self, line: Line) -> int:
        reach = _INDENT * line.size
        while self._marks and line.left < self._marks[-1] - reach:
            self._marks.pop()
        if not self._marks or line.left > self._marks[-1] + reach:
            self._marks.append(line.left)
        return len(self._marks) - 1


def _leadings(column: Sequence[Line]) -> dict[float, float]:
    """The usual distance of baselines by type size, where a column shows one."""
    gaps: dict[float, list[float]] = {}
    for before, line in pairwise(column):
        gap = line.baseline - before.baseline
        if _step(before.size) == _step(line.size) and 0 < gap <= 2 * line.size:
            gaps.setdefault(_step(line.size), []).append(gap)
    return {size: median(found) for size, found in gaps.items()}


def _ends_sentence(line: Line, left: float, width: float) -> bool:
    """Whether a line stops early after a sentence."""
    return line.right - left < _SHORT_LINE * width and _SENTENCE_END.search(line.text) is not None


def _is_centered(before: Line, line: Line) -> bool:
    moved = abs(before.left - line.left) > _INDENT * line.size
    middles = (before.left + before.right - line.left - line.right) / 2
    return moved and abs(middles) < _INDENT * line.size / 2


def _is_mark(line: Line) -> bool:
    mark = NUMBER_MARK.match(line.text)
    # A bare number is a mark in front of headings only: "2 Methods", not "2 of the turbines".
    return mark is not None and not mark[0].isdigit() and len(mark[0]) < len(line.text)


def _without_bullet(text: str) -> str:
    mark = BULLET.match(text)
    return (text[mark.end() :].lstrip() if mark else text) or text


def _append(block: PdfBlock, line: Line, usual: Typography) -> None:
    """Join a line to a block of the same column."""
    _join(block, line.text, usual)
    last = block.pieces[-1]
    block.pieces[-1] = Piece(last.start, (*last.lines, line))


def _join(block: PdfBlock, text: str, usual: Typography) -> int:
    """Add text behind a line break; return where it begins."""
    broken, following = _BROKEN_WORD.search(block.text[-_END_CHARS:]), _FIRST_WORD.match(text)
    if broken is None or following is None:
        is_spaced = not block.text.endswith(("-", "\u2010", "/")) and not _is_unspaced(block.text, text)
        block.text += " " if is_spaced else ""
    elif following[0][0].islower() and f"{broken[1]}-{following[0]}".casefold() not in usual.compounds:
        block.text = block.text[:-1]
    start = len(block.text)
    block.text += text
    return start


def _is_unspaced(before: str, text: str) -> bool:
    """Whether two lines meet in a script that puts no spaces between words."""
    return _UNSPACED.match(before[-1]) is not None and _UNSPACED.match(text) is not None


def _continue_paragraph(blocks: list[PdfBlock], n_before: int, usual: Typography) -> None:
    """Join the first block of a column to the paragraph that an earlier column left open."""
    if n_before == 0 or n_before == len(blocks):
        return
    first = blocks[n_before]
    if first.kind is not BlockKind.PARAGRAPH or _step(first.last.size) != usual.size:
        return
    at = n_before - 1
    while at > 0 and blocks[at].last.size < usual.size * (1 - _SAME_SIZE):
        at -= 1
    open_block = blocks[at]
    if (
        open_block.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM)
        or open_block.last.page < first.last.page - 1
    ):
        return
    if abs(open_block.last.size - first.last.size) > _SAME_SIZE * usual.size:
        return
    end = open_block.text[-_END_CHARS:]
    if _SENTENCE_END.search(end):
        return
    if not (first.text[0].islower() or _BROKEN_WORD.search(end) or open_block.kind is BlockKind.PARAGRAPH):
        return
    shift = _join(open_block, first.text, usual)
    open_block.pieces += [Piece(shift + piece.start, piece.lines) for piece in first.pieces]
    del blocks[n_before]


def _step(size: float) -> float:
    """Sizes in steps of half a point: files round them differently from line to line."""
    return round(2 * size) / 2
