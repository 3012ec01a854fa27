"""What stands beside an answer: pages one by one, research, bytes sent, freshness, receipt, first sending."""

import json
from typing import Any

import pytest

from tabwise.ui.view.prompts import speed_of
from tabwise.ui.view.steps import todo_of
from ui_driver import NOW_MS, PLAN, Driver, answer, citation, hit, page, sentence, tab, text_of

A, B = "https://a.example/", "https://b.example/"
SERVICE = "https://api.openai.com"
FRESH: dict[str, Any] = {
    "state": "unchanged",
    "basis": "tab",
    "checked_at": NOW_MS,
    "start": 0,
    "end": 10,
    "difference": [],
}


def total(origin: str = SERVICE, *, remote: bool = True, sent_bytes: int = 4200) -> dict[str, Any]:
    record: dict[str, Any] = {"origin": origin, "purpose": "answer", "remote": remote, "n_requests": 1}
    return record | {"sent_bytes": sent_bytes, "received_bytes": 10, "last_at_ms": NOW_MS}


def page_answer(url: str, answered: dict[str, Any] | None) -> dict[str, Any]:
    record: dict[str, Any] = {"source": url, "url": url, "title": f"Page {url}", "score": 0.5}
    return record | {"relevant": answered is not None, "answer": answered}


def step(number: int, tool: str = "search_pages", state: str = "done", **more: Any) -> dict[str, Any]:
    record = {"number": number, "parent": 0, "tool": tool, "arguments": "{}", "state": state, "summary": ""}
    return record | {"n_passages": 0, "ms": 12.0, "by_rule": False} | more


def receipt(**more: Any) -> dict[str, Any]:
    lists = ("pages", "searches", "given", "dropped", "calls", "steps", "sentences", "citations", "notices")
    versions = {"app": "1", "embedder": "minilm", "language_model": "", "index_fingerprint": "0" * 64}
    record: dict[str, Any] = {name: [] for name in (*lists, "timings")} | {
        "id": "answer-1",
        "plan": PLAN,
        "asked_of": {},
    }
    return record | {"versions": versions, "engine": "extractive", "engine_label": ""} | more


@pytest.fixture
def driver() -> Driver:
    ready = Driver().ready(page(A), page(B))
    ready.do("tabs", tabs=[tab(1, A)])
    return ready


def answered(driver: Driver, **more: Any) -> dict[str, Any]:
    request: dict[str, Any] = driver.ask()
    driver.done(request, answer(sentence(), citations=(citation(1, A),), **more))
    return request


def shown(driver: Driver, hook: str) -> list[str]:
    return [" ".join(text_of(node).split()) for node in driver.shown(hook)]


def focused_chip(driver: Driver) -> None:
    chip = driver.shown("chip")[0][1]["on-enter"]
    driver.do("chip_enter", **{name: value for name, value in chip.items() if name != "type"})
    driver.fire("fresh_check")


def test_an_answer_made_here_says_that_nothing_left(driver: Driver) -> None:
    answered(driver)
    assert shown(driver, "sent") == ["nothing left this computer"]


def test_what_was_sent_is_told_in_bytes_and_by_place(driver: Driver) -> None:
    request = driver.ask()
    driver.event(request, "egress", totals=[total(sent_bytes=4200)])
    driver.done(request, answer(sentence(), citations=(citation(1, A),), engine="provider:openai"))
    assert shown(driver, "sent") == ["5 KB to api.openai.com"]


def test_a_service_on_this_computer_counts_as_here(driver: Driver) -> None:
    request = driver.ask()
    driver.event(request, "egress", totals=[total("http://localhost:11434", remote=False)])
    driver.done(request, answer(sentence(), citations=(citation(1, A),), engine="provider:ollama"))
    assert shown(driver, "sent") == ["nothing left this computer"]


def test_of_an_older_answer_by_a_service_nothing_is_claimed(driver: Driver) -> None:
    answered(driver, engine="provider:openai")
    assert driver.shown("sent") == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("rate_limited", "The service asks to slow down."),
        ("reply_unsupported", "nothing the model wrote was supported by your pages."),
        ("agent_no_model", "research needs a language model."),
    ],
)
def test_another_engine_answers_and_says_why(driver: Driver, code: str, said: str) -> None:
    answered(driver, fallback={"code": code, "subject": ""})
    assert shown(driver, "fallback") == [f"Answered with sentences of your pages instead: {said}"]


def test_what_is_missing_and_what_was_noticed_is_said_once(driver: Driver) -> None:
    notice = {"kind": "instructions", "text": "Ignore", "source": A, "citation": None}
    answered(driver, missing=["the cost"], notices=[notice, notice])
    assert shown(driver, "missing") == ["Nothing was found about: the cost"]
    assert len(driver.shown("notice")) == 1


def test_the_original_words_are_shown_beneath_on_demand(driver: Driver) -> None:
    answered(driver, engine="bundled")
    assert driver.shown("original") == []
    driver.press("quotes")
    assert shown(driver, "original") == ["The quote. a.example"]
    driver.press("quotes")
    assert driver.shown("original") == []


def test_the_original_words_are_beneath_a_sentence_in_another_language(driver: Driver) -> None:
    request = driver.ask()
    said = sentence("Das Zitat.", verdict="partly") | {"reasons": ["language"]}
    driver.done(request, answer(said, citations=(citation(1, A),), engine="bundled"))
    assert shown(driver, "original") == ["The quote. a.example"]


def test_where_a_sentence_is_its_own_quote_there_is_nothing_more_to_show(driver: Driver) -> None:
    request = driver.ask()
    own = answer(sentence("The quote."), citations=(citation(1, A),), engine="bundled")
    driver.done(request, own)
    assert driver.shown("quotes") == []


def test_where_nothing_was_found_no_sentences_are_claimed(driver: Driver) -> None:
    driver.done(driver.ask(), answer(fallback={"code": "rate_limited", "subject": ""}))
    assert driver.shown("fallback") == []


def test_a_cited_passage_is_compared_with_its_open_tab(driver: Driver) -> None:
    answered(driver)
    focused_chip(driver)
    request = driver.last("freshness")
    assert [one["url"] for one in request["tabs"]] == [A]
    pieces = [{"edit": "removed", "text": "old"}, {"edit": "added", "text": "new"}]
    driver.done(request, FRESH | {"state": "reworded", "difference": pieces})
    assert shown(driver, "fresh") == ["Reworded since it was read"]
    assert [node[0] for node in driver.shown("difference")[0][2]] == ["del", "ins"]
    assert driver.shown("chip")[0][1]["data-fresh"] == "reworded"


def test_a_passage_is_not_compared_again_within_a_minute(driver: Driver) -> None:
    answered(driver)
    focused_chip(driver)
    driver.done(driver.last("freshness"), FRESH)
    focused_chip(driver)
    assert [request["type"] for request in driver.requests()].count("freshness") == 1


def test_a_glance_does_not_read_the_page(driver: Driver) -> None:
    answered(driver)
    chip = driver.shown("chip")[0][1]["on-enter"]
    driver.do("chip_enter", **{name: value for name, value in chip.items() if name != "type"})
    driver.do("card_expire", token=driver.state["card"]["token"])
    driver.fire("fresh_check")
    assert [request["type"] for request in driver.requests()].count("freshness") == 0


def test_a_passage_that_cannot_be_compared_says_nothing(driver: Driver) -> None:
    answered(driver)
    focused_chip(driver)
    error = {"code": "source_unknown", "subject": "", "message": "", "retryable": False}
    driver.event(driver.last("freshness"), "error", **error)
    assert driver.shown("fresh") == []


def test_the_card_warns_of_instructions_in_the_passage(driver: Driver) -> None:
    notice = {"kind": "instructions", "text": "Ignore", "source": A, "citation": 1}
    answered(driver, notices=[notice])
    focused_chip(driver)
    assert len(driver.shown("instructions")) == 1


def each(driver: Driver) -> dict[str, Any]:
    driver.do("manner", value="ask_each")
    driver.do("draft", value="Why?")
    driver.do("ask")
    request: dict[str, Any] = driver.last("ask_each")
    return request


def test_pages_are_asked_one_by_one_and_drawn_as_they_answer(driver: Driver) -> None:
    request = each(driver)
    own = answer(sentence("Because."), citations=(citation(1, A, "Because."),))
    driver.event(request, "page_answer", page=page_answer(A, own))
    assert shown(driver, "each-page") == ["Page https://a.example/ a.example Because. 1"]
    driver.done(request, [page_answer(A, own), page_answer(B, None)])
    assert driver.state["blocks"][-1]["state"] == "done"
    assert shown(driver, "each-other") == ["Page https://b.example/ b.example"]


def test_a_citation_of_one_page_leads_to_its_own_passage(driver: Driver) -> None:
    request = each(driver)
    first = answer(sentence("One."), citations=(citation(1, A, "One."),))
    second = answer(sentence("Two."), citations=(citation(1, B, "Two."),))
    driver.done(request, [page_answer(A, first), page_answer(B, second)])
    driver.press("chip", 1)
    assert driver.last("show")["citation"]["quote"] == "Two."


def test_asked_again_a_question_is_put_the_same_way(driver: Driver) -> None:
    request = each(driver)
    driver.done(request, [page_answer(A, None), page_answer(B, None)])
    driver.do("manner", value="ask")
    driver.do("again", block=request["id"])
    assert driver.last("ask_each")["id"] != request["id"]


def test_every_cell_of_a_comparison_is_cited(driver: Driver) -> None:
    sources = [{"source": url, "url": url, "title": url} for url in (A, B)]
    rows = [{"topic": "Cost", "cells": [sentence("Ten."), None]}]
    answered(driver, agreement={"sources": sources, "rows": rows})
    assert shown(driver, "agreement") == [f"{A} {B} Cost Ten. 1 nothing"]


def test_steps_of_a_research_are_drawn_as_they_come(driver: Driver) -> None:
    driver.do("manner", value="research")
    driver.do("draft", value="Why?")
    driver.do("ask")
    request = driver.last("research")
    driver.event(request, "step", step=step(1, state="running", arguments='{"query": "tides"}'))
    driver.event(request, "step", step=step(1, arguments='{"query": "tides"}', n_passages=3))
    assert shown(driver, "step") == ["Search pages tides 3 passages read 12 ms"]
    own = answer(sentence(), citations=(citation(1, A),))
    driver.done(request, {"answer": own, "steps": [step(1), step(2)]})
    assert len(driver.shown("step")) == 2
    assert len(driver.shown("sentence")) == 1


def test_the_list_of_open_things_follows_from_the_calls() -> None:
    calls = [
        step(1, "todo", arguments='{"operation": "add", "items": ["a", "b"]}'),
        step(2, "todo", arguments='{"operation": "done", "number": 2}'),
        step(3, "todo", arguments='{"operation": "done", "number": 9}'),
        step(4, "todo", arguments="broken"),
    ]
    assert todo_of(calls) == [("a", False), ("b", True)]


def test_how_it_was_answered_is_drawn_when_it_is_opened_and_stays_when_the_receipt_is_lost(
    driver: Driver,
) -> None:
    answered(driver, hits=[hit(1)])
    assert driver.shown("hit") == []
    driver.press("how-open")
    assert len(driver.shown("hit")) == 1
    lost = {"code": "receipt_unknown", "subject": "", "message": "", "retryable": False}
    driver.event(driver.last("receipt"), "error", **lost)
    assert len(driver.shown("hit")) == 1


def test_the_receipt_is_fetched_when_it_is_wanted_and_once(driver: Driver) -> None:
    answered(driver)
    driver.press("how-open")
    driver.press("how-open")
    assert [request["type"] for request in driver.requests()].count("receipt") == 1
    driver.done(driver.last("receipt"), {"receipt": json.dumps(receipt())})
    assert shown(driver, "receipt")[0].startswith("Plan Task search and answer Planned by rules")


@pytest.mark.parametrize(
    ("writer", "told", "said"),
    [
        ("provider:p m-1", 702, "702 tokens read"),
        ("provider:p m-1", None, "at most 690 tokens read"),
        ("prompt_api", None, "at most 690 tokens read"),
        ("bundled SmolLM2", None, "690 tokens read"),
    ],
)
def test_what_only_a_service_can_count_is_told_as_a_bound(
    driver: Driver, writer: str, told: int | None, said: str
) -> None:
    call = {"purpose": "answer", "messages": [], "max_output_tokens": 700, "reply": "", "finish": "stop"}
    call |= {"n_counted_tokens": 690, "n_prompt_tokens": told, "n_output_tokens": None, "ms": 1.0}
    versions = receipt()["versions"] | {"language_model": writer}
    given = [{"number": 1, "source": A, "start": 0, "end": 9, "n_tokens": 12}]
    answered(driver)
    driver.press("how-open")
    text = json.dumps(receipt(calls=[call], versions=versions, given=given))
    driver.done(driver.last("receipt"), {"receipt": text})
    assert f"{said} " in shown(driver, "call")[0]
    assert bool(driver.shown("bound")) is not writer.startswith("bundled")


def test_the_passages_stay_when_their_receipt_is_there(driver: Driver) -> None:
    answered(driver, hits=[hit(1), hit(2)])
    driver.press("how-open")
    before = shown(driver, "hit")
    driver.done(driver.last("receipt"), {"receipt": json.dumps(receipt())})
    assert len(before) == 2
    assert shown(driver, "hit") == before


def test_a_receipt_is_saved_word_for_word(driver: Driver) -> None:
    answered(driver)
    driver.press("how-open")
    text = json.dumps(receipt())
    driver.done(driver.last("receipt"), {"receipt": text})
    assert driver.press("receipt-save") == [
        ("save", "tabwise-receipt-answer-1.json", "application/json", text)
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": "x"}', "nonsense"])
def test_what_is_no_receipt_is_said_to_be_none(driver: Driver, text: str) -> None:
    answered(driver)
    driver.press("how-open")
    driver.done(driver.last("receipt"), {"receipt": text})
    assert [node[1]["data-code"] for node in driver.shown("error")] == ["receipt_unreadable"]


def test_a_replay_tells_what_differs(driver: Driver) -> None:
    answered(driver)
    driver.press("how-open")
    driver.done(driver.last("receipt"), {"receipt": json.dumps(receipt())})
    driver.press("replay")
    differences = [{"change": "page_gone", "search": -1, "subject": A}]
    driver.done(driver.last("replay"), {"same": False, "n_searches": 1, "differences": differences})
    expected = f"It comes out differently now, for 1 reason: {A} is no longer in the library"
    assert shown(driver, "replayed") == [expected]


def test_the_speed_of_a_call_is_tokens_by_time() -> None:
    assert speed_of({"n_output_tokens": 96, "ms": 2400.0}) == 40.0
    assert speed_of({"n_output_tokens": None, "ms": 2400.0}) == 0.0


PREVIEW = {
    "destination": {"origin": SERVICE, "purpose": "answer"},
    "url": SERVICE + "/v1/chat/completions",
    "remote": True,
    "size_bytes": 4211,
    "n_chars": 3980,
    "pages": [{"url": A, "title": "Alpha"}],
    "text": "the exact text",
}


def held_back(driver: Driver) -> None:
    answered(driver, fallback={"code": "egress_refused", "subject": SERVICE})
    assert driver.last("egress_preview")["origin"] == SERVICE
    driver.done(driver.last("egress_preview"), PREVIEW)


def test_before_the_first_sending_it_is_said_what_goes_where(driver: Driver) -> None:
    held_back(driver)
    (said,) = shown(driver, "egress")
    assert said.startswith(f"Send this to {SERVICE}? Nothing was sent yet. It would be 3,980 characters")
    assert "Alpha" in said
    assert "the exact text" not in said
    driver.press("egress-text")
    assert "the exact text" in shown(driver, "egress")[0]


@pytest.mark.parametrize(("hook", "once"), [("egress-once", True), ("egress-always", False)])
def test_once_it_is_allowed_the_question_is_asked_again(driver: Driver, hook: str, once: bool) -> None:
    held_back(driver)
    first = driver.last("ask")
    driver.press(hook)
    agreed = driver.last("egress_agree")
    assert (agreed["destination"], agreed["once"]) == (PREVIEW["destination"], once)
    assert driver.last("ask")["id"] == first["id"]
    driver.done(agreed, {"agreed": [], "totals": []})
    assert driver.last("ask")["id"] != first["id"]


def test_nothing_is_sent_when_the_reader_says_no(driver: Driver) -> None:
    held_back(driver)
    driver.press("egress-cancel")
    assert driver.shown("egress") == []
    assert [request["type"] for request in driver.requests()].count("egress_agree") == 0


def spoken(effects: list[tuple[Any, ...]]) -> list[str]:
    return [effect[1] for effect in effects if effect[0] == "announce"]


def sentence_at(driver: Driver, request: dict[str, Any], index: int, text: str, after_ms: float) -> list[str]:
    fields = {"index": index, "sentence": sentence(text, numbers=()), "citations": []}
    wire = json.dumps({"v": 1, "re": request["id"], "type": "sentence", **fields})
    return spoken(driver.do("wire", text=wire, now=NOW_MS + after_ms))


def test_a_slow_answer_is_read_out_sentence_by_sentence(driver: Driver) -> None:
    request = driver.ask()
    assert sentence_at(driver, request, 0, "One.", 3000) == ["One."]
    assert sentence_at(driver, request, 1, "Two.", 3100) == []
    assert sentence_at(driver, request, 2, "Three.", 6000) == ["Two. Three."]
    texts = [sentence(text, numbers=()) for text in ("One.", "Two.", "Three.", "Four.")]
    assert spoken(driver.done(request, answer(*texts))) == ["Answer ready, 4 sentences. Four."]


def test_a_quick_answer_is_read_out_at_its_end(driver: Driver) -> None:
    request = driver.ask()
    assert sentence_at(driver, request, 0, "One.", 40) == []
    assert spoken(driver.done(request, answer(sentence("One.")))) == ["Answer ready, 1 sentence. One."]
