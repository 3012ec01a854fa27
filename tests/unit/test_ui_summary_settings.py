"""The settings of summaries (who writes them, whether they are made) and of the reader's interests."""

import json
from typing import Any

import pytest

from tabwise.protocol.settings import MAX_INTEREST_CHARS, MAX_INTERESTS, default_settings
from ui_driver import Driver

Record = dict[str, Any]


@pytest.fixture
def settings() -> Driver:
    opened = Driver()
    opened.do("boot", draft="", page="settings", browser_language="en")
    return opened


def saved(effects: list[tuple[Any, ...]]) -> Record:
    (text,) = [effect[1] for effect in effects if effect[0] == "save_settings"]
    record: Record = json.loads(text)
    return record


def test_automatic_summaries_are_switched_off(settings: Driver) -> None:
    (switch,) = settings.shown("auto-summaries")
    assert switch[1]["checked"] is True
    event = switch[1]["on-change"]
    effects = settings.do(event["type"], name=event["name"], checked=False)
    assert saved(effects)["preferences"]["auto_summaries"] is False


def writers(driver: Driver) -> dict[str, Record]:
    hooks = ("extractive", "summarizer", "bundled", "provider:far")
    return {hook: node[1] for hook in hooks for node in driver.shown(f"summary-engine-{hook}")}


def test_who_writes_summaries_is_chosen_among_what_is_there(settings: Driver) -> None:
    provider = {
        "id": "far",
        "kind": "compatible",
        "label": "Far",
        "address": "https://far.example/v1",
        "model": "m",
        "context_tokens": 0,
        "calls_tools": False,
    }
    settings.do("settings", value=default_settings() | {"providers": [provider]})
    assert list(writers(settings)) == ["extractive", "provider:far"]
    assert writers(settings)["extractive"]["checked"] is True
    effects = settings.do("choose", name="summary_engine", value="provider:far")
    assert saved(effects)["preferences"]["summary_engine"] == "provider:far"
    assert writers(settings)["provider:far"]["checked"] is True


@pytest.mark.parametrize("reason", ["available", "downloadable", "unavailable"])
def test_the_browsers_summariser_can_be_chosen_once_it_is_there(settings: Driver, reason: str) -> None:
    line = {"topic": "summarizer", "subject": "", "reason": reason}
    assert "summarizer" not in writers(settings)
    settings.state = settings.state | {
        "doctor": [line | {"state": "good", "action": "", "code": "", "message": "", "values": []}]
    }
    assert writers(settings)["summarizer"]["disabled"] is (reason != "available")


def test_an_interest_is_typed_saved_listed_and_taken_away_with_undo(settings: Driver) -> None:
    settings.do("interest_draft", value="  tidal   power ")
    assert saved(settings.press("interest-add"))["interests"] == ["tidal power"]
    assert settings.shown("interest")[0][1]["value"] == ""
    settings.do("interest_draft", value="bread")
    fields = {"field": "interest", "target": "interest", "shift": False, "command": False}
    effects = settings.do("key", key="Enter", composing=False, **fields)
    assert saved(effects)["interests"] == ["tidal power", "bread"]
    assert saved(settings.press("interest-remove"))["interests"] == ["bread"]
    undo = settings.state["toast"]["action"]
    effects = settings.do(undo["type"], interest=undo["interest"], place=undo["place"])
    assert saved(effects)["interests"] == ["tidal power", "bread"]


@pytest.mark.parametrize(
    ("draft", "fault"),
    [
        (" ", "Write what you are interested in first."),
        ("Interest 3", "This is in the list already."),
        ("x" * (MAX_INTEREST_CHARS + 1), "This is too long: a few words are enough."),
        ("another", "The list is full: remove one first."),
    ],
)
def test_what_cannot_be_added_stays_in_the_box_with_the_reason(
    settings: Driver, draft: str, fault: str
) -> None:
    full = [f"interest {n}" for n in range(MAX_INTERESTS)]
    settings.do("settings", value=default_settings() | {"interests": full})
    settings.do("interest_draft", value=draft)
    effects = settings.press("interest-add")
    assert ("announce", fault) in effects
    assert settings.shown("interest")[0][1]["value"] == draft
    assert len(settings.shown("own-interest")) == MAX_INTERESTS
