"""The panel names the pages of a PDF: in the excerpt, among the sources, in what is copied, in its row."""

import pytest

from tabwise.ui.markdown import answer_markdown
from tabwise.ui.text import site_of
from ui_driver import Driver, answer, citation, page, sentence, text_of

PDF = "https://sea.example/report.pdf"


@pytest.fixture
def driver() -> Driver:
    driver = Driver().ready(page(PDF, n_pages=12, n_words=3214))
    cited = [citation(number, PDF) | {"page_number": n} for number, n in ((1, 12), (2, 3), (3, 12))]
    said = [sentence(numbers=(1,)), sentence(numbers=(2,)), sentence(numbers=(3,))]
    driver.done(driver.ask(), answer(*said, citations=tuple(cited)))
    return driver


def test_the_excerpt_names_the_page(driver: Driver) -> None:
    enter = dict(driver.shown("chip")[0][1]["on-enter"])
    driver.do(enter.pop("type"), **enter)
    assert "On page 12. Press to see it there" in text_of(driver.shown("card")[0])


def test_a_source_lists_its_cited_pages_in_order(driver: Driver) -> None:
    assert "sea.example · p. 3, 12" in text_of(driver.shown("answer")[0])


def test_a_copied_source_names_its_page(driver: Driver) -> None:
    copied = answer_markdown(driver.state["blocks"][0])
    assert "1. [A title](https://sea.example/report.pdf), p. 12: “" in copied


def test_a_row_counts_pages_and_words(driver: Driver) -> None:
    driver.do("view", value="pages")
    shown = text_of(driver.shown("library-row")[0])
    assert shown.index("12 pages") < shown.index("3,214 words")


def test_a_page_without_numbers_has_no_count() -> None:
    driver = Driver().ready(page("https://a.example/"))
    driver.do("view", value="pages")
    assert "pages" not in text_of(driver.shown("library-row")[0])


def test_a_given_file_is_shown_by_its_name() -> None:
    assert site_of("file:report.pdf") == "report.pdf"
    assert site_of("file:///home/me/report.pdf") == "report.pdf"
