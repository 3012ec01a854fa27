"""Which blocks of a page are its main part, given the main text that a content extractor found.

The extractor returns plain text without our structure, in document order, and may lose pieces: links,
captions, whole tables. So its text decides about the blocks it contains, and our structure about the rest:

1. Anchors: blocks of `ANCHOR_CHARS` letters or more that the main text contains, or half of whose word
   4-grams it contains. A cursor follows the document order, so that a teaser repeated in a side bar is
   matched last.
2. Short blocks count only where the main text has them between the surrounding anchors: "Share" in a menu
   is not kept because an article shares something.
3. Between the first and the last kept block, tables, code and captions belong to the page even where the
   extractor dropped them; headings belong to the kept block that they lead.

Letters are compared without case, white space and punctuation.
"""

import re
from collections.abc import Sequence
from itertools import islice

from tabwise.core.model import BlockKind

ANCHOR_CHARS = 40
MIN_GRAM_SHARE = 0.5
_GRAM_WORDS = 4
_NOT_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"\w+")
_OWN_STRUCTURE = frozenset({BlockKind.ROW, BlockKind.CODE, BlockKind.CAPTION})

_Span = tuple[int, int]


def main_part(kinds: Sequence[BlockKind], texts: Sequence[str], main_text: str) -> list[bool]:
    """Return for every block whether it belongs to the main part; all False when nothing agrees."""
    letters = [_letters(text) for text in texts]
    spans = _find_blocks(letters, texts, main_text)
    kept = [span is not None for span in spans]
    if not any(kept):
        return kept
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    for index in range(first, last + 1):
        kept[index] = kept[index] or kinds[index] in _OWN_STRUCTURE
    for index in range(len(kept) - 2, -1, -1):
        if kinds[index] is BlockKind.HEADING:
            kept[index] = kept[index] or kept[index + 1]
    return kept


def _find_blocks(letters: Sequence[str], texts: Sequence[str], main_text: str) -> list[_Span | None]:
    """The place of every block in the letters of the main text, None where it has none."""
    main = _letters(main_text)
    grams = frozenset(_grams(main_text))
    spans: list[_Span | None] = [None] * len(letters)
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
        elif _share_contained(texts[index], grams) >= MIN_GRAM_SHARE:
            spans[index] = (cursor, cursor)
    _find_short_blocks(letters, spans, main)
    return spans


def _find_short_blocks(letters: Sequence[str], spans: list[_Span | None], main: str) -> None:
    """Place the short blocks in what lies between the anchors around them."""
    low = 0
    high = _next_anchor_start(spans, 0, len(main))
    for index, block in enumerate(letters):
        span = spans[index]
        if span is not None:
            low = span[1]
            high = _next_anchor_start(spans, index + 1, len(main))
        elif 0 < len(block) < ANCHOR_CHARS:
            at = main.find(block, low, high)
            if at >= 0:
                low = at + len(block)
                spans[index] = (at, low)


def _next_anchor_start(spans: Sequence[_Span | None], index: int, default: int) -> int:
    return next((span[0] for span in islice(spans, index, None) if span is not None), default)


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text).casefold()


def _grams(text: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return list(zip(*(words[shift:] for shift in range(_GRAM_WORDS)), strict=False))


def _share_contained(text: str, grams: frozenset[tuple[str, ...]]) -> float:
    own = _grams(text)
    return sum(gram in grams for gram in own) / len(own) if own else 0.0
