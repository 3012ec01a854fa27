"""Pages as sections of units: what chunks are made of.

A section is a heading with what follows it, up to the next heading. Headings without text of their own go
with the section below them; a run of them is a section together. A unit is what stays whole: a sentence of
prose, a list item, a table row, a line of code, a heading.

Sizes: scripts without spaces count as two characters a word, strings without spaces as one word per 12
characters. Tokens are guessed from English word pieces: 4 ASCII characters make one, any other character
is one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabwise.core.model import Block, BlockKind, Page
from tabwise.core.text.characters import cut_point
from tabwise.core.text.sentences import split

MAX_HEADING_CHARS = 300
"""A longer "heading" is a paragraph in large letters."""
PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.CAPTION})
_CHARS_PER_TOKEN = 4
_MAX_CHARS_PER_WORD = 12
_MAX_SPLIT_CHARS = 20_000
# Thai, Lao, Tibetan, Myanmar, Khmer, kana, CJK ideographs: written without spaces.
_WIDE = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of text that stays whole. `embedded` is what the embedder reads for it."""

    kind: BlockKind
    start: int
    end: int
    embedded: str
    n_words: float
    n_tokens: float


@dataclass(frozen=True, slots=True)
class Section:
    """Headings and the blocks below them; `path`: all headings above the text, `outer`: without its own."""

    blocks: tuple[Block, ...]
    path: tuple[str, ...]
    outer: tuple[str, ...]


def sections_of(page: Page) -> Iterator[Section]:
    """Cut the blocks before every heading that follows text, or that follows a long run of headings."""
    above: list[Block] = []  # the headings in force, outermost first
    blocks: list[Block] = []
    has_text = False
    n_chars = 0
    for block in page.blocks:
        is_heading = _is_heading(block)
        if is_heading and blocks and (has_text or n_chars > MAX_HEADING_CHARS):
            yield _section(page.text, blocks, above)
            blocks, has_text, n_chars = [], False, 0
        if is_heading:
            above = [heading for heading in above if heading.level < block.level]
            above.append(block)
        blocks.append(block)
        has_text = has_text or not is_heading
        n_chars += block.end - block.start
    if blocks:
        yield _section(page.text, blocks, above)


def _is_heading(block: Block) -> bool:
    return block.kind is BlockKind.HEADING and block.end - block.start <= MAX_HEADING_CHARS


def _section(text: str, blocks: Sequence[Block], above: Sequence[Block]) -> Section:
    outer = tuple(text[heading.start : heading.end] for heading in above if heading.start < blocks[0].start)
    return Section(tuple(blocks), tuple(text[heading.start : heading.end] for heading in above), outer)


def units_of(text: str, blocks: Sequence[Block]) -> Iterator[Unit]:
    """Yield what stays whole, one block after another."""
    headers: list[str] = []
    for block in blocks:
        if block.kind is not BlockKind.ROW:
            headers = []
        if block.kind is BlockKind.ROW:
            cells = text[block.start : block.end].split("\t")
            yield _unit(text, block.kind, block.start, block.end, _labelled(cells, headers))
            if block.level:
                headers = cells
        elif block.kind is BlockKind.CODE:
            yield from _code_lines(text, block)
        elif block.kind in PROSE or (block.kind is BlockKind.HEADING and not _is_heading(block)):
            kind = BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind
            for start, end in split(text[block.start : block.end]):
                yield _unit(text, kind, block.start + start, block.start + end)
        else:
            yield _unit(text, block.kind, block.start, block.end)


def _code_lines(text: str, block: Block) -> Iterator[Unit]:
    start = block.start
    for line in text[block.start : block.end].split("\n"):
        if line.strip():
            yield _unit(text, block.kind, start, start + len(line))
        start += len(line) + 1


def _unit(text: str, kind: BlockKind, start: int, end: int, embedded: str | None = None) -> Unit:
    own = text[start:end]
    embedded = own if embedded is None else embedded
    return Unit(kind, start, end, embedded, _count_words(own), estimate_tokens(embedded))


def _labelled(cells: Sequence[str], headers: Sequence[str]) -> str:
    """A row for the embedder: every cell behind its column's header."""
    labels = [*headers, *([""] * len(cells))]
    return " | ".join(
        f"{label}: {cell}" if label else cell for label, cell in zip(labels, cells, strict=False) if cell
    )


def halve(text: str, unit: Unit) -> tuple[Unit, ...] | None:
    """Make a unit smaller: a row without its headers, else two halves; None for a single character."""
    own = text[unit.start : unit.end]
    if unit.kind is BlockKind.ROW and unit.embedded != (plain := _labelled(own.split("\t"), ())):
        return (_unit(text, unit.kind, unit.start, unit.end, plain),)
    if len(own) < 2:
        return None
    cut = _middle(own)
    left_end, right_start = len(own[:cut].rstrip()), len(own) - len(own[cut:].lstrip())
    right = _unit(text, unit.kind, unit.start + right_start, unit.end)
    if left_end == 0:  # the empty first cell of a row
        return (right,)
    return _unit(text, unit.kind, unit.start, unit.start + left_end), right


def _middle(text: str) -> int:
    """The border nearest to the middle: of sentences, else of words, else of drawn characters."""
    half = len(text) // 2
    borders = [start for start, _ in split(text)[1:]] if len(text) < _MAX_SPLIT_CHARS else []
    if not borders:
        borders = [at for at in (text.rfind(" ", 1, half + 1), text.find(" ", half, len(text) - 1)) if at > 0]
    if not borders:
        return cut_point(text, 0, half)
    return min(borders, key=lambda at: abs(at - half))


def _count_words(text: str) -> float:
    n_wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return n_wide / 2 + max(len(text.split()) - (n_wide > 0), (len(text) - n_wide) / _MAX_CHARS_PER_WORD)


def estimate_tokens(text: str) -> float:
    """A guess from English word pieces: 4 ASCII characters make a token, another character is one."""
    n_ascii = len(text) if text.isascii() else len(_NOT_ASCII.sub("", text))
    return n_ascii / _CHARS_PER_TOKEN + (len(text) - n_ascii)
