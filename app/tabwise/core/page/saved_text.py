"""The saved text of a page around a passage, as whole blocks, for a reader to look at.

A passage is where it was when it was cited; where the page was read again since, it is looked for by its
words, the nearest place first. What is given is at most MAX_BLOCKS blocks and about MAX_CHARS characters
around it, or from a block on: a page of a million characters is no page to draw.

    passage in block 900 of 2,000 short ones  →  blocks 700…1,100
"""

from dataclasses import dataclass

from tabwise.core.model import Block, Page

MAX_BLOCKS = 400
MAX_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class SavedText:
    """Blocks first…last (exclusive) of a page, and the span of the passage in its text, None for gone."""

    first: int
    last: int
    passage: tuple[int, int] | None


def saved_text(page: Page, quote: str, start: int, *, first: int | None = None) -> SavedText:
    """Return the blocks around the passage; `first`: those from that block on instead."""
    passage = find_passage(page.text, quote, start)
    if first is not None:
        first = min(max(first, 0), max(0, len(page.blocks) - 1))
        return SavedText(first, _grown(page.blocks, first, first, MAX_BLOCKS, MAX_CHARS)[1], passage)
    at = _block_at(page.blocks, passage[0] if passage else 0)
    before, _ = _grown(page.blocks, at, at, MAX_BLOCKS // 2, MAX_CHARS // 2, backward=True)
    _, last = _grown(page.blocks, at, at, MAX_BLOCKS // 2, MAX_CHARS // 2)
    return SavedText(before, last, passage)


def find_passage(text: str, quote: str, start: int) -> tuple[int, int] | None:
    """Return the span of `quote` in `text` that is nearest to `start`, None when it is not there."""
    if not quote:
        return None
    before = text.rfind(quote, 0, start + len(quote))
    after = text.find(quote, max(0, start))
    found = [place for place in (before, after) if place >= 0]
    if not found:
        return None
    nearest = min(found, key=lambda place: (abs(place - start), place))
    return nearest, nearest + len(quote)


def pieces(block: Block, text: str, passage: tuple[int, int] | None) -> tuple[str, str, str]:
    """Return the text of a block before, in and behind the passage; all of it is before without one."""
    start, end = passage or (block.end, block.end)
    start, end = min(max(start, block.start), block.end), min(max(end, block.start), block.end)
    if start == end:
        return text[block.start : block.end], "", ""
    return text[block.start : start], text[start:end], text[end : block.end]


def _block_at(blocks: tuple[Block, ...], position: int) -> int:
    """The number of the block that holds a position, or is the last before it; 0 without blocks."""
    return max((number for number, block in enumerate(blocks) if block.start <= position), default=0)


def _grown(
    blocks: tuple[Block, ...],
    first: int,
    last: int,
    n_more: int,
    n_chars: int,
    *,
    backward: bool = False,
) -> tuple[int, int]:
    """Blocks first…last with at most `n_more` and about `n_chars` characters more on one side."""
    taken = 0
    while n_more > 0 and taken < n_chars and (first > 0 if backward else last < len(blocks)):
        if backward:
            first -= 1
        else:
            last += 1
        block = blocks[first if backward else last - 1]
        taken += block.end - block.start
        n_more -= 1
    return first, last
