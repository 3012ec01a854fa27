"""Summaries and hints by protocol messages."""

from typing import Any

import pytest

from desk import TIDES, Desk
from fakes import ScriptedModel, capture_of
from tabwise.protocol.settings import default_settings

TIDES_SOURCE, BREAD_SOURCE = "https://sea.example/tides", "https://kitchen.example/bread"
DAY_MS = 86_400_000.0


def settings_with(**changes: Any) -> dict[str, Any]:
    settings = default_settings()
    settings["interests"] = changes.pop("interests", [])
    settings["preferences"].update(changes)
    return settings


def events(desk: Desk, kind: str) -> list[dict[str, Any]]:
    return [event for event in desk.events if event["type"] == kind]


def test_pages_that_are_added_get_their_summary_in_the_background(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        summaries = (await desk.ask("summaries"))["result"]
        assert [summary["source"] for summary in summaries] == [TIDES_SOURCE, BREAD_SOURCE]
        assert all(summary["engine"] == "extractive" for summary in summaries)
        assert "16.3 metres" in summaries[0]["sentences"][0]["text"]

    run(scenario)


def test_the_background_can_be_switched_off_and_summaries_asked_for(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.settings.stored = settings_with(auto_summaries=False)
        await desk.add(1, 2)
        assert (await desk.ask("summaries"))["result"] == []
        end = await desk.ask("summarise", sources=[TIDES_SOURCE, "https://gone.example"])
        assert end["result"] == {"n_summaries": 1, "n_missing": 1}
        (told,) = events(desk, "summary")
        assert (await desk.ask("summaries"))["result"] == [told["summary"]]
        assert (await desk.ask("summarise", sources=[]))["result"] == {"n_summaries": 2, "n_missing": 0}

    run(scenario)


def test_summaries_of_some_pages_can_be_asked_for(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        (summary,) = (await desk.ask("summaries", sources=[BREAD_SOURCE, "https://gone.example"]))["result"]
        assert summary["source"] == BREAD_SOURCE

    run(scenario)


def test_a_sentence_of_a_summary_becomes_a_citation_of_its_page(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        sentence = (await desk.ask("summaries"))["result"][0]["sentences"][0]
        span = {"start": sentence["start"], "end": sentence["end"]}
        cited = (await desk.ask("cite", source=TIDES_SOURCE, **span))["result"]
        assert cited["quote"] == sentence["text"]
        assert (cited["source"], cited["start"], cited["end"]) == (TIDES_SOURCE, span["start"], span["end"])
        beyond = (await desk.ask("cite", source=TIDES_SOURCE, start=-5, end=10**9))["result"]
        assert (beyond["start"], len(beyond["quote"])) == (0, beyond["end"])
        gone = await desk.ask("cite", source="https://gone.example", **span)
        assert gone["code"] == "source_unknown"

    run(scenario)


def test_a_model_writes_and_its_parts_are_told(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        text = "The largest tidal range on Earth is found in the Bay of Fundy."
        desk.models.models["provider:far"] = ScriptedModel(text, id="provider:far")
        desk.settings.stored = settings_with(auto_summaries=False, summary_engine="provider:far")
        await desk.add(1)
        await desk.ask("summarise", sources=[])
        (part,) = events(desk, "summary_part")
        assert (part["source"], part["text"], part["number"], part["n_parts"]) == (TIDES_SOURCE, text, 1, 1)
        assert events(desk, "summary")[0]["summary"]["engine"] == "provider:far"

    run(scenario)


def test_a_page_is_found_by_words_of_its_summary(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        text = "The largest tidal span on Earth is found in the Bay of Fundy, where it reaches 16.3 metres."
        desk.models.models["provider:far"] = ScriptedModel(text, id="provider:far")
        desk.settings.stored = settings_with(summary_engine="provider:far")
        await desk.add(1)
        summary = (await desk.ask("summaries"))["result"][0]
        assert (summary["engine"], summary["headline"]["text"]) == ("provider:far", text)
        (found,) = (await desk.ask("find", text="tidal span fundy", k=5))["result"]
        assert found["source"] == TIDES_SOURCE
        assert "Bay of Fundy" in found["excerpt"]

    run(scenario)


@pytest.mark.parametrize("days", [0.0, 30.0])
def test_tabs_are_flagged_by_interests_age_and_what_is_saved(run: Any, days: float) -> None:
    other = capture_of(
        "https://other.example/", "Other", "Nothing about any of this is ever read here at all."
    )

    async def scenario(desk: Desk) -> None:
        desk.settings.stored = settings_with(interests=["tidal range in the Bay of Fundy"])
        await desk.add(1, 2)
        now_ms = 1_700_000_000_000.0
        tabs = [
            {"url": url, "last_accessed": now_ms - days * DAY_MS}
            for url in (TIDES.url, BREAD_SOURCE, other.url)
        ]
        near, far, unsaved = (await desk.ask("interest", tabs=tabs))["result"]
        assert (near["flag"], near["source"]) == ("interesting", TIDES_SOURCE)
        assert near["interest"] == "tidal range in the Bay of Fundy"
        assert far["flag"] == ("closable" if days else "neither")
        assert far["reasons"] == ["no_interest_near", "unused" if days else "recently_used", "saved"]
        assert (unsaved["flag"], unsaved["reasons"][2]) == ("neither", "not_saved")
        assert far["days_unused"] == pytest.approx(days, abs=0.1)

    run(scenario)


def test_without_interests_only_age_speaks(run: Any) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        tabs = [{"url": TIDES.url, "last_accessed": 0.0}]
        (hint,) = (await desk.ask("interest", tabs=tabs))["result"]
        assert (hint["flag"], hint["interest"], hint["days_unused"]) == ("neither", "", 0.0)
        assert (await desk.ask("interest", tabs=[]))["result"] == []

    run(scenario)
