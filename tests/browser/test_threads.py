"""Conversations in the real extension: closed and reopened in the middle of an answer, killed, restarted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.engine_client import Client
from browser.test_services import CHAT, KEY, QUESTION, host, provider, says
from harness.browser import ExtensionBrowser, launched
from loopback import Loopback, in_a_thread, reply, stalls, stream
from tabwise.protocol.settings import default_settings

pytestmark = [pytest.mark.native, pytest.mark.browser]

HALF = [says("The tidal range in the Bay of Fundy is 16.3 metres [1]. "), says("Its sou")]
WHOLE = stream([says("The tidal range in the Bay of Fundy is 16.3 metres [1]."), b"data: [DONE]\n\n"])
TIMEOUT_MS = 60_000


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A service that falls silent within its second sentence."""
    with in_a_thread() as found:
        found.script["/v1/models"] = reply(200, {"data": [{"id": "m-1"}]})
        found.script[CHAT] = stalls(HALF)
        yield found


def add_page(browser: ExtensionBrowser, site: str, settings: dict[str, Any]) -> Client:
    """Save settings and add a page."""
    client = Client(browser)
    client.ensure_engine()
    browser.open_tab(f"{site}/pages/ask/tides.html")
    settings["rules"] = [{"effect": "allow", "pattern": "127.0.0.1"}]
    assert host(client, "settings_set", settings=settings)["ok"]
    client.ask("index", tabs=[client.tab(f"{site}/pages/ask/tides.html")])
    return client


def prepare(browser: ExtensionBrowser, site: str, server: Loopback) -> Client:
    """Add a page, let the service write the answers."""
    settings = default_settings()
    settings["providers"] = [provider(server)]
    settings["preferences"]["engine"] = "provider:p"
    client = add_page(browser, site, settings)
    assert host(client, "key_set", name="provider:p", value=KEY, kept=True)["ok"]
    client.ask("ask", question=QUESTION, sources=[])
    preview = client.ask("egress_preview", origin=server.url)
    client.ask("egress_agree", destination=preview["destination"], once=False)
    return client


def open_panel(browser: ExtensionBrowser) -> Page:
    panel = browser.open_tab("panel.html")
    panel.set_default_timeout(TIMEOUT_MS)
    panel.wait_for_selector("[data-test=engine-state][data-state=ready]")
    return panel


def submit(panel: Page, question: str = QUESTION) -> None:
    """Ask."""
    panel.fill("[data-test=question]", question)
    panel.press("[data-test=question]", "Enter")


def ask(panel: Page) -> None:
    """Ask, and wait until the first sentence of the answer is there."""
    submit(panel)
    expect(panel.locator("[data-test=sentence]")).to_have_count(1, timeout=TIMEOUT_MS)


def wait_for(panel: Page, state: str) -> None:
    """Wait until the last question that is shown is in this state."""
    last = panel.locator("[data-test=answer]").last
    expect(last).to_have_attribute("data-state", state, timeout=TIMEOUT_MS)


def test_an_answer_outlives_its_panel_and_its_engine(
    browser: ExtensionBrowser, site: str, server: Loopback
) -> None:
    client = prepare(browser, site, server)
    panel = open_panel(browser)
    ask(panel)
    panel.close()

    panel = open_panel(browser)
    wait_for(panel, "working")
    expect(panel.locator("[data-test=sentence]")).to_have_count(1)

    server.script[CHAT] = WHOLE
    browser.service_worker.evaluate("chrome.offscreen.closeDocument()")
    wait_for(panel, "done")
    expect(panel.locator("[data-test=sentence]")).to_contain_text(["16.3 metres"])
    assert len(client.ask("threads")) == 1


def test_a_question_asked_in_one_panel_is_answered_in_both(
    extension: Path, site: str, tmp_path: Path, server: Loopback
) -> None:
    with launched(extension, tmp_path / "profile") as browser:
        client = prepare(browser, site, server)
        server.script[CHAT] = WHOLE
        one = open_panel(browser)
        ask(one)
        wait_for(one, "done")
        other = open_panel(browser)
        wait_for(other, "done")

        server.script[CHAT] = stalls(HALF)
        submit(one, "And its source?")
        expect(other.locator("[data-test=answer]")).to_have_count(2, timeout=TIMEOUT_MS)
        wait_for(other, "working")
        other.click("[data-test=stop]")
        wait_for(other, "stopped")
        wait_for(one, "stopped")

        server.script[CHAT] = WHOLE
        other.get_by_role("button", name="Ask again").last.click()
        wait_for(other, "done")
        wait_for(one, "done")
        expect(one.locator("[data-test=version]")).to_have_text("2 / 2")
        assert len(client.ask("threads")) == 1


def test_what_is_deleted_in_one_panel_and_brought_back_is_there_in_the_other(
    extension: Path, site: str, tmp_path: Path
) -> None:
    with launched(extension, tmp_path / "profile") as browser:
        add_page(browser, site, default_settings())
        one = open_panel(browser)
        submit(one)
        wait_for(one, "done")
        other = open_panel(browser)
        wait_for(other, "done")

        one.click("[data-test=view-history]")
        one.focus("[data-test=past-open]")
        one.keyboard.press("Delete")
        expect(other.locator("[data-test=answer]")).to_have_count(0)

        one.click("[data-test=undo]")
        expect(one.locator("[data-test=past-open]")).to_contain_text([QUESTION])
        other.click("[data-test=view-history]")
        other.click("[data-test=past-open]")
        wait_for(other, "done")
        expect(other.locator("[data-test=sentence]").first).to_contain_text("16.3 metres")


def test_an_answer_is_interrupted_with_its_browser_and_can_be_asked_again(
    extension: Path, site: str, tmp_path: Path, server: Loopback
) -> None:
    with launched(extension, tmp_path / "profile") as browser:
        prepare(browser, site, server)
        ask(open_panel(browser))
    server.script[CHAT] = WHOLE
    with launched(extension, tmp_path / "profile") as browser:
        panel = open_panel(browser)
        wait_for(panel, "interrupted")
        expect(panel.locator("[data-test=interrupted]")).to_be_visible()
        expect(panel.locator("[data-test=sentence]")).to_contain_text(["16.3 metres"])
        panel.get_by_role("button", name="Ask again").click()
        wait_for(panel, "done")
        expect(panel.locator("[data-test=version]")).to_have_text("2 / 2")

        panel.click("[data-test=view-history]")
        expect(panel.locator("[data-test=past-open]")).to_contain_text([QUESTION])
        panel.fill("[data-test=past-filter]", "16.3 METRES")
        expect(panel.locator("[data-test=past-excerpt] mark")).to_have_text(["16.3 metres"])
        panel.press("[data-test=past-filter]", "ArrowDown")
        panel.keyboard.press("Delete")
        expect(panel.locator("[data-test=no-history]")).to_be_visible()
        panel.click("[data-test=undo]")
        expect(panel.locator("[data-test=past-filter]")).to_be_visible()
