"""Text items joined to segments: what stands on one line without a wide gap.

A PDF draws words, syllables or single letters, in any order. Items share a line when their baselines agree
within `SAME_BASELINE` of the font size; smaller ones a little above or below a larger neighbour, exponents
and note marks, go with it, and raised digits become superscripts, so that "10³" stays a power and a note mark
does not become part of a number. A gap of `WORD_GAP` is a space, one of `SEGMENT_GAP` begins a new segment.

Only text in the main direction of the page is read: a stamp up the margin or across the page is left out. A
page whose text stands sideways is turned first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabwise.core.page.pdf.capture import PdfItem, PdfPage
from tabwise.core.text.characters import clean, collapse

SAME_BASELINE = 0.2
WORD_GAP = 0.15
SEGMENT_GAP = 1.0
"""Gaps and offsets in font sizes. Gutters between columns are rarely under 1, spaces rarely over it."""
_RAISED = 0.15
_MAX_RAISED = 0.6
_MAX_LOWERED = 0.3
_SMALLER = 0.85
_BUCKET_POINTS = 4.0
_LARGEST_POINTS = 1e6
"""No paper is a hundredth as large; a broken file may say any number."""
_RIGHT_ANGLE = 90
_MAX_TILT_DEGREES = 5.0

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
# A soft hyphen that a PDF draws is a hyphen: fonts give their only one this code.
_SPELLED_OUT = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st",
    0x00AD: "-",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text on one line of the turned page; font and size are those of most of its characters.

    items: the places, in the items of the page, of what it was joined from, as they are read.
    """

    text: str
    left: float
    right: float
    baseline: float
    size: float
    font: str
    items: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Turned:
    """A page whose main text reads from left to right: its segments, and the quarter turns it took."""

    number: int
    width: float
    height: float
    quarter: int
    segments: tuple[Segment, ...]
    n_removed: int

    def on_page(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[float, float, float, float]:
        """A box of the turned page on the stored one: x, y, width, height."""
        corners = [self._turn_back(left, top), self._turn_back(right, bottom)]
        (x0, x1), (y0, y1) = (sorted(values) for values in zip(*corners, strict=True))
        return x0, y0, x1 - x0, y1 - y0

    def _turn_back(self, x: float, y: float) -> tuple[float, float]:
        width, height = self.width, self.height
        for _ in range(self.quarter):
            x, y = height - y, x
            width, height = height, width
        return x, y


@dataclass(slots=True)
class _Row:
    """Items of one line while they are collected."""

    baseline: float
    size: float
    items: list[PdfItem]


def read_page(page: PdfPage) -> Turned:
    """Return the segments of a page, by baseline, then from left to right."""
    items, n_removed = _cleaned(page.items)
    quarters = Counter[int]()
    for item in items:
        quarters[_quarter(item)] += len(item.text)
    quarters.pop(-1, None)
    # Equal shares go to the smaller turn.
    quarter = min(quarters, key=lambda turn: (-quarters[turn], turn)) if quarters else 0
    upright = [_turned(item, page, quarter) for item in items if _quarter(item) == quarter]
    segments = [segment for row in _rows(upright) for segment in _segments(row)]
    segments.sort(key=lambda segment: (segment.baseline, segment.left))
    sides = (page.height, page.width) if quarter % 2 else (page.width, page.height)
    return Turned(page.number, *sides, quarter, tuple(segments), n_removed)


def _cleaned(items: Iterable[PdfItem]) -> tuple[list[PdfItem], int]:
    kept: list[PdfItem] = []
    n_removed = 0
    for place, item in enumerate(items):
        text, n = clean(item.text.translate(_SPELLED_OUT))
        n_removed += n
        if text and item.size > 0 and _is_on_paper(item):
            kept.append(replace(item, text=text, place=place))
    return kept, n_removed


def _is_on_paper(item: PdfItem) -> bool:
    return max(abs(item.x), abs(item.baseline), abs(item.width), item.size) <= _LARGEST_POINTS


def _quarter(item: PdfItem) -> int:
    """Clockwise quarter turns of an item's direction, -1 for one that is tilted."""
    quarter = round(item.angle / _RIGHT_ANGLE)
    return quarter % 4 if abs(item.angle - quarter * _RIGHT_ANGLE) <= _MAX_TILT_DEGREES else -1


def _turned(item: PdfItem, page: PdfPage, quarter: int) -> PdfItem:
    """The item after the page was turned against the clock `quarter` times; mirrored text begins left."""
    x, y, width, height = item.x, item.baseline, page.width, page.height
    for _ in range(quarter):
        x, y = y, width - x
        width, height = height, width
    return replace(item, x=x + min(item.width, 0.0), baseline=y, width=abs(item.width), angle=0.0)


def _rows(items: Sequence[PdfItem]) -> list[_Row]:
    """Group items by line, large ones first, so that small ones find the line they belong to."""
    buckets: dict[int, list[_Row]] = {}
    rows: list[_Row] = []
    for item in sorted(items, key=lambda item: (-item.size, item.baseline, item.x)):
        row = _row_of(item, buckets)
        if row is None:
            if not item.text.strip():
                continue
            row = _Row(item.baseline, item.size, [])
            rows.append(row)
            buckets.setdefault(int(item.baseline // _BUCKET_POINTS), []).append(row)
        row.items.append(item)
    return rows


def _row_of(item: PdfItem, buckets: dict[int, list[_Row]]) -> _Row | None:
    reach = int(2 * item.size // _BUCKET_POINTS) + 1
    middle = int(item.baseline // _BUCKET_POINTS)
    near = [row for key in _keys_near(buckets, middle, reach) for row in buckets[key]]
    same = [row for row in near if abs(row.baseline - item.baseline) <= SAME_BASELINE * item.size]
    if same:
        return min(same, key=lambda row: abs(row.baseline - item.baseline))
    beside = [row for row in near if _is_beside(item, row)]
    return min(beside, key=lambda row: abs(row.baseline - item.baseline)) if beside else None


def _keys_near(buckets: Mapping[int, object], middle: int, reach: int) -> list[int]:
    """Keys within reach, in order; giant type reaches over more keys than there are buckets."""
    if 2 * reach < len(buckets):
        return [key for key in range(middle - reach, middle + reach + 1) if key in buckets]
    return sorted(key for key in buckets if abs(key - middle) <= reach)


def _is_beside(item: PdfItem, row: _Row) -> bool:
    """Whether a smaller item touches an item of the row, a little above or below its baseline."""
    if item.size > _SMALLER * row.size:
        return False
    raised = row.baseline - item.baseline
    if not -_MAX_LOWERED * row.size <= raised <= _MAX_RAISED * row.size:
        return False
    reach = WORD_GAP * row.size + SAME_BASELINE * row.size
    return any(
        other.x - reach <= item.x + item.width and item.x <= other.x + other.width + reach
        for other in row.items
    )


def _segments(row: _Row) -> list[Segment]:
    items = sorted(row.items, key=lambda item: (item.x, item.x + item.width))
    groups: list[list[PdfItem]] = []
    right = 0.0
    for item in items:
        if not item.text.strip():
            # A blank tells that words end here, not how wide the gap may be.
            if groups:
                groups[-1].append(item)
            continue
        if groups and _is_drawn_again(item, groups[-1]):
            continue
        if groups and item.x - right <= SEGMENT_GAP * row.size:
            groups[-1].append(item)
            right = max(right, item.x + item.width)
        else:
            groups.append([item])
            right = item.x + item.width
    return [segment for group in groups if (segment := _segment(group, row)).text]


def _is_drawn_again(item: PdfItem, group: Sequence[PdfItem]) -> bool:
    """Whether it lies on an equal one: letters are drawn twice to look bold."""
    reach = SAME_BASELINE * item.size
    return any(other.text == item.text and abs(other.x - item.x) <= reach for other in group[-3:])


def _segment(items: Sequence[PdfItem], row: _Row) -> Segment:
    drawn = [item for item in items if item.text.strip()]
    left, right = min(item.x for item in drawn), max(item.x + item.width for item in drawn)
    chars = Counter[tuple[float, str]]()
    for item in drawn:
        chars[(item.size, item.font)] += len(item.text)
    size, font = min(chars, key=lambda key: (-chars[key], -key[0], key[1]))
    n_rtl = sum(direction(item.text) for item in drawn)
    ordered = list(items) if n_rtl <= 0 else sorted(items, key=lambda item: -(item.x + item.width))
    places = tuple(item.place for item in ordered)
    return Segment(_joined(ordered, row), left, right, row.baseline, size, font, places)


def _joined(items: Sequence[PdfItem], row: _Row) -> str:
    parts: list[str] = []
    before: PdfItem | None = None
    for item in items:
        if before is not None and _gap(before, item) > WORD_GAP * row.size:
            parts.append(" ")
        parts.append(_superscript(item, row))
        before = item if item.text.strip() else before
    return collapse("".join(parts))


def _gap(one: PdfItem, other: PdfItem) -> float:
    left, right = (one, other) if one.x <= other.x else (other, one)
    return right.x - (left.x + left.width)


def _superscript(item: PdfItem, row: _Row) -> str:
    is_raised = row.baseline - item.baseline >= _RAISED * row.size and item.size <= _SMALLER * row.size
    return item.text.translate(_SUPERSCRIPTS) if is_raised else item.text


def direction(text: str) -> int:
    """Characters of scripts written from right to left, less the others; blanks are not counted."""
    n_chars = len(text) - text.count(" ")
    return -n_chars if text.isascii() else 2 * len(_RIGHT_TO_LEFT.findall(text)) - n_chars
