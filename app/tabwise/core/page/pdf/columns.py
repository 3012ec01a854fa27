"""The segments of a page in the order a person reads them: columns one after another.

A gutter is a place that almost no segment crosses, with prose on both sides: at least `MIN_ROWS` lines on
each, which fill their side and begin at its left edge. Cells of a table do neither, so its rows stay rows.
What does cross the gutter, a title over both columns or a wide figure's caption, ends the columns above it
and begins new ones below. Columns are looked for again inside each column, at most `MAX_DEPTH` deep.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from tabwise.core.page.pdf.segments import SAME_BASELINE, Segment

MIN_ROWS = 4
MIN_ROW_CHARS = 20
MIN_FILL = 0.55
"""Share of its side that the middle one of a side's rows covers."""
MIN_ALIGNED = 0.6
MAX_DEPTH = 2
_EDGE = 0.15  # no gutter in the outer parts of a region
_ALIGNED_SIZES = 1.2

Flow = list[Segment]


def reading_order(segments: Sequence[Segment]) -> list[Flow]:
    """Return the columns in reading order, each by baseline, then from left to right."""
    return [flow for flow in _flows(list(segments), MAX_DEPTH) if flow]


def _flows(segments: Flow, depth: int) -> Iterator[Flow]:
    gutter = _gutter(segments) if depth else None
    if gutter is None:
        yield segments
        return
    above: Flow = []
    left: Flow = []
    right: Flow = []
    for segment in segments:
        if segment.right <= gutter or segment.left >= gutter:
            if above:
                yield above
                above = []
            (left if segment.right <= gutter else right).append(segment)
            continue
        if left or right:
            yield from _flows(left, depth - 1)
            yield from _flows(right, depth - 1)
            left, right = [], []
        above.append(segment)
    if above:
        yield above
    yield from _flows(left, depth - 1)
    yield from _flows(right, depth - 1)


def _gutter(segments: Sequence[Segment]) -> float | None:
    """The place with the fewest crossings that divides columns, the leftmost of equals; None without one."""
    if len(segments) < 2 * MIN_ROWS:
        return None
    low, high = min(segment.left for segment in segments), max(segment.right for segment in segments)
    edge = _EDGE * (high - low)
    candidates = sorted({segment.left for segment in segments if low + edge <= segment.left <= high - edge})
    best: tuple[int, float] | None = None
    for at in candidates:
        left = [segment for segment in segments if segment.right <= at]
        right = [segment for segment in segments if segment.left >= at]
        n_crossing = len(segments) - len(left) - len(right)
        if n_crossing > len(left) + len(right) or (best and n_crossing >= best[0]):
            continue
        if _are_columns(left, right, low, at, high):
            best = (n_crossing, at)
    return best[1] if best else None


def _are_columns(
    left: Sequence[Segment], right: Sequence[Segment], low: float, at: float, high: float
) -> bool:
    sides = (_rows(left), _rows(right))
    if not (_is_prose(sides[0], at - low) and _is_prose(sides[1], high - at)):
        return False
    top = max(min(row.baseline for row in side) for side in sides)
    bottom = min(max(row.baseline for row in side) for side in sides)
    return top < bottom


def _rows(side: Sequence[Segment]) -> list[Segment]:
    """The segments of a side joined by line: justified text has gaps of any width."""
    rows: list[Segment] = []
    for segment in side:
        if rows and segment.baseline - rows[-1].baseline <= SAME_BASELINE * segment.size:
            before = rows[-1]
            rows[-1] = replace(
                before,
                text=before.text + segment.text,
                left=min(before.left, segment.left),
                right=max(before.right, segment.right),
            )
        else:
            rows.append(segment)
    return rows


def _is_prose(rows: Sequence[Segment], width: float) -> bool:
    """Whether rows look like the lines of a column: many, long, filling it, beginning at one place."""
    if len(rows) < MIN_ROWS or median(len(row.text) for row in rows) < MIN_ROW_CHARS:
        return False
    if median(row.right - row.left for row in rows) < MIN_FILL * width:
        return False
    edge = median(row.left for row in rows)
    near = [row for row in rows if abs(row.left - edge) <= _ALIGNED_SIZES * row.size]
    return len(near) >= MIN_ALIGNED * len(rows)
