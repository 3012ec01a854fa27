"""Texts of the reader's own in the demo: given, kept, removed, reset; and receipts, opened again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from demo_driver import Engine, Page, Record, text_of, walk
from fakes import FakeModels, ScriptedModel
from tabwise.adapters.files.plain_text import parse_plain_text
from tabwise.core.model import Capture
from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage
from tabwise.core.text.urls import given_file_url
from tabwise.demo.corpus import NAMES
from tabwise.demo.ui.events.tour import STOP_MS, STOPS
from tabwise.demo.ui.runs import n_ready, runs
from tabwise.demo.ui.view.answer import answer_view
from tabwise.errors import InputError, ModelError
from tabwise.ui.memo import Memo
from tabwise.ui.words import error_sentence

TIDES = "# Tides\n\nThe tidal range in the Bay of Fundy reaches 16.3 metres. It is the largest anywhere."
ASK = {"query": "How high is the tide in the Bay of Fundy?", "mode": "convex", "k": 5, "engine": "extractive"}


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


def tides(name: str = "tides.md") -> Capture:
    root = parse_plain_text(TIDES, is_markdown=True)
    return Capture(given_file_url(name), "", "Tides", "en", root, len(TIDES), len(TIDES))


async def opened(folder: Path, models: FakeModels | None = None) -> Page:
    page = Page(Engine(folder, models=models))
    page.engine.files.files = {
        "blob:tides": tides(),
        "blob:locked": InputError("page_locked", subject="locked.pdf"),
    }
    page.do({"type": "start"})
    await page.settled()
    return page


def given(*names: str) -> dict[str, Any]:
    return {
        "type": "given",
        "files": [{"name": name, "url": "blob:" + name.partition(".")[0]} for name in names],
    }


def pressed(page: Page, test: str, place: int = 0) -> dict[str, Any]:
    event: dict[str, Any] = page.find(test)[place][1]["on-click"]
    return dict(event)


# -- texts --------------------------------------------------------------------------------------------


def test_a_given_file_is_cut_embedded_shown_and_found(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("tides.md"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES) + 1)
        assert "16.3 metres" in page.text("text")
        assert page.text("n-vectors") == page.text("n-chunks")
        page.do({"type": "example", "value": ASK["query"]})
        await page.settled()
        assert "16.3 metres" in text_of(page.find("sentence")[0])

    run(scene())


def test_a_file_that_cannot_be_read_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("locked.pdf", "tides.md"))
        await page.settled()
        rows = page.find("given")
        assert [row[1]["data-state"] for row in rows] == ["failed", "added"]
        assert "password" in text_of(rows[0])
        assert page.text("n-pages") == str(len(NAMES) + 1)

    run(scene())


def test_new_chunk_sizes_do_not_cut_the_reading_of_files_short(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("tides.md"))
        await asyncio.sleep(0)
        page.do({"type": "cut"})
        await page.settled()
        assert page.find("given")[0][1]["data-state"] == "added"
        assert page.text("n-pages") == str(len(NAMES) + 1)

    run(scene())


def test_the_same_file_again_changes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        for _ in range(2):
            page.do(given("tides.md"))
            await page.settled()
        assert page.find("given")[0][1]["data-state"] == "unchanged"
        assert page.text("n-pages") == str(len(NAMES) + 1)

    run(scene())


def test_another_visit_finds_everything_and_embeds_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("tides.md"))
        await page.settled()
        page.engine.store.close()
        again = await opened(tmp_path)
        assert again.text("n-pages") == str(len(NAMES) + 1)
        assert again.text("n-vectors") == again.text("n-chunks")
        assert again.engine.all("embedded") == []

    run(scene())


def test_a_removed_text_stays_away_on_another_visit_until_it_is_reset(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "remove"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES) - 1)
        page.engine.store.close()
        again = await opened(tmp_path)
        assert again.text("n-pages") == str(len(NAMES) - 1)
        again.do(pressed(again, "reset"))
        await again.settled()
        assert again.text("n-pages") == str(len(NAMES))

    run(scene())


def test_a_removed_text_can_be_brought_back(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        title = page.state["page"]["title"]
        page.do(pressed(page, "remove"))
        await page.settled()
        assert page.state["page"]["title"] != title
        page.do(pressed(page, "restore"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES))
        assert page.text("n-vectors") == page.text("n-chunks")

    run(scene())


def test_all_texts_can_be_removed(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        for _ in NAMES:
            page.do(pressed(page, "remove"))
            await page.settled()
        assert page.text("n-chunks") == "0"
        assert page.find("remove")[0][1]["disabled"]
        page.do(pressed(page, "reset"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES))

    run(scene())


def test_a_reset_asks_before_texts_of_the_reader_are_gone(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("tides.md"))
        await page.settled()
        page.do(pressed(page, "reset"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES) + 1)
        page.do(pressed(page, "reset-sure"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES))

    run(scene())


def test_the_library_file_is_offered_for_saving(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "save-library"))
        await page.settled()
        assert page.effects[-1] == ("download", "tabwise-library.db", "blob:library")

    run(scene())


# -- budget, model, tools -----------------------------------------------------------------------------


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


# -- receipts, tour -----------------------------------------------------------------------------------


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


def novel(n_pages: int) -> PdfCapture:
    """A PDF of a page's worth of sentences a page."""
    lines = [
        f"On page {{page}} line {row} the moon pulls the sea and the sea follows the moon."
        for row in range(40)
    ]
    pages = tuple(
        PdfPage(
            page,
            600.0,
            800.0,
            tuple(
                PdfItem(line.format(page=page), 60.0, 100.0 + 13.0 * row, 450.0, 10.0, font="body")
                for row, line in enumerate(lines)
            ),
        )
        for page in range(1, n_pages + 1)
    )
    return PdfCapture(given_file_url("novel.pdf"), "Novel", "en", n_pages, pages)


def test_a_long_pdf_tells_how_far_it_is_and_is_cut_once(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.engine.files.files["blob:novel"] = novel(40)
        counted: list[str] = []
        count = page.engine.embedder.count
        page.engine.embedder.count = lambda text: (counted.append(text), count(text))[1]  # type: ignore[method-assign]
        page.do(given("novel.pdf"))
        await page.settled()
        told = page.engine.all("reading")
        of_pages = [one for one in told if one["stage"] == "pages"]
        assert [(one["done"], one["total"]) for one in of_pages] == [(done, 40) for done in range(40)]
        assert [one["done"] for one in told if one["stage"] == "layout"] == [40]
        cut = page.engine.last("chunks")
        n_own = len([one for one in cut["chunks"] if one["source"].startswith("file:")])
        of_chunks = [one for one in told if one["stage"] == "chunks"]
        assert of_chunks[-1]["done"] <= of_chunks[-1]["total"] <= 1.2 * n_own
        assert len(counted) < 1.5 * n_own + len(cut["chunks"])

    run(scene())


def test_reading_can_be_stopped_and_what_was_not_read_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.engine.files.files["blob:novel"] = novel(2)
        page.engine.files.held.add("blob:novel")
        page.do(given("tides.md", "novel.pdf", "locked.pdf"))
        while not page.engine.all("reading"):
            await asyncio.sleep(0)
        while page.engine.last("reading")["stage"] != "layout":
            await asyncio.sleep(0)
        page.hear()
        assert "2 pages are laid out" in page.text("reading")
        page.do(given("later.md"))
        page.do(pressed(page, "leave"))
        await page.settled()
        assert [(text_of(row), row[1]["data-state"]) for row in page.find("given")] == [
            ("tides.md added", "added"),
            ("novel.pdf was not read on: stopped", "left"),
            ("locked.pdf was not read on: stopped", "left"),
        ]
        assert not page.find("reading")
        assert page.text("n-pages") == str(len(NAMES) + 1)
        page.engine.files.held.clear()
        page.do(given("novel.pdf"))
        await page.settled()
        assert page.text("n-pages") == str(len(NAMES) + 2)

    run(scene())


def test_a_thousand_chunks_are_drawn_in_parts_and_one_that_changes_alone() -> None:
    built: list[str] = []
    chunks = [{"id": str(number)} for number in range(1000)]
    strips: dict[str, str] = {}
    memo, cut = Memo(60), {"chunks": chunks}

    def frame() -> int:
        memo.begin()
        drawn = runs(memo, "strips", chunks, lambda run, key: built.append(key) or key, cut, ready)
        return len(drawn)

    def ready(run: list[Record]) -> int:
        return n_ready(run, strips)

    n_drawn = [frame()]
    while memo.behind:
        n_drawn.append(frame())
    assert n_drawn == [*range(3, 50, 3), 50]
    assert len(built) == 50
    strips["777"] = "gradient"
    frame()
    assert built[50:] == ["strips-760"]


def test_files_given_while_others_are_read_are_read_after_them(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(given("locked.pdf"))
        page.do(given("tides.md"))
        await page.settled()
        assert [row[1]["data-state"] for row in page.find("given")] == ["failed", "added"]
        assert page.text("n-pages") == str(len(NAMES) + 1)

    run(scene())


def test_the_tour_goes_through_every_stop_in_under_a_minute(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "tour"))
        seen = []
        while page.find("touring"):
            seen.append(page.scrolled[-1])
            while page.queue:
                page.do(page.queue.pop(0))
            after = page.later.pop("tour")
            await page.settled()
            page.do(after)
        assert [place for place in seen if place != "#text mark"] == [stop[0] for stop in STOPS]
        assert page.find("run-answer")
        assert page.find("receipt")
        assert len(STOPS) * STOP_MS < 60_000

    run(scene())


def test_a_left_tour_does_nothing_more(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "tour"))
        after = page.later.pop("tour")
        page.do(pressed(page, "tour-end"))
        n_scrolled = len(page.scrolled)
        page.do(after)
        assert not page.find("touring")
        assert len(page.scrolled) == n_scrolled

    run(scene())


def test_an_engine_that_stopped_can_be_started_again(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "lost"})
        assert page.text("fault").startswith("The engine stopped")
        page.do(pressed(page, "restart"))
        assert page.effects[-1] == ("restart",)
        assert page.text("engine").startswith("Starting Python")
        assert not page.find("fault")

    run(scene())


def test_a_second_engine_goes_on_with_what_is_stored_and_what_was_chosen(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "size", "name": "target_words", "value": "60"})
        page.do({"type": "setting", "name": "k", "value": "3"})
        page.do({"type": "line", "value": "And on a phone?"})
        page.do(pressed(page, "add-turn"))
        page.do({"type": "read", "value": page.state["cut"]["documents"][3]["source"]})
        page.do(pressed(page, "remove"))
        await page.settled()
        page.do({"type": "read", "value": page.state["cut"]["documents"][3]["source"]})
        await page.settled()
        before = page.state
        page.engine.store.close()
        page.do({"type": "lost"})
        page.do(pressed(page, "restart"))
        page.restart(Engine(tmp_path))
        page.do({"type": "start"})
        await page.settled()
        assert page.text("n-pages") == "16"
        for part in ("sizes", "ask", "turns", "lab", "page"):
            assert page.state[part] == before[part]
        assert page.state["strips"] == before["strips"]
        assert page.state["answer"]["sentences"] == before["answer"]["sentences"]

    run(scene())


def test_what_stopped_the_texts_is_said_by_its_name(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do({"type": "engine", "kind": "failed", "fields": {"request": "add", "code": "store_full"}})
        assert page.text("fault").startswith(error_sentence("store_full"))

    run(scene())
