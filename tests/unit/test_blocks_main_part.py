"""The main part: the extractor's text decides, our structure completes it."""

from dataclasses import replace
from typing import Any

import pytest

from tabwise.core.model import BlockKind
from tabwise.core.page.block_reader import RawBlock
from tabwise.core.page.blocks import build_page
from tabwise.core.page.capture import decode_capture
from tabwise.core.page.main_part import main_part

FIRST = "The barrage on the Rance was opened in 1966 and has run ever since then."
SECOND = "Its twenty-four turbines feed about half a terawatt hour a year to the grid."
COMMENT = "I visited the place last summer and found it well worth the detour, friends."


def paragraph(text: str, **facts: Any) -> RawBlock:
    return RawBlock(BlockKind.PARAGRAPH, 0, text, **facts)


def heading(text: str, level: int = 2) -> RawBlock:
    return RawBlock(BlockKind.HEADING, level, text)


def kept(pieces: list[RawBlock], main_text: str) -> list[str]:
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
        RawBlock(BlockKind.ITEM, 0, "Rance"),
        RawBlock(BlockKind.ITEM, 0, "Sihwa"),
        heading("Rance", 1),
        paragraph(FIRST),
    ]
    assert kept(pieces, f"Rance\n{FIRST}") == ["Rance", FIRST]
    assert main_part(pieces, f"Rance\n{FIRST}") == [False, False, True, True]


def test_tables_code_and_captions_inside_the_main_part_are_kept() -> None:
    pieces = [
        RawBlock(BlockKind.ROW, 0, "Menu\tLogin"),
        paragraph(FIRST),
        RawBlock(BlockKind.ROW, 0, "Turbines\t24"),
        RawBlock(BlockKind.ROW, 0, "\tRelated story"),
        RawBlock(BlockKind.CODE, 0, "x = 1"),
        RawBlock(BlockKind.CAPTION, 0, "The lock"),
        paragraph("Advertisement"),
        paragraph(SECOND),
        RawBlock(BlockKind.CODE, 0, "y = 2"),
    ]
    assert kept(pieces, f"{FIRST}\n{SECOND}") == [FIRST, "Turbines\t24", "x = 1", "The lock", SECOND]


@pytest.mark.parametrize("main_text", ["", "Nothing of this is on the page, however long one looks for it."])
def test_text_that_is_not_on_the_page_keeps_everything(main_text: str) -> None:
    pieces = [paragraph(FIRST), paragraph("Home"), heading("Title")]
    assert main_part(pieces, main_text) == [True, True, True]


def test_paragraph_lost_between_others_of_its_element_is_kept() -> None:
    lost = paragraph(f"{COMMENT} {COMMENT}", container=1)
    pieces = [
        replace(lost, container=2),
        paragraph(f"{FIRST} {FIRST}", container=1),
        lost,
        replace(lost, container=2),
        paragraph(f"{SECOND} {SECOND}", container=1),
        lost,
    ]
    mask = main_part(pieces, f"{FIRST} {FIRST}\n{SECOND} {SECOND}")
    assert mask == [False, True, True, False, True, False]


def test_headings_behind_the_last_text_are_left_out() -> None:
    pieces = [heading("The Rance", 1), paragraph(FIRST), paragraph(SECOND), heading("Most read")]
    main_text = f"The Rance\n{FIRST}\n{SECOND}\nMost read"
    assert kept(pieces, main_text) == ["The Rance", FIRST, SECOND]


ARTICLE = [paragraph(f"{number}. {FIRST} {SECOND}") for number in range(5)]


def test_paragraph_of_links_inside_an_article_leads_elsewhere() -> None:
    link = paragraph("Read more: how the tides of the channel were tamed", is_linked=True)
    texts = [*(piece.text for piece in ARTICLE[:3]), link.text, *(piece.text for piece in ARTICLE[3:])]
    assert kept([*ARTICLE[:3], link, *ARTICLE[3:]], "\n".join(texts)) == [piece.text for piece in ARTICLE]


def entry(text: str, *, is_post: bool = False) -> RawBlock:
    return RawBlock(BlockKind.ITEM, 0, text, is_entry=True, is_post=is_post)


def test_page_that_is_mostly_entries_keeps_all_of_them() -> None:
    entries = [entry(f"{number}. A headline of some length, and its source") for number in range(30)]
    assert kept([paragraph("Log in"), *entries, paragraph("Imprint")], entries[3].text) == [
        item.text for item in entries
    ]


def test_under_an_article_long_discussions_stay_and_teasers_go() -> None:
    main_text = "\n".join(piece.text for piece in ARTICLE)
    comments = [entry(f"{number}. {COMMENT} {COMMENT}", is_post=True) for number in range(20)]
    teasers = [entry(item.text) for item in comments]
    assert kept([*ARTICLE, *comments], main_text) == [piece.text for piece in [*ARTICLE, *comments]]
    assert kept([*ARTICLE, *teasers], main_text) == [piece.text for piece in ARTICLE]
    assert kept([*ARTICLE, *comments[:3]], main_text) == [piece.text for piece in ARTICLE]


def test_very_long_page_that_nothing_matches_is_kept() -> None:
    pieces = [paragraph(f"{number} {COMMENT} {number}") for number in range(20_000)]
    main_text = " ".join(f"{FIRST} {number}" for number in range(12_000))
    assert all(main_part(pieces, main_text))


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
        "has_video": False,
        "is_selection": False,
        "root": ["body", {}, *(["p", {}, text] for text in paragraphs)],
    }
    return build_page(decode_capture(value), main_text, 0.0).text.split("\n")


@pytest.mark.fault("F64")
def test_page_without_main_text_is_kept_whole() -> None:
    assert page_text(None, "Home", FIRST, COMMENT) == ["Home", FIRST, COMMENT]


@pytest.mark.fault("F64")
def test_main_part_that_is_next_to_nothing_is_not_believed() -> None:
    prose = [f"{number} {FIRST} {SECOND}" for number in range(20)]
    assert page_text(prose[3], *prose) == prose
    assert page_text("\n".join(prose[3:6]), *prose) == prose[3:6]


@pytest.mark.fault("F64")
def test_page_of_short_lines_needs_a_quarter_of_them() -> None:
    lines = [f"Result number {number} of the cup" for number in range(20)]
    assert page_text("\n".join(lines[:2]), *lines) == lines
    assert page_text("\n".join(lines[2:10]), *lines) == lines[2:10]
