"""Segments beside each other: one line with a wide gap in it, or the cells of a table's row.

Rows form a table when at least `MIN_ROWS` of them follow each other with two cells or more, and the cells
fall into columns that no cell crosses; a cell may have more lines. The mark of a list and the text behind it
are one line, however far apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabwise.core.page.pdf.segments import Segment, direction

MIN_ROWS = 2
_SAME_LINE = 0.4
_ROW_GAP = 3.0
_LINE_GAP = 1.6
"""Font sizes between the baselines of two rows of one table, and of two lines of one cell."""
_LEADERS = re.compile(r"\s*(?:[.·_]\s*){5,}")  # the dots that lead the eye to a page number
BULLET = re.compile(r"[•●○◦‣⁃▪▫■□–—∙·*✓✔➢➤\-](?=\s|\Z)")
NUMBER_MARK = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3})(?=\s|\Z)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one column. `cells` holds the columns of a table's row, "" for an empty one; else ()."""

    page: int
    text: str
    left: float
    right: float
    baseline: float
    size: float
    font: str
    text_left: float
    cells: tuple[str, ...] = ()

    @property
    def top(self) -> float:
        """Upper edge of the letters, as most fonts have it."""
        return self.baseline - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Lower edge of the letters."""
        return self.baseline + 0.2 * self.size


def read_lines(page: int, flow: Sequence[Segment]) -> list[Line]:
    """Return the lines of a column from top to bottom."""
    rows = _rows(flow)
    lines: list[Line] = []
    start = 0
    while start < len(rows):
        table, end = _table(rows, start)
        if len(table) >= MIN_ROWS:
            columns = _columns([segment for row in table for segment in row])
            lines += [_table_line(page, row, columns) for row in table]
            start = end
        else:
            lines.append(_line(page, rows[start], ()))
            start += 1
    return lines


def _rows(flow: Sequence[Segment]) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for segment in flow:
        if rows and abs(segment.baseline - rows[-1][0].baseline) <= _SAME_LINE * segment.size:
            rows[-1].append(segment)
        else:
            rows.append([segment])
    for row in rows:
        row.sort(key=lambda segment: segment.left)
    return rows


def _is_marked(row: Sequence[Segment]) -> bool:
    """Whether a row is the mark of a list, or the number of a heading, and its text."""
    first = row[0].text
    return len(row) == 2 and (BULLET.fullmatch(first) or NUMBER_MARK.fullmatch(first)) is not None


def _table(rows: Sequence[list[Segment]], start: int) -> tuple[list[list[Segment]], int]:
    """The rows of the table that begins at `start`, and the index behind it; no rows where none begins."""
    table: list[list[Segment]] = []
    heads: list[list[Segment]] = []  # the first line of each row
    end = start
    while end < len(rows) and not _is_marked(rows[end]):
        row = rows[end]
        cells = [cell for seen in table for cell in seen]
        gap = row[0].baseline - rows[end - 1][0].baseline if table else 0.0
        if table and len(row) == 1 and gap <= _LINE_GAP * row[0].size and _goes_on(row[0], table[-1]):
            if any(not _is_spread(seen, _columns([*cells, *row])) for seen in heads):
                break
            table[-1] = [*table[-1], *row]
        elif len(row) > 1 and gap <= _ROW_GAP * row[0].size:
            columns = _columns([*cells, *row])
            if any(not _is_spread(seen, columns) for seen in (*heads, row)):
                break
            table.append(row)
            heads.append(row)
        else:
            break
        end += 1
    return table, end


def _goes_on(cell: Segment, row: Sequence[Segment]) -> bool:
    """Whether a cell alone in its line is the second line of one above it, the first column's aside."""
    return any(abs(cell.left - above.left) <= _SAME_LINE * cell.size for above in row[1:])


def _columns(cells: Sequence[Segment]) -> list[tuple[float, float]]:
    """The stretches that cells cover together, from left to right."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((cell.left, cell.right) for cell in cells):
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _is_spread(row: Sequence[Segment], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether every cell of a row has a column of its own."""
    return len({_column_of(cell, columns) for cell in row}) == len(row)


def _column_of(cell: Segment, columns: Sequence[tuple[float, float]]) -> int:
    return next(index for index, (_, right) in enumerate(columns) if cell.left <= right)


def _table_line(page: int, row: Sequence[Segment], columns: Sequence[tuple[float, float]]) -> Line:
    cells: list[list[str]] = [[] for _ in columns]
    for cell in row:
        cells[_column_of(cell, columns)].append(cell.text)
    return _line(page, row, tuple(" ".join(texts) for texts in cells))


def _line(page: int, row: Sequence[Segment], cells: tuple[str, ...]) -> Line:
    main = max(row, key=lambda segment: len(segment.text))
    in_order = row if sum(direction(segment.text) for segment in row) <= 0 else row[::-1]
    text = _LEADERS.sub(" … ", " ".join(segment.text for segment in in_order))
    left, right = row[0].left, max(segment.right for segment in row)
    return Line(
        page, text, left, right, main.baseline, main.size, main.font, _text_left(row, left, right), cells
    )


def _text_left(row: Sequence[Segment], left: float, right: float) -> float:
    """Where the text behind a mark begins, the left edge where there is none."""
    if _is_marked(row):
        return row[1].left
    text = row[0].text
    mark = BULLET.match(text) or NUMBER_MARK.match(text)
    if mark is None or len(mark[0]) == len(text):
        return left
    # Inside one segment only the share of the characters in front tells.
    return left + (len(mark[0]) + 1) / len(text) * (right - left)
