"""Hundreds of tabs: what goes to the engine and comes back about them goes in parts, and means the same."""

from typing import Any

import pytest

from tabwise.ui.events import adding, sources, summaries
from ui_driver import Driver, page, tab, text_of

N_TABS = 2 * adding.PART + 20
URLS = [f"https://a.example/{n}" for n in range(N_TABS)]
Record = dict[str, Any]


def row(number: int, state: str = "added", code: str = "") -> Record:
    failure = {"code": code, "subject": "", "message": ""} if code else None
    told = None if code or state == "reading" else page(URLS[number])
    return {"tab_id": number + 1, "state": state, "page": told, "failure": failure}


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready()
    ready.do("access", origins=["https://a.example/*"], tabs={})
    ready.do("tabs", tabs=[tab(n + 1, url) for n, url in enumerate(URLS)])
    ready.do("view", value="pages")
    return ready


def of(driver: Driver, kind: str) -> list[Record]:
    return [request for request in driver.requests() if request["type"] == kind]


def add_all(driver: Driver) -> list[Record]:
    """Add every tab; the requests, each sent in a step of its own."""
    driver.press("add-all")
    while driver.state["jobs"][0]["unsent"]:
        driver.fire("send_tabs")
    return of(driver, "index")


def numbers(request: Record) -> list[int]:
    return [each["tab_id"] - 1 for each in request["tabs"]]


def states(driver: Driver) -> list[str]:
    return [node[1]["data-state"] for node in driver.shown("tab-row")]


def finish(driver: Driver, request: Record) -> list[tuple[Any, ...]]:
    return driver.done(request, [row(n) for n in numbers(request)])


def test_the_tabs_are_asked_for_in_parts_one_step_each(driver: Driver) -> None:
    driver.press("add-all")
    assert states(driver) == ["waiting"] * N_TABS
    assert [len(request["tabs"]) for request in of(driver, "index")] == [adding.PART]
    while driver.state["jobs"][0]["unsent"]:
        driver.fire("send_tabs")
    requests = of(driver, "index")
    assert len({request["id"] for request in requests}) == len(requests) == 3
    assert [url for request in requests for url in [one["url"] for one in request["tabs"]]] == URLS


def test_the_job_is_over_with_its_last_part_and_tells_of_all(driver: Driver) -> None:
    first, second, third = add_all(driver)
    told = finish(driver, second) + finish(driver, first)
    assert [effect for effect in told if effect[0] == "announce"] == []
    assert f"{2 * adding.PART} of {N_TABS}" in text_of(driver.shown("progress")[0])
    assert ("announce", f"{N_TABS} pages added.") in finish(driver, third)
    assert driver.shown("progress") == []
    assert states(driver) == ["added"] * N_TABS


def test_pages_read_are_counted_over_all_parts(driver: Driver) -> None:
    second = add_all(driver)[1]
    driver.event(second, "progress", stage="read", done=3, total=len(second["tabs"]), unit="pages")
    stage = driver.state["jobs"][0]["stage"]
    assert (stage["done"], stage["total"]) == (adding.PART + 3, N_TABS)


def test_an_error_of_one_part_is_told_in_its_rows_alone(driver: Driver) -> None:
    first, second, third = add_all(driver)
    driver.event(second, "error", code="store_full", subject="", message="", retryable=False)
    for request in (first, third):
        finish(driver, request)
    assert states(driver) == ["added"] * adding.PART + ["failed"] * adding.PART + ["added"] * 20
    assert driver.shown("progress") == []


def test_failures_of_all_parts_are_told_together_in_the_chat(driver: Driver) -> None:
    driver.do("view", value="chat")
    driver.do("add_all")
    while driver.state["jobs"][0]["unsent"]:
        driver.fire("send_tabs")
    for request in of(driver, "index"):
        driver.done(request, [row(n, "failed", "page_empty") for n in numbers(request)])
    assert f"{N_TABS} pages could not be added." in text_of(driver.draw())


def test_stop_ends_what_was_asked_for_and_asks_for_no_more(driver: Driver) -> None:
    driver.press("add-all")
    (request,) = of(driver, "index")
    driver.press("stop")
    driver.fire("send_tabs")
    assert of(driver, "index") == [request]
    assert [cancel["target"] for cancel in of(driver, "cancel")] == [request["id"]]
    driver.event(request, "cancelled")
    assert states(driver) == ["new"] * N_TABS
    assert driver.shown("progress") == []


def test_a_part_that_ends_before_the_next_is_sent_ends_nothing(driver: Driver) -> None:
    driver.press("add-all")
    finish(driver, of(driver, "index")[0])
    assert driver.shown("progress") != []
    driver.fire("send_tabs")
    assert len(of(driver, "index")) == 2


def test_stop_between_two_parts_ends_the_job(driver: Driver) -> None:
    driver.press("add-all")
    finish(driver, of(driver, "index")[0])
    driver.press("stop")
    assert driver.shown("progress") == []
    assert states(driver) == ["added"] * adding.PART + ["new"] * (N_TABS - adding.PART)


def test_addresses_are_located_in_parts_each_once(driver: Driver) -> None:
    add_all(driver)
    finish(driver, of(driver, "index")[0])
    asked = []
    while (request := driver.last("locate"))["id"] in driver.state["pending"]:
        assert len(request["urls"]) <= sources.PART
        asked += request["urls"]
        driver.done(request, [{"url": url, "source": url} for url in request["urls"]])
    assert asked == URLS
    assert driver.state["sources"] == {url: url for url in URLS}


def test_summaries_are_looked_for_in_parts_and_then_those_that_are_missing() -> None:
    driver = Driver().ready(*(page(url) for url in URLS))
    driver.do("tabs", tabs=[tab(1, "https://b.example/")])
    driver.do("list_all")
    driver.do("view", value="pages")
    asked = []
    while (request := driver.last("summaries"))["id"] in driver.state["pending"]:
        assert len(request["sources"]) <= summaries.PART
        asked += request["sources"]
        driver.done(request, [summary(source) for source in request["sources"] if source != URLS[7]])
    assert asked == URLS
    assert sorted(driver.state["summaries"]["known"]) == sorted(set(URLS) - {URLS[7]})
    driver.fire("summaries_again")
    assert driver.last("summaries")["sources"] == [URLS[7]]
    driver.done(driver.last("summaries"), [summary(URLS[7])])
    assert len(driver.state["summaries"]["known"]) == N_TABS


def summary(source: str) -> Record:
    said = {"text": "A sentence.", "start": 0, "end": 11, "verdict": "supported"}
    record = {"source": source, "url": source, "title": "A title", "engine": "extractive", "headline": said}
    return record | {"sentences": [said], "made_at": 1.0, "read_share": 1.0}
