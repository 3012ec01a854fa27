"""Running heads, running feet and page numbers: what a page repeats because it is a page.

A line among the outermost `EDGE_LINES` of a page, within its outer sixth, is furniture when enough pages have
the same line at the same height: three, or two in a file of up to `FEW_PAGES` pages. A number in it may count
with the pages ("Page 3 of 9"), but not in type larger than the body: "Chapter 1", "Chapter 2" at the head of
each page are headings. Where page numbers stand on other pages, a line that begins or ends with its page's
number is furniture, too, whatever it says besides: the title of a short chapter.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabwise.core.page.pdf.lines import Line

EDGE_LINES = 2
EDGE_SHARE = 1 / 6
FEW_PAGES = 4
LARGER = 1.15
_SAME_HEIGHT_POINTS = 8.0
_NUMBER = re.compile(r"\d{1,9}")
_FIRST_NUMBER = re.compile(r"[\W_]*(\d{1,4})(?!\S)")
_LAST_NUMBER = re.compile(r"(?<!\S)(\d{1,4})[\W_]*\Z")
_ROMAN = re.compile(r"[\W_]*[ivxlc]{1,7}[\W_]*")

Columns = Sequence[Sequence[Line]]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line at the edge of a page: its text without numbers, and the numbers."""

    line: Line
    text: str
    numbers: tuple[int, ...]
    may_count: bool

    @property
    def place(self) -> int:
        """Its height on the page, in steps."""
        return round(self.line.baseline / _SAME_HEIGHT_POINTS)

    @property
    def page_numbers(self) -> tuple[int, ...]:
        """The numbers at its two ends, any of which may be the page's own."""
        if not self.may_count:
            return ()
        ends = (_FIRST_NUMBER.match(self.line.text), _LAST_NUMBER.search(self.line.text))
        return tuple(int(end[1]) for end in ends if end)


def without_furniture(
    pages: Sequence[Columns], heights: Mapping[int, float], body_size: float
) -> list[list[list[Line]]]:
    """Return the columns of all pages without what the pages repeat; heights: of the pages by number."""
    groups: dict[str, list[_Edge]] = {}
    for columns in pages:
        for line in _edge_lines(columns, heights):
            edge = _edge(line, body_size)
            groups.setdefault(edge.text, []).append(edge)
    needed = 2 if len(pages) <= FEW_PAGES else 3
    edges = [edge for group in groups.values() for edge in group]
    repeated = [edge for edge in edges if _stands_on(edge, groups[edge.text], needed)]
    furniture = {id(edge.line) for edge in repeated}
    numbers = {(edge.line.page - number, edge.place) for edge in repeated for number in edge.page_numbers}
    furniture |= {
        id(edge.line)
        for edge in edges
        if any((edge.line.page - number, edge.place) in numbers for number in edge.page_numbers)
    }
    return [
        [[line for line in column if id(line) not in furniture] for column in columns] for columns in pages
    ]


def _edge_lines(columns: Columns, heights: Mapping[int, float]) -> list[Line]:
    lines = [line for column in columns for line in column]
    if not lines:
        return []
    height = heights[lines[0].page]
    baselines = sorted({round(line.baseline) for line in lines})
    first, last = baselines[:EDGE_LINES][-1], baselines[-EDGE_LINES:][0]
    return [
        line
        for line in lines
        if (round(line.baseline) <= first and line.baseline <= EDGE_SHARE * height)
        or (round(line.baseline) >= last and line.baseline >= (1 - EDGE_SHARE) * height)
    ]


def _edge(line: Line, body_size: float) -> _Edge:
    text = line.text.casefold()
    if _ROMAN.fullmatch(text):
        return _Edge(line, "roman numeral", (), False)
    numbers = tuple(int(number) for number in _NUMBER.findall(text))
    return _Edge(line, _NUMBER.sub("#", text), numbers, line.size <= LARGER * body_size)


def _stands_on(edge: _Edge, group: Sequence[_Edge], n_pages: int) -> bool:
    """Whether a line stands on so many pages, its own included; looks no further than it must."""
    found: set[int] = set()
    for other in group:
        if _is_same(edge, other):
            found.add(other.line.page)
            if len(found) >= n_pages:
                return True
    return False


def _is_same(one: _Edge, other: _Edge) -> bool:
    """Whether two lines of one text are the same piece of furniture; every line is its own."""
    if abs(one.line.baseline - other.line.baseline) > _SAME_HEIGHT_POINTS:
        return False
    n_pages = other.line.page - one.line.page
    return all(
        there == here or (one.may_count and there - here == n_pages)
        for here, there in zip(one.numbers, other.numbers, strict=True)
    )
