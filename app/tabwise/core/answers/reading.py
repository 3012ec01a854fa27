"""Whole pages within a budget: shared evenly, read in order, by whole sections.

The budget is shared evenly among the pages; what a short page does not need goes to the others, again evenly
(water filling):

    >>> allot([100, 500, 900], 900)
    (100, 400, 400)

Within its share a page gives its sections in reading order; one that does not fit is left out and named, the
next smaller one still read. A first section over the whole share is read as far as its units go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabwise.core.model import BlockKind, Page, SourceId
from tabwise.core.page.sections import sections_of, units_of


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a page, or the beginning of one: `page.text[start:end]`; `heading` is its own, or ""."""

    source: SourceId
    heading: str
    start: int
    end: int
    n_tokens: int


def allot(sizes: Sequence[int], budget: int) -> tuple[int, ...]:
    """Return what each page may take of the budget, never more than its size, in the order given."""
    shares = [0] * len(sizes)
    left, waiting = max(budget, 0), sorted(range(len(sizes)), key=lambda i: (sizes[i], i))
    while waiting:
        i = waiting.pop(0)
        shares[i] = min(sizes[i], left // (len(waiting) + 1))
        left -= shares[i]
    return tuple(shares)


def parts_of(page: Page, count: Callable[[str], int]) -> tuple[Part, ...]:
    """Return the sections of a page that have text, in order; `count` gives the tokens of a text."""
    parts = []
    for section in sections_of(page):
        blocks = [block for block in section.blocks if block.kind is not BlockKind.HEADING]
        if blocks:
            start, end = section.blocks[0].start, blocks[-1].end
            heading = section.path[-1] if section.path else ""
            parts.append(Part(page.source, heading, start, end, count(page.text[start:end])))
    return tuple(parts)


def take(
    page: Page, parts: Sequence[Part], share: int, count: Callable[[str], int]
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return the parts of a page that fit into its share, in order, and those left out."""
    taken: list[Part] = []
    left_out: list[Part] = []
    for part in parts:
        if part.n_tokens <= share:
            taken.append(part)
            share -= part.n_tokens
        elif not taken and not left_out and (begun := _beginning(page, part, share, count)):
            taken.append(begun)
            left_out.append(part)
            share -= begun.n_tokens
        else:
            left_out.append(part)
    return tuple(taken), tuple(left_out)


def _beginning(page: Page, part: Part, share: int, count: Callable[[str], int]) -> Part | None:
    """As many units from the start of a part as fit."""
    blocks = [block for block in page.blocks if part.start <= block.start and block.end <= part.end]
    end, n_tokens = part.start, 0
    for unit in units_of(page.text, blocks):
        n_unit = count(page.text[unit.start : unit.end]) + 1  # and what stands between units
        if n_tokens + n_unit > share:
            break
        end, n_tokens = unit.end, n_tokens + n_unit
    if end == part.start:
        return None
    return Part(part.source, part.heading, part.start, end, n_tokens)
