"""What was read from a PDF: its text items and where they stand, before any of them is called a line.

Lengths are points (1/72 inch). Coordinates run right and down from the top left corner of the page as it is
stored; a page that is shown turned has text at an angle. A PDF without text has pages without items.

Wire form of one page, what a reader of PDFs hands over:

    {"number", "width", "height", "items": [[text, x, baseline, width, size, angle, font], ...]}
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from tabwise.errors import InputError


@dataclass(frozen=True, slots=True)
class PdfItem:
    """A piece of text drawn at once.

    x, baseline: where it begins. width: along its direction. size: of the font. angle: degrees, clockwise
    from left to right. font: any name, equal for equal fonts of one file. place: among the items of its page,
    once they have been cleaned (`segments`).
    """

    text: str
    x: float
    baseline: float
    width: float
    size: float
    angle: float = 0.0
    font: str = ""
    place: int = -1


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page; `number` counts from 1."""

    number: int
    width: float
    height: float
    items: tuple[PdfItem, ...]


@dataclass(frozen=True, slots=True)
class PdfCapture:
    """The pages of a file that were read, the first `len(pages)` of `n_pages`.

    title: what the file says about itself, often useless. language: of its catalogue, "" where unsaid.
    """

    url: str
    title: str
    language: str
    n_pages: int
    pages: tuple[PdfPage, ...]


def n_chars(page: PdfPage) -> int:
    """Characters of all items."""
    return sum(len(item.text) for item in page.items)


def decode_pdf_pages(value: object) -> tuple[PdfPage, ...]:
    """Read the wire form of pages; raises InputError (page_unreadable) when it is none."""
    try:
        return tuple(_decode_page(page) for page in _list(value))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError("page_unreadable", f"pages of a PDF: {error!r}") from error


def _decode_page(value: object) -> PdfPage:
    if not isinstance(value, dict):
        raise TypeError("a page is an object")
    number = value["number"]
    if type(number) is not int or number < 1:
        raise ValueError("page numbers count from 1")
    items = tuple(_decode_item(item) for item in _list(value["items"]))
    return PdfPage(number, _length(value["width"]), _length(value["height"]), items)


def _decode_item(value: object) -> PdfItem:
    text, x, baseline, width, size, angle, font = _list(value)
    if not isinstance(text, str) or not isinstance(font, str):
        raise TypeError("text and font are strings")
    return PdfItem(text, _length(x), _length(baseline), _length(width), _length(size), _length(angle), font)


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError("a list was expected")
    return cast("Sequence[object]", value)


def _length(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("a number was expected")
    return float(value)
