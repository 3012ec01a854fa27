"""The PDF viewer: which file is fetched, which pages are looked through, what is marked, what is said."""

import json
from itertools import pairwise
from typing import Any

import pytest

from tabwise.protocol.files import MAX_FILE_BYTES
from tabwise.ui.pdf import ZOOMS, next_zoom, pages_to_search
from ui_driver import Driver, text_of

URL = "https://papers.example/tides.pdf"
SITE = "https://papers.example/*"


def passage(page_number: int | None = 2, quote: str = "The quote.") -> dict[str, Any]:
    return {"quote": quote, "before": "Before. ", "after": " After.", "page_number": page_number}


def asked(*passages: dict[str, Any], url: str = URL) -> str:
    told = {"url": url, "source": url, "title": "Tides", "start": 5}
    return json.dumps(told | {"passages": list(passages) or [passage()]})


def span(page: int, item: int = 0) -> dict[str, int]:
    return {"page": page, "item": item, "start": 0, "end": 9}


class Viewer(Driver):
    """The viewer with a scripted view of the pages in place of pdf_view.js."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.do("boot", draft="", page="pdf", browser_language="en")
        self.do("access", origins=[SITE], tabs={})
        self.do("pdf_open", text=text or asked())

    def acts(self, name: str) -> list[tuple[Any, ...]]:
        """What the view was told to do, by the name of the act."""
        return [effect[2:] for effect in self.effects if effect[:2] == ("pdf", name)]

    def opened(self, n_pages: int = 12) -> "Viewer":
        self.do("pdf_opened", n_pages=n_pages)
        return self

    def read(self) -> list[int]:
        """Hand the text over that was asked for last; returns its pages."""
        wanted = json.loads(self.acts("items")[-1][0])
        pages = [{"number": number, "width": 1, "height": 1, "items": []} for number in wanted["pages"]]
        self.do("pdf_items", token=wanted["token"], pages=pages)
        numbers: list[int] = wanted["pages"]
        return numbers

    def found(self, *marks: list[dict[str, int]]) -> list[tuple[Any, ...]]:
        return self.done(self.last("pdf_passages"), list(marks))

    @property
    def error(self) -> str:
        (box,) = self.shown("error")
        code: str = box[1]["data-code"]
        return code


def test_a_file_is_fetched_and_its_cited_page_gone_to() -> None:
    viewer = Viewer()
    wanted = json.loads(viewer.acts("open")[0][0])
    assert (wanted["url"], wanted["max_bytes"], wanted["name"]) == (URL, MAX_FILE_BYTES, "Tides")
    assert wanted["page_name"] == "Page {number}"
    viewer.opened()
    assert viewer.acts("go") == [(2,)]
    assert "of 12" in text_of(viewer.draw())


def test_a_passage_is_looked_for_on_its_page_and_the_next_and_gone_to() -> None:
    viewer = Viewer().opened()
    assert viewer.read() == [2, 3]
    assert viewer.last("pdf_passages")["passages"] == [passage()]
    assert viewer.shown("waiting")
    viewer.found([span(2)])
    assert json.loads(viewer.acts("mark")[-1][0]) == {"marks": [[span(2)]], "current": 0, "go": True}
    assert ("announce", "The passage is marked on page 2.") in viewer.effects
    assert not viewer.shown("waiting")


def test_a_passage_that_moved_is_found_elsewhere_in_the_file() -> None:
    viewer = Viewer().opened(12)
    viewer.read()
    viewer.found([])
    assert viewer.read() == list(range(1, 10))
    viewer.found([])
    assert viewer.read() == list(range(9, 13))
    viewer.found([span(11)])
    assert json.loads(viewer.acts("mark")[-1][0])["marks"] == [[span(11)]]


def test_words_that_are_nowhere_in_the_file_can_be_read_in_the_saved_text() -> None:
    viewer = Viewer().opened(3)
    for _ in range(2):
        viewer.read()
        viewer.found([])
    assert len(viewer.shown("gone")) == 1
    assert ("announce", "The file has changed: these words are no longer in it.") in viewer.effects
    assert viewer.press("see-saved")[0][1].startswith("viewer.html#")


def test_other_passages_are_marked_too_and_can_be_stepped_through() -> None:
    viewer = Viewer(asked(passage(2), passage(9, "Other."), passage(4, "Gone."))).opened(5)
    assert viewer.read() == [2, 3, 4, 5]
    viewer.found([span(2)], [], [])
    viewer.read()
    assert [told["quote"] for told in viewer.last("pdf_passages")["passages"]] == ["Other.", "Gone."]
    viewer.found([span(5)], [])
    viewer.press("passage-after")
    told = json.loads(viewer.acts("mark")[-1][0])
    assert (told["marks"], told["current"], told["go"]) == ([[span(2)], [span(5)], []], 1, True)
    viewer.press("passage-after")
    assert viewer.acts("go")[-1] == (4,)
    assert viewer.shown("gone")
    viewer.press("passage-after")
    assert text_of(viewer.shown("passage-place")[0]) == "1 / 3"


def test_another_passage_of_the_open_file_does_not_fetch_it_again() -> None:
    viewer = Viewer().opened()
    viewer.do("pdf_open", text=asked(passage(7, "Another.")))
    assert len(viewer.acts("open")) == 1
    assert viewer.acts("go")[-1] == (7,)
    assert viewer.read() == [7, 8]


def test_an_answer_about_an_earlier_passage_is_not_taken_for_this_one() -> None:
    viewer = Viewer().opened()
    viewer.read()
    early = viewer.last("pdf_passages")
    viewer.do("pdf_open", text=asked(passage(7, "Another.")))
    viewer.done(early, [[span(2)]])
    assert viewer.state["pdf"]["marks"] == [None]


@pytest.mark.parametrize(
    ("name", "url", "code"),
    [
        ("FileUnreachable", URL, "file_unreachable"),
        ("FileUnreachable", "https://other.example/a.pdf", "tab_needs_permission"),
        ("FileUnreachable", "file:///home/ada/a.pdf", "file_missing"),
        ("FileAccessOff", "file:///home/ada/a.pdf", "file_access_off"),
        ("FileTooLarge", URL, "file_too_large"),
        ("PdfLocked", URL, "page_locked"),
        ("PdfDamaged", URL, "page_unreadable"),
        ("TypeError", URL, "page_unreadable"),
    ],
)
def test_a_file_that_cannot_be_shown_says_why_and_offers_the_saved_text(
    name: str, url: str, code: str
) -> None:
    viewer = Viewer(asked(url=url))
    viewer.do("pdf_failed", name=name)
    assert viewer.error == code
    assert viewer.press("see-saved")[0][1].startswith("viewer.html#")
    assert viewer.press("outside") == [("pdf", "outside", url, "The quote.", 2)]


def button_in(viewer: Viewer) -> dict[str, Any]:
    (box,) = viewer.shown("error")
    event: dict[str, Any] = box[2][-1][1]["on-click"]
    return event


def press_in_error(viewer: Viewer) -> list[tuple[Any, ...]]:
    event = button_in(viewer)
    return viewer.do(event["type"], **{name: value for name, value in event.items() if name != "type"})


def test_access_to_the_site_is_asked_for_and_the_file_fetched_then() -> None:
    viewer = Viewer(asked(url="https://other.example/a.pdf"))
    viewer.do("pdf_failed", name="FileUnreachable")
    asking = press_in_error(viewer)
    assert asking[0][:2] == ("grant", ["https://other.example/*"])
    viewer.granted(asking, answer=False)
    assert len(viewer.acts("open")) == 1
    viewer.granted(asking)
    assert len(viewer.acts("open")) == 2


def test_a_file_that_failed_is_fetched_again() -> None:
    viewer = Viewer()
    viewer.do("pdf_failed", name="FileUnreachable")
    press_in_error(viewer)
    assert len(viewer.acts("open")) == 2
    assert viewer.shown("waiting")


def test_a_never_read_rule_keeps_the_file_from_being_fetched_until_the_reader_says_so() -> None:
    viewer = Viewer(asked(url="https://netbanking.example/statement.pdf"))
    assert viewer.acts("open") == []
    assert viewer.acts("close") == [()]  # of a file that was shown before
    assert viewer.error == "page_never_read"
    press_in_error(viewer)
    assert len(viewer.acts("open")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        asked().replace("[{", "[[]], [{"),
        json.dumps(json.loads(asked()) | {"passages": []}),
    ],
)
def test_a_broken_address_shows_an_error(text: str) -> None:
    viewer = Driver()
    viewer.do("boot", draft="", page="pdf", browser_language="en")
    viewer.do("pdf_open", text=text)
    assert len(viewer.shown("error")) == 1
    assert not viewer.shown("see-saved")


def test_an_engine_that_is_lost_leaves_the_pages_and_says_so() -> None:
    viewer = Viewer().opened()
    viewer.read()
    request = viewer.last("pdf_passages")
    viewer.event(request, "error", code="engine_lost", subject="", message="", retryable=True)
    assert viewer.error == "engine_lost"
    assert viewer.shown("pdf-page")


def test_pages_are_turned_and_gone_to_by_number() -> None:
    viewer = Viewer().opened(5)
    viewer.press("pdf-after")
    assert viewer.acts("go")[-1] == (3,)
    viewer.do("pdf_go", value="99")
    assert viewer.acts("go")[-1] == (5,)
    assert viewer.shown("pdf-after")[0][1]["disabled"]
    viewer.do("pdf_go", value="last")
    assert viewer.acts("go")[-1] == (5,)
    viewer.do("pdf_at", page=1)
    assert viewer.shown("pdf-page")[0][1]["value"] == "1"
    assert viewer.shown("pdf-before")[0][1]["disabled"]


def test_sizes_go_in_steps_and_to_the_width() -> None:
    viewer = Viewer().opened()
    viewer.do("pdf_zoomed", percent=107)
    viewer.press("pdf-larger")
    viewer.press("pdf-smaller")
    viewer.press("pdf-fit")
    assert viewer.acts("zoom") == [(110, 110), (100, 100), (0, ZOOMS[-1])]


def test_sizes_end_at_the_smallest_and_the_largest() -> None:
    assert [next_zoom(ZOOMS[0], -1), next_zoom(ZOOMS[-1], 1)] == [ZOOMS[0], ZOOMS[-1]]


@pytest.mark.parametrize("n_pages", [1, 7, 8, 9, 100])
def test_every_page_and_every_pair_of_pages_is_looked_through_once(n_pages: int) -> None:
    windows = []
    while pages := pages_to_search([passage(50)], n_pages, len(windows)):
        windows.append(pages)
    assert {page for pages in windows for page in pages} == set(range(1, n_pages + 1))
    pairs = [pair for pages in windows[1:] for pair in pairwise(pages)]
    assert sorted(pairs) == [(page, page + 1) for page in range(1, n_pages)]
