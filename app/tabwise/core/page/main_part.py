"""Which blocks of a page are its main part, given the main text that a content extractor found.

The extractor returns plain text without our structure, in document order, and may lose pieces: links,
captions, quotes, whole tables. So its text decides about the blocks it contains (`core.alignment`), and our
structure about the rest:

1. Between the first and the last kept block, tables, code, quotes and captions belong to the page even
   where the extractor dropped them.
2. A long paragraph that is not mostly links belongs to the page when it stands between kept ones that the
   same element holds; a footnote, which ends with a sign that leads back, wherever it stands.
3. A heading belongs to the page when one of the next `HEADING_REACH` blocks of its section does, and so does
   the line with the date between the title and the text. Headings behind the last text belong to teasers.
4. A page whose text is mostly entries of a listing or thread is about them: all stay, and what the
   extractor found stays with them. Where that is an article, only its comments are asked for, not teasers.

5. In an article a paragraph that is only links leads elsewhere ("Read more: …") and is left out.

When this leaves next to nothing of what is visible, the main part was a mistake, and everything stays.

On the 181 pages of the public article-extraction benchmark, read in Chromium, `scripts/bench.py capture`
says how well this agrees with the labels.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import compress, takewhile

from tabwise.core.model import BlockKind
from tabwise.core.page.alignment import place_blocks
from tabwise.core.page.block_reader import RawBlock

HEADING_REACH = 3
MAX_DATELINE_CHARS = 120
PROSE_CHARS = 100
"""Blocks from this length on are prose: menus and link lists are made of shorter ones."""
MIN_KEPT_PROSE_SHARE = 0.1
MIN_KEPT_SHARE = 0.25
"""With less of the visible prose, or of all text where no prose is, the main part is taken for a mistake.

A quarter of all visible text was tried as the only rule: 18 of 181 news pages then lost a right main part,
because saved pages hold whole menus that a browser would not show (F1 0.91 instead of 0.95).
"""
MIN_ENTRY_SHARE = 0.5
MIN_ARTICLE_CHARS = 500
_RETURN_SIGN = re.compile("[↩⏎↑⤴][\ufe0e\ufe0f]?$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def main_part(blocks: Sequence[RawBlock], main_text: str) -> list[bool]:
    """Return for every block whether it belongs to the main part; all True when nothing can be said."""
    kept = _kept(blocks, main_text)
    return kept if _is_enough(blocks, kept) else [True] * len(blocks)


def _kept(blocks: Sequence[RawBlock], main_text: str) -> list[bool]:
    kept = [span is not None for span in place_blocks([block.text for block in blocks], main_text)]
    main = [block for block, keep in zip(blocks, kept, strict=True) if keep and not block.is_entry]
    n_main_chars = _n_prose_chars(main)
    if n_main_chars >= MIN_ARTICLE_CHARS:
        kept = [keep and not _leads_away(block) for keep, block in zip(kept, blocks, strict=True)]
    _keep_entries(blocks, kept, n_main_chars)
    if not any(kept):
        return kept
    for index in range(kept.index(True), _last(kept) + 1):
        kept[index] = kept[index] or _is_own_structure(blocks[index])
    _keep_siblings(blocks, kept)
    kept = [keep or _is_note(block) for keep, block in zip(kept, blocks, strict=True)]
    _keep_leading_headings(blocks, kept)
    _keep_dateline(blocks, kept)
    _drop_trailing_headings(blocks, kept)
    return kept


def _leads_away(block: RawBlock) -> bool:
    return block.kind is BlockKind.PARAGRAPH and block.is_linked


def _keep_entries(blocks: Sequence[RawBlock], kept: list[bool], n_main_chars: int) -> None:
    """Keep the entries of a page that is about them; where there is an article, only posts can be that."""
    has_article = n_main_chars >= MIN_ARTICLE_CHARS
    chosen = [block.is_post if has_article else block.is_entry for block in blocks]
    n_chosen_chars = _n_chars(compress(blocks, chosen))
    if n_chosen_chars >= max(MIN_ENTRY_SHARE * _n_chars(blocks), 2 * n_main_chars):
        kept[:] = [keep or choose for keep, choose in zip(kept, chosen, strict=True)]


def _keep_siblings(blocks: Sequence[RawBlock], kept: list[bool]) -> None:
    """Keep the paragraphs that the extractor lost between others of the same element."""
    ends: dict[int, tuple[int, int]] = {}
    for index, block in enumerate(blocks):
        if kept[index] and _is_prose(block):
            first, _ = ends.get(block.container, (index, index))
            ends[block.container] = (first, index)
    for index, block in enumerate(blocks):
        if _is_prose(block) and block.container in ends:
            first, last = ends[block.container]
            kept[index] = kept[index] or first < index < last


def _is_prose(block: RawBlock) -> bool:
    is_text = block.kind is BlockKind.PARAGRAPH and not block.is_entry
    return is_text and not block.is_linked and len(block.text) >= PROSE_CHARS


def _keep_leading_headings(blocks: Sequence[RawBlock], kept: list[bool]) -> None:
    for index in range(len(blocks) - 1, -1, -1):
        if blocks[index].kind is BlockKind.HEADING:
            kept[index] = kept[index] or any(kept[at] for at in _led_by(blocks, index))


def _keep_dateline(blocks: Sequence[RawBlock], kept: list[bool]) -> None:
    """Keep what stands between a title and its text and says when it was written."""
    for index, block in enumerate(blocks):
        if kept[index] and block.kind is BlockKind.HEADING and block.level == 1:
            for at in takewhile(lambda at: not kept[at], _led_by(blocks, index)):
                text = blocks[at].text
                kept[at] = len(text) <= MAX_DATELINE_CHARS and _YEAR.search(text) is not None


def _drop_trailing_headings(blocks: Sequence[RawBlock], kept: list[bool]) -> None:
    while any(kept) and blocks[_last(kept)].kind is BlockKind.HEADING:
        kept[_last(kept)] = False


def _led_by(blocks: Sequence[RawBlock], index: int) -> range:
    """The next blocks of the section that the heading at `index` opens, `HEADING_REACH` at most."""
    end = index + 1
    while end < len(blocks) and end <= index + HEADING_REACH:
        if blocks[end].kind is BlockKind.HEADING and blocks[end].level <= blocks[index].level:
            break
        end += 1
    return range(index + 1, end)


def _is_own_structure(block: RawBlock) -> bool:
    if block.kind is BlockKind.ROW:  # a row of one cell is a link in a list more often than data
        return "\t" in block.text.strip("\t")
    if block.kind is BlockKind.QUOTE:
        return not block.is_linked
    return block.kind in (BlockKind.CODE, BlockKind.CAPTION)


def _is_note(block: RawBlock) -> bool:
    return block.kind is BlockKind.ITEM and _RETURN_SIGN.search(block.text) is not None


def _is_enough(blocks: Sequence[RawBlock], kept: Sequence[bool]) -> bool:
    chosen = [block for block, keep in zip(blocks, kept, strict=True) if keep]
    n_prose_chars = _n_prose_chars(blocks)
    if n_prose_chars:
        return _n_prose_chars(chosen) >= MIN_KEPT_PROSE_SHARE * n_prose_chars
    return _n_chars(chosen) >= MIN_KEPT_SHARE * _n_chars(blocks)


def _n_prose_chars(blocks: Iterable[RawBlock]) -> int:
    return sum(len(block.text) for block in blocks if len(block.text) >= PROSE_CHARS)


def _n_chars(blocks: Iterable[RawBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _last(kept: list[bool]) -> int:
    return len(kept) - 1 - kept[::-1].index(True)
