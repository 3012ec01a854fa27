"""The Library view: filters, a window of a long list, removing, reading saved pages again."""

from typing import Any

from tabwise.ui.shelf import WINDOW
from ui_driver import NOW_MS, Driver, page, tab, text_of

DAY_MS = 86_400_000


def library(*pages: dict[str, Any]) -> Driver:
    driver = Driver().ready(*pages)
    driver.do("view", value="shelf")
    return driver


def marks(node: Any) -> list[tuple[Any, ...]]:
    """The nodes of what is lit up below a node."""
    if not isinstance(node, (tuple, list)):
        return []
    here = [node] if isinstance(node, tuple) and node[0] == "mark" else []
    return here + [found for child in node for found in marks(child)]


def titles(driver: Driver) -> list[str]:
    return [row[1]["data-source"] for row in driver.shown("shelf-row")]


def many(n_pages: int) -> list[dict[str, Any]]:
    return [page(f"https://a.example/{number}", f"Page {number}") for number in range(n_pages)]


def test_pages_are_filtered_by_words_site_and_day() -> None:
    old = page("https://b.example/tides", "Tides", captured_at=NOW_MS - 40 * DAY_MS)
    new = page("https://b.example/bread", "Bread", captured_at=NOW_MS)
    other = page("https://c.example/tides", "More tides", captured_at=NOW_MS)
    driver = library(old, new, other)
    assert len(titles(driver)) == 3
    driver.do("shelf_filter", name="text", value="TIDES")
    assert titles(driver) == [old["source"], other["source"]]
    driver.do("shelf_filter", name="site", value="b.example")
    assert titles(driver) == [old["source"]]
    driver.do("shelf_filter", name="text", value="")
    driver.do("shelf_filter", name="days", value="7")
    assert titles(driver) == [new["source"]]
    driver.do("shelf_filter", name="text", value="nowhere")
    driver.done(driver.last("find"), [])
    assert driver.shown("shelf-none")


def test_a_long_list_is_drawn_in_windows() -> None:
    driver = library(*many(5_000))
    assert len(titles(driver)) == WINDOW
    assert "1–100" in text_of(driver.shown("shelf-window")[0])
    driver.press("shelf-after")
    assert titles(driver)[0] == "https://a.example/100"
    driver.do("shelf_turn", start=4_900)
    assert driver.shown("shelf-after")[0][1]["disabled"]
    driver.do("shelf_filter", name="text", value="Page 4999")
    assert titles(driver) == ["https://a.example/4999"]


def test_removing_a_page_keeps_the_place_in_the_list() -> None:
    driver = library(*many(3))
    effects = driver.press("remove", 1)
    assert ("focus", "saved-https://a.example/2") in effects
    assert titles(driver) == ["https://a.example/0", "https://a.example/2"]
    driver.press("undo")
    assert driver.last("restore")["source"] == "https://a.example/1"


def outcome(url: str, tab_id: int, **more: Any) -> dict[str, Any]:
    return {"tab_id": tab_id, "state": "unchanged", "page": page(url), "failure": None} | more


def test_an_open_page_is_read_where_it_is() -> None:
    driver = library(page("https://a.example/"))
    driver.do("tabs", tabs=[tab(7, "https://a.example/")])
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("refresh")
    driver.fire("refresh_go")
    asked = driver.last("index")
    assert [one["tab_id"] for one in asked["tabs"]] == [7]
    assert driver.shown("refreshing")
    effects = driver.done(asked, [outcome("https://a.example/", 7)])
    assert "close_tab" not in [effect[0] for effect in effects]
    assert driver.shown("refreshing") == []


def test_closed_pages_are_opened_read_and_closed_one_by_one() -> None:
    first, second = page("https://a.example/1"), page("https://a.example/2")
    driver = library(first, second)
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("refresh-all")
    effects = driver.fire("refresh_go")
    assert ("visit", "https://a.example/1") in effects
    assert [effect for effect in effects if effect[0] == "visit"] == [("visit", "https://a.example/1")]
    driver.do("visited", url="https://a.example/1", tab_id=9)
    driver.do("tabs", tabs=[tab(9, "https://a.example/1")])
    effects = driver.done(driver.last("index"), [outcome("https://a.example/1", 9)])
    assert ("close_tab", 9) in effects
    assert ("visit", "https://a.example/2") in effects
    driver.do("visited", url="https://a.example/2", tab_id=0)
    assert driver.state["refreshing"] is None
    assert "1 page was read again. 1 could not be read" in driver.state["toast"]["text"]


def test_a_page_that_does_not_load_is_passed_over_and_its_tab_closed() -> None:
    driver = library(page("https://a.example/1"))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("refresh")
    driver.fire("refresh_go")
    driver.do("visited", url="https://a.example/1", tab_id=9)
    effects = driver.fire("refresh_late")
    assert ("close_tab", 9) in effects
    assert driver.state["waking"] == {}


def test_nothing_is_opened_without_access() -> None:
    driver = library(page("https://a.example/1"))
    effects = driver.press("refresh")
    effects = driver.granted(effects, answer=False)
    assert "visit" not in [effect[0] for effect in effects]
    assert driver.state["refreshing"] is None


def test_stop_ends_after_the_page_in_hand() -> None:
    driver = library(*many(3))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("refresh-all")
    driver.fire("refresh_go")
    driver.press("refresh-stop")
    driver.do("visited", url="https://a.example/0", tab_id=0)
    assert driver.state["refreshing"] is None


def found(url: str, excerpt: str = "", **more: Any) -> dict[str, Any]:
    record = {"source": url, "url": url, "title": "A title", "by_meaning": False}
    return record | {"excerpt": excerpt, "start": 40, "end": 40 + len(excerpt)} | more


SEA, OVEN, MILL = (f"https://{name}.example/" for name in ("sea", "oven", "mill"))


def looking(text: str) -> Driver:
    driver = library(page(SEA, "Tides"), page(OVEN, "Bread"), page(MILL, "Mills", captured_at=0.0))
    driver.do("shelf_filter", name="text", value=text)
    return driver


def test_titles_are_listed_at_once_and_then_what_the_texts_hold() -> None:
    driver = looking("tide")
    assert titles(driver) == [SEA]
    request = driver.last("find")
    driver.event(request, "found", pages=[found(SEA, "A tide."), found(MILL, "The tide turns it.")])
    assert titles(driver) == [SEA, MILL]
    (group,) = driver.shown("shelf-texts")
    assert text_of(group).startswith("In the text 1")
    assert ["".join(mark[2]) for mark in marks(group)] == ["tide"]
    driver.do("open_found", box="shelf_found", source=MILL)
    assert driver.last("show")["citation"]["quote"] == "The tide turns it."


def test_texts_pass_the_other_filters_too() -> None:
    driver = looking("tide")
    driver.done(driver.last("find"), [found(MILL, "The tide turns it."), found(OVEN, "At high tide.")])
    assert titles(driver) == [SEA, MILL, OVEN]
    driver.do("shelf_filter", name="days", value="7")
    assert titles(driver) == [SEA, OVEN]
    driver.do("shelf_filter", name="site", value="oven.example")
    assert titles(driver) == [OVEN]


def test_what_is_only_near_in_meaning_does_not_pass() -> None:
    driver = looking("zygote")
    assert not driver.shown("shelf-none"), "nobody knows yet"
    driver.done(driver.last("find"), [found(MILL, "Grain.", by_meaning=True)])
    assert titles(driver) == []
    assert driver.shown("shelf-none")


def test_an_empty_box_lists_every_page_again() -> None:
    driver = looking("tide")
    driver.done(driver.last("find"), [found(MILL, "The tide turns it.")])
    driver.do("shelf_filter", name="text", value="")
    assert titles(driver) == [SEA, OVEN, MILL]


def test_a_page_found_by_its_text_can_be_removed() -> None:
    driver = looking("tide")
    driver.done(driver.last("find"), [found(OVEN, "At high tide."), found(MILL, "The tide turns it.")])
    effects = driver.press("remove", 1)
    assert ("focus", "saved-" + MILL) in effects
    assert titles(driver) == [SEA, MILL]


def test_while_the_texts_are_looked_through_that_is_shown() -> None:
    driver = looking("tide")
    assert driver.shown("shelf-looking")
    driver.done(driver.last("find"), [])
    assert driver.shown("shelf-looking") == []


def summary(url: str, text: str) -> dict[str, Any]:
    said = {"text": text, "start": 0, "end": len(text), "verdict": "supported"}
    record = {"source": url, "url": url, "title": "A title", "engine": "extractive", "headline": said}
    return record | {"sentences": [said], "made_at": NOW_MS, "read_share": 1.0}


def test_rows_say_in_short_what_their_pages_say() -> None:
    driver = library(page(SEA, "Tides"), page(OVEN, "Bread"))
    request = driver.last("summaries")
    assert request["sources"] == [SEA, OVEN]
    driver.done(request, [summary(SEA, "The tide turns twice a day.")])
    (line,) = driver.shown("summary")
    assert text_of(line) == "The tide turns twice a day."
    driver.press("summary")
    assert [text_of(node) for node in driver.shown("summary-sentence")] == ["The tide turns twice a day."]


def asked_in_parts(driver: Driver) -> list[str]:
    """The sources whose summaries are asked for from now on, while none is there."""
    request, asked = driver.last("summaries"), []
    while request["id"] in driver.state["pending"]:
        asked += request["sources"]
        driver.done(request, [])
        request = driver.last("summaries")
    return asked


def test_summaries_are_asked_for_of_what_is_drawn_alone() -> None:
    driver = library(*many(250))
    assert asked_in_parts(driver) == [f"https://a.example/{n}" for n in range(WINDOW)]
    driver.do("shelf_turn", start=200)
    assert asked_in_parts(driver) == [f"https://a.example/{n}" for n in range(200, 250)]


def test_the_summaries_of_pages_found_by_name_are_asked_for_once_all_are_found() -> None:
    driver = library(*many(250))
    n_before = len([one for one in driver.requests() if one["type"] == "summaries"])
    driver.do("shelf_filter", name="text", value="Page 240")
    assert len([one for one in driver.requests() if one["type"] == "summaries"]) == n_before
    driver.done(driver.last("find"), [])
    assert driver.last("summaries")["sources"] == ["https://a.example/240"]


def test_a_row_tells_the_time_of_today_and_the_day_of_earlier_as_the_history_does() -> None:
    driver = library(page(SEA, captured_at=NOW_MS), page(OVEN, captured_at=NOW_MS - 3 * DAY_MS))
    today, earlier = (text_of(row) for row in driver.shown("shelf-row"))
    assert "16:00" in today
    assert "21 Nov 2025" in earlier


def test_an_empty_library_leads_to_the_pages() -> None:
    driver = library()
    assert "Your library is empty" in text_of(driver.shown("no-library")[0])
    driver.press("to-pages")
    assert driver.state["view"] == "pages"
