"""The demo page in a real Chromium, served below a path by a server that is gone once the page is loaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from browser.axe import violations
from browser.demo_page import START_MS, Demo
from buildlib.chromium import find_chromium
from buildlib.paths import DEMO
from buildlib.serve import serve
from pdf_writer import Text, write_pdf
from tabwise.demo.messages import STAGES

pytestmark = [pytest.mark.native, pytest.mark.browser]

LOCKED = Path(__file__).with_name("pages") / "pdf" / "locked.pdf"  # password: secret
WIDE_PX = {"width": 1200, "height": 900}
NARROW_PX = {"width": 360, "height": 720}
MARKED = """said => [...document.querySelectorAll("[data-test=text] mark")]
    .map(mark => mark.textContent).join("") === said"""
MARK_IN_SIGHT = """() => {
    const box = document.querySelector("[data-test=text] mark").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
}"""


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    """The loaded page. Its server is down: whatever it does from here on, it does alone."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        with serve({"/some/where/": DEMO}) as address:
            demo = Demo(browser.new_page(viewport=WIDE_PX), f"{address}/some/where/")
            demo.open()
            demo.settled()
            demo.wait("[data-test=kept]", timeout_ms=START_MS)
        yield demo
        browser.close()


def test_words_find_before_the_model_is_there(demo: Demo) -> None:
    assert demo.found_first == "words"
    assert demo.hits_before_the_model == 10


def test_python_says_who_it_is(demo: Demo) -> None:
    said = demo.part("engine").inner_text()
    assert said.startswith("Python 3.14")
    assert "all-MiniLM-L6-v2-int8, 384 numbers" in said


def test_every_chunk_has_its_vector(demo: Demo) -> None:
    n_chunks = int(demo.part("n-chunks").inner_text())
    assert demo.part("strip").count() == n_chunks
    assert demo.part("n-vectors").inner_text() == str(n_chunks)
    assert demo.page.locator(".strips .empty").count() == 0
    assert demo.part("n-pages").inner_text() == "17"


def test_the_sliders_cut_and_embed_anew(demo: Demo) -> None:
    before = int(demo.part("n-chunks").inner_text())
    demo.part("target_words").fill("80")
    demo.page.wait_for_function(
        "n => +document.querySelector('[data-test=n-chunks]').textContent > n", arg=before
    )
    demo.settled()
    demo.part("overlap_words").fill("40")
    demo.wait("[data-test=text] .in-both")
    demo.settled()
    assert demo.part("n-vectors").inner_text() == demo.part("n-chunks").inner_text()
    demo.part("overlap_words").fill("20")
    demo.part("target_words").fill("110")
    demo.page.wait_for_function(
        "n => +document.querySelector('[data-test=n-chunks]').textContent === n", arg=before
    )
    demo.settled()


def test_another_text_is_read(demo: Demo) -> None:
    demo.part("document").select_option("corpus:bm25")
    demo.page.wait_for_function(
        "document.querySelector('[data-test=text]').textContent.includes('Robertson')"
    )


def test_a_chunk_comes_under_the_glass_from_its_strip_and_from_its_flag(demo: Demo) -> None:
    demo.part("strip").nth(9).click()
    title = str(demo.part("strip").nth(9).get_attribute("title"))
    demo.page.wait_for_function(
        "title => document.querySelector('[data-test=glass] h3').textContent.startsWith(title)", arg=title
    )
    assert demo.page.locator(".tokens span").first.inner_text() == "[CLS]"
    shown = str(demo.part("document").evaluate("select => select.selectedOptions[0].text.split(' · ')[0]"))
    demo.page.locator(".flag").nth(1).click()
    demo.page.wait_for_function(
        "title => document.querySelector('[data-test=glass] h3').textContent.startsWith(title)",
        arg=f"{shown}, chunk 2",
    )


@pytest.mark.parametrize("mode", ["rrf", "dense", "lexical", "convex"])
def test_each_fusion_mode_ranks(demo: Demo, mode: str) -> None:
    demo.part(f"mode-{mode}").check()
    demo.wait(f"[data-test=lists][data-mode={mode}]")
    assert demo.page.locator("[data-test=list-fused] [data-test=hit]").count() > 0
    assert demo.part("sentence").count() > 0


def test_top_k_limits_the_lists(demo: Demo) -> None:
    demo.part("k").fill("3")
    demo.page.wait_for_function(
        "document.querySelectorAll('[data-test=list-fused] [data-test=hit]').length === 3"
    )
    demo.part("k").fill("5")
    demo.page.wait_for_function(
        "document.querySelectorAll('[data-test=list-fused] [data-test=hit]').length === 5"
    )


def test_a_hit_lights_up_in_every_list(demo: Demo) -> None:
    hit = demo.page.locator("[data-test=list-fused] [data-test=hit]").first
    chunk = hit.get_attribute("data-chunk")
    hit.hover()
    demo.wait(".squares .lit")
    lit = demo.page.locator(".hit.lit").evaluate_all("hits => hits.map(hit => hit.dataset.chunk)")
    assert set(lit) == {chunk}
    demo.page.mouse.move(0, 0)


def test_a_question_in_other_words_is_found_by_meaning(demo: Demo) -> None:
    demo.ask("Can somebody reconstruct my notes from their vectors?")
    first = demo.page.locator("[data-test=list-fused] .hit-title").first
    assert first.inner_text().startswith("Privacy by staying local")
    assert demo.part("sentence").first.get_attribute("data-verdict") == "supported"


def test_a_citation_leads_to_its_words_in_the_text(demo: Demo) -> None:
    demo.ask("How large is a page of WebAssembly memory?")
    sentence = demo.page.locator("[data-test=sentence] .said p:first-child > span").first.inner_text()
    demo.part("chip").first.click()
    demo.page.wait_for_function(MARKED, arg=sentence)
    demo.page.wait_for_function(MARK_IN_SIGHT)


def test_every_example_is_answered_or_honestly_not(demo: Demo) -> None:
    for place in range(demo.part("example").count()):
        text = demo.part("example").nth(place).inner_text()
        demo.part("example").nth(place).click()
        demo.page.wait_for_function(
            "text => document.querySelector('[data-test=answer] .asked')?.textContent === text", arg=text
        )
        demo.settled()
        assert demo.part("sentence").count() > 0 or demo.part("nothing").count() == 1
    assert demo.part("nothing").count() == 1, "the last example asks for bread"


def test_no_question_is_said_beside_the_box(demo: Demo) -> None:
    demo.part("query").fill("")
    demo.wait("[data-test=refused]")
    demo.part("example").first.click()
    demo.wait("[data-test=sentence]")


@pytest.mark.parametrize("stage", STAGES)
def test_the_python_of_a_stage_is_shown_from_the_wheel(demo: Demo, stage: str) -> None:
    demo.part(f"code-{stage}").click()
    demo.wait(f"[data-test=listing-{stage}] pre")
    listing = demo.part(f"listing-{stage}")
    assert "def " in listing.inner_text()
    assert listing.locator(".py-keyword").count() > 3
    demo.part(f"code-{stage}").click()
    demo.page.wait_for_selector(f"[data-test=listing-{stage}]", state="detached")


def test_every_control_is_reached_by_keyboard(demo: Demo) -> None:
    demo.page.locator(".jumps a").first.focus()
    reached = set()
    for _ in range(180):
        demo.page.keyboard.press("Tab")
        reached.add(demo.page.evaluate("document.activeElement.dataset.test"))
    assert {
        "target_words",
        "overlap_words",
        "document",
        "strip",
        "mode-convex",
        "k",
        "query",
        "example",
        "add",
        "remove",
        "reset",
        "save-library",
        "budget_tokens",
        "line",
        "add-turn",
        "write",
        "task",
        "act",
        "open-receipt",
    } <= reached
    assert {f"code-{stage}" for stage in STAGES} | {"chip"} <= reached


def test_files_are_read_kept_and_found_without_a_network(demo: Demo, tmp_path: Path) -> None:
    pdf = write_pdf([[Text(72, 700, "The tidal range in the Bay of Fundy reaches 16.3 metres.")]])
    files = {
        "tides.pdf": pdf,
        "bread.html": b"<!doctype html><title>Bread</title><h1>Bread</h1>"
        b"<p>Knead the sourdough for ten minutes, then let it rest until it has doubled in size.</p>",
        "empty.txt": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    demo.part("add").set_input_files([tmp_path / name for name in files])
    demo.wait("[data-test=given][data-state=failed]", timeout_ms=START_MS)
    demo.wait("[data-test=n-pages]:text-is('19')")
    demo.settled()
    demo.ask("How high is the tide in the Bay of Fundy?")
    assert "16.3 metres" in demo.part("answer").inner_text()


def test_another_visit_without_a_network_finds_everything_as_it_was(demo: Demo) -> None:
    demo.page.reload()
    demo.first_result()
    assert demo.found_first == "words"
    demo.settled()
    assert demo.part("n-pages").inner_text() == "19"
    assert demo.part("lasting").inner_text().startswith("It outlives the page")
    bread = demo.part("document").locator("option", has_text="yours: Bread").get_attribute("value")
    demo.part("document").select_option(bread)
    demo.page.wait_for_function("document.querySelector('[data-test=text]').textContent.includes('Knead')")
    demo.part("remove").click()
    demo.wait("[data-test=n-pages]:text-is('18')")
    demo.part("restore").click()
    demo.wait("[data-test=n-pages]:text-is('19')")
    demo.settled()
    demo.part("reset").click()
    demo.part("reset-keep").click()
    demo.page.wait_for_selector("[data-test=reset-sure]", state="detached")
    demo.part("reset").click()
    demo.part("reset-sure").click()
    demo.wait("[data-test=n-pages]:text-is('17')")
    demo.settled()


def test_the_library_is_saved_as_a_sound_sqlite_file(demo: Demo, tmp_path: Path) -> None:
    with demo.page.expect_download() as download:
        demo.part("save-library").click()
    download.value.save_as(tmp_path / "library.db")
    with closing(sqlite3.connect(tmp_path / "library.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM page WHERE NOT removed").fetchone() == (17,)


def test_the_budget_leaves_out_and_says_why(demo: Demo) -> None:
    demo.part("budget_tokens").fill("320")
    demo.wait("[data-test=item][data-reason=no_room]")
    demo.part("reserve_tokens").fill("64")
    demo.wait("text=64 kept free for the answer")
    demo.part("window_turns").fill("1")
    demo.wait("[data-test=item][data-reason=outside_window]")
    n_turns = demo.page.locator("[data-kind=turn]").count()
    demo.part("line").fill("And on a phone?")
    demo.part("add-turn").click()
    demo.wait("[data-test=item]:has-text('And on a phone?')")
    assert demo.page.locator("[data-kind=turn]").count() == n_turns + 1
    demo.part("reset-lab").click()
    demo.page.wait_for_function(
        "n => document.querySelectorAll('[data-kind=turn]').length === n", arg=n_turns
    )


def test_the_tool_loop_is_drawn_call_by_call(demo: Demo) -> None:
    demo.part("schema").first.locator("summary").click()
    assert '"required"' in demo.part("schema").first.inner_text()
    demo.part("ready-task").nth(1).click()
    demo.wait("[data-test=run-answer] [data-verdict=supported]")
    steps = demo.part("tool-step").all_inner_texts()
    assert ["search_pages" in steps[0], "384 / 8 = 48" in steps[1]] == [True, True]
    demo.part("schema").first.locator("summary").click()


def test_a_receipt_is_saved_and_opened_again(demo: Demo, tmp_path: Path) -> None:
    demo.part("own-receipt").click()
    demo.wait("[data-test=receipt]")
    demo.part("run-receipt").click()
    demo.wait("[data-test=receipt] [data-test=call]")
    drawn = demo.part("receipt").inner_text()
    with demo.page.expect_download() as download:
        demo.part("receipt-save").click()
    download.value.save_as(tmp_path / "receipt.json")
    demo.part("receipt-close").click()
    demo.part("open-receipt").set_input_files(tmp_path / "receipt.json")
    demo.wait("[data-test=receipt]")
    assert demo.part("receipt").inner_text() == drawn
    (tmp_path / "broken.json").write_text("{}", encoding="utf-8")
    demo.part("open-receipt").set_input_files(tmp_path / "broken.json")
    demo.wait("[data-test=receipt-fault]")


def test_the_tour_shows_the_whole_path(demo: Demo) -> None:
    demo.part("tour").click()
    for place in range(1, 10):
        demo.wait(f".tour-place:text-is('{place} of 9')")
        demo.part("tour-next").click()
    demo.page.wait_for_selector("[data-test=touring]", state="detached")
    demo.wait("[data-test=receipt]")
    demo.settled()
    demo.part("reset-lab").click()


def test_the_tour_goes_on_by_itself(demo: Demo) -> None:
    demo.part("tour").click()
    demo.wait(".tour-place:text-is('1 of 9')")
    demo.wait(".tour-place:text-is('3 of 9')", timeout_ms=START_MS)
    demo.part("tour-end").click()
    demo.page.wait_for_selector("[data-test=touring]", state="detached")
    demo.settled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(demo: Demo, scheme: Any) -> None:
    demo.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    demo.part("code-retrieve").click()
    demo.wait("[data-test=listing-retrieve] pre")
    found = violations(demo.page)
    demo.part("code-retrieve").click()
    assert found == []


def test_nothing_is_wider_than_a_phone(demo: Demo, tmp_path: Path) -> None:
    word = "Donaudampfschifffahrt" * 12
    address = "https://host.example/" + "a/" * 200
    (tmp_path / "long.md").write_text(f"# {word}\n\nThe ship {word} sails. See {address} for more.\n")
    demo.part("add").set_input_files(tmp_path / "long.md")
    demo.wait("[data-test=n-pages]:text-is('18')", timeout_ms=START_MS)
    demo.ask("Which ship sails?")
    demo.page.set_viewport_size(NARROW_PX)
    assert demo.page.evaluate("document.documentElement.scrollWidth") == NARROW_PX["width"]
    demo.page.set_viewport_size(WIDE_PX)
    assert demo.page.evaluate("document.documentElement.scrollWidth") == WIDE_PX["width"]


def test_a_text_from_right_to_left_is_set_and_found_so(demo: Demo, tmp_path: Path) -> None:
    (tmp_path / "rtl.txt").write_text("المدى المدي\n\nالمدى المدي في خليج فندي هو ستة عشر مترا.\n", "utf-8")
    demo.part("add").set_input_files(tmp_path / "rtl.txt")
    demo.wait("[data-test=n-pages]:text-is('19')", timeout_ms=START_MS)
    demo.wait("[data-test=embedding][data-state=complete]", timeout_ms=START_MS)
    demo.part("query").fill("ما هو المدى المدي؟")
    demo.wait("[data-test=list-dense]:has-text('English only')")
    for part in ("[data-test=text] p", "[data-test=list-fused] .snippet", "[data-test=query]"):
        found = demo.page.locator(part).last
        assert found.evaluate("part => getComputedStyle(part).direction") == "rtl"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.pdf", write_pdf([[]]), "holds no text; pictures of text are not read."),
        (
            "damaged.pdf",
            b"%PDF-1.7\n" + bytes(256),
            "cannot be read as text: it is damaged or of another kind.",
        ),
        ("locked.pdf", LOCKED.read_bytes(), "is locked with a password."),
        ("nothing.pdf", b"", "holds no text."),
    ],
)
def test_a_file_without_text_is_told(demo: Demo, tmp_path: Path, name: str, data: bytes, said: str) -> None:
    before = demo.part("n-pages").inner_text()
    (tmp_path / name).write_bytes(data)
    demo.part("add").set_input_files(tmp_path / name)
    demo.wait(f"[data-test=given][data-state=failed]:has-text('{name}')", timeout_ms=START_MS)
    assert demo.part("given").filter(has_text=name).inner_text() == f"{name} {said}"
    demo.page.wait_for_selector("[data-test=reading]", state="detached")
    assert demo.part("n-pages").inner_text() == before


@pytest.mark.fault("S4")
def test_nothing_came_from_elsewhere_and_nothing_complained(demo: Demo) -> None:
    own = (demo.address, f"blob:{demo.address.partition('/some')[0]}")
    assert [url for url in demo.requests if not url.startswith(own)] == []
    assert demo.complaints == []


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("**/model.onnx", "[data-test=embedding][data-state=failed]"),
        ("**/numpy-*.whl", "[data-test=fault]"),
        ("**/host.js", "[data-test=fault]"),
    ],
)
def test_a_file_that_does_not_come_is_said(demo: Demo, missing: str, told: str) -> None:
    browser = demo.page.context.browser
    assert browser is not None
    page = browser.new_page()
    page.route(missing, lambda route: route.abort())
    with serve({"/": DEMO}) as address:
        page.goto(address)
        page.wait_for_selector(told, timeout=START_MS)
    page.close()
