"""Tables of a captured page: which hold data, and in which column a cell stands.

HTML gives a row only the cells that begin in it; `RowLayout` fills the places that column and row spans
take, so that the n-th cell of every row belongs to the n-th header (HTML Standard, 4.9.12.1 "forming a
table").
"""

from tabwise.core.model import Node
from tabwise.core.page.capture import attribute, walk

MAX_CELL_CHARS = 400
"""A table without headers whose cells hold more than this arranges text and is no data."""
_MAX_COLUMNS_SPANNED = 100
_MAX_ROWS_SPANNED = 1000
_SIGNS_OF_DATA = frozenset({"th", "caption", "thead"})
_SIGNS_OF_LAYOUT = frozenset({"table", "h1", "h2", "h3", "h4", "h5", "h6", "pre"})


def is_data_table(table: Node) -> bool:
    """Whether the rows of `table` are records; a layout table is only a frame around other content."""
    if attribute(table, "role") in ("presentation", "none"):
        return False
    n_cells = n_widest = n_cell_chars = 0
    for event, item in walk(table):
        if isinstance(item, str):
            n_cell_chars += len(item)
            if n_cell_chars > MAX_CELL_CHARS:
                return False
        elif event == "open" and item is not table:
            if item.tag in _SIGNS_OF_DATA:
                return True
            if item.tag in _SIGNS_OF_LAYOUT:
                return False
            if item.tag == "tr":
                n_cells = 0
            elif item.tag == "td":
                n_cells += 1
                n_cell_chars = 0
                n_widest = max(n_widest, n_cells)
    return n_widest > 1


def has_headers(table: Node) -> bool:
    """Whether `table` names its columns or itself; what tables inside it do does not count."""
    for event, item in walk(table):
        if event == "open" and isinstance(item, Node) and item is not table:
            if item.tag in _SIGNS_OF_DATA:
                return True
            if item.tag in _SIGNS_OF_LAYOUT:
                return False
    return False


class RowLayout:
    """Places the cells of a table's rows in columns and tells header rows from others."""

    def __init__(self) -> None:
        self._row = -1
        self._in_head = False
        self._taken_until_row: list[int] = []  # by column: the first row where a row span above has ended
        self._next_column = 0
        self._cell_column = 0
        self._n_cells = 0
        self._n_header_cells = 0

    def begin_row(self, *, in_head: bool) -> None:
        """Begin the next row; `in_head` when it stands in the table's head."""
        self._row += 1
        self._in_head = in_head
        self._next_column = self._cell_column = self._n_cells = self._n_header_cells = 0

    def begin_cell(self, cell: Node) -> int:
        """Place `cell`; return its distance in columns from the cell before, from column 0 for the first."""
        column = self._next_column
        while column < len(self._taken_until_row) and self._taken_until_row[column] > self._row:
            column += 1
        end = column + _span(cell, "colspan", _MAX_COLUMNS_SPANNED)
        self._taken_until_row += [0] * (end - len(self._taken_until_row))
        until_row = self._row + _span(cell, "rowspan", _MAX_ROWS_SPANNED)
        self._taken_until_row[column:end] = [until_row] * (end - column)
        distance = column - self._cell_column
        self._cell_column, self._next_column = column, end
        self._n_cells += 1
        self._n_header_cells += cell.tag == "th"
        return distance

    @property
    def is_header(self) -> bool:
        """Whether the row so far names columns: two cells or more, in the head or all headers."""
        return self._n_cells > 1 and (self._in_head or self._n_header_cells == self._n_cells)


def _span(cell: Node, name: str, maximum: int) -> int:
    """A span attribute, read as leniently as browsers do: no number, or zero, is one."""
    digits = attribute(cell, name).strip()[:6]
    number = int(digits) if digits.isascii() and digits.isdigit() else 1
    return min(max(number, 1), maximum)
