"""What stands behind an answer, in the real side panel: receipt, replay, freshness, page by page."""

from collections.abc import Callable

import pytest

from harness.browser import ExtensionBrowser
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

RANGE_QUESTION = "How large is the tidal range in the Bay of Fundy?"
CHIP = "[...document.querySelectorAll('[data-test=chip]')].at(-1)"
OpenPanel = Callable[[str], Panel]


@pytest.fixture(scope="module")
def tides(browser: ExtensionBrowser, site: str) -> str:
    """Address of the page that answers, open in a tab beside another one."""
    browser.open_tab(f"{site}/pages/ask/bread.html")
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    return url


@pytest.fixture(scope="module")
def panel(open_panel: OpenPanel, tides: str) -> Panel:
    """The side panel with both tabs added and the question answered."""
    opened = open_panel(tides)
    opened.add_all(2)
    opened.ask(RANGE_QUESTION)
    return opened


def shown_text(panel: Panel, hook: str) -> str:
    """The text of a part once it is there."""
    panel.wait_for(hook)
    return panel.text(hook)


def test_nothing_left_this_computer(panel: Panel) -> None:
    assert shown_text(panel, "sent") == "nothing left this computer"


def test_the_receipt_tells_how_and_its_searches_come_out_the_same_again(panel: Panel) -> None:
    panel.click("how-open")
    receipt = shown_text(panel, "receipt")
    assert RANGE_QUESTION in receipt
    assert panel.count("search") >= 1
    panel.click("replay")
    assert shown_text(panel, "replayed").startswith("The same again:")


def test_a_cited_passage_is_looked_at_on_its_page_as_that_is_now(
    panel: Panel, browser: ExtensionBrowser, tides: str
) -> None:
    panel.target.evaluate(f"{CHIP}.focus()")
    assert shown_text(panel, "fresh") == "Still on the page, word for word"
    panel.target.evaluate(f"{CHIP}.blur()")
    page = next(page for page in browser.context.pages if page.url == tides)
    page.evaluate("document.body.replaceChildren('Nothing of what was here is here any more. '.repeat(40))")
    panel.ask(RANGE_QUESTION)
    panel.target.evaluate(f"{CHIP}.focus()")
    assert shown_text(panel, "fresh") == "No longer on the page"


def test_every_page_is_asked_by_itself(panel: Panel) -> None:
    panel.target.evaluate(
        "(list => { list.value = 'ask_each'; list.dispatchEvent(new Event('change', { bubbles: true })); })"
        "(document.querySelector('[data-test=manner]'))"
    )
    panel.submit(RANGE_QUESTION)
    panel.target.wait_for("document.querySelectorAll('[data-test=each-page]').length === 1", timeout_s=60.0)
    panel.wait_for("each-other")
    assert "16.3 metres" in panel.text("each-page")
    assert (
        "bread"
        in panel.target.evaluate("document.querySelector('[data-test=each-other]').textContent").lower()
    )
