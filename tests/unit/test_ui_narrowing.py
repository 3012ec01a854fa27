"""What a question is kept to: scope, sites, dates, recency; how it is searched; why each passage came."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwise.ui.dates import start_of_date, start_of_day
from ui_driver import NOW_MS, Driver, answer, citation, hit, page, sentence, tab, text_of

A, B, C = "https://www.a.example/1", "https://b.example/", "https://www.a.example/2"
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
ANY = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page(A), page(B), page(C))
    ready.do("tabs", tabs=[tab(1, A), tab(2, B), tab(3, "https://new.example/")])
    return ready


def narrow(driver: Driver) -> None:
    driver.press("narrow")


def asked(driver: Driver) -> dict[str, Any]:
    request: dict[str, Any] = driver.ask()["filter"]
    return request


def chips(driver: Driver) -> list[str]:
    return [text_of(node).strip() for node in driver.shown("kept")]


def test_a_question_is_kept_to_nothing_at_first(driver: Driver) -> None:
    assert asked(driver) == ANY
    assert chips(driver) == []


def test_sites_are_those_of_the_library_most_pages_first(driver: Driver) -> None:
    narrow(driver)
    assert [text_of(node) for node in driver.shown("site")] == ["a.example", "b.example"]


def test_a_site_is_taken_in_and_out_again(driver: Driver) -> None:
    narrow(driver)
    driver.press("site", 1)
    assert driver.shown("site")[1][1]["aria-pressed"] == "true"
    assert chips(driver) == ["b.example"]
    driver.press("site", 1)
    assert chips(driver) == []
    driver.press("site", 1)
    assert asked(driver) == ANY | {"sites": ["b.example"]}


def test_asking_closes_the_choice_and_keeps_what_was_chosen(driver: Driver) -> None:
    narrow(driver)
    driver.press("site")
    driver.ask()
    assert driver.shown("narrowing") == []
    assert chips(driver) == ["a.example"]


def test_today_begins_at_midnight_of_the_reader(driver: Driver) -> None:
    driver.do("narrow_span", value="1")
    driver.do("draft", value="Why?")
    driver.do("ask", offset_min=-120)
    midnight = datetime.fromtimestamp(NOW_MS / 1000, UTC) + timedelta(hours=2)
    midnight = midnight.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(hours=2)
    assert driver.last("ask")["filter"]["after"] == midnight.timestamp() * 1000


def test_seven_days_count_today(driver: Driver) -> None:
    driver.do("narrow_span", value="7")
    today = NOW_MS - NOW_MS % DAY_MS
    assert asked(driver) == ANY | {"after": today - 6 * DAY_MS}


def test_a_span_of_ones_own_holds_its_last_day(driver: Driver) -> None:
    driver.do("narrow_date", end="from", value="2026-03-01")
    driver.do("narrow_date", end="to", value="2026-03-01")
    first = datetime(2026, 3, 1, tzinfo=UTC).timestamp() * 1000
    assert asked(driver) == ANY | {"after": first, "before": first + DAY_MS}
    assert chips(driver) == ["from 1 Mar 2026 to 1 Mar 2026"]


def test_an_open_end_is_no_limit(driver: Driver) -> None:
    driver.do("narrow_date", end="to", value="2026-03-01")
    assert asked(driver)["after"] == 0
    assert chips(driver) == ["to 1 Mar 2026"]


def test_each_chip_can_be_taken_away(driver: Driver) -> None:
    narrow(driver)
    driver.press("site")
    driver.do("narrow_span", value="30")
    driver.do("narrow_recent", checked=True)
    assert chips(driver) == ["last 30 days", "a.example", "newer first"]
    for left in (["a.example", "newer first"], ["newer first"], []):
        driver.press("drop")
        assert chips(driver) == left
    assert asked(driver) == ANY


def test_asking_again_asks_the_same_pages(driver: Driver) -> None:
    narrow(driver)
    driver.press("site")
    first = driver.ask()
    driver.done(first, answer(sentence(), citations=(citation(1),)))
    driver.press("drop")
    driver.do("again", block=first["id"])
    assert driver.last("ask")["filter"] == ANY | {"sites": ["a.example"]}


def test_ticked_tabs_can_be_asked(driver: Driver) -> None:
    for url in (B, "https://new.example/"):
        driver.do("tick_tab", url=url, checked=True)
    driver.do("scope", value="ticked")
    assert driver.ask()["sources"] == [B]


def test_the_settings_say_how_every_question_is_searched(driver: Driver) -> None:
    driver.do("choose", name="mode", value="lexical")
    driver.do("choose", name="k", value="12")
    request = driver.ask()
    assert (request["mode"], request["k"]) == ("lexical", 12)


def shown_hits(driver: Driver, *hits: dict[str, Any]) -> list[str]:
    driver.done(driver.ask(), answer(sentence(), citations=(citation(1),), hits=list(hits)))
    driver.press("how-open")
    return [text_of(node) for node in driver.shown("hit")]


def test_an_answer_tells_where_each_passage_stood(driver: Driver) -> None:
    (shown,) = shown_hits(driver, hit(1, rank_dense=3, dense=0.71, rank_lexical=2, lexical=8.25))
    assert "One › Two" in shown
    assert "meaning: place 3, 0.71" in shown
    assert "words: place 2, 8.25" in shown


def test_a_passage_without_a_word_or_a_vector_says_nothing_of_it(driver: Driver) -> None:
    by_meaning, by_words = shown_hits(driver, hit(1, rank_lexical=None), hit(2, rank_dense=None, dense=None))
    assert "words:" not in by_meaning
    assert "meaning:" not in by_words


def test_what_moved_a_passage_is_said(driver: Driver) -> None:
    still, moved = shown_hits(driver, hit(1), hit(2, rank_fused=5, word_order=0.12, recency=0.05))
    assert "spread over pages" not in still
    assert "place 5 before passages were spread over pages, 2 after" in moved
    assert "in order: +0.12" in moved
    assert "a newer page: +0.05" in moved


@given(st.dates(), st.integers(-14 * 60, 12 * 60))
def test_a_date_begins_at_local_midnight(date: Any, offset_min: int) -> None:
    expected = (date - datetime(1970, 1, 1).date()).days * DAY_MS + offset_min * 60_000
    assert start_of_date(date.isoformat(), offset_min) == expected


@given(st.integers(0, 4_000_000_000_000), st.integers(-14 * 60, 12 * 60))
def test_a_day_began_less_than_a_day_ago(now_ms: int, offset_min: int) -> None:
    start = start_of_day(now_ms, offset_min)
    assert 0 <= now_ms - start < DAY_MS
    assert (start - offset_min * 60_000) % DAY_MS == 0
    assert start_of_day(now_ms, offset_min, 3) == start - 3 * DAY_MS


@pytest.mark.parametrize("text", ["", "2026", "2026-13-01", "2026-00-10", "yyyy-mm-dd", "2026-1-1-1"])
def test_what_is_no_date_is_no_limit(text: str) -> None:
    assert start_of_date(text, 0) == 0
