"""Which blocks of a page are its main part, given the main text that a content extractor found.

The extractor returns plain text without our structure, in document order, and may lose pieces: links,
captions, whole tables. So its text decides about the blocks it contains, and our structure about the rest:

1. Anchors: blocks of `ANCHOR_CHARS` letters or more that the main text contains, or most of whose word
   4-grams it contains and no other block has used. Of several blocks with the same text (a teaser, a
   heading, a link in a side bar) the one among the other anchors counts.
2. Shorter blocks count only where the main text has them between the anchors around them: "Share" in a
   menu is not kept because an article shares something.
3. Between the first and the last kept block, tables, code and captions belong to the page even where the
   extractor dropped them. A heading belongs to the page when one of the next `HEADING_REACH` blocks of its
   section does, and so does the line with the date between the title and the text.

Letters are compared without case, white space and punctuation. On the 181 pages of the public
article-extraction benchmark the kept text has F1 0.961, the extractor's own text 0.962, when titles,
datelines and captions are not counted, which the benchmark's labels leave out and a reader wants.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

from tabwise.core.model import BlockKind

ANCHOR_CHARS = 40
MIN_GRAM_SHARE = 0.8
HEADING_REACH = 3
MAX_DATELINE_CHARS = 120
_GRAM_WORDS = 4
_NOT_LETTERS = re.compile(r"[\W_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WORD = re.compile(r"\w+")

_NEIGHBOURS = 3

_Span = tuple[int, int]
_Gram = tuple[str, ...]


class PageBlock(Protocol):
    """What is asked of a block here."""

    @property
    def kind(self) -> BlockKind:
        """Its role."""
        ...

    @property
    def level(self) -> int:
        """Its heading level, where it is a heading."""
        ...

    @property
    def text(self) -> str:
        """Its text."""
        ...


def main_part(blocks: Sequence[PageBlock], main_text: str) -> list[bool]:
    """Return for every block whether it belongs to the main part; all False when nothing agrees."""
    spans = _find_blocks([block.text for block in blocks], main_text)
    kept = [span is not None for span in spans]
    if not any(kept):
        return kept
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    for index in range(first, last + 1):
        kept[index] = kept[index] or _is_own_structure(blocks[index])
    _keep_leading_headings(blocks, kept)
    _keep_dateline(blocks, kept)
    return kept


def _keep_leading_headings(blocks: Sequence[PageBlock], kept: list[bool]) -> None:
    for index in range(len(blocks) - 1, -1, -1):
        if blocks[index].kind is BlockKind.HEADING:
            kept[index] = kept[index] or any(kept[at] for at in _led_by(blocks, index))


def _keep_dateline(blocks: Sequence[PageBlock], kept: list[bool]) -> None:
    """Keep what stands between a title and its text and says when it was written."""
    for index, block in enumerate(blocks):
        if kept[index] and block.kind is BlockKind.HEADING and block.level == 1:
            for at in takewhile(lambda at: not kept[at], _led_by(blocks, index)):
                text = blocks[at].text
                kept[at] = len(text) <= MAX_DATELINE_CHARS and _YEAR.search(text) is not None


def _led_by(blocks: Sequence[PageBlock], index: int) -> range:
    """The next blocks of the section that the heading at `index` opens, `HEADING_REACH` at most."""
    end = index + 1
    while end < len(blocks) and end <= index + HEADING_REACH:
        if blocks[end].kind is BlockKind.HEADING and blocks[end].level <= blocks[index].level:
            break
        end += 1
    return range(index + 1, end)


def _is_own_structure(block: PageBlock) -> bool:
    if block.kind is BlockKind.ROW:  # a row of one cell is a link in a list more often than data
        return "\t" in block.text.strip("\t")
    return block.kind in (BlockKind.CODE, BlockKind.CAPTION)


def _find_blocks(texts: Sequence[str], main_text: str) -> list[_Span | None]:
    """The place of every block in the letters of the main text, None where it has none."""
    main = _letters(main_text)
    letters = [_letters(text) for text in texts]
    spans: list[_Span | None] = [None] * len(texts)
    cursor = 0
    for index, block in enumerate(letters):
        if len(block) < ANCHOR_CHARS:
            continue
        at = main.find(block, cursor)
        if at < 0:
            at = main.find(block)
        if at >= 0:
            cursor = at + len(block)
            spans[index] = (at, cursor)
    _drop_repeats(spans)
    _find_changed_blocks(texts, letters, spans, main_text)
    _find_short_blocks(letters, spans, main)
    return spans


def _find_changed_blocks(
    texts: Sequence[str], letters: Sequence[str], spans: list[_Span | None], main_text: str
) -> None:
    """Place long blocks that the main text has with other words in between, behind the block before them."""
    grams_left = Counter(_grams(main_text))
    for text, span in zip(texts, spans, strict=True):
        if span is not None:
            grams_left.subtract(_grams(text))
    end = 0
    for index, block in enumerate(letters):
        span = spans[index]
        if span is not None:
            end = span[1]
        elif len(block) >= ANCHOR_CHARS:
            grams = Counter(_grams(texts[index]))
            if _share_of(grams, grams_left) >= MIN_GRAM_SHARE:
                spans[index] = (end, end)
                grams_left.subtract(grams)


def _drop_repeats(spans: list[_Span | None]) -> None:
    """Of blocks at one place keep the one with the nearest neighbours; the last of equals."""
    indices: dict[_Span, list[int]] = {}
    for index, span in enumerate(spans):
        if span is not None:
            indices.setdefault(span, []).append(index)
    for span, repeats in indices.items():
        if len(repeats) > 1:
            best = max(repeats, key=lambda index: (_nearness(spans, index), index))
            for index in repeats:
                spans[index] = span if index == best else None


def _nearness(spans: Sequence[_Span | None], index: int) -> float:
    """How near other blocks with a place are: the sum of 1/distance."""
    low, high = max(0, index - _NEIGHBOURS), min(len(spans), index + _NEIGHBOURS + 1)
    others = (at for at in range(low, high) if spans[at] is not None and spans[at] != spans[index])
    return sum(1 / abs(at - index) for at in others)


def _find_short_blocks(letters: Sequence[str], spans: list[_Span | None], main: str) -> None:
    """Place the short blocks in what lies between the anchors around them.

    Before the first anchor the search runs backwards: a menu has the words of the title, too.
    """
    first = next((index for index, span in enumerate(spans) if span is not None), 0)
    anchor = spans[first] if spans else None
    high = 0 if anchor is None else anchor[0]
    for index in range(first - 1, -1, -1):
        if 0 < len(letters[index]) < ANCHOR_CHARS:
            at = main.rfind(letters[index], 0, high)
            if at >= 0:
                spans[index] = (at, at + len(letters[index]))
                high = at
    low = 0
    limits = _next_starts(spans, len(main))
    for index in range(first, len(letters)):
        span, block = spans[index], letters[index]
        if span is not None:
            low = span[1]
        elif 0 < len(block) < ANCHOR_CHARS:
            at = main.find(block, low, limits[index])
            if at >= 0:
                low = at + len(block)
                spans[index] = (at, low)


def _next_starts(spans: Sequence[_Span | None], default: int) -> list[int]:
    """For every block where the next placed block behind it starts in the main text."""
    starts = []
    start = default
    for span in reversed(spans):
        starts.append(start)
        start = start if span is None else span[0]
    return starts[::-1]


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _grams(text: str) -> list[_Gram]:
    words = _WORD.findall(text.casefold())
    return list(zip(*(words[shift:] for shift in range(_GRAM_WORDS)), strict=False))


def _share_of(grams: Counter[_Gram], others: Counter[_Gram]) -> float:
    n_common = sum(min(count, max(0, others[gram])) for gram, count in grams.items())
    return n_common / grams.total() if grams else 0.0
