"""The demo page in a real Chromium, served below a path by a server that is gone once the page is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, sync_playwright

from buildlib.chromium import find_chromium
from buildlib.paths import DEMO, NODE_MODULES
from buildlib.serve import serve

pytestmark = [pytest.mark.native, pytest.mark.browser]

AXE = NODE_MODULES / "axe-core" / "axe.min.js"
START_MS = 120_000
ANSWER_MS = 20_000
WIDE_PX = {"width": 1200, "height": 900}
NARROW_PX = {"width": 360, "height": 720}
MARKED = """said => [...document.querySelectorAll("[data-test=text] mark")]
    .map(mark => mark.textContent).join("") === said"""
MARK_IN_SIGHT = """() => {
    const box = document.querySelector("[data-test=text] mark").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
}"""
STAGES = ("chunk", "embed", "store", "retrieve", "answer")


@dataclass
class Demo:
    """The opened page, and what it did while it loaded."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    found_first: str = ""
    hits_before_the_model: int = 0

    def part(self, test: str) -> Locator:
        """The element with this `data-test`."""
        return self.page.locator(f"[data-test={test}]")

    def wait(self, selector: str, *, timeout_ms: int = ANSWER_MS) -> None:
        """Wait until an element shows."""
        self.page.wait_for_selector(selector, timeout=timeout_ms)

    def settled(self) -> None:
        """Wait until every chunk has its vector and the last question is answered by meaning."""
        self.wait("[data-test=embedding][data-state=complete]", timeout_ms=START_MS)
        self.wait("[data-test=found-by][data-by=meaning]")
        self.wait("[data-test=answer][aria-busy=false]")

    def ask(self, query: str) -> None:
        """Type a question and wait for its answer."""
        self.part("query").fill(query)
        self.page.wait_for_function(
            "query => document.querySelector('[data-test=answer] .asked')?.textContent === query", arg=query
        )
        self.settled()


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    """The loaded page. Its server is down: whatever it does from here on, it does alone."""
    assert (DEMO / "index.html").is_file(), "run `python3 scripts/build.py demo` first"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        with serve({"/some/where/": DEMO}) as address:
            demo = Demo(browser.new_page(viewport=WIDE_PX), f"{address}/some/where/")
            demo.page.on("request", lambda request: demo.requests.append(request.url))
            demo.page.on("console", lambda message: demo.complaints.extend(_complaint(message)))
            demo.page.on("pageerror", lambda error: demo.complaints.append(str(error)))
            demo.page.goto(demo.address)
            demo.wait("[data-test=list-fused] [data-test=hit]", timeout_ms=START_MS)
            demo.found_first = str(demo.part("found-by").get_attribute("data-by"))
            demo.hits_before_the_model = demo.part("hit").count()
            demo.settled()
        yield demo
        browser.close()


def _complaint(message: ConsoleMessage) -> list[str]:
    return [message.text] if message.type in ("error", "warning") else []


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
    for _ in range(120):
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
    } <= reached
    assert {f"code-{stage}" for stage in STAGES} | {"chip"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(demo: Demo, scheme: Any) -> None:
    demo.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    demo.part("code-retrieve").click()
    demo.wait("[data-test=listing-retrieve] pre")
    demo.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = demo.page.evaluate("axe.run()")["violations"]
    demo.part("code-retrieve").click()
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_nothing_is_wider_than_a_phone(demo: Demo, tmp_path: Path) -> None:
    demo.page.set_viewport_size(NARROW_PX)
    assert demo.page.evaluate("document.documentElement.scrollWidth") == NARROW_PX["width"]
    demo.page.set_viewport_size(WIDE_PX)


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
