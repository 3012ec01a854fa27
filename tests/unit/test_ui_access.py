"""Access to sites, never-read rules, sleeping tabs, the context menu: what a reader meets in the panel."""

import json
from typing import Any

import pytest

from tabwise.protocol.settings import default_preferences, default_settings
from tabwise.ui.access import covers, missing_origins
from ui_driver import Driver, answer, citation, page, sentence, tab, text_of

A, B, C = "https://a.example/", "https://b.example:8443/x", "https://c.example/y"
BANK = "https://www.paypal.com/summary"


def opened(*tabs: dict[str, Any], view: str = "pages") -> Driver:
    driver = Driver().ready()
    driver.do("tabs", tabs=list(tabs))
    driver.do("view", value=view)
    return driver


def row(tab_id: int, state: str, code: str = "", subject: str = "") -> dict[str, Any]:
    failure = {"code": code, "subject": subject, "message": ""} if code else None
    return {"tab_id": tab_id, "state": state, "page": None, "failure": failure}


def states(driver: Driver) -> list[str]:
    return [node[1]["data-state"] for node in driver.shown("tab-row")]


def kinds(effects: list[tuple[Any, ...]]) -> list[str]:
    return [effect[0] for effect in effects]


@pytest.mark.parametrize(
    ("pattern", "url", "covered"),
    [
        ("<all_urls>", "http://x.example/", True),
        ("<all_urls>", "file:///a.html", True),
        ("<all_urls>", "chrome://x", False),
        ("*://*/*", "https://x.example/", True),
        ("https://*/*", "http://x.example/", False),
        ("https://x.example/*", "https://x.example:8443/a?b", True),
        ("https://x.example/*", "https://y.x.example/", False),
        ("*://*.x.example/*", "https://y.x.example/", True),
        ("*://*.x.example/*", "https://x.example/", True),
        ("*://*.x.example/*", "https://badx.example/", False),
        ("http://127.0.0.1/*", "http://127.0.0.1:8000/", True),
        ("file:///*", "file:///a.html", True),
    ],
)
def test_a_grant_covers_what_the_browser_says_it_covers(pattern: str, url: str, covered: bool) -> None:
    assert covers(pattern, url) == covered


def test_a_site_that_is_granted_or_was_pressed_on_is_not_asked_for() -> None:
    tabs = [tab(1, A), tab(2, B), tab(3, C)]
    access = {"origins": ["https://a.example/*"], "tabs": {"2": "https://b.example:8443"}}
    assert missing_origins([A, B, C], tabs, access) == ["https://c.example/*"]
    moved = {"origins": [], "tabs": {"2": "https://elsewhere.example"}}
    assert missing_origins([B], tabs, moved) == ["https://b.example/*"]


def test_the_tab_the_button_was_pressed_over_is_read_without_a_question() -> None:
    driver = opened(tab(1, A))
    driver.do("access", origins=[], tabs={"1": "https://a.example"})
    assert "grant" not in kinds(driver.press("add-tab"))
    assert [each["url"] for each in driver.last("index")["tabs"]] == [A]


def test_one_site_is_asked_for_at_once_and_the_job_goes_on_by_itself() -> None:
    driver = opened(tab(1, A), tab(2, B))
    effects = driver.press("add-tab")
    assert [effect[1] for effect in effects if effect[0] == "grant"] == [["https://a.example/*"]]
    driver.granted(effects)
    assert states(driver) == ["waiting", "new"]


def test_several_sites_are_chosen_among_first() -> None:
    driver = opened(tab(1, A), tab(2, B), tab(3, C), tab(4, "https://d.example/"))
    assert "grant" not in kinds(driver.press("add-all"))
    shown = text_of(driver.shown("ask-sites")[0])
    assert "May Tabwise read these 4 sites?" in shown
    assert "a.example, b.example, c.example and 1 more" in shown
    effects = driver.press("allow-everywhere")
    assert [effect[1] for effect in effects if effect[0] == "grant"] == [["<all_urls>"]]
    driver.granted(effects)
    assert driver.shown("ask-sites") == []
    assert len(driver.last("index")["tabs"]) == 4


def test_the_choice_can_be_put_off_and_what_is_granted_is_added_all_the_same() -> None:
    driver = opened(tab(1, A), tab(2, B), tab(3, C))
    driver.do("access", origins=["https://a.example/*"], tabs={})
    driver.press("add-all")
    driver.press("no-sites")
    assert [each["url"] for each in driver.last("index")["tabs"]] == [A]
    assert states(driver) == ["waiting", "failed", "failed"]


def test_the_choice_is_there_in_the_chat_too() -> None:
    driver = opened(tab(1, A), tab(2, B), view="chat")
    driver.do("add_all")
    assert len(driver.shown("ask-sites")) == 1


@pytest.mark.fault("F11")
def test_refused_access_says_what_to_do_and_asks_again_when_pressed() -> None:
    driver = opened(tab(1, A))
    driver.granted(driver.press("add-tab"), answer=False)
    assert "index" not in [request["type"] for request in driver.requests()]
    assert states(driver) == ["failed"]
    (shown,) = driver.shown("tab-row")
    assert "Tabwise may not read this site yet. Allow" in text_of(shown)
    effects = driver.do("ask_access", url=A)
    assert [effect[1] for effect in effects if effect[0] == "grant"] == [["https://a.example/*"]]


def test_all_sites_granted_once_are_never_asked_for_again() -> None:
    driver = opened(tab(1, A), tab(2, B), tab(3, C))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("add-all")
    assert len(driver.last("index")["tabs"]) == 3


@pytest.mark.fault("F68")
def test_a_page_of_a_category_says_why_and_is_no_part_of_add_all() -> None:
    driver = opened(tab(1, A), tab(2, BANK, "Your balance"))
    assert states(driver) == ["new", "blocked"]
    shown = text_of(driver.shown("tab-row")[1])
    assert "A bank or payment site: not read unless you say so." in shown
    assert text_of(driver.shown("add-all")[0]) == "Add all (1)"


def test_read_this_once_tells_the_engine_and_no_rule_is_made() -> None:
    driver = opened(tab(1, A), tab(2, BANK))
    driver.granted(driver.press("read-once"))
    (sent,) = driver.last("index")["tabs"]
    assert (sent["url"], sent["allowed"], sent["confirmed"]) == (BANK, True, False)
    assert driver.state["settings"]["rules"] == []


def test_always_allow_makes_a_rule_and_adds_the_page() -> None:
    driver = opened(tab(1, A), tab(2, BANK))
    effects = driver.press("always-allow")
    saved = [json.loads(effect[1]) for effect in effects if effect[0] == "save_settings"]
    assert saved[0]["rules"] == [{"effect": "allow", "pattern": "www.paypal.com"}]
    driver.granted(effects)
    assert driver.last("index")["tabs"][0]["allowed"] is True
    assert states(driver) == ["new", "waiting"]


def test_a_rule_of_the_reader_greys_the_row_out_at_once() -> None:
    driver = opened(tab(1, A))
    stored = default_settings() | {"rules": [{"effect": "deny", "pattern": "*.a.example"}]}
    driver.do("settings", value=stored)
    assert states(driver) == ["blocked"]
    assert "You asked not to read this site." in text_of(driver.shown("tab-row")[0])


def test_a_rule_the_engine_kept_says_the_same_in_the_row() -> None:
    driver = opened(tab(1, A))
    driver.granted(driver.press("add-tab"))
    driver.done(driver.last("index"), [row(1, "failed", "page_never_read", "mail")])
    assert "A mailbox: not read unless you say so." in text_of(driver.shown("tab-row")[0])
    driver.granted(driver.press("read-once"))
    assert driver.last("index")["tabs"][0]["allowed"] is True


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("page_has_password", "This page has a password field: add it yourself if you want."),
        ("page_has_payment", "This page has a payment card field: add it yourself if you want."),
    ],
)
def test_a_page_that_asks_for_a_secret_is_confirmed_in_its_row(code: str, sentence: str) -> None:
    driver = opened(tab(1, A), tab(2, C))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("add-all")
    driver.done(driver.last("index"), [row(1, "failed", code), row(2, "failed", "page_empty")])
    assert sentence in text_of(driver.shown("tab-row")[0])
    assert text_of(driver.shown("add-all")[0]) == "Add all (1)"
    driver.press("confirm")
    (sent,) = driver.last("index")["tabs"]
    assert (sent["url"], sent["confirmed"]) == (A, True)


def test_a_page_that_asks_for_a_secret_can_be_left_out() -> None:
    driver = opened(tab(1, A))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("add-tab")
    driver.done(driver.last("index"), [row(1, "failed", "page_has_password")])
    driver.press("leave-out")
    assert states(driver) == ["new"]


@pytest.mark.fault("F13")
def test_a_sleeping_tab_is_woken_by_choice_and_added_when_it_is_there() -> None:
    driver = opened(tab(1, A), tab(2, C, asleep=True))
    driver.do("access", origins=["<all_urls>"], tabs={})
    assert "Asleep: its page has to be loaded again." in text_of(driver.shown("tab-row")[1])
    assert text_of(driver.shown("add-all")[0]) == "Add all (1)"
    assert ("wake", 2) in driver.press("wake")
    assert states(driver) == ["new", "waking"]
    driver.do("tabs", tabs=[tab(1, A), tab(9, C, loading=True)])
    assert states(driver) == ["new", "waking"]
    driver.do("tabs", tabs=[tab(1, A), tab(9, C)])
    assert [each["tab_id"] for each in driver.last("index")["tabs"]] == [9]
    assert states(driver) == ["new", "waiting"]


@pytest.mark.fault("F13")
def test_a_woken_tab_that_lands_on_another_address_is_still_added() -> None:
    driver = opened(tab(1, A), tab(2, C, asleep=True))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("wake")
    driver.do("tabs", tabs=[tab(1, A), tab(2, C + "/moved")])
    assert [each["url"] for each in driver.last("index")["tabs"]] == [C + "/moved"]


def test_a_sleeping_tab_needs_access_before_it_is_woken() -> None:
    driver = opened(tab(1, A), tab(2, C, asleep=True))
    effects = driver.press("wake")
    assert "wake" not in kinds(effects)
    assert ("wake", 2) in driver.granted(effects)


def test_a_tab_that_does_not_wake_up_says_so() -> None:
    driver = opened(tab(1, A), tab(2, C, asleep=True))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("wake")
    driver.fire("wake_expired")
    assert states(driver) == ["new", "failed"]
    assert "The page did not answer in time." in text_of(driver.shown("tab-row")[1])


def test_a_woken_tab_that_was_closed_is_gone() -> None:
    driver = opened(tab(1, A), tab(2, C, asleep=True))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("wake")
    driver.do("tabs", tabs=[tab(1, A)])
    driver.fire("wake_expired")
    assert driver.state["rows"][C]["failure"]["code"] == "tab_gone"


def test_a_sleeping_tab_whose_page_is_saved_answers_from_it_and_says_so() -> None:
    driver = Driver().ready(page(C))
    driver.do("tabs", tabs=[tab(1, A), tab(2, C, asleep=True)])
    driver.do("view", value="pages")
    assert states(driver) == ["new", "added"]
    assert "asleep: its saved copy answers" in text_of(driver.shown("tab-row")[1])


def test_shift_ticks_everything_between() -> None:
    urls = [f"https://s{number}.example/" for number in range(1, 7)]
    tabs = [tab(number, url) for number, url in enumerate(urls, start=1)]
    tabs[2] = tab(3, "chrome://settings")
    driver = opened(*tabs)
    driver.do("tick_tab", url=urls[1], checked=True, shift=False)
    driver.do("tick_tab", url=urls[4], checked=True, shift=True)
    assert sorted(driver.state["ticked"]) == [urls[1], urls[3], urls[4]]
    driver.do("tick_tab", url=urls[3], checked=False, shift=True)
    assert driver.state["ticked"] == [urls[1]]


def test_tabs_of_other_windows_stand_apart_and_are_no_part_of_add_all() -> None:
    driver = opened(tab(1, A), tab(2, C, "Elsewhere", window_id=8))
    assert "Tabs of other windows" in text_of(driver.draw())
    assert text_of(driver.shown("add-all")[0]) == "Add all (1)"


def test_listing_all_windows_is_a_preference_that_is_kept() -> None:
    driver = opened(tab(1, A))
    effects = driver.press("windows")
    assert ("list_windows", True) in effects
    saved = [json.loads(effect[1]) for effect in effects if effect[0] == "save_settings"]
    assert saved[0]["preferences"] == default_preferences() | {"other_windows": True}


def test_settings_that_arrive_are_followed() -> None:
    driver = opened(tab(1, A))
    stored = default_settings() | {"preferences": default_preferences() | {"other_windows": True}}
    assert driver.do("settings", value=stored) == [("list_windows", True)]
    assert driver.do("settings", value=stored) == []


def test_settings_that_could_not_be_saved_are_read_again() -> None:
    driver = opened(tab(1, A))
    assert ("load_settings",) in driver.do("settings_unsaved")
    assert "could not save" in text_of(driver.draw())


@pytest.mark.fault("F67", "F72")
def test_a_passage_that_is_gone_marks_its_page_as_changed_until_it_is_updated() -> None:
    driver = Driver().ready(page(A))
    driver.do("tabs", tabs=[tab(1, A)])
    driver.do("access", origins=["<all_urls>"], tabs={})
    asked = driver.ask()
    driver.done(asked, answer(sentence(), citations=(citation(1),)))
    driver.do("show", block=asked["id"], number=1)
    driver.done(driver.last("show"), {"found": False, "tab_id": 1})
    driver.do("view", value="pages")
    assert "changed since it was added" in text_of(driver.shown("tab-row")[0])
    driver.press("update")
    done = row(1, "updated") | {"page": page(A)}
    driver.done(driver.last("index"), [done])
    assert driver.state["changed"] == []


def test_the_menu_adds_a_page_without_asking_and_tells_it_on_the_button() -> None:
    driver = opened(tab(1, A), view="chat")
    driver.do("access", origins=[], tabs={"1": "https://a.example"})
    driver.do("menu", item="add_page", tab_id=1, text="")
    assert driver.state["view"] == "pages"
    effects = driver.done(driver.last("index"), [row(1, "added") | {"page": page(A)}])
    assert ("badge", "✓") in effects


def test_a_selection_is_added_as_a_page_of_its_own() -> None:
    driver = opened(tab(1, A), view="chat")
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.do("menu", item="add_selection", tab_id=1, text="spring tides")
    (sent,) = driver.last("index")["tabs"]
    assert sent["selection"] is True
    part = page(A + "#selection", "Selection from Alpha") | {"url": A}
    effects = driver.done(driver.last("index"), [row(1, "added") | {"page": part}])
    assert ("badge", "✓") in effects
    assert "The selection is in your library." in text_of(driver.draw())
    assert states(driver) == ["new"]


@pytest.mark.fault("F72")
def test_one_page_in_three_tabs_is_one_page() -> None:
    driver = Driver().ready(page("https://c.example/"))
    addresses = [A, A + "?utm_source=mail", A + "?utm_source=feed#top"]
    driver.do("tabs", tabs=[tab(number, url) for number, url in enumerate(addresses, start=1)])
    request = driver.last("locate")
    assert sorted(request["urls"]) == sorted(addresses)
    driver.done(request, [{"url": url, "source": A} for url in addresses])
    driver.do("view", value="pages")
    assert text_of(driver.shown("add-all")[0]) == "Add all (1)"
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("add-tab")
    driver.done(driver.last("index"), [row(1, "added") | {"page": page(A)}])
    assert states(driver) == ["added", "added", "added"]
    n_requests = len(driver.requests())
    driver.do("tabs", tabs=[tab(number, url) for number, url in enumerate(addresses, start=1)])
    assert len(driver.requests()) == n_requests


@pytest.mark.fault("F63")
def test_a_page_that_looks_empty_offers_to_add_what_is_selected() -> None:
    driver = opened(tab(1, A))
    driver.do("access", origins=["<all_urls>"], tabs={})
    driver.press("add-tab")
    driver.done(driver.last("index"), [row(1, "failed", "page_empty")])
    assert "This page looks empty: select text on it and add that." in text_of(driver.draw())
    driver.do("add_one", url=A, selection=True)
    assert driver.last("index")["tabs"][0]["selection"] is True


def test_the_menu_shows_the_row_of_a_page_that_is_kept_out() -> None:
    driver = opened(tab(2, BANK), view="chat")
    effects = driver.do("menu", item="add_page", tab_id=2, text="")
    assert ("badge", "!") in effects
    assert ("scroll", "tab-2") in effects
    assert "index" not in [request["type"] for request in driver.requests()]


def test_the_menu_brings_a_selection_into_the_question_box() -> None:
    driver = opened(tab(1, A))
    effects = driver.do("menu", item="ask_selection", tab_id=1, text="  spring tides ")
    assert driver.state["view"] == "chat"
    assert driver.state["draft"] == "About “spring tides”: "
    assert ("focus", "question") in effects
