"""Ways in that the browser offers: the keyword in the address bar, the shortcut, menus and the badge."""

from collections.abc import Callable

import pytest

from harness.browser import ExtensionBrowser
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

OpenPanel = Callable[[str], Panel]
QUESTION = "How large is the tidal range in the Bay of Fundy?"
TYPED = """(text) => new Promise((told) => {
  chrome.omnibox.onInputChanged.dispatch(text, (found) => found.length && told(found));
})"""
ENTERED = "([text, where]) => chrome.omnibox.onInputEntered.dispatch(text, where)"
PRESSED = """async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  chrome.contextMenus.onClicked.dispatch({ menuItemId: "add_page" }, tab);
}"""
FIND = """async (url) => {
  const [tab] = await chrome.tabs.query({ url });
  chrome.commands.onCommand.dispatch("search_pages", tab);
}"""
IN_A_TAB = "() => chrome.contextMenus.onClicked.dispatch({ menuItemId: 'open_tab' }, undefined)"
BADGE = """async () => {
  let text = "";
  while (!text) text = await chrome.action.getBadgeText({});
  return text;
}"""


@pytest.fixture(scope="module")
def tides(browser: ExtensionBrowser, site: str) -> str:
    """The address of an open page."""
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    return url


@pytest.fixture
def panel(open_panel: OpenPanel, tides: str) -> Panel:
    return open_panel(tides)


def test_a_page_added_from_its_menu_is_told_by_the_badge(
    browser: ExtensionBrowser, panel: Panel, tides: str
) -> None:
    browser.service_worker.evaluate(PRESSED, tides)
    assert browser.service_worker.evaluate(BADGE) == "\u2713"


def test_saved_pages_are_suggested_while_a_word_is_typed(browser: ExtensionBrowser, tides: str) -> None:
    (suggested, *_) = browser.service_worker.evaluate(TYPED, "annapolis")
    assert suggested["content"] == tides
    assert "Tides of the Bay of Fundy" in suggested["description"]


def test_what_is_no_page_is_asked_in_the_panel(browser: ExtensionBrowser, panel: Panel) -> None:
    browser.service_worker.evaluate(ENTERED, [QUESTION, "currentTab"])
    panel.target.wait_for(
        "document.querySelector('[data-test=answer]')?.dataset.state === 'done'", timeout_s=120
    )
    assert "16.3 metres" in panel.last_answer()


def test_the_shortcut_leads_to_the_box_that_finds(
    browser: ExtensionBrowser, panel: Panel, tides: str
) -> None:
    browser.service_worker.evaluate(FIND, tides)
    panel.target.wait_for("document.activeElement.id === 'filter'")


def test_the_panel_opens_in_a_tab_of_its_own(browser: ExtensionBrowser) -> None:
    with browser.context.expect_page() as opened:
        browser.service_worker.evaluate(IN_A_TAB)
    opened.value.wait_for_selector("[data-test=engine-state][data-state=ready]")
    assert opened.value.url == browser.url("panel.html")
    opened.value.close()


def test_a_suggested_page_is_opened(browser: ExtensionBrowser, tides: str) -> None:
    with browser.context.expect_page() as opened:
        browser.service_worker.evaluate(ENTERED, [tides + "?again", "newForegroundTab"])
    assert opened.value.url == tides + "?again"
