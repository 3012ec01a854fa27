"""The demo's page: what its controls do, what it shows, and that MicroPython can run it."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo_driver import Engine, HeldEmbedder, Page, text_of, walk
from fakes import BagEmbedder
from tabwise.demo.messages import STAGES
from tabwise.demo.ui.segments import segments
from tabwise.demo.ui.strips import gradient
from tabwise.demo.ui.view.chunk import MAX_DRAWN_CHARS, chunk_view
from tabwise.demo.ui.view.parts import amount, duration
from tabwise.demo.ui.words import LEAD, NO_MEANING, RECEIPT, TITLE
from tabwise.demo.ui.words import STAGES as STAGE_TEXTS
from tabwise.ui.memo import Memo
from tabwise.ui.state import put

DEMO = Path(__file__).parents[2] / "app" / "tabwise" / "demo"
ON_MICROPYTHON = [DEMO / "messages.py", *sorted((DEMO / "ui").rglob("*.py"))]
STARTED = {"type": "start"}


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


async def opened(folder: Path, embedder: BagEmbedder | None = None) -> Page:
    page = Page(Engine(folder, embedder))
    page.do(STARTED)
    await page.settled()
    page.do(pressed(page, "example", 2))
    await page.settled()
    return page


def pressed(page: Page, test: str, place: int = 0) -> dict[str, Any]:
    """The event of a control."""
    attributes = page.find(test)[place][1]
    event: dict[str, Any] = next(
        attributes[name] for name in ("on-click", "on-change", "on-input") if name in attributes
    )
    return dict(event)


# -- the whole page -----------------------------------------------------------------------------------


def test_before_python_runs_the_page_shows_its_stages_and_offers_nothing_that_acts(tmp_path: Path) -> None:
    async def scene() -> None:
        page = Page(Engine(tmp_path))
        headings = [text_of(node) for node in walk(page.nodes) if node[0] == "h2"]
        assert headings == [*(STAGE_TEXTS[name][0] for name in STAGES), RECEIPT[0]]
        assert all(
            node[1]["disabled"] for test in ("target_words", "k", "document") for node in page.find(test)
        )

    run(scene())


def test_opening_shows_every_stage_from_live_data(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        n_chunks = len(page.state["cut"]["chunks"])
        assert page.text("cut").startswith(f"17 texts, {n_chunks} chunks, cut in ")
        assert page.text("embedding") == f"{n_chunks} of {n_chunks} chunks, complete"
        assert len(page.find("strip")) == n_chunks
        assert (page.text("n-pages"), page.text("n-vectors")) == ("17", str(n_chunks))
        assert page.find("found-by")[0][1]["data-by"] == "meaning"
        found = page.state["results"]
        assert len(page.find("hit")) == sum(len(found[name]) for name in ("lexical", "dense", "fused"))
        assert page.find("sentence")
        assert page.find("glass")

    run(scene())


def test_words_come_first_and_meaning_shows_what_it_moved(tmp_path: Path) -> None:
    async def scene() -> None:
        embedder = HeldEmbedder()
        page = Page(Engine(tmp_path, embedder))
        page.do(STARTED)
        while not page.engine.all("answer"):
            await asyncio.sleep(0)
            page.hear()
        page.hear()
        assert page.find("found-by")[0][1]["data-by"] == "words"
        assert "Meaning joins" in page.text("found-by")
        assert page.text("embedding").startswith(f"0 of {len(page.state['cut']['chunks'])} chunks")
        assert page.text("list-dense").endswith("The model is not there yet.")
        words = [
            node[1]["data-chunk"] for node in walk(page.find("list-fused")[0]) if "data-chunk" in node[1]
        ]
        embedder.arrive()
        await page.settled()
        assert page.find("found-by")[0][1]["data-by"] == "meaning"
        fused = [
            node[1]["data-chunk"] for node in walk(page.find("list-fused")[0]) if "data-chunk" in node[1]
        ]
        badges = [text_of(node) for node in walk(page.nodes) if "moved" in node[1].get("class", "").split()]
        assert badges.count("new") == len(set(fused) - set(words))

    run(scene())


def test_a_slider_cuts_the_texts_anew_when_it_rests(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        before = len(page.state["cut"]["chunks"])
        for value in ("60", "50", "40"):
            page.do(pressed(page, "target_words") | {"value": value})
        assert page.state["sizes"] == {"target_words": 40, "overlap_words": 20}
        await page.settled()
        assert [event["target_words"] for event in page.engine.all("chunks")] == [110, 40]
        assert len(page.state["cut"]["chunks"]) > before
        assert page.text("n-vectors") == str(len(page.state["cut"]["chunks"]))

    run(scene())


def test_overlap_never_passes_half_of_a_chunk(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "overlap_words") | {"value": "60"})
        page.do(pressed(page, "target_words") | {"value": "40"})
        assert page.state["sizes"] == {"target_words": 40, "overlap_words": 20}

    run(scene())


def test_overlap_is_drawn_where_two_chunks_share_text(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "overlap_words") | {"value": "55"})
        await page.settled()
        source = page.state["page"]["source"]
        first, second = [chunk for chunk in page.state["cut"]["chunks"] if chunk["source"] == source][:2]
        shared = page.state["page"]["text"][second["start"] : first["end"]]
        drawn = [
            text_of(node) for node in walk(page.find("text")[0]) if "in-both" in node[1].get("class", "")
        ]
        assert shared
        assert "".join(drawn).startswith(shared.replace("\n", ""))

    run(scene())


def test_of_a_long_text_the_part_with_the_quote_is_drawn(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        text = "\n".join(f"Line {n} of a very long text." for n in range(4000))
        source, at = page.state["page"]["source"], text.index("Line 3456 ")
        for quote, first, other in (
            (None, "Line 0 ", "Line 3456 "),
            ({"source": source, "start": at, "end": at + 9}, "Line 3456 ", "Line 0 "),
        ):
            shown = put(page.state["page"], text=text, headings=[])
            nodes = chunk_view(put(page.state, page=shown, quote=quote), Memo())
            (drawn,) = [node for node in walk(nodes) if node[1].get("data-test") == "text"]
            assert first in text_of(drawn)
            assert other not in text_of(drawn)
            assert f"of {len(text):,}" in text_of(drawn)
            assert len(text_of(drawn)) < MAX_DRAWN_CHARS + 500

    run(scene())


@pytest.mark.parametrize(
    ("mode", "formula"), [("rrf", "1 / (60 + rank) from each list"), ("lexical", "words alone")]
)
def test_a_fusion_mode_searches_anew(tmp_path: Path, mode: str, formula: str) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, f"mode-{mode}"))
        await page.settled()
        assert page.state["results"]["mode"] == mode
        assert formula in page.text("list-fused")

    run(scene())


@pytest.mark.parametrize(
    ("mode", "query", "why"),
    [
        ("lexical", "What does k1 do?", "Not asked: the fusion is set to words only."),
        ("convex", "ما هو المتجه؟", NO_MEANING["complete"]),
    ],
)
def test_why_a_search_went_by_words_alone_is_said(tmp_path: Path, mode: str, query: str, why: str) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, f"mode-{mode}"))
        page.do(pressed(page, "query") | {"value": query})
        await page.settled()
        assert page.find("found-by")[0][1]["data-by"] == "words"
        assert page.text("list-dense").endswith(why)

    run(scene())


def test_top_k_changes_how_many_are_listed(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "k") | {"value": "2"})
        await page.settled()
        assert len(page.find("hit")) == 6

    run(scene())


def test_typing_searches_once_when_it_rests(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        n_before = len(page.engine.all("results"))
        for text in ("k", "k1", "k1 sat", "k1 saturates"):
            page.do(pressed(page, "query") | {"value": text})
        await page.settled()
        assert len(page.engine.all("results")) == n_before + 1
        assert page.state["results"]["query"] == "k1 saturates"

    run(scene())


def test_an_empty_question_is_said_and_clears_the_answer(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "query") | {"value": " "})
        await page.settled()
        assert page.text("refused") == "There is no question yet."
        assert not page.find("sentence")
        page.do(pressed(page, "example", 2))
        await page.settled()
        assert not page.find("refused")
        assert page.find("sentence")

    run(scene())


def test_a_citation_opens_its_text_with_the_quote_marked(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        quote = page.state["answer"]["citations"][0]["quote"]
        page.do(pressed(page, "chip"))
        await page.settled()
        marked = [text_of(node) for node in walk(page.find("text")[0]) if node[0] == "mark"]
        assert "".join(marked) == quote
        assert page.scrolled == ["#text mark"]

    run(scene())


def test_a_strip_puts_its_chunk_under_the_glass(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "strip", 7))
        await page.settled()
        assert page.state["chunk"]["id"] == page.state["cut"]["chunks"][7]["id"]
        assert page.find("strip")[7][1]["aria-pressed"] == "true"

    run(scene())


def test_another_text_can_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "document") | {"value": "corpus:bm25"})
        await page.settled()
        assert "Stephen Robertson" in page.text("text")

    run(scene())


def test_the_python_of_a_stage_opens_and_closes_and_is_asked_for_once(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        for n_open in (1, 0, 1):
            page.do(pressed(page, "code-store"))
            await page.settled()
            assert len(page.find("listing-store")) == n_open
        assert "def put(" in page.text("listing-store").replace("async ", "")
        assert len(page.engine.all("code")) == 1

    run(scene())


def test_nothing_found_is_an_answer(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path)
        page.do(pressed(page, "mode-lexical"))
        page.do(pressed(page, "query") | {"value": "zygote marmalade"})
        await page.settled()
        assert page.text("nothing") == "Nothing in these texts answers this."
        assert "Nothing here is near the question." in page.text("list-fused")

    run(scene())


def test_the_page_says_the_same_before_and_after_python_draws_it() -> None:
    static = " ".join((DEMO / "site" / "index.html").read_text("utf-8").split())
    assert f"<h1>{TITLE}</h1>" in static
    assert f'<p class="lead"> {LEAD} </p>' in static


def test_a_worker_that_does_not_start_is_said(tmp_path: Path) -> None:
    async def scene() -> None:
        page = Page(Engine(tmp_path))
        page.do({"type": "lost"})
        assert page.text("fault").startswith("Python could not start")

    run(scene())


def test_a_start_that_takes_long_is_said_until_python_is_there(tmp_path: Path) -> None:
    async def scene() -> None:
        page = Page(Engine(tmp_path))
        page.do({"type": "wait"})
        page.do(page.later.pop("wait"))
        assert page.text("engine").startswith("Still starting Python.")
        page.do(STARTED)
        await page.settled()
        assert page.text("engine").startswith("Python 3.")

    run(scene())


def test_a_failed_model_leaves_words(tmp_path: Path) -> None:
    async def scene() -> None:
        page = await opened(tmp_path, BagEmbedder(fail_at=1))
        assert "search goes by words" in page.text("embedding")
        assert "Meaning joins" not in page.text("found-by")
        assert page.find("sentence")

    run(scene())


# -- the pieces ---------------------------------------------------------------------------------------


def test_segments_of_two_overlapping_spans() -> None:
    assert segments([(0, 10), (7, 20)], (0, 20)) == [(0, 7, [0]), (7, 10, [0, 1]), (10, 20, [1])]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), max_size=5),
    st.integers(0, 10),
    st.integers(1, 15),
)
def test_every_position_of_a_segment_is_in_the_same_spans(
    starts: list[tuple[int, int]], start: int, length: int
) -> None:
    spans = [(at, at + n) for at, n in starts]
    cut = segments(spans, (start, start + length))
    assert [i for left, right, _ in cut for i in range(left, right)] == list(range(start, start + length))
    for left, right, covering in cut:
        for i in range(left, right):
            assert covering == [n for n, span in enumerate(spans) if span[0] <= i < span[1]]


def test_equal_cells_of_a_gradient_are_one_stop() -> None:
    assert gradient("4480") == (
        "background-image:linear-gradient(90deg,var(--v4) 0 50.00%,var(--v8) 0 75.00%,var(--v0) 0 100.00%)"
    )


def test_amounts_and_durations_as_they_are_read() -> None:
    assert [amount(n) for n in (840, 12_540, 23_400_000)] == ["840 bytes", "12.5 kB", "23.4 MB"]
    assert [duration(ms) for ms in (0.2, 87.4, 2_440.0)] == ["< 1 ms", "87 ms", "2.4 s"]


# -- MicroPython --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ON_MICROPYTHON, ids=lambda path: path.relative_to(DEMO).as_posix())
def test_page_code_imports_what_micropython_has(path: Path) -> None:
    allowed = {"json", "tabwise"} | ({"asyncio", "js", "pyscript"} if path.name == "app.py" else set())
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    assert {name.split(".")[0] for name in names} <= allowed
    ours = {name for name in names if name.startswith("tabwise.")}
    shared = ("tabwise.demo.ui.", "tabwise.demo.messages", "tabwise.ui.", "tabwise.protocol.")
    assert all(name.startswith(shared) for name in ours)
