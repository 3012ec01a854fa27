"""The whole path in the real side panel: read tabs, ask, get checked sentences, see the passage lit up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.browser import ExtensionBrowser, launched
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

RANGE_QUESTION = "How large is the tidal range in the Bay of Fundy?"
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
    """The side panel with both tabs added."""
    opened = open_panel(tides)
    opened.add_all(2)
    return opened


def test_a_question_gets_a_checked_sentence_from_the_right_page(panel: Panel) -> None:
    first = panel.ask(RANGE_QUESTION)[0]
    assert "16.3 metres" in first.text
    assert first.verdict == "supported"
    assert "Tides of the Bay of Fundy" in first.citations[0]


@pytest.mark.fault("I1")
def test_hidden_text_is_not_read(panel: Panel) -> None:
    sentences = panel.ask("What does the canary sing, zanzibar?")
    assert not any("zanzibar" in sentence.text for sentence in sentences)


def test_nothing_found_is_said(panel: Panel) -> None:
    assert panel.ask("Who composed the opera Carmen?") == ()
    assert "Nothing on your pages answers this" in panel.last_answer()


def test_a_chip_goes_to_the_tab_and_lights_the_passage_up(
    panel: Panel, browser: ExtensionBrowser, tides: str
) -> None:
    panel.ask(RANGE_QUESTION)
    page = next(page for page in browser.context.pages if page.url == tides)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    markup = page.evaluate("document.body.outerHTML")
    other = next(page for page in browser.context.pages if page.url.endswith("bread.html"))
    other.bring_to_front()
    panel.press_chip(0)
    lit = (
        "() => [...CSS.highlights.values()].flatMap(highlight => [...highlight])"
        ".map(range => range.toString()).join(' ').replace(/\\s+/g, ' ')"
    )
    page.wait_for_function(f"() => ({lit})().length > 0")
    assert "16.3 metres" in page.evaluate(lit)
    assert page.evaluate("document.visibilityState") == "visible"
    page.wait_for_function("() => scrollY < 500")
    assert page.evaluate("document.body.outerHTML") == markup


def test_adding_again_changes_nothing(panel: Panel, tides: str) -> None:
    panel.add_all(2)
    assert panel.tab_states()[tides] == "unchanged"


def test_a_tab_without_text_fails_alone(
    browser: ExtensionBrowser, panel: Panel, site: str, tides: str
) -> None:
    empty = f"{site}/pages/ask/empty.html"
    page = browser.open_tab(empty)
    panel.click("view-pages")
    panel.click("add-all")
    panel.target.wait_for(
        f"[...document.querySelectorAll('[data-test=tab-row]')].some(row => row.dataset.url === '{empty}'"
        " && row.dataset.state === 'failed')",
        timeout_s=60,
    )
    assert panel.tab_states()[tides] == "unchanged"
    page.close()


def test_the_library_is_there_after_the_browser_was_closed(
    extension: Path, site: str, tmp_path: Path
) -> None:
    url = f"{site}/pages/ask/tides.html"
    with launched(extension, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        browser.open_tab(url)
        Panel(browser.open_side_panel(url)).add_all(1)
    with launched(extension, tmp_path / "profile") as browser:
        browser.open_tab(f"{site}/pages/ask/bread.html")
        panel = Panel(browser.open_side_panel(f"{site}/pages/ask/bread.html"))
        first = panel.ask(RANGE_QUESTION)[0]
    assert "16.3 metres" in first.text
    assert first.verdict == "supported"
