"""Text items of a PDF to a page: what stands on paper comes out as a reader sees it."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwise.core.model import BlockKind, Page
from tabwise.core.page.chunking import chunk_page
from tabwise.core.page.pdf import paragraphs
from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage, decode_pdf_pages
from tabwise.core.page.pdf.page import build_pdf_page
from tabwise.errors import InputError

WIDTH, HEIGHT = 600.0, 800.0
SIZE, LEADING, LEFT = 10.0, 13.0, 60.0
CHAR = 0.5  # width of a character in font sizes
SEA = (
    "The moon pulls the sea and the sea follows the moon, which",
    "is why high water comes about fifty minutes later every day",
    "and why the tide tables of a harbour are printed by the year.",
)


def item(
    text: str, x: float, baseline: float, size: float = SIZE, font: str = "body", **more: float
) -> PdfItem:
    return PdfItem(text, x, baseline, CHAR * size * len(text), size, font=font, **more)


def lines(texts: Sequence[str], top: float = 200.0, x: float = LEFT, **style: object) -> list[PdfItem]:
    return [item(text, x, top + LEADING * row, **style) for row, text in enumerate(texts)]  # type: ignore[arg-type]


def page_of(*pages: Sequence[PdfItem], title: str = "", n_pages: int | None = None) -> Page:
    read = tuple(PdfPage(number, WIDTH, HEIGHT, tuple(items)) for number, items in enumerate(pages, start=1))
    capture = PdfCapture(
        "https://sea.example/files/tide%20table.pdf", title, "en", n_pages or len(read), read
    )
    return build_pdf_page(capture, 1.0)


def blocks(page: Page) -> list[tuple[str, str]]:
    return [(str(block.kind), page.text[block.start : block.end]) for block in page.blocks]


def test_lines_of_a_paragraph_are_joined_and_a_wide_gap_ends_it() -> None:
    page = page_of([*lines(SEA), *lines(SEA[:2], top=270.0)])
    assert blocks(page) == [("paragraph", " ".join(SEA)), ("paragraph", " ".join(SEA[:2]))]


def test_an_indent_begins_a_paragraph() -> None:
    page = page_of([*lines(SEA), *lines(["Neap tides come"], top=239.0, x=LEFT + 15), *lines(SEA, top=252.0)])
    assert blocks(page) == [
        ("paragraph", " ".join(SEA)),
        ("paragraph", " ".join(("Neap tides come", *SEA))),
    ]


def test_words_and_letters_drawn_one_by_one_make_one_line() -> None:
    words = [item("Spring", 60, 100), item("tides", 95, 100), item("co", 125, 100), item("me.", 135, 100)]
    page = page_of([*words, *lines(SEA)])
    assert blocks(page)[0] == ("paragraph", "Spring tides come.")


def test_larger_type_is_a_heading_and_the_largest_the_first_level() -> None:
    title = item("Tides of the Atlantic", LEFT, 100, 20, "bold")
    section = item("Spring and neap", LEFT, 140, 14, "bold")
    page = page_of([title, section, *lines(SEA)])
    assert [(block.kind, block.level) for block in page.blocks[:2]] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
    ]
    assert page.title == "Tides of the Atlantic"


def test_a_line_in_bold_that_stands_apart_is_a_heading_below_the_larger_ones() -> None:
    title = item("Tides of the Atlantic", LEFT, 60, 20, "bold")
    page = page_of(
        [title, *lines(SEA, top=100), item("Neap tides", LEFT, 160, SIZE, "bold"), *lines(SEA, top=175)]
    )
    assert [(str(block.kind), block.level) for block in page.blocks] == [
        ("heading", 1),
        ("paragraph", 0),
        ("heading", 2),
        ("paragraph", 0),
    ]


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("which the baro-", "meter shows at once.", "which the barometer shows at once."),
        ("which the baro\u2010", "meter shows at once.", "which the barometer shows at once."),
        ("a bridge named Saint-", "Malo in the north.", "a bridge named Saint-Malo in the north."),
        ("the well-", "known and the rest.", "the well-known and the rest."),
        ("of the years 1966-", "1968 and the rest.", "of the years 1966-1968 and the rest."),
        ("one thing or an", "other and the rest.", "one thing or an other and the rest."),
    ],
)
def test_a_word_broken_at_the_end_of_a_line(first: str, second: str, joined: str) -> None:
    elsewhere = ["A well-known rule of the sea says so on every coast of it."]
    page = page_of([*lines([first, second]), *lines([*elsewhere, *SEA], top=260)])
    assert blocks(page)[0] == ("paragraph", joined)


def column(x: float, *texts: str, top: float = 200.0) -> list[PdfItem]:
    return lines(texts, top=top, x=x)


LEFT_COLUMN = (
    "The left column tells of the moon and",
    "of how it pulls the water of the sea,",
    "twice a day on most of the coasts and",
    "once a day in the gulfs of the south.",
    "It goes on at the head of the column",
)
RIGHT_COLUMN = (
    "that stands beside it on this page of",
    "the paper, where a new line begins at",
    "the same height as a line of the left",
    "one, and no reader would ever read it",
    "across the gutter between both sides.",
)


def test_columns_are_read_one_after_the_other_and_a_sentence_goes_on() -> None:
    title = item("A title that is as wide as both of the columns are", LEFT, 150, 16)
    page = page_of([title, *column(60, *LEFT_COLUMN), *column(310, *RIGHT_COLUMN)])
    assert blocks(page)[1:] == [("paragraph", " ".join((*LEFT_COLUMN, *RIGHT_COLUMN)))]
    left, right = page.places[1:]
    assert (left.x, right.x) == (60, 310)
    assert left.end == right.start
    assert page.text[right.start :].startswith("that stands beside")


def test_lines_of_columns_need_not_stand_at_one_height() -> None:
    page = page_of([*column(60, *LEFT_COLUMN), *column(310, *RIGHT_COLUMN, top=205.0)])
    assert blocks(page) == [("paragraph", " ".join((*LEFT_COLUMN, *RIGHT_COLUMN)))]


def test_columns_end_where_text_runs_over_both() -> None:
    wide = (
        "A wide sentence ends the columns above it and begins new ones below it, as captions of figures do."
    )
    page = page_of(
        [
            *column(60, *LEFT_COLUMN[:4], top=100),
            *column(310, *RIGHT_COLUMN[1:], top=100),
            item(wide, LEFT, 190, 9.9),
            *column(60, *LEFT_COLUMN[:4], top=220),
            *column(310, *RIGHT_COLUMN[1:], top=220),
        ]
    )
    texts = [text for _, text in blocks(page)]
    assert texts.index(wide) == len(texts) // 2
    assert texts[0].startswith("The left column")


TABLE = [("Station", "Opened", "Capacity"), ("Rance", "1966", "240 MW"), ("Sihwa Lake", "2011", "254 MW")]


def table(rows: Sequence[Sequence[str]], top: float = 300.0) -> list[PdfItem]:
    return [
        item(cell, x, top + LEADING * row)
        for row, cells in enumerate(rows)
        for x, cell in zip((60, 200, 300), cells, strict=True)
        if cell
    ]


def test_cells_that_stand_below_each_other_are_rows_of_a_table() -> None:
    page = page_of([*lines(SEA), *table(TABLE)])
    rows = [block for block in page.blocks if block.kind is BlockKind.ROW]
    assert [page.text[row.start : row.end] for row in rows] == ["\t".join(row) for row in TABLE]
    assert [row.level for row in rows] == [1, 0, 0]


def test_an_empty_cell_keeps_its_column() -> None:
    page = page_of([*lines(SEA), *table([*TABLE, ("MeyGen", "", "6 MW")])])
    assert page.text.endswith("MeyGen\t\t6 MW")


def test_a_second_line_of_a_cell_belongs_to_its_row() -> None:
    rows = [*TABLE[:2], ("Sihwa Lake", "2011,", "254 MW"), ("", "after a delay", "")]
    page = page_of([*lines(SEA), *table(rows)])
    assert page.text.endswith("Sihwa Lake\t2011, after a delay\t254 MW")


def test_a_list_has_items_without_their_bullets_and_with_their_numbers() -> None:
    marks = [item(mark, LEFT, 300 + LEADING * row) for row, mark in enumerate(("•", "•", "1.", "2."))]
    texts = ("spring tides", "neap tides", "first of all", "last of all")
    page = page_of([*lines(SEA), *marks, *lines(texts, top=300, x=LEFT + 18)])
    assert blocks(page)[1:] == [
        ("item", "spring tides"),
        ("item", "neap tides"),
        ("item", "1. first of all"),
        ("item", "2. last of all"),
    ]


def test_the_second_line_of_an_item_belongs_to_it_and_a_line_at_the_margin_does_not() -> None:
    page = page_of(
        [
            *lines(SEA, top=100),
            item("• spring tides, which come", LEFT + 10, 200),
            item("twice a month", LEFT + 20, 213),
            item("And then the text goes on", LEFT, 226),
        ]
    )
    assert blocks(page)[1:] == [
        ("item", "spring tides, which come twice a month"),
        ("paragraph", "And then the text goes on"),
    ]


def test_an_indented_mark_is_one_level_deeper() -> None:
    page = page_of(
        [*lines(SEA), item("• outer", 60, 300), item("– inner", 80, 313), item("• outer again", 60, 326)]
    )
    assert [block.level for block in page.blocks[1:]] == [0, 1, 0]


def report(number: int, *, heading: str = "", numbered: bool = True) -> list[PdfItem]:
    top = [item("Annual report of the harbour 2023", LEFT, 30, 8)]
    foot = [item(f"Page {number} of 5", 280, 780, 8)] if numbered else []
    body = [item(heading or f"Chapter {number}", LEFT, 80, 18, "bold"), *lines([f"Story {number}:", *SEA])]
    return [*top, *body, *foot]


def test_running_heads_and_page_numbers_are_left_out_and_headings_are_not() -> None:
    page = page_of(*[report(number) for number in range(1, 6)])
    assert "Annual report" not in page.text
    assert "Page 3" not in page.text
    assert [text for kind, text in blocks(page) if kind == "heading"] == [f"Chapter {n}" for n in range(1, 6)]


def test_what_stands_on_one_page_only_stays() -> None:
    page = page_of(report(1), lines(SEA), lines(SEA), lines(SEA))
    assert "Annual report" in page.text


def test_the_head_of_a_short_chapter_goes_with_its_page_number() -> None:
    heads = ["Moon", "Moon", "Moon", "Sun"]
    pages = [
        [item(f"{head} {number}", LEFT, 30, 8), *lines([f"Story {number}:", *SEA], top=120)]
        for number, head in enumerate(heads, start=1)
    ]
    assert "Sun" not in page_of(*pages).text


def test_a_sentence_goes_on_over_the_page_and_keeps_both_pages() -> None:
    note = item("1 A note in small type at the foot of the page.", LEFT, 700, 7)
    page = page_of([*lines(SEA[:2], top=600), note], lines(SEA[2:], top=80))
    assert blocks(page)[0] == ("paragraph", " ".join(SEA))
    at = page.text.index("and why")
    assert (page.page_number(0), page.page_number(at - 1), page.page_number(at)) == (1, 1, 2)
    assert page.page_number(page.text.index("note in small")) == 1


class Reads:
    """A pattern that counts the characters it is given to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.n_chars = 0

    def search(self, text: str) -> re.Match[str] | None:
        self.n_chars += len(text)
        return self._pattern.search(text)


def test_a_paragraph_over_many_pages_is_not_read_anew_for_each_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def n_searched(n_pages: int) -> int:
        reads = Reads(paragraphs._BROKEN_WORD)
        monkeypatch.setattr(paragraphs, "_BROKEN_WORD", reads)
        page = page_of(*[lines([SEA[0]] * 40)] * n_pages)
        monkeypatch.undo()
        assert len(page.blocks) == 1
        return reads.n_chars

    assert n_searched(40) <= 2.1 * n_searched(20)


def test_a_note_mark_is_raised_and_does_not_become_part_of_a_number() -> None:
    mark = item("2", LEFT + 20 * CHAR * SIZE, 196, 6)
    page = page_of([item("It rises by 16 metre", LEFT, 200), mark, *lines(SEA, top=240)])
    assert blocks(page)[0][1] == "It rises by 16 metre²"


def test_text_across_the_page_is_left_out() -> None:
    stamp = PdfItem("DRAFT of 3 May", 100, 600, 300, 60, angle=-45)
    margin = PdfItem("arXiv:1234.5678v1", 20, 600, 200, 14, angle=-90)
    assert blocks(page_of([stamp, margin, *lines(SEA)])) == [("paragraph", " ".join(SEA))]


@pytest.mark.parametrize("angle", [90, -90, 180])
def test_a_page_on_its_side_is_read(angle: int) -> None:
    step = {90: (-LEADING, 0.0), -90: (LEADING, 0.0), 180: (0.0, -LEADING)}[angle]
    items = [
        PdfItem(text, 300 + row * step[0], 500 + row * step[1], 290, SIZE, angle=angle)
        for row, text in enumerate(SEA)
    ]
    page = page_of(items)
    assert blocks(page) == [("paragraph", " ".join(SEA))]
    (place,) = page.places
    assert (place.width > place.height) is (angle == 180)
    assert place.x <= 300 <= place.x + place.width
    assert place.y <= 500 <= place.y + place.height


def test_text_drawn_twice_to_look_bold_is_read_once() -> None:
    page = page_of(
        [item("Neap tides are weak.", 60, 100), item("Neap tides are weak.", 60.3, 100), *lines(SEA)]
    )
    assert blocks(page)[0] == ("paragraph", "Neap tides are weak.")


@pytest.mark.fault("F66")
def test_hebrew_items_are_read_from_the_right() -> None:
    words = [item("הגאות", 300, 100), item("והשפל", 272, 100), item("בים", 200, 100)]
    assert blocks(page_of([*words, *lines(SEA)]))[0][1] == "הגאות והשפל בים"


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    wide = [
        PdfItem(text, 60, 100 + 14 * row, 10 * len(text), SIZE)
        for row, text in enumerate(("潮汐发电站建于", "一九六六年。"))
    ]
    assert page_of([*wide, *lines(SEA)]).text.startswith("潮汐发电站建于一九六六年。")


def test_leaders_of_a_table_of_contents_are_one_sign() -> None:
    page = page_of([item("Spring tides . . . . . . . . . . . . . 12", LEFT, 100), *lines(SEA)])
    assert blocks(page)[0][1] == "Spring tides … 12"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("The sea and its tides", "The sea and its tides"),
        ("Microsoft Word - final_v3.docx", "Tides"),
        ("untitled", "Tides"),
        ("report.tex", "Tides"),
        ("", "Tides"),
    ],
)
def test_the_title_is_what_someone_wrote(said: str, title: str) -> None:
    assert page_of([item("Tides", LEFT, 100, 20), *lines(SEA)], title=said).title == title


def test_a_file_without_title_and_headings_is_called_by_its_name() -> None:
    assert page_of(lines(SEA)).title == "tide table.pdf"


@pytest.mark.parametrize("items", [[], [item("Scan 7", 60, 60)], [item("\u200b" * 40, 60, 60)]])
def test_pictures_of_text_say_so(items: list[PdfItem]) -> None:
    with pytest.raises(InputError) as caught:
        page_of(items, [])
    assert caught.value.code == "page_has_no_text"


def test_pages_that_were_not_read_are_counted() -> None:
    page = page_of(lines(SEA), n_pages=4)
    assert (page.n_pages, page.n_total_chars) == (4, 4 * page.n_read_chars)


def test_a_chunk_of_a_pdf_is_a_span_of_its_page() -> None:
    page = page_of(*[report(number) for number in range(1, 6)])
    chunks = chunk_page(page, lambda text: len(text.split()) + 2)
    assert all(chunk.text == page.text[chunk.start : chunk.end] for chunk in chunks)
    assert chunks[-1].heading_path == ("Chapter 5",)
    assert page.page_number(chunks[-1].start) == 5


ANY_ITEM = st.builds(
    PdfItem,
    st.text(max_size=12),
    st.floats(-50, 700),
    st.floats(-50, 900),
    st.floats(0, 400),
    st.floats(0, 40),
    st.sampled_from([0.0, 0.0, 0.0, 90.0, -90.0, 180.0, 33.0]),
    st.sampled_from(["body", "bold"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(ANY_ITEM, max_size=25), min_size=1, max_size=3))
def test_any_items_give_exact_blocks_and_places(pages: list[list[PdfItem]]) -> None:
    page = page_of(lines(SEA), *pages)
    assert page.text == "\n".join(page.text[block.start : block.end] for block in page.blocks)
    assert [place.start for place in page.places] == sorted(place.start for place in page.places)
    assert all(before.end <= after.start for before, after in pairwise(page.places))
    assert all(page.text[place.start : place.end].strip() for place in page.places)
    assert all(1 <= place.page_number <= len(pages) + 1 for place in page.places)


@pytest.mark.parametrize("size", [1e6, 1e12, 1e308])
def test_type_that_no_paper_holds_does_not_stop_the_reading(size: float) -> None:
    page = page_of([*lines(SEA), item("Giant", LEFT, 300.0, size)])
    assert " ".join(SEA) in page.text.replace("\n", " ")


def test_the_wire_form_gives_the_items() -> None:
    wire = [
        {"number": 2, "width": 600, "height": 800.5, "items": [["Sea", 60, 100.25, 15, 10, 0, "f1 serif"]]}
    ]
    assert decode_pdf_pages(wire) == (
        PdfPage(2, 600.0, 800.5, (PdfItem("Sea", 60.0, 100.25, 15.0, 10.0, 0.0, "f1 serif"),)),
    )


@pytest.mark.parametrize(
    "wire",
    [
        {},
        [[]],
        [{"number": 0, "width": 1, "height": 1, "items": []}],
        [{"number": True, "width": 1, "height": 1, "items": []}],
        [{"number": 1, "width": None, "height": 1, "items": []}],
        [{"number": 1, "width": 1, "items": []}],
        [{"number": 1, "width": 1, "height": 1, "items": [["Sea", 1, 2, 3, 4, 0]]}],
        [{"number": 1, "width": 1, "height": 1, "items": [["Sea", 1, 2, 3, float("nan"), 0, ""]]}],
        [{"number": 1, "width": 1, "height": 1, "items": [[7, 1, 2, 3, 4, 0, ""]]}],
    ],
)
def test_what_is_no_wire_form_is_refused(wire: object) -> None:
    with pytest.raises(InputError) as caught:
        decode_pdf_pages(wire)
    assert caught.value.code == "page_unreadable"
