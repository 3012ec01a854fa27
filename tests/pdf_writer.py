"""Small PDF files for tests: text at given places, and nothing else. Fonts are named, not embedded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 612, 792
_FONTS = {
    "regular": b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "bold": b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    # Chinese text in UCS-2: what its codes mean stands in a table that the reader has to bring.
    "chinese": (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H"
        b" /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /ItalicAngle 0"
        b" /FontBBox [-25 -254 1000 880] /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>] >>"
    ),
}


@dataclass(frozen=True, slots=True)
class Text:
    """A line that begins at (x, y) points from the lower left corner; angle: degrees against the clock."""

    x: float
    y: float
    text: str
    size: float = 11
    font: str = "regular"
    angle: float = 0


def paragraph(x: float, top: float, *lines: str, leading: float = 14, **style: object) -> list[Text]:
    """Lines below each other, the first at `top` points from the lower edge."""
    return [Text(x, top - leading * row, line, **style) for row, line in enumerate(lines)]  # type: ignore[arg-type]


def write_pdf(pages: Sequence[Sequence[Text]], *, title: str = "", language: str = "") -> bytes:
    """Return a file with these pages, each 612 × 792 points; a page without text has a grey square."""
    fonts = b" ".join(b"/%s %s" % (name.encode(), font) for name, font in _FONTS.items())
    kids = b" ".join(b"%d 0 R" % (3 + 2 * index) for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (%s) >>" % language.encode("latin-1"),
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
    ]
    for index, texts in enumerate(pages):
        content = b"BT %s ET" % b" ".join(map(_shown, texts)) if texts else b"0.8 g 100 100 300 300 re f"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Resources << /Font << %s >> >>"
            b" /Contents %d 0 R >>" % (WIDTH, HEIGHT, fonts, 4 + 2 * index)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    objects.append(b"<< /Title (%s) >>" % title.encode("latin-1"))
    return _file(objects)


def _shown(text: Text) -> bytes:
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    place = f"{cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {text.x} {text.y} Tm".encode()
    encoding = "utf-16-be" if text.font == "chinese" else "cp1252"
    string = text.text.encode(encoding).hex().encode()
    return b"/%s %g Tf %s <%s> Tj" % (text.font.encode(), text.size, place, string)


def _file(objects: Sequence[bytes]) -> bytes:
    body = b"%PDF-1.4\n"
    offsets = []
    for number, data in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    n = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R /Info %d 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (n, table, n, len(objects), len(body))
    )
