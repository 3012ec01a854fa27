"""Trees to pages: blocks as a reader sees them, spans exact."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.core.model import Block, BlockKind, Page
from tabwise.core.page.blocks import build_page, build_page_steps
from tabwise.core.page.capture import decode_capture
from tabwise.errors import InputError

FILLER: list[Any] = ["p", {}, "Long enough to be a page of its own."]


def page_of(*children: Any, title: str = "Title", main_text: str | None = None, **fields: Any) -> Page:
    value: dict[str, Any] = {
        "v": 1,
        "url": "https://example.com/page",
        "canonical_url": "",
        "title": title,
        "language": "en",
        "n_total_chars": 500,
        "n_read_chars": 400,
        "has_password": False,
        "has_payment": False,
        "has_video": False,
        "is_selection": False,
        "root": ["body", {}, *children],
    }
    return build_page(decode_capture(value | fields), main_text, 1_700_000_000_000.0)


def blocks_of(*children: Any) -> list[tuple[str, int, str]]:
    """The blocks of a page, without the filler that makes it long enough."""
    page = page_of(*children, FILLER)
    return [(block.kind.value, block.level, page.text[block.start : block.end]) for block in page.blocks][:-1]


def test_inline_elements_are_joined_as_drawn() -> None:
    assert blocks_of(
        ["p", {}, "Tidal ", ["b", {}, "pow"], "er  is\n", ["a", {"href": "/"}, " old"], "."]
    ) == [("paragraph", 0, "Tidal power is old.")]


def test_text_beside_blocks_is_a_paragraph_of_its_own() -> None:
    assert blocks_of(["div", {}, "before", ["p", {}, "inside"], "after"]) == [
        ("paragraph", 0, "before"),
        ("paragraph", 0, "inside"),
        ("paragraph", 0, "after"),
    ]


def test_br_is_a_line_break_and_two_end_the_paragraph() -> None:
    br = ["br", {}]
    assert blocks_of(["p", {}, "one", br, " two", br, " ", br, "three", br]) == [
        ("paragraph", 0, "one\ntwo"),
        ("paragraph", 0, "three"),
    ]


def test_headings_have_levels_and_lose_anchor_signs() -> None:
    assert blocks_of(
        ["h1", {}, ["div", {}, "Two"], ["div", {}, "parts"]],
        ["h3", {}, "Install", ["a", {}, "¶"]],
        ["div", {"role": "heading"}, "By role"],
        ["h2", {}, " "],
        ["h4", {}, "C#"],
    ) == [
        ("heading", 1, "Two parts"),
        ("heading", 3, "Install"),
        ("heading", 2, "By role"),
        ("heading", 4, "C#"),
    ]


def test_nested_list_items_are_separate_with_depth() -> None:
    inner = ["ol", {}, ["li", {}, ["p", {}, "B"]], ["li", {}, "C"]]
    assert blocks_of(["ul", {}, ["li", {}, "A", inner, "rest of A"], ["li", {}, "D"]]) == [
        ("item", 0, "A"),
        ("item", 1, "B"),
        ("item", 1, "C"),
        ("item", 0, "rest of A"),
        ("item", 0, "D"),
    ]


def test_definition_is_one_deeper_than_its_term() -> None:
    assert blocks_of(["dl", {}, ["dt", {}, "Neap"], ["dd", {}, "Small tide"]]) == [
        ("item", 0, "Neap"),
        ("item", 1, "Small tide"),
    ]


def test_code_keeps_its_lines_and_indents() -> None:
    assert blocks_of(["pre", {}, "\n", ["code", {}, "def f():\n\treturn 1  \n\n    # end\n"], "\n"]) == [
        ("code", 0, "def f():\n\treturn 1\n\n    # end")
    ]


def test_code_written_as_one_element_a_line_keeps_its_lines() -> None:
    assert blocks_of(["pre", {}, ["div", {}, "a = 1"], ["div", {}, "b = 2"]]) == [("code", 0, "a = 1\nb = 2")]


def test_quotes_and_captions() -> None:
    assert blocks_of(
        ["blockquote", {}, ["p", {}, "Said."], ["ul", {}, ["li", {}, "Listed"]]],
        ["figure", {}, ["figcaption", {}, "Seen."]],
    ) == [("quote", 0, "Said."), ("item", 0, "Listed"), ("caption", 0, "Seen.")]


def row(cell_tag: str, *cells: Any) -> list[Any]:
    return ["tr", {}, *([cell_tag, {}, cell] if isinstance(cell, str) else cell for cell in cells)]


def test_table_rows_keep_their_columns() -> None:
    table = [
        "table",
        {},
        ["caption", {}, "Barrages"],
        ["thead", {}, row("th", "", "Year", "Power")],
        ["tbody", {}, row("td", "Rance", "1966", "240 MW"), row("td", "Sihwa", "", "254 MW")],
    ]
    assert blocks_of(table) == [
        ("caption", 0, "Barrages"),
        ("row", 1, "\tYear\tPower"),
        ("row", 0, "Rance\t1966\t240 MW"),
        ("row", 0, "Sihwa\t\t254 MW"),
    ]


def test_spanning_cells_keep_the_columns_aligned() -> None:
    table = [
        "table",
        {},
        row("th", "A", "B", "C", "D"),
        row("td", ["td", {"rowspan": "2"}, "tall"], ["td", {"colspan": "2"}, "wide"], "d1"),
        row("td", "b2", "c2", "d2"),
        row("td", "a3", "b3", "c3", "d3"),
    ]
    assert [text for _, _, text in blocks_of(table)] == [
        "A\tB\tC\tD",
        "tall\twide\t\td1",
        "\tb2\tc2\td2",
        "a3\tb3\tc3\td3",
    ]


def test_nonsense_spans_do_not_blow_up_a_row() -> None:
    table = [
        "table",
        {},
        row("th", "A", "B"),
        ["tr", {}, ["td", {"colspan": "999999999"}, "x"], ["td", {}, "y"]],
    ]
    assert len(blocks_of(table)[1][2]) < 200


def test_complex_cells_of_a_data_table_are_one_line() -> None:
    nested = ["table", {}, row("td", "x", "y")]
    cell = ["td", {}, ["p", {}, "one"], ["ul", {}, ["li", {}, "two"]], ["br", {}], "three", nested]
    assert blocks_of(["table", {}, row("th", "H", "I"), ["tr", {}, cell, ["td", {}, "z"]]]) == [
        ("row", 1, "H\tI"),
        ("row", 0, "one two three x y\tz"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        [
            "table",
            {},
            ["tr", {}, ["td", {}, ["h2", {}, "News"], ["p", {}, "text"]], ["td", {}, ["p", {}, "side"]]],
        ],
        ["table", {"role": "presentation"}, row("td", "News"), row("td", "text"), row("td", "side")],
        ["table", {}, ["tr", {}, ["td", {}, ["table", {}, row("td", "News")], "text"], ["td", {}, "side"]]],
    ],
)
def test_layout_table_is_read_as_its_content(table: Any) -> None:
    found = blocks_of(table)
    assert [text for _, _, text in found] == ["News", "text", "side"]
    assert "row" not in {kind for kind, _, _ in found}


def test_invisible_characters_are_removed_and_counted() -> None:
    page = page_of(["p", {}, "Vis\u200bible words in a\u202e line."], title="Ti\u00adtle")
    assert page.text == "Visible words in a line."
    assert page.title == "Title"
    assert page.n_removed == 3


def test_page_carries_what_identifies_it() -> None:
    page = page_of(
        FILLER,
        url="https://www.example.com/a?utm_source=x#y",
        canonical_url="https://example.com/b",
        language="en_US",
    )
    assert page.source == "https://example.com/b"
    assert page.url == "https://www.example.com/a?utm_source=x#y"
    assert page.language == "en-US"
    assert page.captured_at == 1_700_000_000_000.0
    assert (page.n_total_chars, page.n_read_chars) == (500, 400)
    text = "Long enough to be a page of its own."
    assert page.content_hash == hashlib.sha256(f"Title\0{text}".encode()).hexdigest()
    assert page.blocks == (Block(BlockKind.PARAGRAPH, 0, len(text)),)


def test_page_without_title_takes_its_first_heading_or_site() -> None:
    assert page_of(FILLER, ["h2", {}, "Tides"], title=" ").title == "Tides"
    assert page_of(FILLER, title="").title == "example.com"


def test_giant_title_is_cut_and_address_repaired() -> None:
    page = page_of(FILLER, title="x" * 5000, url="https://example.com/\ud800")
    assert page.title == "x" * 300
    assert page.url == page.source == "https://example.com/�"


def test_language_that_is_none_is_left_out() -> None:
    assert page_of(FILLER, language="<b>").language == ""


@pytest.mark.parametrize(
    ("children", "code"),
    [
        ([], "page_empty"),
        ([["p", {}, " \u200b\u00a0"]], "page_empty"),
        ([["p", {}, "Sign in to go on"]], "page_too_short"),
    ],
)
def test_page_without_text_is_refused(children: list[Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        page_of(*children)
    assert caught.value.code == code
    assert caught.value.subject == "https://example.com/page"


TAGS = "div p span br h2 ul li dl dt dd table thead tr td th caption pre blockquote figcaption a".split()  # noqa: SIM905
TREES = st.recursive(
    st.text("ab \n\t.é中\u200b\u2028", max_size=6),
    lambda children: st.tuples(st.sampled_from(TAGS), st.lists(children, max_size=4)).map(
        lambda parts: [parts[0], {}, *parts[1]]
    ),
    max_leaves=30,
)


@given(st.lists(TREES, max_size=6))
def test_blocks_are_the_text_exactly_and_nothing_visible_is_lost(children: list[Any]) -> None:
    page = page_of(*children, FILLER)
    assert "\n".join(page.text[block.start : block.end] for block in page.blocks) == page.text
    assert all(page.text[block.start : block.end].strip() for block in page.blocks)

    def letters(item: Any) -> str:
        return item if isinstance(item, str) else "".join(letters(child) for child in item[2:])

    expected = "".join(letters(["body", {}, *children, FILLER]).replace("\u200b", "").split())
    assert "".join(page.text.split()) == expected


def test_large_page_is_built_in_steps() -> None:
    value = {
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
        "root": ["body", {}, *([["p", {}, "some words"]] * 5000)],
    }
    steps = build_page_steps(decode_capture(value), None, 0.0)
    assert sum(1 for _ in steps) >= 5


def said(time: str, text: str) -> Any:
    return ["div", {"class": "segment"}, ["div", {}, time], ["span", {}, text]]


LECTURE = [
    said("0:00", "welcome to the lecture"),
    said("0:07", "today we talk about tides"),
    said("1:02", "they come twice a day"),
    said("12:34", "in most places of the world"),
    said("1:00:03", "and that was all"),
]


def test_text_of_a_transcript_knows_when_it_is_said() -> None:
    page = page_of(FILLER, ["div", {}, *LECTURE], FILLER)
    assert [(page.text[moment.start : moment.end], moment.seconds) for moment in page.moments] == [
        ("welcome to the lecture", 0),
        ("today we talk about tides", 7),
        ("they come twice a day", 62),
        ("in most places of the world", 754),
        ("and that was all", 3603),
    ]
    assert page.seconds(page.text.index("most places")) == 754
    assert page.seconds(page.text.index("all") + 2) == 3603
    assert page.seconds(0) is None
    assert page.seconds(page.text.rindex("Long enough")) is None


def test_selection_is_a_page_of_its_own_that_shows_where_it_is_from() -> None:
    selected = page_of(FILLER, is_selection=True)
    assert selected.url == page_of(FILLER).url
    assert selected.title == "Selection from Title"
    assert selected.source == page_of(FILLER, is_selection=True).source
    other = page_of(["p", {}, "Another selection of the same page."], is_selection=True)
    assert len({selected.source, other.source, page_of(FILLER).source}) == 3
    assert selected.source.startswith("https://example.com/page#selection-")
