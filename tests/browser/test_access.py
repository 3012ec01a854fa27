"""What may be read, in the real extension: secrets on a page, rules, sleeping tabs, settings, forgery."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.engine_client import Client
from buildlib.paths import EXTENSION
from harness.browser import ExtensionBrowser
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

TIMEOUT_S = 90.0


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser) -> Client:
    client = Client(browser)
    client.ensure_engine()
    return client


@pytest.fixture(scope="module")
def own_page(browser: ExtensionBrowser) -> Page:
    """A document of the extension that is no part of the product."""
    return browser.open_tab("manifest.json")


def add(client: Client, url: str, **said: bool) -> tuple[str, str]:
    """Open and add a page; return its state and its error code."""
    client.browser.open_tab(url)
    (row,) = client.ask("index", tabs=[client.tab(url) | {"allowed": False} | said])
    return row["state"], row["failure"]["code"] if row["failure"] else ""


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("login", "page_has_password"),
        ("shadow-login", "page_has_password"),
        ("card", "page_has_payment"),
        ("card-frame", "page_has_payment"),
    ],
)
@pytest.mark.fault("F68")
def test_a_page_with_a_field_for_a_secret_is_kept_only_when_confirmed(
    client: Client, site: str, name: str, code: str
) -> None:
    url = f"{site}/pages/access/{name}.html"
    assert add(client, url) == ("failed", code)
    assert add(client, f"{url}?confirmed", confirmed=True) == ("added", "")


@pytest.mark.fault("F68")
def test_fields_nobody_sees_do_not_count(client: Client, site: str) -> None:
    assert add(client, f"{site}/pages/access/hidden-login.html") == ("added", "")


def test_a_page_of_this_machine_is_read_only_when_allowed(client: Client, site: str) -> None:
    url = f"{site}/pages/ask/tides.html?rule".replace("127.0.0.1", "localhost")
    assert add(client, url) == ("failed", "page_never_read")
    assert add(client, url, allowed=True) == ("failed", "tab_needs_permission")


@pytest.mark.fault("F13", "F68")
def test_in_the_panel_a_rule_a_secret_and_sleep_are_each_gone_through_by_choice(
    browser: ExtensionBrowser, own_page: Page, site: str, open_panel: Callable[[str], Panel]
) -> None:
    login = f"{site}/pages/access/login.html?panel"
    own = f"{site}/pages/ask/bread.html?own".replace("127.0.0.1", "localhost")
    for url in (login, own):
        browser.open_tab(url)
    panel = open_panel(own)
    panel.click("view-pages")
    # the toolbar button was pressed over this tab: it is read without a question of the browser
    panel.wait_for_state(own, "blocked")
    panel.press_in_row(own, "read-once")
    panel.wait_for_state(own, "added")
    # a password field: left out of Add all, added by a word in its row
    panel.click("add-all")
    panel.wait_for_state(login, "failed")
    panel.press_in_row(login, "confirm")
    panel.wait_for_state(login, "added")
    discard = "async (url) => chrome.tabs.discard((await chrome.tabs.query({ url }))[0].id)"
    panel.target.wait_for("!document.querySelector('[data-test=progress]')", timeout_s=TIMEOUT_S)
    fresh = f"{site}/pages/access/hidden-login.html?asleep"
    browser.open_tab(fresh)
    own_page.bring_to_front()
    own_page.evaluate(discard, fresh)
    panel.wait_for_state(fresh, "blocked")
    assert "Asleep" in panel.row_text(fresh)
    panel.press_in_row(fresh, "wake")
    panel.wait_for_state(fresh, "added", "unchanged")
    panel.target.close()


def settings_tab(browser: ExtensionBrowser) -> Page:
    page = browser.open_tab("settings.html")
    page.locator("[data-test=counts]").wait_for(timeout=TIMEOUT_S * 1000)
    return page


def test_a_rule_made_in_the_settings_is_kept_by_the_engine_at_once(
    browser: ExtensionBrowser, client: Client, site: str
) -> None:
    page = settings_tab(browser)
    page.locator("[data-test=rule]").fill("127.0.0.1/pages/ask")
    page.locator("[data-test=rule-deny]").click()
    page.locator("[data-test=own-rule]").nth(1).wait_for()
    assert add(client, f"{site}/pages/ask/tides.html?denied") == ("failed", "page_never_read")
    page.locator("[data-test=own-rule]", has_text="pages/ask").get_by_role("button").click()
    page.locator("[data-test=own-rule]").nth(1).wait_for(state="detached")
    assert add(client, f"{site}/pages/ask/tides.html?denied")[0] in ("added", "unchanged", "updated")
    page.reload()
    page.locator("[data-test=own-rule]", has_text="127.0.0.1").wait_for()
    page.close()


def test_the_library_is_emptied_and_brought_back_in_the_settings(
    browser: ExtensionBrowser, client: Client, site: str
) -> None:
    add(client, f"{site}/pages/ask/bread.html?kept")
    n_pages = len(client.ask("library"))
    page = settings_tab(browser)
    page.locator("[data-test=clear]").click()
    page.locator("[data-test=clear-yes]").click()
    page.locator("[data-test=undo]").wait_for()
    assert client.ask("library") == []
    page.locator("[data-test=undo]").click()
    page.locator("[data-test=clear]").wait_for()
    assert len(client.ask("library")) == n_pages
    page.close()


def press_menu(browser: ExtensionBrowser, url: str, item: str, text: str) -> None:
    """Choose an item of the context menu, which cannot be opened without a screen."""
    press = """async ([url, item, text]) => {
        const [tab] = await chrome.tabs.query({ url });
        chrome.contextMenus.onClicked.dispatch({ menuItemId: item, selectionText: text }, tab);
    }"""
    browser.service_worker.evaluate(press, [url, item, text])


def test_the_word_of_the_menu_reaches_the_panel_of_its_window(
    browser: ExtensionBrowser, site: str, open_panel: Callable[[str], Panel]
) -> None:
    url = f"{site}/pages/ask/tides.html?menu"
    browser.open_tab(url)
    panel = open_panel(url)
    press_menu(browser, url, "ask_selection", "spring tides")
    panel.target.wait_for("document.querySelector('#question').value === 'About “spring tides”: '")
    press_menu(browser, url, "add_page", "")
    panel.wait_for_state(url, "added", "unchanged")
    panel.target.close()


def test_the_menu_adds_a_selection_as_a_page_of_its_own(
    browser: ExtensionBrowser, client: Client, site: str, open_panel: Callable[[str], Panel]
) -> None:
    url = f"{site}/pages/access/hidden-login.html?selected"
    page = browser.open_tab(url)
    page.evaluate("getSelection().selectAllChildren(document.querySelectorAll('p')[1])")
    panel = open_panel(url)
    press_menu(browser, url, "add_selection", page.evaluate("getSelection().toString()"))
    panel.target.wait_for("!!document.querySelector('[data-test=library-row][data-source*=selection]')")
    panel.wait_for_state(url, "new")
    added = next(row for row in client.ask("library") if "selection" in row["source"])
    assert added["url"] == url
    assert added["n_words"] == len(page.locator("p").nth(1).inner_text().split())
    panel.target.close()


@pytest.mark.fault("F20", "F59")
def test_a_script_in_a_web_page_can_neither_ask_nor_look(
    browser: ExtensionBrowser, own_page: Page, client: Client, site: str
) -> None:
    url = f"{site}/pages/visibility.html?forged"
    page = browser.open_tab(url)
    # the page itself has no way to the extension at all
    assert page.evaluate("typeof chrome === 'undefined' || !chrome.runtime?.sendMessage") is True
    page.evaluate(
        """() => {
            globalThis.heard = [];
            const channel = new BroadcastChannel("tabwise");
            channel.onmessage = ({ data }) => heard.push(data);
            channel.postMessage(JSON.stringify({ v: 1, id: "x", type: "remove_all" }));
        }"""
    )
    n_pages = len(client.ask("library"))
    assert page.evaluate("heard") == []
    # a script of ours inside the page carries our id, and still gets no answer and sees no storage
    forged = """async ([url, verb, args]) => {
        const [{ id }] = await chrome.tabs.query({ url });
        const func = async (verb, args) => {
            const settled = (promise) => promise.then((value) => value ?? "nothing", () => "nothing");
            return [
                await settled(chrome.runtime.sendMessage({ to: "sw", verb, args })),
                chrome.storage ? await settled(chrome.storage.local.get()) : "nothing",
                chrome.storage ? await settled(chrome.storage.session.get()) : "nothing",
            ];
        };
        const target = { tabId: id };
        return (await chrome.scripting.executeScript({ target, func, args: [verb, args] }))[0].result;
    }"""
    bad: dict[str, Any] = {"settings": {"version": 1, "rules": [], "categories_off": ["bank"]}}
    for verb, args in (("settings_get", {}), ("settings_set", bad), ("tab_capture", {"tab_id": 1})):
        assert own_page.evaluate(forged, [url, verb, args]) == ["nothing"] * 3
    stored = own_page.evaluate("chrome.storage.local.get('settings')")
    assert stored["settings"]["categories_off"] == []
    assert len(client.ask("library")) == n_pages


@pytest.mark.fault("F20")
def test_no_page_can_tell_by_a_fixed_address_that_we_are_here(
    browser: ExtensionBrowser, own_page: Page, site: str
) -> None:
    page = browser.open_tab(f"{site}/pages/visibility.html?telling")
    reach = "(url) => fetch(url, { mode: 'no-cors' }).then(() => true, () => false)"
    of_this_session = own_page.evaluate("chrome.runtime.getURL('voice.html')")
    assert page.evaluate(reach, of_this_session) is True
    assert page.evaluate(reach, own_page.evaluate("`${location.origin}/voice.html`")) is False
    page.close()


@pytest.mark.fault("F20")
def test_our_frame_in_a_page_listens_to_no_page(browser: ExtensionBrowser, own_page: Page, site: str) -> None:
    page = browser.open_tab(f"{site}/pages/visibility.html?framing")
    own_page.evaluate("chrome.storage.session.set({ voice: 'the word' })")
    page.evaluate(
        """(src) => new Promise((loaded) => {
            globalThis.frame = Object.assign(document.createElement("iframe"), { src, onload: loaded });
            document.body.append(frame);
        }).then(() => null)""",
        own_page.evaluate("chrome.runtime.getURL('voice.html')"),
    )
    # what the page knows, what it may guess, and last what only a script of ours knows
    page.evaluate(
        """() => {
            globalThis.heard = [];
            for (const word of ["", "a guess", "the word"]) {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => heard.push(word);
                frame.contentWindow.postMessage(word, "*", [port2]);
            }
        }"""
    )
    page.wait_for_function("heard.length > 0")
    assert set(page.evaluate("heard")) == {"the word"}
    own_page.evaluate("chrome.storage.session.remove('voice')")
    page.close()


@pytest.mark.fault("F19", "F20", "S2")
def test_nobody_outside_can_connect_and_private_windows_are_refused(own_page: Page) -> None:
    manifest = own_page.evaluate("chrome.runtime.getManifest()")
    assert manifest["incognito"] == "not_allowed"
    assert "externally_connectable" not in manifest
    assert "content_scripts" not in manifest
    # One frame, which takes a port only with the word that our own script brings.
    (opened,) = manifest["web_accessible_resources"]
    assert (opened["resources"], opened["use_dynamic_url"]) == (["voice.html"], True)
    assert "host_permissions" not in json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))
