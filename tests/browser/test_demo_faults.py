"""The demo page where things go wrong or are unusual: its worker ends, its storage is refused, the disk is
full, a file is long, the host isolates it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.demo_page import START_MS, Demo
from buildlib.paths import DEMO
from buildlib.serve import serve
from pdf_writer import paragraph, write_pdf
from tabwise.ui.words import error_sentence

pytestmark = [pytest.mark.native, pytest.mark.browser]

# What a browser does that keeps sites from storing anything, as in some private windows.
REFUSES = b"navigator.storage.getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'));\n"
QUESTION = "How high is the tide in the Bay of Fundy?"
TIDES = b"# Tides\n\nThe tidal range in the Bay of Fundy reaches 16.3 metres.\n"
LARGE = b"# Numbers\n\n" + b"".join(
    b"Sentence number %d tells nothing of interest to anybody.\n\n" % n for n in range(9000)
)
QUOTA_BYTES = 1_500_000


def give(demo: Demo, folder: Path, name: str, data: bytes) -> None:
    """Drop a file on the page."""
    (folder / name).write_bytes(data)
    demo.part("add").set_input_files(folder / name)


@pytest.mark.fault("F32")
def test_a_worker_that_ended_is_started_again_in_place(chromium: Browser, tmp_path: Path) -> None:
    with serve({"/demo/": DEMO}) as address:
        demo = Demo(chromium.new_page(), f"{address}/demo/")
        demo.open()
        demo.settled()
        give(demo, tmp_path, "tides.md", TIDES)
        demo.wait("[data-test=n-pages]:text-is('18')")
        demo.settled()
        demo.part("target_words").fill("80")
        demo.part("line").fill("And on a phone?")
        demo.part("add-turn").click()
        demo.ask(QUESTION)
        n_chunks = demo.part("n-chunks").inner_text()
        demo.page.evaluate("globalThis.same = true")
        demo.page.evaluate("document.querySelector('script[name=engine]').xworker.terminate()")
        demo.part("strip").first.click()
        demo.wait("[data-test=fault]", timeout_ms=START_MS)
        demo.part("restart").click()
        demo.first_result()
        demo.settled()
        assert "16.3 metres" in demo.part("answer").inner_text()
        assert demo.part("query").input_value() == QUESTION
        assert demo.part("n-chunks").inner_text() == n_chunks
        assert demo.page.locator("[data-test=item]:has-text('And on a phone?')").count() == 1
        assert demo.page.evaluate("globalThis.same"), "the page itself was never loaded anew"
        demo.page.close()


def test_a_page_that_may_store_nothing_works_and_says_so(chromium: Browser, tmp_path: Path) -> None:
    refusing = REFUSES + (DEMO / "js" / "opfs_fs.js").read_bytes()
    with serve({"/demo/": DEMO, "/demo/js/opfs_fs.js": refusing}) as address:
        demo = Demo(chromium.new_page(), f"{address}/demo/")
        demo.open()
        demo.settled()
        assert demo.part("lasting").inner_text().endswith("it is gone with the page.")
        give(demo, tmp_path, "tides.md", TIDES)
        demo.wait("[data-test=n-pages]:text-is('18')")
        demo.ask(QUESTION)
        assert "16.3 metres" in demo.part("answer").inner_text()
        assert [text for text in demo.complaints if "will not outlive" not in text] == []
        demo.page.close()


@pytest.mark.fault("F28")
def test_a_second_tab_works_beside_the_first_and_says_that_it_keeps_nothing(chromium: Browser) -> None:
    with serve({"/demo/": DEMO}) as address:
        context = chromium.new_context()
        first, second = (Demo(context.new_page(), f"{address}/demo/") for _ in range(2))
        first.open()
        second.open()
        second.settled()
        assert first.part("lasting").inner_text().startswith("It outlives the page")
        assert second.part("lasting").inner_text().endswith("it is gone with the page.")
        context.close()


@pytest.mark.fault("F22")
def test_a_full_disk_is_said_and_what_was_there_stays(chromium: Browser, tmp_path: Path) -> None:
    with serve({"/demo/": DEMO}) as address:
        context = chromium.new_context(service_workers="block")
        demo = Demo(context.new_page(), f"{address}/demo/")
        demo.open()
        demo.settled()
        context.new_cdp_session(demo.page).send(
            "Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": QUOTA_BYTES}
        )
        give(demo, tmp_path, "numbers.md", LARGE)
        demo.wait("[data-test=given][data-state=failed]", timeout_ms=START_MS)
        assert demo.part("given").inner_text() == f"numbers.md {error_sentence('store_full')}"
        assert demo.part("n-pages").inner_text() == "17"
        demo.ask("How large is a page of WebAssembly memory?")
        assert demo.part("sentence").count() > 0
        context.close()


def test_a_long_pdf_shows_how_far_it_is_and_can_be_stopped(chromium: Browser, tmp_path: Path) -> None:
    lines = [f"Sentence {row} tells nothing of interest to anybody who reads it here." for row in range(40)]
    with serve({"/demo/": DEMO}) as address:
        demo = Demo(chromium.new_page(), f"{address}/demo/")
        demo.open()
        demo.settled()
        give(demo, tmp_path, "novel.pdf", write_pdf([paragraph(72, 720, *lines)] * 400))
        demo.wait("[data-test=reading]:has-text('of 400')", timeout_ms=START_MS)
        demo.part("leave").click()
        demo.wait("[data-test=given][data-state=left]", timeout_ms=START_MS)
        assert demo.part("given").inner_text() == "novel.pdf was not read on: stopped"
        demo.page.wait_for_selector("[data-test=reading]", state="detached")
        assert demo.part("n-pages").inner_text() == "17"
        give(demo, tmp_path, "tides.md", TIDES)
        demo.wait("[data-test=n-pages]:text-is('18')")
        demo.ask(QUESTION)
        assert "16.3 metres" in demo.part("answer").inner_text()
        assert demo.complaints == []
        demo.page.close()


def test_a_host_that_isolates_the_page_serves_it_as_well(chromium: Browser) -> None:
    with serve({"/demo/": DEMO}, isolated=True) as address:
        demo = Demo(chromium.new_page(), f"{address}/demo/")
        demo.open()
        demo.settled()
        assert demo.page.evaluate("crossOriginIsolated")
        demo.ask("How large is a page of WebAssembly memory?")
        assert demo.part("sentence").count() > 0
        assert demo.complaints == []
        demo.page.close()
