"""PDF files on CPython, read by PDFium, the engine of Chromium's own viewer.

Measured on a manual of 36 pages: PDFium 0.5 s with the place of every character; pypdf 1.1 s, which tells
where a piece of text begins but not how wide it is; pdfminer.six 2.1 s. PDFium also brings the tables for
Chinese, Japanese and Korean fonts and opens encrypted files that need no password.

Only text and places are taken here; what is made of them is decided in `core.page.pdf`.
"""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage, n_chars
from tabwise.errors import InputError

_SIGN = b"%PDF-"
_BLANKS = b"\0\t\n\f\r \xef\xbb\xbf"
_BUFFER_BYTES = 256
_LINE_END_HYPHEN = 2
_MAX_GAP = 0.05
"""In font sizes: characters further apart begin a new item."""


@dataclass(frozen=True, slots=True)
class _Style:
    """What all characters of a text object share; angle in degrees, clockwise."""

    size: float
    angle: float
    font: str


@dataclass(frozen=True, slots=True)
class _Char:
    """A character drawn from (x, y) to (end_x, end_y), counted up from the bottom."""

    text: str
    x: float
    y: float
    end_x: float
    end_y: float
    style: _Style


def is_pdf(path: Path) -> bool:
    """Whether a file begins like a PDF, blanks aside; False where there is none."""
    try:
        with path.open("rb") as stream:
            return stream.read(_BUFFER_BYTES).lstrip(_BLANKS).startswith(_SIGN)
    except OSError:
        return False


def read_pdf(path: Path, *, max_chars: int) -> PdfCapture:
    """Read the pages of a PDF up to the one on which `max_chars` characters are reached.

    Raises InputError: page_locked (a password is needed), page_unreadable; the subject is the path.
    """
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        is_locked = error.err_code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY)
        code = "page_locked" if is_locked else "page_unreadable"
        raise InputError(code, str(error), subject=str(path)) from error
    try:
        return _read(document, path, max_chars)
    except pdfium.PdfiumError as error:
        raise InputError("page_unreadable", str(error), subject=str(path)) from error
    finally:
        document.close()


def _read(document: pdfium.PdfDocument, path: Path, max_chars: int) -> PdfCapture:
    pages: list[PdfPage] = []
    n_read = 0
    for index in range(len(document)):
        pages.append(_read_page(document, index))
        n_read += n_chars(pages[-1])
        if n_read >= max_chars:
            break
    if not pages:
        raise InputError("page_unreadable", "a PDF without pages", subject=str(path))
    return PdfCapture(
        url=path.absolute().as_uri(),
        title=document.get_metadata_value("Title"),
        language=_language(document),
        n_pages=len(document),
        pages=tuple(pages),
    )


def _language(document: pdfium.PdfDocument) -> str:
    buffer = (ctypes.c_ushort * _BUFFER_BYTES)()
    n_bytes = pdfium_c.FPDFCatalog_GetLanguage(document, buffer, _BUFFER_BYTES)
    return bytes(buffer)[: min(n_bytes, _BUFFER_BYTES)].decode("utf-16-le", "replace").rstrip("\0")


def _read_page(document: pdfium.PdfDocument, index: int) -> PdfPage:
    page = document[index]
    left, bottom, right, top = page.get_cropbox()
    items = tuple(_items(page.get_textpage(), left, top))
    return PdfPage(index + 1, right - left, top - bottom, items)


def _items(text_page: pdfium.PdfTextPage, left: float, top: float) -> Iterator[PdfItem]:
    """Characters joined to items; (left, top) is the upper left corner of the page."""
    run: list[_Char] = []
    for char in _chars(text_page):
        if run and not _follows(run[-1], char):
            yield _item(run, left, top)
            run = []
        run.append(char)
    if run:
        yield _item(run, left, top)


def _item(run: list[_Char], left: float, top: float) -> PdfItem:
    first, last = run[0], run[-1]
    return PdfItem(
        text="".join(char.text for char in run),
        x=first.x - left,
        baseline=top - first.y,
        width=math.hypot(last.end_x - first.x, last.end_y - first.y),
        size=first.style.size,
        angle=first.style.angle,
        font=first.style.font,
    )


def _follows(before: _Char, char: _Char) -> bool:
    """Whether a character goes on where the one before it ends."""
    if char.style != before.style:
        return False
    gap_x, gap_y = char.x - before.end_x, char.y - before.end_y
    radians = math.radians(char.style.angle)
    along = gap_x * math.cos(radians) - gap_y * math.sin(radians)
    across = gap_x * math.sin(radians) + gap_y * math.cos(radians)
    return max(abs(along), abs(across)) <= _MAX_GAP * char.style.size


def _chars(text_page: pdfium.PdfTextPage) -> Iterator[_Char]:
    """The characters that are drawn; line breaks and spaces that PDFium adds have no place."""
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium_c.FS_RECTF()
    style, styled = _Style(0.0, 0.0, ""), None
    for index in range(pdfium_c.FPDFText_CountChars(text_page)):
        if pdfium_c.FPDFText_IsGenerated(text_page, index) == 1:
            continue
        text_object = pdfium_c.FPDFText_GetTextObject(text_page, index)
        if styled is None or ctypes.addressof(text_object.contents) != styled:
            styled = ctypes.addressof(text_object.contents)
            style = _style(text_page, index)
        code = pdfium_c.FPDFText_GetUnicode(text_page, index)
        pdfium_c.FPDFText_GetCharOrigin(text_page, index, x, y)
        pdfium_c.FPDFText_GetLooseCharBox(text_page, index, box)
        end_x, end_y = _end(box, style.angle, x.value, y.value)
        yield _Char(_text(code), x.value, y.value, end_x, end_y, style)


def _text(code: int) -> str:
    """A character as Unicode; PDFium has codes of its own for a hyphen at a line's end and for none."""
    return {_LINE_END_HYPHEN: "-", 0: "\ufffd"}.get(code) or chr(code)


def _style(text_page: pdfium.PdfTextPage, index: int) -> _Style:
    matrix, flags = pdfium_c.FS_MATRIX(), ctypes.c_int()
    name = ctypes.create_string_buffer(_BUFFER_BYTES)
    pdfium_c.FPDFText_GetMatrix(text_page, index, matrix)
    n_bytes = pdfium_c.FPDFText_GetFontInfo(text_page, index, name, _BUFFER_BYTES, flags)
    font = name.raw[: max(min(n_bytes, _BUFFER_BYTES) - 1, 0)].decode("utf-8", "replace")
    # The font size leaves out the scale that the matrix brings.
    size = pdfium_c.FPDFText_GetFontSize(text_page, index) * math.hypot(matrix.c, matrix.d)
    return _Style(round(size, 2), round(math.degrees(math.atan2(-matrix.b, matrix.a)), 1), font)


def _end(box: pdfium_c.FS_RECTF, angle: float, x: float, y: float) -> tuple[float, float]:
    """Where the next character may begin: the far side of the box, in the direction of the text."""
    quarter = round(angle / 90) % 4
    if quarter in (0, 2):
        return (box.right if quarter == 0 else box.left), y
    return x, (box.bottom if quarter == 1 else box.top)
