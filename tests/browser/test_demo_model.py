"""The demo's own language model: on a graphics card where there is one, else on the processor."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, sync_playwright

from browser.demo_page import START_MS, Demo
from buildlib.chromium import find_chromium
from buildlib.paths import DEMO
from buildlib.serve import serve

pytestmark = [pytest.mark.native, pytest.mark.browser]

ON_GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]
# A chip in software reads a few tokens a second.
MODEL_MS = 5 * START_MS


def answered(page: Page, address: str) -> Demo:
    """The page with an answer of the model."""
    demo = Demo(page, address)
    demo.open()
    demo.settled()
    demo.part("write").click()
    demo.wait("[data-test=speed]", timeout_ms=MODEL_MS)
    return demo


def test_without_a_graphics_card_the_model_answers_and_its_loop_calls_tools() -> None:
    with sync_playwright() as playwright, serve({"/": DEMO}) as address:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        demo = answered(browser.new_page(), address)
        assert demo.part("speed").inner_text().endswith("tokens a second on the processor.")
        demo.part("write").click()
        demo.part("stop").click()
        demo.wait("[data-test=answer][aria-busy=false]")
        assert [url for url in demo.requests if "model_q4" in url] == []
        demo.part("planner-bundled").check()
        demo.part("act").click()
        demo.part("halt").click()
        demo.wait("[data-test=loop]:has-text('Stopped.')")
        demo.part("act").click()
        demo.wait("[data-test=run-answer]", timeout_ms=MODEL_MS)
        steps = demo.part("tool-step").all_inner_texts()
        assert ["search_pages" in steps[0], "1536 / 388 = 3.9587628866" in steps[1]] == [True, True]
        first = demo.page.locator("[data-test=run-answer] [data-test=sentence]").first
        assert first.inner_text().startswith("1536 / 388 = 3.9587628866")
        assert first.get_attribute("data-verdict") == "supported"
        assert demo.complaints == []
        browser.close()


def test_with_a_graphics_card_that_passes_its_test_the_model_runs_there() -> None:
    with sync_playwright() as playwright, serve({"/": DEMO}) as address:
        browser = playwright.chromium.launch(
            executable_path=str(find_chromium()), args=["--no-sandbox", *ON_GPU]
        )
        demo = answered(browser.new_page(), address)
        assert demo.part("speed").inner_text().endswith("tokens a second on the graphics card.")
        assert demo.part("by").inner_text() == "Sentences chosen by SmolLM2 135M"
        browser.close()
