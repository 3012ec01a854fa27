"""A PDF as a page: one text with its blocks, and beside it where each block stands.

Every block has one place for each column it runs through: the span of its text there, the page number and the
box of its lines. A citation's page is the place its first character lies in.
"""

import hashlib
import re
from collections.abc import Generator, Sequence
from urllib.parse import unquote, urlsplit

from tabwise.core.model import Block, BlockKind, Page, Place
from tabwise.core.page.pdf.capture import PdfCapture, n_chars
from tabwise.core.page.pdf.columns import reading_order
from tabwise.core.page.pdf.furniture import without_furniture
from tabwise.core.page.pdf.lines import Line, read_lines
from tabwise.core.page.pdf.paragraphs import BlockReader, PdfBlock, Piece, TypographyMeter
from tabwise.core.page.pdf.segments import Turned, read_page
from tabwise.core.text.characters import clean, collapse
from tabwise.core.text.urls import canonical_source
from tabwise.errors import InputError

MIN_CHARS = 20
"""With fewer a PDF counts as pictures: scanners write their name, fax machines a line."""
_MAX_TITLE_CHARS = 300
# What word processors put there when no one wrote a title.
_NO_TITLE = re.compile(
    r"(?:untitled|title|document|microsoft word|powerpoint presentation|slide \d)?[\W\d_]*"
    r"|microsoft \w+ - .*|.*\.(?:docx?|tex|dvi|indd|pptx?|xlsx?|odt|rtf|pdf|qxd|pub)",
    re.I,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.I)


def build_pdf_page(capture: PdfCapture, captured_at: float) -> Page:
    """Return the page of a PDF; captured_at: ms since the epoch.

    Raises InputError: page_has_no_text.
    """
    steps = build_pdf_page_steps(capture, captured_at)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            page: Page = end.value
            return page


def build_pdf_page_steps(capture: PdfCapture, captured_at: float) -> Generator[None, None, Page]:
    """The same as `build_pdf_page` in steps of one page, for callers that share their thread."""
    turned: list[Turned] = []
    columns: list[list[list[Line]]] = []
    meter = TypographyMeter()
    for pdf_page in capture.pages:
        turned.append(read_page(pdf_page))
        flows = reading_order(turned[-1].segments)
        columns.append([read_lines(pdf_page.number, flow) for flow in flows])
        meter.add(line for column in columns[-1] for line in column)
        yield
    if meter.n_chars < MIN_CHARS:
        raise InputError("page_has_no_text", "no text in the PDF", subject=capture.url)
    usual = meter.result()
    heights = {page.number: page.height for page in turned}
    reader = BlockReader(usual)
    for page_columns in without_furniture(columns, heights, usual.size):
        for column in page_columns:
            reader.add(column)
        yield
    return _assemble(capture, turned, reader.blocks, captured_at)


def _assemble(
    capture: PdfCapture, turned: Sequence[Turned], raw: Sequence[PdfBlock], captured_at: float
) -> Page:
    pages = {page.number: page for page in turned}
    blocks: list[Block] = []
    places: list[Place] = []
    start = 0
    for block in raw:
        end = start + len(block.text)
        blocks.append(Block(block.kind, start, end, block.level))
        starts = [start + piece.start for piece in block.pieces]
        for piece, piece_start, piece_end in zip(block.pieces, starts, [*starts[1:], end], strict=True):
            places.append(_place(piece, piece_start, piece_end, pages))
        start = end + 1
    text = "\n".join(block.text for block in raw)
    title = _title(capture, raw)
    n_read = sum(n_chars(page) for page in capture.pages)
    return Page(
        source=canonical_source(capture.url),
        url=capture.url,
        title=title,
        language=capture.language if _LANGUAGE.fullmatch(capture.language) else "",
        text=text,
        blocks=tuple(blocks),
        content_hash=hashlib.sha256(f"{title}\0{text}".encode()).hexdigest(),
        captured_at=captured_at,
        n_removed=sum(page.n_removed for page in turned),
        # Of pages that were not read only the number is known.
        n_total_chars=round(n_read * capture.n_pages / len(capture.pages)),
        n_read_chars=n_read,
        n_pages=capture.n_pages,
        places=tuple(places),
    )


def _place(piece: Piece, start: int, end: int, pages: dict[int, Turned]) -> Place:
    number = piece.lines[0].page
    box = pages[number].on_page(
        min(line.left for line in piece.lines),
        min(line.top for line in piece.lines),
        max(line.right for line in piece.lines),
        max(line.bottom for line in piece.lines),
    )
    x, y, width, height = (round(length) for length in box)
    return Place(start, end, number, x, y, width, height)


def _title(capture: PdfCapture, raw: Sequence[PdfBlock]) -> str:
    """What the file calls itself, else its first large heading, else the name of the file."""
    title = collapse(clean(capture.title)[0])
    if title and not _NO_TITLE.fullmatch(title):
        return title[:_MAX_TITLE_CHARS]
    first = next((block for block in raw if block.kind is BlockKind.HEADING), None)
    if first is not None and first.last.page == 1:
        return first.text[:_MAX_TITLE_CHARS]
    path = urlsplit(capture.url).path
    return collapse(clean(unquote(path.rstrip("/").rpartition("/")[2]))[0]) or capture.url
