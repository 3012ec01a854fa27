"""The main part: the extractor's text decides, our structure completes it."""

from dataclasses import dataclass
from typing import Any

import pytest

from tabwise.core.blocks import build_page
from tabwise.core.capture import decode_capture
from tabwise.core.main_part import main_part
from tabwise.core.model import BlockKind

FIRST = "The barrage on the Rance was opened in 1966 and has run ever since then."
SECOND = "Its twenty-four turbines feed about half a terawatt hour a year to the grid."
COMMENT = "I visited the place last summer and found it well worth the detour, friends."


@dataclass(frozen=True)
class Piece:
    kind: BlockKind
    text: str
    level: int = 0


def paragraph(text: str) -> Piece:
    return Piece(BlockKind.PARAGRAPH, text)


def heading(text: str, level: int = 2) -> Piece:
    return Piece(BlockKind.HEADING, text, level)


def kept(pieces: list[Piece], main_text: str) -> list[str]:
    mask = main_part(pieces, main_text)
    return [piece.text for piece, keep in zip(pieces, mask, strict=True) if keep]


def test_blocks_of_the_main_text_are_kept_and_others_are_not() -> None:
    pieces = [paragraph("Home"), paragraph(FIRST), paragraph(SECOND), paragraph(COMMENT)]
    assert kept(pieces, f"{FIRST}\n{SECOND}") == [FIRST, SECOND]


def test_case_white_space_and_punctuation_do_not_matter() -> None:
    pieces = [paragraph(FIRST.replace("Rance", "“Rance”\n")), paragraph(COMMENT)]
    assert kept(pieces, FIRST.upper()) == [pieces[0].text]


def test_block_that_lost_a_few_words_in_extraction_is_kept() -> None:
    long = f"{FIRST} {SECOND}"
    assert kept([paragraph(long), paragraph(COMMENT)], long.replace("twenty-four", "")) == [long]


def test_short_block_counts_only_in_its_place() -> None:
    share = paragraph("Share")
    pieces = [share, paragraph(FIRST), paragraph("Good news."), paragraph(SECOND), share]
    main_text = f"{FIRST}\nGood news.\n{SECOND} We share it."
    assert kept(pieces[:-1], main_text) == [FIRST, "Good news.", SECOND]


def test_of_repeated_text_the_one_in_the_article_counts() -> None:
    teaser = paragraph(FIRST)
    link = paragraph("More to read")
    pieces = [
        teaser,
        link,
        link,
        link,
        link,
        paragraph(FIRST),
        paragraph(SECOND),
        link,
        link,
        link,
        link,
        teaser,
    ]
    mask = main_part(pieces, f"{FIRST}\n{SECOND}")
    assert [at for at, keep in enumerate(mask) if keep] == [5, 6]


def test_headings_go_with_the_text_they_lead() -> None:
    pieces = [
        heading("Other news"),
        heading("More news"),
        heading("The Rance", 1),
        heading("History", 2),
        paragraph(FIRST),
        heading("Output"),
        paragraph(SECOND),
        heading("Comments"),
        paragraph(COMMENT),
    ]
    assert kept(pieces, f"{FIRST}\n{SECOND}") == ["The Rance", "History", FIRST, "Output", SECOND]


def test_title_and_date_above_the_text_are_kept() -> None:
    pieces = [
        paragraph("Since 1998"),
        heading("The Rance", 1),
        paragraph("By a reporter, 7 February 2024"),
        paragraph("Share"),
        paragraph(FIRST),
        paragraph("Published in 2024"),
    ]
    assert kept(pieces, FIRST) == ["The Rance", "By a reporter, 7 February 2024", FIRST]


def test_menu_entry_with_the_words_of_the_title_is_not_kept() -> None:
    pieces = [
        Piece(BlockKind.ITEM, "Rance"),
        Piece(BlockKind.ITEM, "Sihwa"),
        heading("Rance", 1),
        paragraph(FIRST),
    ]
    assert kept(pieces, f"Rance\n{FIRST}") == ["Rance", FIRST]
    assert main_part(pieces, f"Rance\n{FIRST}") == [False, False, True, True]


def test_tables_code_and_captions_inside_the_main_part_are_kept() -> None:
    pieces = [
        Piece(BlockKind.ROW, "Menu\tLogin"),
        paragraph(FIRST),
        Piece(BlockKind.ROW, "Turbines\t24"),
        Piece(BlockKind.ROW, "\tRelated story"),
        Piece(BlockKind.CODE, "x = 1"),
        Piece(BlockKind.CAPTION, "The lock"),
        paragraph("Advertisement"),
        paragraph(SECOND),
        Piece(BlockKind.CODE, "y = 2"),
    ]
    assert kept(pieces, f"{FIRST}\n{SECOND}") == [FIRST, "Turbines\t24", "x = 1", "The lock", SECOND]


@pytest.mark.parametrize("main_text", ["", "Nothing of this is on the page, however long one looks for it."])
def test_text_that_is_not_on_the_page_keeps_nothing(main_text: str) -> None:
    assert kept([paragraph(FIRST), paragraph("Home"), heading("Title")], main_text) == []


def page_text(main_text: str | None, *paragraphs: str) -> list[str]:
    value: dict[str, Any] = {
        "v": 1,
        "url": "https://example.com/",
        "canonical_url": "",
        "title": "",
        "language": "",
        "n_total_chars": 0,
        "n_read_chars": 0,
        "has_password": False,
        "has_payment": False,
        "root": ["body", {}, *(["p", {}, text] for text in paragraphs)],
    }
    return build_page(decode_capture(value), main_text, 0.0).text.split("\n")


def test_page_without_main_text_is_kept_whole() -> None:
    assert page_text(None, "Home", FIRST, COMMENT) == ["Home", FIRST, COMMENT]


def test_main_part_that_is_next_to_nothing_is_not_believed() -> None:
    prose = [f"{number} {FIRST} {SECOND}" for number in range(20)]
    assert page_text(prose[3], *prose) == prose
    assert page_text("\n".join(prose[3:6]), *prose) == prose[3:6]


def test_page_of_short_lines_needs_a_quarter_of_them() -> None:
    lines = [f"Result number {number} of the cup" for number in range(20)]
    assert page_text("\n".join(lines[:2]), *lines) == lines
    assert page_text("\n".join(lines[2:10]), *lines) == lines[2:10]
