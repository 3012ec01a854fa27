"""The settings page: saved at once, rules with their faults and Undo, granted sites, an empty library."""

import json
from typing import Any

import pytest

from tabwise.adapters.native.messages import messages
from tabwise.protocol.rules import CATEGORIES
from tabwise.protocol.schema import FUSION_MODES
from tabwise.protocol.settings import default_settings
from tabwise.ui import words
from ui_driver import STATS, Driver, page, text_of

A, B = "https://a.example/", "https://b.example/"


@pytest.fixture
def driver() -> Driver:
    opened = Driver()
    opened.do("boot", draft="", page="settings", browser_language="en")
    result = {
        "version": "0.1.0",
        "stats": STATS | {"n_pages": 2, "n_chunks": 31, "size_bytes": 2_340_000},
        "pages": [page(A), page(B)],
        "semantic": True,
        "boot_ms": 1.0,
    }
    opened.done(opened.last("hello"), result)
    return opened


def saved(effects: list[tuple[Any, ...]]) -> dict[str, Any]:
    (text,) = [effect[1] for effect in effects if effect[0] == "save_settings"]
    settings: dict[str, Any] = json.loads(text)
    return settings


def test_each_section_is_listed_in_its_order_and_gone_to(driver: Driver) -> None:
    lines, sections = driver.shown("to-section"), driver.shown("section")
    assert [text_of(line) for line in lines] == [text_of(section[2][0]) for section in sections]
    for place, section in enumerate(sections):
        name = section[1]["id"]
        assert driver.press("to-section", place) == [("scroll", name), ("focus", name)]


def test_every_category_has_a_switch_that_is_on(driver: Driver) -> None:
    for name in CATEGORIES:
        (switch,) = driver.shown(f"category-{name}")
        assert switch[1]["checked"] is True


def test_a_category_that_is_switched_off_may_be_read_and_back(driver: Driver) -> None:
    assert saved(driver.do("category", name="mail", checked=False))["categories_off"] == ["mail"]
    assert driver.shown("category-mail")[0][1]["checked"] is False
    assert saved(driver.do("category", name="mail", checked=True))["categories_off"] == []


def test_a_rule_is_typed_saved_listed_and_the_box_is_free_again(driver: Driver) -> None:
    driver.do("rule_draft", value=" https://HR.example.com/x ")
    assert saved(driver.press("rule-deny"))["rules"] == [{"effect": "deny", "pattern": "hr.example.com/x"}]
    assert "hr.example.com/x never read" in text_of(driver.shown("own-rule")[0])
    assert driver.shown("rule")[0][1]["value"] == ""


def test_a_site_has_one_rule(driver: Driver) -> None:
    for hook in ("rule-deny", "rule-allow"):
        driver.do("rule_draft", value="example.com")
        effects = driver.press(hook)
    assert saved(effects)["rules"] == [{"effect": "allow", "pattern": "example.com"}]


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", "Write a site first"),
        ("exa*mple.com", "A star stands only at the start"),
        ("two words", "This is not the name of a site."),
        ("müller.example", "Copy the site's address from the address bar"),
    ],
)
def test_what_is_no_site_stays_in_the_box_with_the_reason(driver: Driver, typed: str, fault: str) -> None:
    driver.do("rule_draft", value=typed)
    effects = driver.press("rule-deny")
    assert "save_settings" not in [effect[0] for effect in effects]
    assert ("focus", "rule") in effects
    assert driver.shown("rule")[0][1]["value"] == typed
    assert fault in text_of(driver.draw())
    driver.do("rule_draft", value=typed + "x")
    assert fault not in text_of(driver.draw())


def test_a_removed_rule_can_be_taken_back(driver: Driver) -> None:
    driver.do("rule_draft", value="example.com")
    driver.press("rule-deny")
    assert saved(driver.press("remove-rule"))["rules"] == []
    assert saved(driver.press("undo"))["rules"] == [{"effect": "deny", "pattern": "example.com"}]


def test_each_granted_site_can_be_given_back(driver: Driver) -> None:
    driver.do("access", origins=["https://b.example/*", "https://a.example/*"], tabs={})
    assert [text_of(node) for node in driver.shown("granted")] == [
        "a.example Take back",
        "b.example Take back",
    ]
    assert driver.press("give-back", 1) == [("revoke", ["https://b.example/*"])]
    driver.do("access", origins=["https://a.example/*"], tabs={})
    assert len(driver.shown("granted")) == 1


@pytest.mark.parametrize("origin", ["<all_urls>", "*://*/*"])
def test_all_sites_are_one_line(driver: Driver, origin: str) -> None:
    driver.do("access", origins=["https://a.example/*", origin], tabs={})
    assert [text_of(node) for node in driver.shown("granted")] == ["All sites Take back"]
    assert driver.press("give-back") == [("revoke", [origin])]


def test_changes_made_elsewhere_are_shown(driver: Driver) -> None:
    driver.do("settings", value=default_settings() | {"categories_off": ["health"]})
    assert driver.shown("category-health")[0][1]["checked"] is False


def test_the_library_is_counted(driver: Driver) -> None:
    said = text_of(driver.shown("counts")[0])
    assert said == "Pages 2 Passages 31 Vectors 0 On this computer 2.3 MB Model none yet"


def test_everything_is_removed_after_a_question_and_can_be_brought_back(driver: Driver) -> None:
    driver.press("clear")
    assert "Remove all 2 pages?" in text_of(driver.draw())
    driver.press("clear-yes")
    driver.done(driver.last("remove_all"), STATS)
    assert driver.shown("clear") == []
    assert "Pages 0 Passages 0" in text_of(driver.shown("counts")[0])
    driver.press("undo")
    driver.done(driver.last("restore_all"), STATS | {"n_pages": 2})
    driver.done(driver.last("library"), [page(A), page(B)])
    assert text_of(driver.shown("counts")[0]).startswith("Pages 2")


def test_a_removal_of_everything_can_be_thought_better_of(driver: Driver) -> None:
    assert ("focus", "keep") in driver.press("clear")
    assert ("focus", "clear") in driver.press("clear-keep")
    assert "remove_all" not in [request["type"] for request in driver.requests()]


def test_a_damaged_library_offers_to_be_set_aside() -> None:
    driver = Driver()
    driver.do("boot", draft="", page="settings", browser_language="en")
    driver.event(driver.last("hello"), "error", code="store_corrupt", subject="", message="", retryable=False)
    assert "The library file is damaged." in text_of(driver.draw())
    driver.do("reset")
    assert driver.last("reset_library")["type"] == "reset_library"


def test_the_page_says_what_leaves_the_computer_and_names_the_licences(driver: Driver) -> None:
    shown = text_of(driver.draw())
    assert "Version 0.1.0" in shown
    assert "What leaves this computer Nothing, unless you set up a service" in shown
    assert "Licences of what is inside" in shown


def test_the_panel_opens_the_settings() -> None:
    driver = Driver().ready()
    assert driver.press("open-settings") == [("open_settings",)]


def chosen(driver: Driver, hook: str) -> str:
    (value,) = [node[1]["value"] for node in driver.shown(hook) if node[0] == "select"]
    return str(value)


@pytest.mark.parametrize("mode", FUSION_MODES)
def test_every_way_of_searching_can_be_chosen_and_says_what_it_does(driver: Driver, mode: str) -> None:
    (radio,) = driver.shown(f"mode-{mode}")
    assert radio[1]["checked"] == (mode == "convex")
    effects = driver.do(radio[1]["on-change"]["type"], name=radio[1]["on-change"]["name"], value=mode)
    assert saved(effects)["preferences"]["mode"] == mode
    assert driver.shown(f"mode-{mode}")[0][1]["checked"] is True


def test_the_number_of_passages_is_a_number(driver: Driver) -> None:
    assert saved(driver.do("choose", name="k", value="16"))["preferences"]["k"] == 16
    assert chosen(driver, "k-pref") == "16"


def test_a_number_that_is_not_in_the_list_stays(driver: Driver) -> None:
    stored = default_settings()
    stored["preferences"]["k"] = 9
    driver.do("settings", value=stored)
    assert chosen(driver, "k-pref") == "9"


def test_another_language_is_loaded_and_then_spoken(driver: Driver) -> None:
    effects = driver.do("choose", name="language", value="de")
    assert ("speak", "de") in effects
    words.load(messages("de"))
    try:
        driver.do("words")
        assert "Was bei der Suche zählt" in text_of(driver.draw())
    finally:
        words.load(messages())
    assert driver.state["language"] == "de"


def test_the_language_of_the_browser_is_spoken_when_none_is_chosen(driver: Driver) -> None:
    driver.do("choose", name="language", value="de")
    driver.state["language"] = "de"
    assert ("speak", "en") in driver.do("choose", name="language", value="")


def test_an_unheard_of_language_changes_nothing(driver: Driver) -> None:
    stored = default_settings()
    stored["preferences"]["language"] = "xx"
    assert "speak" not in [effect[0] for effect in driver.do("settings", value=stored)]


def test_colours_change_at_once(driver: Driver) -> None:
    assert ("appearance", "dark") in driver.do("choose", name="appearance", value="dark")
    assert "appearance" not in [effect[0] for effect in driver.do("choose", name="k", value="4")]


def test_shortcuts_are_listed_with_their_keys(driver: Driver) -> None:
    driver.do("shortcuts", keys={"_execute_action": "Alt+Shift+A", "search_pages": ""})
    shown = [text_of(node) for node in driver.shown("shortcut")]
    assert shown[:2] == ["Open Tabwise Alt+Shift+A", "Find in your pages none set"]
    assert driver.press("open-shortcuts") == [("open", "chrome://extensions/shortcuts")]
