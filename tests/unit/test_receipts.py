"""Receipts: everything that was done, readable anywhere, and the same again when it is run again."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from desk import BREAD, TIDES, Desk
from fakes import ScriptedModel, capture_of
from tabwise.core.answers.receipt import VERSION, NotAReceipt, decode, encode
from tabwise.core.records import NotARecord, from_json, to_json

RANGE = "How large is the tidal range in the Bay of Fundy?"
GOOD = "The largest tidal range on Earth is found in the Bay of Fundy [1]."
Run = Callable[..., Desk]


async def receipt(desk: Desk, **fields: Any) -> tuple[dict[str, Any], str]:
    """Ask; return the answer and the text of its receipt."""
    answer = (await desk.ask("ask", sources=[], **({"question": RANGE} | fields)))["result"]
    return answer, (await desk.ask("receipt", answer=answer["id"]))["result"]["receipt"]


def test_a_receipt_holds_what_was_done(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        model = ScriptedModel(GOOD)
        desk.models.models["provider:scripted"] = model
        await desk.add(1, 2)
        answer, text = await receipt(desk, engine="provider:scripted")
        kept = json.loads(text)
        assert (kept["version"], kept["id"], kept["question"]) == (VERSION, answer["id"], RANGE)
        (search,) = kept["searches"]
        assert [one["chunk_id"] for one in search["fused"]] == [hit["chunk_id"] for hit in answer["hits"]]
        assert search["dense"][0]["rank_dense"] == search["lexical"][0]["rank_lexical"] == 1
        named = {one["source"]: one["title"] for one in kept["pages"]}
        assert named[answer["citations"][0]["source"]] == answer["citations"][0]["title"]
        assert {one["source"] for one in search["fused"]} <= set(named)
        (call,) = kept["calls"]
        assert [one["text"] for one in call["messages"]] == [one.text for one in model.prompts[0].messages]
        assert (call["purpose"], call["reply"]) == ("answer", GOOD)
        assert call["n_counted_tokens"] == sum(model.count(one["text"]) + 8 for one in call["messages"])
        assert kept["sentences"][0]["judgement"]["verdict"] == "supported"
        assert kept["versions"]["embedder"] == "bag-of-terms"
        assert [one["name"] for one in kept["timings"]] == ["plan", "retrieve", "extract", "write", "verify"]
        assert len(kept["versions"]["index_fingerprint"]) == 64

    run(scenario)


def test_a_receipt_read_and_written_again_is_the_same_text(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        question = "Compare spring tides and a sourdough starter"
        _, text = await receipt(
            desk, question=question, history=[{"question": "Hi?", "answer": "Yes.", "sources": []}]
        )
        assert encode(decode(text)) == text

    run(scenario)


def test_the_same_pages_give_the_same_again(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        for fields in ({}, {"mode": "rrf"}, {"mode": "lexical", "k": 1}, {"question": "Summarise this page"}):
            _, text = await receipt(desk, **fields)
            replayed = (await desk.ask("replay", receipt=text))["result"]
            assert replayed["same"], (fields, replayed)
            assert replayed["n_searches"] == len(json.loads(text)["searches"])

    run(scenario)


def test_a_page_that_changed_or_went_is_named(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        _, text = await receipt(desk, question="Compare spring tides and a sourdough starter")
        desk.tabs[1] = capture_of(TIDES.url, TIDES.title, "Tides are now smaller than they were before.")
        await desk.add(1)
        changed = (await desk.ask("replay", receipt=text))["result"]
        assert not changed["same"]
        assert {"page_changed"} == {one["change"] for one in changed["differences"]}
        assert {"https://sea.example/tides"} == {one["subject"] for one in changed["differences"]}
        await desk.ask("remove", source="https://kitchen.example/bread")
        gone = (await desk.ask("replay", receipt=text))["result"]
        assert ("page_gone", "https://kitchen.example/bread") in [
            (one["change"], one["subject"]) for one in gone["differences"]
        ]

    run(scenario)


def test_a_new_page_that_changes_the_ranking_is_an_order_that_differs(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(2)
        _, text = await receipt(desk, question="sourdough starter flour")
        desk.tabs[1] = capture_of(
            "https://new.example/", "Sourdough starter flour", "Sourdough starter flour."
        )
        await desk.add(1)
        replayed = (await desk.ask("replay", receipt=text))["result"]
        assert [one["change"] for one in replayed["differences"]] == ["order"]

    run(scenario)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "no JSON", '{"version": 1}', '{"version": 99}', "[" * 100_000, '{"version": "1"}'],
)
def test_what_is_no_receipt_is_refused(run: Run, text: str) -> None:
    with pytest.raises(NotAReceipt):
        decode(text)

    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        assert (await desk.ask("replay", receipt=text))["code"] == "receipt_unreadable"

    run(scenario)


def test_a_receipt_that_is_not_kept_any_more_says_so(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        assert (await desk.ask("receipt", answer="gone"))["code"] == "receipt_unknown"

    run(scenario)


def test_a_damaged_receipt_names_the_place(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        _, text = await receipt(desk)
        record = json.loads(text)
        for path, value in (("plan", 3), ("searches", [{}]), ("level", "much"), ("more", 1)):
            with pytest.raises(NotAReceipt, match=f"Receipt.{path}"):
                decode(json.dumps(record | {path: value}))
        assert from_json(type(decode(text)), to_json(replace(decode(text), id="x"))).id == "x"

    run(scenario)


def test_a_truth_value_is_no_number(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        _, text = await receipt(desk)
        record = json.loads(text)
        with pytest.raises(NotARecord, match="k: expected int"):
            from_json(type(decode(text)), record | {"asked_of": record["asked_of"] | {"k": True}})

    run(scenario)


def test_the_prompt_of_another_answer_is_not_in_a_receipt(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        desk.models.models["provider:scripted"] = ScriptedModel(GOOD, GOOD)
        await desk.add(1, 2)
        first, text = await receipt(desk, engine="provider:scripted")
        second, other = await receipt(desk, engine="provider:scripted")
        assert first["id"] != second["id"]
        keys = [json.loads(one)["calls"][0]["messages"][1]["text"].split()[2] for one in (text, other)]
        assert keys[0] != keys[1]

    run(scenario)


# -- do cited passages still stand? -------------------------------------------------------------------


async def freshness(desk: Desk, citation: dict[str, Any], *tab_ids: int) -> dict[str, Any]:
    tabs = [desk.tab(tab_id) for tab_id in tab_ids]
    result: dict[str, Any] = (await desk.ask("freshness", citation=citation, tabs=tabs))["result"]
    return result


def test_a_cited_page_is_looked_at_again_in_its_tab_and_nothing_is_stored(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1, 2)
        answer, _ = await receipt(desk)
        citation = answer["citations"][0]
        same = await freshness(desk, citation, 2, 1)
        assert (same["state"], same["basis"]) == ("unchanged", "tab")
        desk.tabs[1] = capture_of(
            TIDES.url,
            TIDES.title,
            "The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 17.1 metres.",
        )
        changed = await freshness(desk, citation, 1)
        assert changed["state"] == "reworded"
        edits = [(one["edit"], one["text"]) for one in changed["difference"] if one["edit"] != "same"]
        assert edits == [("removed", "16"), ("added", "17"), ("removed", "3"), ("added", "1")]
        saved = await freshness(desk, citation)
        assert (saved["state"], saved["basis"]) == ("unchanged", "saved")

    run(scenario)


def test_a_tab_that_cannot_be_read_leaves_it_to_the_saved_page(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        answer, _ = await receipt(desk)
        tab = desk.tab(1) | {"asleep": True}
        fields = {"citation": answer["citations"][0], "tabs": [tab]}
        assert (await desk.ask("freshness", **fields))["result"]["basis"] == "saved"

    run(scenario)


def test_the_newest_snapshot_decides_for_an_older_answer(run: Run) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.add(1)
        answer, _ = await receipt(desk)
        desk.tabs[1] = capture_of(TIDES.url, TIDES.title, "This page has moved to another place on the web.")
        await desk.add(1)
        gone = await freshness(desk, answer["citations"][0])
        assert (gone["state"], gone["basis"], gone["start"], gone["end"]) == ("gone", "saved", 0, 0)
        await desk.ask("remove", source="https://sea.example/tides")
        fields = {"citation": answer["citations"][0], "tabs": []}
        assert (await desk.ask("freshness", **fields))["code"] == "source_unknown"

    run(scenario, tabs={1: TIDES, 2: BREAD})
