"""The History view: conversations by day, found by a text, renamed, pinned, deleted with Undo."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tabwise.ui.dates import DAY_MS
from ui_driver import NOW_MS, Driver, Record, answer, citation, page, sentence, text_of

A = "https://a.example/"
HOUR_MS = 3_600_000


def row(name: str, days_ago: float = 0.0, **more: Any) -> Record:
    record: Record = {
        "id": name,
        "title": f"About {name}",
        "created_at": NOW_MS,
        "updated_at": NOW_MS - days_ago * DAY_MS,
        "pinned": False,
        "n_turns": 2,
        "head": "t1",
    }
    return record | more


def looking(*rows: Record) -> Driver:
    """A panel whose History is looked at."""
    driver = Driver().ready(page(A))
    driver.do("view", value="history")
    driver.done(driver.last("threads"), list(rows))
    return driver


def titles(driver: Driver) -> list[str]:
    return [text_of(node[2][0]) for node in driver.shown("past-open")]


def headings(driver: Driver) -> list[str]:
    def below(node: Any) -> list[str]:
        if isinstance(node, str):
            return []
        own = [text_of(node)] if node[0] == "h2" else []
        return own + [text for child in node[2] for text in below(child)]

    (panel,) = [node for node in driver.draw()[2][1][2] if node[1].get("id") == "panel-history"]
    return below(panel)


def press(driver: Driver, key: str, field: str, target: str = "") -> list[tuple[Any, ...]]:
    event = {"key": key, "field": field, "target": target, "shift": False, "command": False}
    return driver.do("key", composing=False, **event)


def test_without_any_conversation_it_says_what_will_be_there() -> None:
    driver = looking()
    assert len(driver.shown("no-history")) == 1
    assert driver.shown("past-filter") == []


def test_conversations_stand_under_their_day() -> None:
    # NOW_MS is 2025-11-24, 16:00 UTC
    driver = looking(
        row("pinned", 400, pinned=True),
        row("today"),
        row("yesterday", 1),
        row("week", 6),
        row("month", 20),
        row("months", 30),
        row("year", 400),
    )
    assert datetime.fromtimestamp(NOW_MS / 1000, UTC).date().isoformat() == "2025-11-24"
    assert headings(driver) == [
        "Pinned",
        "Today",
        "Yesterday",
        "Last 7 days",
        "November",
        "October",
        "October 2024",
    ]
    assert titles(driver)[0] == "About pinned"


def test_a_day_begins_at_the_readers_midnight() -> None:
    driver = Driver().ready(page(A))
    driver.do("view", value="history", offset_min=-600)  # ten hours east: it is 02:00 there
    driver.done(driver.last("threads"), [row("a", 1 / 24), row("b", 3 / 24)])
    assert headings(driver) == ["Today", "Yesterday"]


def test_a_text_is_looked_for_and_its_words_are_marked() -> None:
    driver = looking(row("sea"), row("bread"))
    driver.do("past_search", value="metres")
    match = {"thread": "sea", "turn": "t1", "excerpt": "It is 16 metres high", "start": 9, "end": 15}
    driver.done(driver.last("find_threads"), [match])
    assert titles(driver) == ["About sea"]
    assert [text_of(node) for node in driver.shown("past-excerpt")] == ["It is 16  metres  high"]
    assert driver.shown("past-clear") == []  # it would seem to mean what was found
    driver.press("past-open")
    assert (driver.last("thread")["thread"], driver.state["opening"]["turn"]) == ("sea", "t1")


def test_a_late_reply_to_a_text_no_longer_there_is_left_out() -> None:
    driver = looking(row("sea"), row("bread"))
    driver.do("past_search", value="metres")
    late = driver.last("find_threads")
    driver.do("past_search", value="")
    driver.done(late, [])
    assert titles(driver) == ["About sea", "About bread"]


def test_nothing_found_is_said() -> None:
    driver = looking(row("sea"))
    driver.do("past_search", value="zygote")
    driver.done(driver.last("find_threads"), [])
    assert text_of(driver.shown("past-none")[0]) == "No conversation has “zygote”."


def test_a_conversation_gets_another_title() -> None:
    driver = looking(row("sea"))
    assert ("focus", "past-name") in driver.press("rename")
    driver.do("rename_draft", value="  The   tides ")
    press(driver, "Enter", "past-name")
    assert driver.last("rename_thread")["title"] == "The tides"
    assert titles(driver) == ["The tides"]


@pytest.mark.parametrize(("draft", "key"), [("Other", "Escape"), ("   ", "Enter"), ("About sea", "Enter")])
def test_a_title_stays_when_it_is_not_changed(draft: str, key: str) -> None:
    driver = looking(row("sea"))
    driver.press("rename")
    driver.do("rename_draft", value=draft)
    press(driver, key, "past-name")
    assert titles(driver) == ["About sea"]
    assert [one for one in driver.requests() if one["type"] == "rename_thread"] == []


def test_a_pinned_conversation_stands_first() -> None:
    driver = looking(row("sea"), row("bread", 3))
    driver.press("pin", 1)
    assert driver.last("pin_thread")["pinned"] is True
    assert titles(driver) == ["About bread", "About sea"]


def test_a_deleted_conversation_is_brought_back() -> None:
    driver = looking(row("sea"), row("bread"))
    effects = driver.press("forget")
    assert ("refocus", "past-row-bread") in effects
    assert driver.last("remove_threads")["threads"] == ["sea"]
    assert titles(driver) == ["About bread"]
    driver.press("undo")
    driver.done(driver.last("restore_threads"), [row("sea"), row("bread")])
    assert titles(driver) == ["About sea", "About bread"]


def test_deleting_the_open_conversation_stops_its_answer_and_leaves_an_empty_chat() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    driver.do("view", value="history")
    driver.done(driver.last("threads"), [row(request["id"])])
    driver.press("forget")
    assert driver.last("cancel")["target"] == request["id"]
    driver.event(request, "cancelled")
    driver.do("view", value="chat")
    assert driver.shown("answer") == []
    assert driver.ask("Next?")["parent"] == ""


def test_all_are_deleted_after_one_question() -> None:
    driver = looking(row("sea", pinned=True), row("bread"))
    assert ("focus", "past-keep") in driver.press("past-clear")
    driver.press("past-clear-yes")
    assert driver.last("remove_threads")["threads"] == ["sea", "bread"]
    assert len(driver.shown("no-history")) == 1
    assert driver.state["toast"]["action"] == {"type": "unforget"}


def test_the_conversation_that_had_to_go_is_named_and_can_be_brought_back() -> None:
    driver = Driver().ready(page(A))
    driver.event(driver.ask(), "threads_dropped", titles=["Old tides"])
    assert driver.state["toast"]["text"] == "“Old tides” was deleted: 60 conversations are kept."
    driver.press("undo")
    assert driver.last("restore_threads")


def test_what_fails_is_said_and_the_list_is_read_again() -> None:
    driver = looking(row("sea"))
    driver.press("pin")
    failed = driver.last("pin_thread")
    driver.event(failed, "error", code="thread_unknown", subject="", message="", retryable=False)
    assert driver.requests()[-1]["type"] == "threads"
    driver.done(driver.last("threads"), [])
    assert len(driver.shown("no-history")) == 1


def test_the_list_is_walked_by_keys() -> None:
    driver = looking(row("sea"), row("bread"))
    assert press(driver, "ArrowDown", "past-filter")[0] == ("focus", "past-row-sea")
    assert press(driver, "ArrowDown", "past", "past-row-sea")[0] == ("focus", "past-row-bread")
    assert press(driver, "ArrowDown", "past", "past-row-bread")[0] == ("focus", "past-row-bread")
    assert press(driver, "ArrowUp", "past", "past-row-sea")[0] == ("focus", "past-filter")
    assert press(driver, "Escape", "past", "past-row-sea")[0] == ("focus", "past-filter")
    press(driver, "F2", "past", "past-row-bread")
    assert driver.state["history"]["renaming"] == "bread"
    press(driver, "Delete", "past", "past-row-sea")
    assert driver.last("remove_threads")["threads"] == ["sea"]


def test_the_tabs_of_the_views_are_walked_in_a_circle() -> None:
    driver = looking()
    seen = []
    for name in ("ArrowRight", "ArrowLeft", "Home", "End"):
        press(driver, name, "view")
        seen.append(driver.state["view"])
    assert seen == ["chat", "history", "chat", "history"]


def test_the_open_conversation_is_marked_and_opening_it_again_goes_back_to_it() -> None:
    driver = Driver().ready(page(A))
    request = driver.ask()
    driver.done(request, answer(sentence(), citations=(citation(1),)))
    driver.do("view", value="history")
    driver.done(driver.last("threads"), [row(request["id"])])
    assert driver.shown("past-open")[0][1]["aria-current"] == "true"
    n_before = len(driver.requests())
    driver.press("past-open")
    assert driver.state["view"] == "chat"
    assert len(driver.requests()) == n_before
