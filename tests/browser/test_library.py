"""The Library view and the settings about data, in the real extension."""

from collections.abc import Callable
from pathlib import Path

import pytest

from browser.axe import violations
from browser.engine_client import Client
from harness.browser import ExtensionBrowser, until
from harness.panel import Panel
from tabwise.adapters.stores.sqlite import SqliteStore

pytestmark = [pytest.mark.native, pytest.mark.browser]

N_TABS = "async () => (await chrome.tabs.query({})).length"


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser, site: str) -> Client:
    """A client of an engine that has read a page whose tab was closed."""
    opened = Client(browser)
    opened.ensure_engine()
    url = f"{site}/pages/ask/tides.html"
    tab = browser.open_tab(url)
    opened.ask("index", tabs=[opened.tab(url)])
    tab.close()
    return opened


def test_a_closed_page_is_read_again_in_a_tab_that_is_closed_after(
    client: Client, browser: ExtensionBrowser, open_panel: Callable[[str], Panel], site: str
) -> None:
    before = client.ask("library")[0]["captured_at"]
    other = f"{site}/tidal-power.html"
    browser.open_tab(other)
    panel = open_panel(other)
    panel.click("view-shelf")
    panel.wait_for("shelf-row")
    n_tabs = client.page.evaluate(N_TABS)
    panel.click("refresh")
    panel.target.wait_for("!!document.querySelector('.toast')", what="the end of reading again")
    assert client.ask("library")[0]["captured_at"] >= before
    assert "1 page was read again." in panel.target.evaluate("document.querySelector('.toast').innerText")
    until(client.page, f"async () => (await ({N_TABS})()) === {n_tabs}")


def test_a_page_is_found_by_a_word_of_its_text(
    client: Client, browser: ExtensionBrowser, open_panel: Callable[[str], Panel], site: str
) -> None:
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    panel = open_panel(url)
    panel.click("view-shelf")
    panel.wait_for("shelf-text")
    panel.target.evaluate(
        "(box => { box.value = 'metres'; box.dispatchEvent(new Event('input', {bubbles: true})); })"
        "(document.querySelector('[data-test=shelf-text]'))"
    )
    panel.wait_for("shelf-texts")
    assert panel.count("shelf-row") == 1
    assert panel.target.evaluate("document.querySelector('.row .excerpt mark').textContent") == "metres"


def test_the_export_of_the_settings_page_is_a_library(
    client: Client, browser: ExtensionBrowser, tmp_path: Path
) -> None:
    page = browser.open_tab("settings.html")
    page.set_default_timeout(90_000)
    with page.expect_download(timeout=90_000) as download:
        page.locator("[data-test=export]").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    store = SqliteStore(file)
    assert [head.title for head in store.load_heads()] == [client.ask("library")[0]["title"]]
    store.close()


def test_the_policy_is_a_page_of_the_extension(browser: ExtensionBrowser) -> None:
    page = browser.open_tab("privacy.html")
    assert page.get_by_role("heading", name="What leaves this computer").is_visible()
    assert violations(page) == []
