"""Summaries and hints in the built extension, and the summariser that a browser may have."""

from collections.abc import Callable

import pytest

from browser.engine_client import Client
from harness.browser import ExtensionBrowser
from harness.panel import Panel
from tabwise.protocol.settings import default_settings

pytestmark = [pytest.mark.native, pytest.mark.browser]

# A summariser as the browser's, which knows English alone: Chromium has none.
SUMMARIZER = """self.Summarizer = {
    state: "available",
    n_open: 0,
    availability: async () => Summarizer.state,
    create: async ({ outputLanguage, signal }) => {
        signal.throwIfAborted();
        if (outputLanguage !== "en") throw new DOMException("no such language", "NotSupportedError");
        Summarizer.n_open++;
        return {
            summarize: async (text, { context }) => "The Bay of Fundy reaches 16.3 metres. " + context.length,
            destroy: () => Summarizer.n_open--,
        };
    },
}"""


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser, site: str) -> Client:
    """A client of an engine that has read a page about tides."""
    opened = Client(browser)
    opened.ensure_engine()
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    opened.ask("index", tabs=[opened.tab(url)])
    return opened


def store(client: Client, **preferences: object) -> None:
    """Keep preferences in the settings."""
    settings = default_settings()
    settings["preferences"].update(preferences)
    settings["interests"] = ["tidal range of the Bay of Fundy"]
    client.page.evaluate(
        "(settings) => chrome.runtime.sendMessage({ to: 'sw', verb: 'settings_set', args: { settings } })",
        settings,
    )


def test_a_page_is_told_in_its_own_words(client: Client) -> None:
    assert client.ask("summarise", sources=[]) == {"n_summaries": 1, "n_missing": 0}
    (summary,) = client.ask("summaries")
    assert summary["engine"] == "extractive"
    assert summary["sentences"]


def test_a_card_tells_its_page_in_short_and_leads_to_the_sentence_on_it(
    client: Client, open_panel: Callable[[str], Panel], browser: ExtensionBrowser, site: str
) -> None:
    store(client)
    url = f"{site}/pages/ask/tides.html"
    panel = open_panel(url)
    panel.click("view-pages")
    panel.wait_for("summary")
    panel.click("summary")
    panel.wait_for("summary-sentence")
    said = "".join(panel.text("summary-sentence").split())
    panel.click("summary-sentence")
    lit = "[...CSS.highlights.values()].flatMap(one => [...one]).map(range => range.toString()).join(' ')"
    page = next(page for page in browser.context.pages if page.url == url)
    page.wait_for_function(f"() => {lit}.length > 0")
    assert "".join(page.evaluate(lit).split()) == said
    panel.wait_for("tab-hint")
    assert "near “tidal range of the Bay of Fundy”" in panel.text("tab-hint")


def test_a_tab_near_an_interest_is_flagged(client: Client, site: str) -> None:
    store(client)
    tabs = [{"url": f"{site}/pages/ask/tides.html", "last_accessed": 0}]
    (hint,) = client.ask("interest", tabs=tabs)
    assert (hint["flag"], hint["interest"]) == ("interesting", "tidal range of the Bay of Fundy")


def test_a_browser_without_a_summariser_leaves_the_pages_own_words(client: Client) -> None:
    store(client, summary_engine="summarizer")
    client.ask("summarise", sources=[])
    assert client.ask("summaries")[0]["engine"] == "extractive"


def test_the_browsers_summariser_writes_and_is_checked(client: Client, browser: ExtensionBrowser) -> None:
    store(client, summary_engine="summarizer")
    offscreen = browser.attach("offscreen.html")
    offscreen.evaluate(SUMMARIZER)
    client.ask("summarise", sources=[])
    (summary,) = client.ask("summaries")
    assert summary["engine"] == "summarizer"
    assert summary["sentences"][0]["text"] == "The Bay of Fundy reaches 16.3 metres."
    assert offscreen.evaluate("Summarizer.n_open") == 0
    offscreen.close()


def test_a_page_in_a_language_it_does_not_know_stays_in_its_own_words(
    client: Client, browser: ExtensionBrowser, site: str
) -> None:
    url = f"{site}/pages/ask/tides.html?es"
    page = browser.open_tab(url)
    page.evaluate("document.documentElement.lang = 'es'; document.title = 'Mareas'")
    client.ask("index", tabs=[client.tab(url)])
    client.ask("summarise", sources=[])
    assert {one["url"]: one["engine"] for one in client.ask("summaries")}[url] == "extractive"
    page.close()


@pytest.mark.parametrize("state", ["unavailable", "downloadable", "downloading", "available"])
def test_each_state_of_the_browsers_summariser_has_its_line(
    client: Client, browser: ExtensionBrowser, state: str
) -> None:
    offscreen = browser.attach("offscreen.html")
    offscreen.evaluate(f"void (Summarizer.state = '{state}')")
    offscreen.close()
    lines = {line["topic"]: line for line in client.ask("doctor", check=False, test=False)}
    assert lines["summarizer"]["reason"] == state
