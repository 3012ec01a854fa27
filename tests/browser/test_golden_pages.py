"""The golden pages once more, as Chromium shows them: the same blocks as from the file, or more."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from browser.page_scripts import capture
from buildlib.serve import serve
from golden.golden_pages import FOLDER, blocks_of, expectation_path, page_names, page_of
from harness.browser import ExtensionBrowser
from tabwise.core.page.capture import decode_capture

pytestmark = [pytest.mark.native, pytest.mark.browser]

SLIP = "the slip is wet at low water, and the lower third of it is covered with weed from May to September."
# What only a browser knows, by page: a block of the file and that of the browser, or "" and
# what the browser has behind them all.
DIFFERENT: dict[str, dict[str, list[str]]] = {
    "component--text-in-a-shadow-root": {
        "": ["paragraph 0: Wind from the northwest, seven, gusts up to nine after midnight."]
    },
    "frame--text-in-a-frame-of-the-page": {
        "": ["paragraph 0: From Tuesday on the inner basin is closed for boats of more than nine metres."]
    },
    "style--words-of-a-style-sheet": {f"paragraph 0: {SLIP}": [f"paragraph 0: Caution: {SLIP}"]},
    # The extractor sees no difference between rows and menu in the file, which has more elements.
    "mail--list-of-messages": {"paragraph 0: InboxSentBin": []},
}


@pytest.fixture(scope="module")
def page(browser: ExtensionBrowser) -> Page:
    return browser.context.new_page()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve({"/": FOLDER}) as site:
        yield site


@pytest.mark.parametrize("name", page_names())
@pytest.mark.fault("F63", "F64")
def test_browser_and_file_give_the_same_blocks(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/{name}.html")
    found = blocks_of(page_of(decode_capture(capture(page))))
    expected = json.loads(expectation_path(name).read_text("utf-8"))["blocks"]
    told = DIFFERENT.get(name, {})
    assert set(told) <= {*expected, ""}
    assert found == [block for old in [*expected, ""] for block in told.get(old, [old] if old else [])]
