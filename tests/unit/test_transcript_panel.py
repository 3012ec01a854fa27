"""The panel names the times of a transcript, and says when a page with a video shows none."""

import pytest

from tabwise.ui.markdown import answer_markdown
from tabwise.ui.text import clock_time
from ui_driver import Driver, answer, citation, page, sentence, text_of

TALK = "https://video.example/talk"


@pytest.fixture
def driver() -> Driver:
    driver = Driver().ready(page(TALK))
    cited = [citation(number, TALK) | {"seconds": n} for number, n in ((1, 754), (2, 0))]
    driver.done(driver.ask(), answer(sentence(numbers=(1,)), sentence(numbers=(2,)), citations=tuple(cited)))
    return driver


def test_the_excerpt_names_the_time(driver: Driver) -> None:
    enter = dict(driver.shown("chip")[0][1]["on-enter"])
    driver.do(enter.pop("type"), **enter)
    assert "At 12:34. Press to go there" in text_of(driver.shown("card")[0])


def test_a_source_lists_its_cited_times_in_order(driver: Driver) -> None:
    assert "video.example · 0:00, 12:34" in text_of(driver.shown("answer")[0])


def test_a_copied_source_names_its_time(driver: Driver) -> None:
    copied = answer_markdown(driver.state["blocks"][0])
    assert "1. [A title](https://video.example/talk), 12:34: “" in copied


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (7, "0:07"), (754, "12:34"), (3599, "59:59"), (3603, "1:00:03")]
)
def test_times_are_written_as_players_do(seconds: int, text: str) -> None:
    assert clock_time(seconds) == text


@pytest.mark.parametrize("no_captions", [True, False])
def test_a_row_says_that_a_video_has_no_captions(no_captions: bool) -> None:
    driver = Driver().ready(page(TALK, no_captions=no_captions))
    driver.do("view", value="pages")
    shown = "no captions shown on this page" in text_of(driver.shown("library-row")[0])
    assert shown is no_captions
