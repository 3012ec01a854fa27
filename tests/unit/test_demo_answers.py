"""The demo's budget lab, its language model, its tool loop, and receipts, opened again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demo_driver import text_of, walk
from demo_given import given, opened, pressed, run
from fakes import FakeModels, ScriptedModel
from tabwise.demo.ui.view.answer import answer_view
from tabwise.errors import ModelError


def test_the_budget_drops_passages_before_the_instructions(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "lab", "name": "budget_tokens", "value": "256"})
        await page.settled()
        reasons = {node[1]["data-kind"]: node[1]["data-reason"] for node in page.find("item")}
        assert (reasons["system"], reasons["question"]) == ("", "")
        assert reasons["source"] in ("no_room", "after_full")
        page.do(pressed(page, "reset-lab"))
        await page.settled()
        assert page.state["lab"]["budget_tokens"] == 768

    run(scene())


def test_a_turn_of_the_readers_own_enters_the_window(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        n_before = len(page.find("item"))
        page.do({"type": "line", "value": "And on a phone?"})
        page.do(pressed(page, "add-turn"))
        await page.settled()
        page.do(pressed(page, "add-turn"))
        await page.settled()
        assert len(page.find("item")) == n_before + 2
        assert "And on a phone?" in page.text("items")

    run(scene())


def test_without_its_files_the_page_says_that_there_is_no_language_model(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        assert "without a language model" in page.text("no-writer")
        assert page.find("planner-bundled")[0][1]["disabled"]

    run(scene())


def test_the_language_model_answers_when_it_is_asked(tmp_path: Path) -> None:
    async def scene() -> None:
        reply = "A vector of 128 bits can be read as four 32-bit integers [1]."
        models = FakeModels({"bundled": ScriptedModel(*[reply] * 4, id="catalogue:tiny")})
        page = await opened(tmp_path, models)
        page.do({"type": "query", "value": "How many bits has a SIMD vector?"})
        await page.settled()
        page.do(pressed(page, "write"))
        assert page.find("stop")
        await page.settled()
        assert page.state["answer"]["engine"] == "catalogue:tiny"
        assert page.engine.all("sentence")
        assert not page.find("stop")

    run(scene())


def test_the_speed_of_the_language_model_is_that_of_all_its_calls(tmp_path: Path) -> None:
    async def scene() -> None:
        models = FakeModels({"bundled": ScriptedModel(id="bundled")})
        page = await opened(tmp_path, models)
        page.do({"type": "query", "value": "How many bits has a SIMD vector?"})
        await page.settled()
        state = page.state
        receipt = json.loads(state["own_receipt"])
        receipt["calls"] = [
            {"n_prompt_tokens": None, "n_counted_tokens": 50, "ms": 500.0},
            {"n_prompt_tokens": 70, "n_counted_tokens": 60, "ms": 1500.0},
        ]
        answer = state["answer"] | {"engine": "bundled", "engine_label": "Tiny 1M"}
        shown = {"answer": answer, "own_receipt": json.dumps(receipt), "device": "webgpu"}
        nodes = answer_view(state | shown)
        (speed,) = [node for node in walk(nodes) if node[1].get("data-test") == "speed"]
        assert text_of(speed) == "2 calls, 120 tokens, 2.0 s: 60.0 tokens a second on the graphics card."
        assert "Sentences chosen by Tiny 1M" in text_of(nodes)

    run(scene())


def test_a_language_model_that_does_not_come_leaves_quotations_and_the_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        models = FakeModels({"bundled": ModelError("model_out_of_memory")})
        page = await opened(tmp_path, models)
        page.do({"type": "query", "value": "How many bits has a SIMD vector?"})
        await page.settled()
        page.do(pressed(page, "write"))
        await page.settled()
        assert page.state["answer"]["engine"] == "extractive"
        assert "memory" in page.text("fallback")

    run(scene())


def test_the_tool_loop_draws_each_call_with_its_result(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "act"))
        await page.settled()
        steps = [text_of(node) for node in page.find("tool-step")]
        assert '"tool": "calculator", "arguments": {"expression": "1536 / 388"}' in steps[1]
        assert "1536 / 388 = 3.9587628866" in steps[1]
        assert page.find("run-answer")

    run(scene())


def test_a_stopped_loop_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "act"))
        page.do(pressed(page, "halt"))
        await page.settled()
        assert page.text("loop").endswith("Stopped.")
        assert page.find("act")
        assert not page.engine.all("acted")

    run(scene())


def test_a_receipt_that_was_saved_is_drawn_the_same_when_it_is_opened(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "own-receipt"))
        drawn = page.text("receipt")
        page.do(pressed(page, "receipt-save"))
        name, text = page.effects[-1][1:]
        assert json.loads(text)["id"] in name
        page.do(pressed(page, "receipt-close"))
        assert not page.find("receipt")
        page.do({"type": "receipt_given", "value": text})
        await page.settled()
        assert page.text("receipt") == drawn

    run(scene())


def test_a_receipt_of_the_tool_loop_shows_its_steps(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "act"))
        await page.settled()
        page.do(pressed(page, "run-receipt"))
        assert "Calculate" in page.text("receipt")
        assert len(page.find("call")) == 1

    run(scene())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 99}', '{"version": 1, "id": "x"}'])
def test_what_is_no_receipt_is_said(tmp_path: Path, text: str) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "receipt_given", "value": text})
        await page.settled()
        assert page.text("receipt-fault")
        assert not page.find("receipt")

    run(scene())


def test_a_json_file_is_opened_as_a_receipt_and_never_read_as_a_text(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("receipt.json"))
        assert page.effects[-1] == ("text_of", "blob:receipt", {"type": "receipt_given"})
        assert not page.state["adding"]

    run(scene())
