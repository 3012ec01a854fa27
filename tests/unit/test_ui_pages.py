"""The Pages view: live tabs, adding with progress, failures with one action, removing with undo."""

from typing import Any

import pytest

from tabwise.ui.events.listing import PART
from tabwise.ui.scope import scope_choices, scope_sources
from ui_driver import STATS, Driver, page, tab, text_of

A, B, C = "https://a.example/", "https://b.example/x", "https://b.example/y"


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready()
    ready.do("tabs", tabs=[tab(1, A, "Alpha"), tab(2, B, "Beta"), tab(3, C, "Gamma")])
    ready.do("view", value="pages")
    return ready


def grant(driver: Driver, effects: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Give the access that is asked for, return the index request."""
    if driver.state["asking"]:
        effects = driver.press("allow-sites")
    driver.granted(effects)
    return driver.last("index")


def row(tab_id: int, state: str, page: dict[str, Any] | None = None, code: str = "") -> dict[str, Any]:
    failure = {"code": code, "subject": "", "message": ""} if code else None
    return {"tab_id": tab_id, "state": state, "page": page, "failure": failure}


def states(driver: Driver) -> list[str]:
    return [node[1]["data-state"] for node in driver.shown("tab-row")]


def test_tabs_come_active_first_then_most_recent(driver: Driver) -> None:
    driver.do("tabs", tabs=[tab(2, B, last_accessed=5.0), tab(3, C, last_accessed=9.0), tab(1, A)])
    assert [node[1]["data-url"] for node in driver.shown("tab-row")] == [A, C, B]


def test_add_all_asks_for_each_site_once_and_sends_the_tabs(driver: Driver) -> None:
    driver.press("add-all")
    effects = driver.press("allow-sites")
    assert [effect[1] for effect in effects if effect[0] == "grant"] == [
        ["https://a.example/*", "https://b.example/*"]
    ]
    assert [each["tab_id"] for each in grant(driver, effects)["tabs"]] == [1, 2, 3]
    assert states(driver) == ["waiting"] * 3


def test_a_row_follows_its_tab(driver: Driver) -> None:
    request = grant(driver, driver.press("add-all"))
    driver.event(request, "row", row=row(1, "reading"))
    driver.event(request, "row", row=row(2, "added", page(B, "Beta")))
    driver.event(request, "row", row=row(3, "failed", code="page_empty"))
    assert states(driver) == ["reading", "added", "failed"]
    assert "1,234 words" in text_of(driver.shown("tab-row")[1])
    assert text_of(driver.shown("error")[0]) == "This page looks empty: select text on it and add that."
    assert "1 of 3" not in text_of(driver.shown("progress")[0])
    assert "2 of 3" in text_of(driver.shown("progress")[0])


def test_the_end_of_a_job_takes_the_progress_away(driver: Driver) -> None:
    request = grant(driver, driver.press("add-tab"))
    effects = driver.done(request, [row(1, "added", page(A, "Alpha"))])
    assert driver.shown("progress") == []
    assert ("announce", "1 page added.") in effects
    assert states(driver) == ["added", "new", "new"]


def test_a_source_that_is_not_the_address_still_belongs_to_its_tab(driver: Driver) -> None:
    driver.do("tabs", tabs=[tab(1, A + "?utm_source=x#top")])
    request = grant(driver, driver.press("add-tab"))
    driver.done(request, [row(1, "added", page(A, "Alpha") | {"url": A + "?utm_source=x"})])
    assert states(driver) == ["added"]
    assert driver.shown("library-row") == []


def test_stop_cancels_and_unfinished_rows_are_new_again(driver: Driver) -> None:
    request = grant(driver, driver.press("add-all"))
    driver.event(request, "row", row=row(1, "added", page(A)))
    driver.press("stop")
    assert driver.last("cancel")["target"] == request["id"]
    driver.event(request, "cancelled")
    assert states(driver) == ["added", "new", "new"]
    assert driver.shown("progress") == []


def test_an_error_of_the_whole_job_is_shown_in_its_unfinished_rows(driver: Driver) -> None:
    request = grant(driver, driver.press("add-all"))
    driver.event(request, "row", row=row(1, "added", page(A)))
    driver.event(request, "error", code="store_full", subject="", message="", retryable=False)
    assert states(driver) == ["added", "failed", "failed"]
    assert len(driver.shown("error")) == 2


def test_in_the_chat_a_page_that_could_not_be_added_is_told(driver: Driver) -> None:
    driver.do("view", value="chat")
    request = grant(driver, driver.do("add_active"))
    driver.done(request, [row(1, "failed", code="page_empty")])
    said = "1 page could not be added. This page looks empty: select text on it and add that."
    assert said in text_of(driver.draw())


def test_ticked_tabs_are_added_and_the_ticks_go(driver: Driver) -> None:
    driver.do("tick_tab", url=B, checked=True)
    driver.do("tick_tab", url=C, checked=True)
    assert text_of(driver.shown("add-ticked")[0]) == "Add ticked (2)"
    assert [each["url"] for each in grant(driver, driver.press("add-ticked"))["tabs"]] == [B, C]
    assert driver.shown("add-ticked") == []


def test_the_tick_of_a_closed_tab_is_forgotten(driver: Driver) -> None:
    driver.do("tick_tab", url=B, checked=True)
    driver.do("tabs", tabs=[tab(1, A)])
    assert driver.state["ticked"] == []


@pytest.mark.parametrize(
    ("url", "more", "reason"),
    [
        ("chrome://settings/", {}, "browser itself"),
        ("https://chromewebstore.google.com/x", {}, "browser itself"),
        (A, {"private": True}, "never read"),
    ],
)
def test_a_tab_that_cannot_be_read_says_why(url: str, more: dict[str, bool], reason: str) -> None:
    driver = Driver().ready()
    driver.do("tabs", tabs=[tab(1, url, **more)])
    driver.do("view", value="pages")
    (shown,) = driver.shown("tab-row")
    assert shown[1]["data-state"] == "blocked"
    assert reason in text_of(shown)
    assert driver.shown("add-tab")[0][1]["disabled"] is True
    assert driver.shown("add-all")[0][1]["disabled"] is True


def test_add_all_skips_what_is_saved_and_then_offers_to_update(driver: Driver) -> None:
    driver.done(grant(driver, driver.press("add-tab")), [row(1, "added", page(A))])
    assert text_of(driver.shown("add-all")[0]) == "Add all (2)"
    request = grant(driver, driver.press("add-all"))
    driver.done(request, [row(2, "added", page(B)), row(3, "added", page(C))])
    assert text_of(driver.shown("add-all")[0]) == "Update all (3)"


def test_one_url_in_two_tabs_is_sent_once(driver: Driver) -> None:
    driver.do("tabs", tabs=[tab(1, A), tab(2, A)])
    assert len(grant(driver, driver.press("add-all"))["tabs"]) == 1


def test_the_filter_looks_at_titles_and_sites_of_tabs() -> None:
    driver = Driver().ready(page("https://old.example/", "Ärger im Archiv"))
    driver.do("tabs", tabs=[tab(1, A, "Alpha"), tab(2, B, "Beta")])
    driver.do("view", value="pages")
    driver.do("filter", value="ALPHA a.ex")
    assert [node[1]["data-url"] for node in driver.shown("tab-row")] == [A]
    driver.do("filter", value="ärger")
    assert driver.shown("tab-row") == driver.shown("library-row") == []
    driver.do("filter", value="")
    assert len(driver.shown("tab-row")) == 2
    assert len(driver.shown("library-row")) == 1


def test_removing_can_be_undone_for_ten_seconds() -> None:
    driver = Driver().ready(page(A, "Alpha"), page(B, "Beta"))
    driver.do("view", value="pages")
    driver.press("remove")
    assert driver.last("remove")["source"] == A
    assert len(driver.shown("library-row")) == 1
    assert [effect[1] for effect in driver.effects if effect[0] == "timer"][-1] == 10_000
    driver.press("undo")
    assert driver.last("restore")["source"] == A
    assert [node[1]["data-source"] for node in driver.shown("library-row")] == [A, B]
    assert driver.shown("undo") == []


def test_removing_a_row_moves_the_focus_to_its_neighbour() -> None:
    driver = Driver().ready(page(A), page(B), page(C))
    driver.do("view", value="pages")
    assert ("focus", f"saved-{C}") in driver.do("remove", source=B)
    assert ("focus", f"saved-{A}") in driver.do("remove", source=C)
    assert ("focus", "filter") in driver.do("remove", source=A)


def test_removing_the_page_of_an_open_tab_keeps_the_focus_on_its_row() -> None:
    driver = Driver().ready(page(A), page(B))
    driver.do("tabs", tabs=[tab(4, A)])
    assert ("focus", "tab-4") in driver.do("remove", source=A)


def test_undo_waits_while_the_pointer_is_on_it() -> None:
    driver = Driver().ready(page(A))
    driver.do("remove", source=A)
    driver.do("toast_hold")
    driver.fire("toast_expire")
    assert len(driver.shown("undo")) == 1
    driver.do("toast_leave")
    driver.fire("toast_expire")
    assert driver.shown("undo") == []


def test_undo_goes_away_by_itself() -> None:
    driver = Driver().ready(page(A))
    driver.do("remove", source=A)
    driver.fire("toast_expire")
    assert driver.shown("undo") == []


def test_a_removal_the_engine_refused_is_taken_back() -> None:
    driver = Driver().ready(page(A))
    driver.do("remove", source=A)
    driver.event(driver.last("remove"), "error", code="store_locked", subject="", message="", retryable=True)
    driver.done(driver.last("library"), [page(A)])
    driver.do("view", value="pages")
    assert len(driver.shown("library-row")) == 1


def test_a_click_on_a_title_focuses_tab_and_window(driver: Driver) -> None:
    opener = next(node for node in driver.shown("tab-row")[1][2][1][2] if node[0] == "button")
    assert driver.do(opener[1]["on-click"]["type"], tab_id=2, window_id=7) == [("focus_tab", 2, 7)]


@pytest.mark.fault("F07", "F61")
def test_a_page_read_in_part_says_how_much() -> None:
    driver = Driver().ready(page(A, n_read_chars=2000, n_total_chars=8000, n_removed=3))
    driver.do("view", value="pages")
    shown = text_of(driver.shown("library-row")[0])
    assert "first 2,000 of 8,000 characters" in shown
    assert "3 invisible characters left out" in shown


def test_many_saved_pages_come_in_parts() -> None:
    driver = Driver()
    many = [page(f"https://many.example/{number}") for number in range(2 * PART + 1)]
    driver.ready(*many[:PART])
    asked = driver.last("library")
    assert (asked["start"], asked["count"]) == (PART, PART)
    driver.done(asked, many[PART : 2 * PART])
    assert len(driver.state["library"]) == PART
    asked = driver.last("library")
    assert asked["start"] == 2 * PART
    driver.done(asked, many[2 * PART :])
    assert driver.state["library"] == many


def test_what_was_added_and_removed_while_the_parts_came_is_not_lost() -> None:
    driver = Driver()
    many = [page(f"https://many.example/{number}") for number in range(PART + 2)]
    driver.ready(*many[:PART])
    asked = driver.last("library")
    driver.do("remove", source=many[3]["source"])
    new = page("https://new.example/")
    driver.state["library"] = [new, *driver.state["library"]]
    driver.done(asked, many[PART:])
    assert driver.state["library"] == [new, *many[:3], *many[4:]]


def test_the_open_tabs_are_a_scope_once_the_whole_list_is_there() -> None:
    driver = Driver()
    many = [page(f"https://many.example/{number}") for number in range(PART + 1)]
    stats = STATS | {"n_pages": len(many)}
    driver.do("boot", draft="", page="panel", browser_language="en")
    ready = {"version": "", "stats": stats, "pages": many[:PART], "semantic": True, "boot_ms": 1.0}
    driver.done(driver.last("hello"), ready)
    driver.do("tabs", tabs=[tab(1, many[0]["url"]), tab(2, many[PART]["url"])])
    assert scope_choices(driver.state) == [("all", f"all {PART + 1} pages")]
    driver.done(driver.last("library"), many[PART:])
    assert [value for value, _ in scope_choices(driver.state)] == ["all", "open", "this"]
    driver.do("scope", value="open")
    assert scope_sources(driver.state) == [many[0]["source"], many[PART]["source"]]


def test_a_list_that_was_asked_for_again_is_not_mixed_with_the_one_before() -> None:
    driver = Driver()
    many = [page(f"https://many.example/{number}") for number in range(PART + 1)]
    driver.ready(*many[:PART])
    before = driver.last("library")
    driver.do("refresh")
    driver.done(before, many[PART:])
    assert len(driver.state["library"]) == PART
    driver.done(driver.last("library"), many[:1])
    assert driver.state["library"] == many[:1]
