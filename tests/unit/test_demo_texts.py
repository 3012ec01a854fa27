"""Texts of the reader's own in the demo: given, kept, removed, reset."""

from __future__ import annotations

import asyncio
from pathlib import Path

from demo_driver import Record, text_of
from demo_given import ASK, given, opened, pressed, run
from tabwise.core.page.pdf.capture import PdfCapture, PdfItem, PdfPage
from tabwise.core.text.urls import given_file_url
from tabwise.demo.corpus import NAMES
from tabwise.demo.ui.runs import n_ready, runs
from tabwise.ui.memo import Memo


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
