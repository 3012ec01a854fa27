"""Summaries and hints on the cards of the Pages view."""

from typing import Any

import pytest

from tabwise.protocol.settings import default_settings
from tabwise.ui.events.hints import SETTLE_MS
from tabwise.ui.events.summaries import MAX_LOOKS
from ui_driver import NOW_MS, Driver, citation, page, tab, text_of

A, B, C = "https://a.example/", "https://b.example/x", "https://c.example/y"
Record = dict[str, Any]


def summary(source: str, *texts: str, **more: Any) -> Record:
    sentences = [
        {"text": text, "start": 10 * place, "end": 10 * place + len(text), "verdict": "supported"}
        for place, text in enumerate(texts or ("Tides turn turbines.", "They turn twice a day."))
    ]
    record: Record = {
        "source": source,
        "url": source,
        "title": "A title",
        "engine": "extractive",
        "headline": sentences[0],
        "sentences": sentences,
        "made_at": NOW_MS,
        "read_share": 1.0,
    }
    return record | more


def stored(driver: Driver, **changes: Any) -> list[tuple[Any, ...]]:
    settings = default_settings()
    settings["interests"] = changes.pop("interests", [])
    settings["preferences"].update(changes)
    return driver.do("settings", value=settings)


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page(A, "Alpha"), page(C, "Saved"))
    ready.do("tabs", tabs=[tab(1, A, "Alpha"), tab(2, B, "Beta")])
    ready.do("view", value="pages")
    return ready


def told(driver: Driver, *summaries: Record) -> list[tuple[Any, ...]]:
    return driver.done(driver.last("summaries"), list(summaries))


def timers(effects: list[tuple[Any, ...]], kind: str) -> list[int]:
    return [effect[1] for effect in effects if effect[0] == "timer" and effect[2]["type"] == kind]


def n_requests(driver: Driver, kind: str) -> int:
    return [request["type"] for request in driver.requests()].count(kind)


def test_the_listed_pages_are_asked_about_and_their_cards_tell_them_in_one_line(driver: Driver) -> None:
    assert driver.last("summaries")["sources"] == [A, C]
    told(driver, summary(A), summary(C, "Lagoons hold water."))
    lines = [text_of(node) for node in driver.shown("summary")]
    assert lines == ["Tides turn turbines.", "Lagoons hold water."]
    assert driver.shown("summary-sentence") == []


def test_a_summary_unfolds_to_its_sentences_and_folds_again(driver: Driver) -> None:
    told(driver, summary(A))
    assert driver.shown("summary")[0][1]["aria-expanded"] == "false"
    driver.press("summary")
    assert driver.shown("summary")[0][1]["aria-expanded"] == "true"
    assert text_of(driver.shown("summary")[0]) == "In short"
    said = [text_of(node) for node in driver.shown("summary-sentence")]
    assert said == ["Tides turn turbines.", "They turn twice a day."]
    assert text_of(driver.shown("summary-by")[0]) == "In the page's own words."
    driver.press("summary")
    assert driver.shown("summary-sentence") == []


def test_a_headline_that_is_no_sentence_of_the_summary_stays(driver: Driver) -> None:
    headline = {"text": "All about tides.", "start": 3, "end": 9, "verdict": "supported"}
    told(driver, summary(A, headline=headline, engine="summarizer"))
    driver.press("summary")
    assert text_of(driver.shown("summary")[0]) == "All about tides."


def test_a_given_file_is_told_in_its_row(driver: Driver) -> None:
    source = "file:notes.txt#1"
    driver.do("files", files=[{"name": "notes.txt", "url": "blob:1", "size": 10}])
    saved_page = page(source, "notes.txt") | {"url": "file:notes.txt"}
    row = {"tab_id": -1, "state": "added", "page": saved_page, "failure": None}
    driver.done(driver.last("add_file"), row)
    assert source in driver.last("summaries")["sources"]
    told(driver, summary(source, "Buy bread."))
    assert "Buy bread." in text_of(driver.shown("file-row")[0])


def test_a_sentence_is_shown_on_its_page(driver: Driver) -> None:
    told(driver, summary(A))
    driver.press("summary")
    driver.press("summary-sentence", 1)
    request = driver.last("cite")
    assert (request["source"], request["start"], request["end"]) == (A, 10, 32)
    cited = citation(1, A, "They turn twice a day.")
    driver.done(request, cited)
    shown = driver.last("show")
    assert (shown["citation"], shown["others"]) == (cited, [])
    driver.done(shown, {"found": False, "tab_id": 1})
    assert driver.state["toast"]["action"]["type"] == "open_saved"


def test_a_sentence_of_a_given_file_is_shown_in_its_saved_text(driver: Driver) -> None:
    told(driver, summary(A))
    driver.press("summary")
    driver.press("summary-sentence")
    effects = driver.done(driver.last("cite"), citation(1, A) | {"url": "file:notes.txt"})
    assert [effect[1].partition("#")[0] for effect in effects if effect[0] == "open"] == ["viewer.html"]


def test_a_page_that_is_gone_is_told(driver: Driver) -> None:
    told(driver, summary(A))
    driver.press("summary")
    driver.press("summary-sentence")
    error = {"code": "source_unknown", "subject": A, "message": "", "retryable": False}
    driver.event(driver.last("cite"), "error", **error)
    assert driver.state["toast"] is not None


def test_a_doubted_sentence_says_so_and_who_wrote_it(driver: Driver) -> None:
    doubted = summary(A, engine="summarizer")
    doubted["sentences"][1]["verdict"] = "partly"
    told(driver, doubted)
    driver.press("summary")
    assert text_of(driver.shown("summary-by")[0]) == "Written by: The browser's own summariser."
    drawn = text_of(driver.shown("tab-row")[0])
    assert drawn.count("Partly supported") == 1


def test_a_summary_of_a_part_of_its_page_says_of_how_much(driver: Driver) -> None:
    told(driver, summary(A, read_share=0.997), summary(C))
    driver.do("summary_unfold", source=A)
    driver.do("summary_unfold", source=C)
    assert [text_of(node) for node in driver.shown("summary-by")] == [
        "In the page's own words. Read for this: the first 99% of the page.",
        "In the page's own words.",
    ]


def test_the_engine_is_asked_again_until_each_page_has_its_summary(driver: Driver) -> None:
    waits = timers(told(driver, summary(A)), "summaries_again")
    for _ in range(MAX_LOOKS - 1):
        driver.fire("summaries_again")
        waits += timers(told(driver, summary(A)), "summaries_again")
    driver.fire("summaries_again")
    assert waits == [1000 * 2**n for n in range(MAX_LOOKS)]
    assert timers(told(driver, summary(A)), "summaries_again") == []


def test_the_engine_is_not_asked_again_when_all_are_there_or_none_are_wanted(driver: Driver) -> None:
    assert timers(told(driver, summary(A), summary(C)), "summaries_again") == []
    stored(driver, auto_summaries=False)
    driver.do("view", value="pages")
    assert timers(told(driver), "summaries_again") == []


def test_after_pages_were_read_the_summaries_are_asked_for_again(driver: Driver) -> None:
    told(driver, summary(A), summary(C))
    driver.granted(driver.do("add_one", url=A))
    request = driver.last("index")
    n_before = n_requests(driver, "summaries")
    row = {"tab_id": 1, "state": "updated", "page": page(A, "Alpha"), "failure": None}
    driver.done(request, [row])
    assert n_requests(driver, "summaries") == n_before + 1
    told(driver, summary(C))
    assert [text_of(node) for node in driver.shown("summary")] == ["Tides turn turbines."]
    assert driver.shown("tab-row")[0][1]["data-url"] == A
    assert "Tides" not in text_of(driver.shown("tab-row")[0])


def test_the_answer_to_an_earlier_look_is_left(driver: Driver) -> None:
    earlier = driver.last("summaries")
    driver.do("view", value="pages")
    told(driver, summary(A))
    driver.done(earlier, [])
    assert len(driver.shown("summary")) == 1


def test_an_unchanged_summary_stays_the_same_object(driver: Driver) -> None:
    told(driver, summary(A))
    before = driver.state["summaries"]["known"][A]
    driver.do("view", value="pages")
    told(driver, summary(A))
    assert driver.state["summaries"]["known"][A] is before


def test_missing_summaries_are_made_with_their_progress(driver: Driver) -> None:
    told(driver, summary(A))
    assert text_of(driver.shown("summarise")[0]) == "Summarise 1 page"
    driver.press("summarise")
    request = driver.last("summarise")
    assert request["sources"] == [C]
    progress = {"stage": "summarise", "done": 0, "total": 1, "unit": "pages"}
    driver.event(request, "progress", **progress)
    assert text_of(driver.shown("summary-writing")[0]) == "Being summarised"
    driver.event(request, "summary_part", source=C, text="Lagoons hold", number=2, n_parts=3)
    assert text_of(driver.shown("summary-writing")[0]) == "Being summarised · part 2 of 3 Lagoons hold"
    driver.event(request, "summary", summary=summary(C, "Lagoons hold water."))
    driver.event(request, "progress", **(progress | {"done": 1}))
    assert [text_of(node) for node in driver.shown("summary")][1] == "Lagoons hold water."
    assert "1 of 1" in text_of(driver.shown("summarising")[0])
    effects = driver.done(request, {"n_summaries": 1, "n_missing": 0})
    assert ("announce", "1 page summarised.") in effects
    assert driver.shown("summarising") == driver.shown("summarise") == []


def test_making_summaries_can_be_stopped(driver: Driver) -> None:
    told(driver)
    driver.press("summarise")
    request = driver.last("summarise")
    driver.press("summarise-stop")
    assert driver.last("cancel")["target"] == request["id"]
    assert driver.shown("summarise-stop")[0][1]["disabled"]
    driver.event(request, "cancelled")
    assert text_of(driver.shown("summarise")[0]) == "Summarise all 2 pages"


def test_a_failure_of_the_work_is_told(driver: Driver) -> None:
    told(driver)
    driver.press("summarise")
    error = {"code": "store_full", "subject": "", "message": "", "retryable": False}
    driver.event(driver.last("summarise"), "error", **error)
    assert driver.state["toast"] is not None
    assert driver.shown("summarising") == []


SERVICE = {
    "id": "p1",
    "kind": "groq",
    "label": "Groq",
    "address": "https://api.groq.example/v1",
    "model": "m",
    "context_tokens": 0,
    "calls_tools": True,
}
HELD = {
    "destination": {"origin": "https://api.groq.example", "purpose": "summary"},
    "url": "https://api.groq.example/v1/chat/completions",
    "remote": True,
    "size_bytes": 4211,
    "n_chars": 3980,
    "pages": [{"url": A, "title": "Alpha"}],
    "text": "the exact text",
}


def by_a_service(driver: Driver) -> None:
    """The settings say that a service writes summaries; look at the pages with that."""
    settings = default_settings()
    settings["providers"] = [SERVICE]
    settings["preferences"]["summary_engine"] = "provider:p1"
    driver.do("settings", value=settings)
    driver.do("view", value="chat")
    driver.do("view", value="pages")


def test_text_of_pages_is_shown_before_it_goes_to_a_service_for_summaries(driver: Driver) -> None:
    by_a_service(driver)
    asked = driver.last("egress_preview")
    assert (asked["origin"], asked["purpose"]) == (SERVICE["address"], "summary")
    effects = driver.done(asked, HELD)
    assert [effect for effect in effects if effect[0] == "focus"] == []
    (said,) = [text_of(node) for node in driver.shown("egress")]
    assert said.startswith("Send this to https://api.groq.example? Nothing was sent yet.")
    assert "text of pages, for summaries" in said
    driver.press("egress-always")
    agreed = driver.last("egress_agree")
    assert (agreed["destination"], agreed["once"]) == (HELD["destination"], False)
    assert driver.shown("egress") == []
    driver.done(agreed, {"agreed": [], "totals": []})
    assert set(driver.last("summarise")["sources"]) == {A, C}


def test_a_new_conversation_leaves_the_question_open(driver: Driver) -> None:
    by_a_service(driver)
    driver.done(driver.last("egress_preview"), HELD)
    driver.do("new_thread")
    driver.do("view", value="pages")
    assert [text_of(node)[:4] for node in driver.shown("egress")] == ["Send"]
    assert n_requests(driver, "egress_preview") == 1


def test_who_does_not_want_it_is_not_asked_again(driver: Driver) -> None:
    by_a_service(driver)
    driver.done(driver.last("egress_preview"), HELD)
    driver.press("egress-cancel")
    n_before = n_requests(driver, "egress_preview")
    driver.do("view", value="chat")
    driver.do("view", value="pages")
    assert n_requests(driver, "egress_preview") == n_before
    assert n_requests(driver, "egress_agree") == n_requests(driver, "summarise") == 0


def test_nothing_is_asked_while_nothing_waits(driver: Driver) -> None:
    assert n_requests(driver, "egress_preview") == 0
    by_a_service(driver)
    driver.done(driver.last("egress_preview"), None)
    assert driver.shown("egress") == []


def hint(url: str, flag: str, *reasons: str, **more: Any) -> Record:
    record: Record = {
        "url": url,
        "source": url,
        "flag": flag,
        "reasons": list(reasons),
        "interest": "",
        "similarity": 0.0,
        "days_unused": 0.0,
    }
    return record | more


def test_without_interests_nothing_is_asked(driver: Driver) -> None:
    effects = driver.do("tabs", tabs=[tab(1, A)])
    assert timers(effects, "hints_look") == []


def test_changes_of_tabs_that_come_together_are_one_question(driver: Driver) -> None:
    waits = timers(stored(driver, interests=["tides"]), "hints_look")
    for n in range(3):
        waits += timers(driver.do("tabs", tabs=[tab(1, A, last_accessed=NOW_MS - n)]), "hints_look")
    assert waits == [SETTLE_MS]
    driver.fire("hints_look")
    assert driver.last("interest")["tabs"] == [{"url": A, "last_accessed": NOW_MS - 2}]


def test_a_flag_says_why_and_does_nothing(driver: Driver) -> None:
    stored(driver, interests=["tides"])
    driver.fire("hints_look")
    found = [
        hint(A, "interesting", "near_interest", interest="tides", similarity=0.6),
        hint(B, "closable", "no_interest_near", "unused", "saved", days_unused=12.4),
    ]
    effects = driver.done(driver.last("interest"), found)
    assert effects == []
    assert [text_of(node).replace("   ", " ") for node in driver.shown("tab-hint")] == [
        "Likely of interest near “tides”",
        "Safe to close near none of your interests, not looked at for 12 days, kept in the library",
    ]
    stored(driver, interests=[])
    assert driver.shown("tab-hint") == []


def test_a_tab_of_neither_kind_has_no_flag(driver: Driver) -> None:
    stored(driver, interests=["tides"])
    driver.fire("hints_look")
    found = [hint(A, "neither", "no_interest_near", "recently_used", "saved")]
    driver.done(driver.last("interest"), found)
    assert driver.shown("tab-hint") == []
