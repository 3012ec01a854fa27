"""From a passage of a PDF's text back to the items that show it."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage
from tabwise.core.page.pdf.page import build_pdf_page
from tabwise.core.page.pdf.passages import ItemSpan, Sought, find_passages

SIZE, LEADING, LEFT = 10.0, 13.0, 60.0
SEA = (
    "The moon pulls the sea and the sea follows the moon, which",
    "is why high water comes about fifty minutes later every day",
    "and why the tide tables of a harbour are printed by the year.",
)


def item(text: str, x: float, baseline: float, size: float = SIZE) -> PdfItem:
    return PdfItem(text, x, baseline, 0.5 * size * len(text), size, font="body")


def lines(texts: Sequence[str], top: float = 200.0, x: float = LEFT) -> list[PdfItem]:
    return [item(text, x, top + LEADING * row) for row, text in enumerate(texts)]


def pages_of(*pages: Sequence[PdfItem]) -> tuple[PdfPage, ...]:
    return tuple(PdfPage(number, 600, 800, tuple(items)) for number, items in enumerate(pages, start=1))


def find_all(pages: Sequence[PdfPage], *sought: Sought) -> list[tuple[ItemSpan, ...]]:
    steps = find_passages(pages, sought)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: list[tuple[ItemSpan, ...]] = end.value
            return found


def find(pages: Sequence[PdfPage], quote: str, before: str = "", after: str = "") -> list[tuple[int, str]]:
    """The pieces that show a passage: page number and text."""
    (spans,) = find_all(pages, Sought(quote, before, after))
    return [(span.page, pages[span.page - 1].items[span.item].text[span.start : span.end]) for span in spans]


def test_a_passage_over_two_lines_is_the_end_of_one_and_the_beginning_of_the_other() -> None:
    pages = pages_of(lines(SEA))
    (spans,) = find_all(pages, Sought("follows the moon, which is why high water comes"))
    assert spans == (ItemSpan(1, 0, 35, 58), ItemSpan(1, 1, 0, 23))


@pytest.mark.parametrize(
    ("items", "quote", "shown"),
    [
        (["It is tidal po-", "wer that counts."], "tidal power that", ["tidal po-", "wer that"]),
        (["The ﬂow is eﬃcient."], "flow is efficient", ["ﬂow is eﬃcient"]),
        (["• A first item of a list"], "A first item of a list", ["A first item of a list"]),
        (["He said “so” — twice."], 'said "so" - twice', ["said “so” — twice"]),
        (["Opened in 1966 ........ 12"], "Opened in 1966 … 12", ["Opened in 1966 ........ 12"]),
        (["A 😀 b", "c"], "b c", ["b", "c"]),
        (["(So it is.) And", "more."], "So it is.", ["So it is."]),
        (["a b. ", "“c” d"], "b. “c”", ["b. ", "“c”"]),
    ],
)
def test_how_the_text_was_put_together_does_not_matter(
    items: list[str], quote: str, shown: list[str]
) -> None:
    assert [text for _, text in find(pages_of(lines(items)), quote)] == shown


def test_a_raised_digit_is_a_digit() -> None:
    raised = PdfItem("3", LEFT + 16, 96, 3, 6, font="body")
    pages = pages_of([item("10", LEFT, 100, 16), raised, item("tonnes", LEFT + 24, 100)])
    assert [text for _, text in find(pages, "10³ tonnes")] == ["10", "3", "tonnes"]


def test_columns_that_are_drawn_line_by_line_are_read_one_after_the_other() -> None:
    left = [
        "The left column tells of the moon and",
        *[f"of how it pulls the water, line, {n}." for n in "2345"],
    ]
    right = [
        "that stands beside it on this page of",
        *[f"the paper, where a line begins, {n}." for n in "2345"],
    ]
    across = [part for pair in zip(lines(left), lines(right, x=310.0), strict=True) for part in pair]
    shown = [text for _, text in find(pages_of(across), "line, 5. that stands beside it")]
    assert shown == ["line, 5.", "that stands beside it"]


def test_a_passage_goes_on_behind_a_note_and_a_running_head() -> None:
    note = item("1 A note in small type at the foot of the page.", LEFT, 700, 7)
    head = item("Annual report of the harbour", LEFT, 30, 8)
    pages = pages_of([*lines(SEA[:2], top=600), note], [head, *lines(SEA[2:], top=80)])
    shown = find(pages, "later every day and why the tide tables")
    assert shown == [(1, "later every day"), (2, "and why the tide tables")]


def test_the_lines_of_a_cell_are_found_between_those_of_the_next_cell() -> None:
    cells = [item("Sihwa Lake", 60, 300), item("2011, but only", 200, 300), item("254 MW", 300, 300)]
    pages = pages_of([*lines(SEA), *cells, item("after a long delay", 200, 313)])
    shown = [text for _, text in find(pages, "Sihwa Lake | 2011, but only after a long delay | 254 MW")]
    assert shown == ["Sihwa Lake", "2011, but only", "after a long delay", "254 MW"]


def test_hebrew_is_found_in_the_order_it_is_read() -> None:
    words = [item("הגאות", 300, 100), item("והשפל", 272, 100), item("בים", 200, 100)]
    assert [text for _, text in find(pages_of(words[::-1]), "הגאות והשפל")] == ["הגאות", "והשפל"]


def test_of_equal_passages_the_one_between_the_same_words_counts() -> None:
    texts = ["One tide is high.", "Two: the sea is calm.", "Three: the sea is calm.", "Four."]
    pages = pages_of(lines(texts))
    (spans,) = find_all(pages, Sought("the sea is calm.", "Three: ", " Four."))
    assert spans[0].item == 2
    (first,) = find_all(pages, Sought("the sea is calm."))
    assert first[0].item == 1


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "which no page says at all",
        "The moon pulls the sea and the sea follows the sun, which is why",
    ],
)
def test_words_that_are_not_there_are_not_found(quote: str) -> None:
    assert find(pages_of(lines(SEA)), quote) == []


def test_each_passage_has_its_own_answer() -> None:
    pages = pages_of(lines(SEA))
    found = find_all(pages, Sought("the tide tables"), Sought("nowhere to be seen"), Sought("The moon pulls"))
    assert [len(spans) for spans in found] == [1, 0, 1]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text("abc dé-²😀", min_size=1, max_size=30), min_size=1, max_size=8),
    st.data(),
)
def test_every_part_of_every_paragraph_is_found_letter_by_letter(
    texts: list[str], data: st.DataObject
) -> None:
    pages = pages_of(lines([*SEA, *texts]))
    page = build_pdf_page(PdfCapture("https://sea.example/a.pdf", "", "en", 1, pages), 1.0)
    start = data.draw(st.integers(0, len(page.text) - 1))
    quote = page.text[start : data.draw(st.integers(start + 1, len(page.text)))]
    shown = "".join(text for _, text in find(pages, quote))
    assert letters(shown) == letters(quote)


def letters(text: str) -> str:
    plain = text.translate({ord("²"): "2", ord("é"): "e"})
    return "".join(char for char in plain.casefold() if char.isalnum())
