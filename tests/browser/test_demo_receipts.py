"""A receipt that the built extension saved, opened on the demo page: the same view draws the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.demo_page import Demo
from buildlib.paths import DEMO
from buildlib.serve import serve
from harness.browser import ExtensionBrowser
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

QUESTION = "How large is the tidal range in the Bay of Fundy?"
# Text and measures of every station, without what only the panel has at hand: the passages themselves (their
# station and the headings behind the titles).
DRAWN = """(parts) => [...document.querySelector("[data-test=receipt]").children]
    .filter((station) => !station.querySelector(".why"))
    .map((station) => ({
        head: station.querySelector("h3").textContent,
        words: [...station.querySelectorAll(parts)].map((part) => part.textContent.split(" › ")[0]),
        meters: [...station.querySelectorAll("meter")].map((meter) => meter.value),
    }))"""
PARTS = (
    ".fact, .search-query, .rank-place, .rank-name, .rank-to, .hit-number, .share-name, .time, .time-name,"
    " .call p, pre"
)
OpenPanel = Callable[[str], Panel]


def saved_receipt(browser: ExtensionBrowser, panel: Panel, folder: Path) -> Path:
    """The file that the panel saves."""
    browser.cdp.send("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    panel.click("receipt-save")
    for _ in range(100):
        found = [path for path in folder.iterdir() if path.suffix == ".json"]
        if found:
            return found[0]
        panel.target.evaluate("new Promise((done) => setTimeout(done, 100))")
    raise AssertionError("nothing was saved")


def test_a_receipt_of_the_extension_is_drawn_as_the_panel_draws_it(
    browser: ExtensionBrowser, open_panel: OpenPanel, site: str, tmp_path: Path
) -> None:
    browser.open_tab(f"{site}/pages/ask/bread.html")
    browser.open_tab(f"{site}/pages/ask/tides.html")
    panel = open_panel(f"{site}/pages/ask/tides.html")
    panel.add_all(2)
    panel.ask(QUESTION)
    panel.click("how-open")
    panel.wait_for("receipt")
    drawn: list[dict[str, Any]] = panel.target.evaluate(f"({DRAWN})({json.dumps(PARTS)})")
    file = saved_receipt(browser, panel, tmp_path)
    with serve({"/demo/": DEMO}) as address:
        demo = Demo(browser.context.new_page(), f"{address}/demo/")
        demo.open()
        demo.part("open-receipt").set_input_files(file)
        demo.wait("[data-test=receipt]")
        assert demo.page.evaluate(DRAWN, PARTS) == drawn
        opened = demo.part("opened-receipt")
        assert opened.locator("h3").first.inner_text() == QUESTION
        told = json.loads(file.read_text(encoding="utf-8"))["sentences"]
        shown = opened.locator("[data-test=sentence]")
        assert shown.evaluate_all("rows => rows.map(row => row.dataset.verdict)") == [
            one["judgement"]["verdict"] for one in told
        ]
        assert shown.locator("p:first-child > span:first-child").all_inner_texts() == [
            one["text"] for one in told
        ]
        assert demo.complaints == []
