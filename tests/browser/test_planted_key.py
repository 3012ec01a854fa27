"""A key is planted where a reader puts one, services quote it back, and then it is looked for everywhere.

Everywhere is: what pages of the extension show and hear, what they and the workers log, addresses, bodies,
the library file and its export, what the extension stores, and what a script inside a web page may read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.engine_client import Client
from harness.browser import ExtensionBrowser, launched
from loopback import Loopback, in_a_thread, reply
from tabwise.core.network.redaction import MARK

pytestmark = [pytest.mark.native, pytest.mark.browser]

KEY = "sk-planted-4f1c9a7702"
QUESTION = "How large is the tidal range in the Bay of Fundy?"
TIMEOUT_MS = 90_000
QUOTED = reply(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
SHOWN = """() => document.documentElement.outerHTML
    + [...document.querySelectorAll("input, textarea")].map((field) => field.value).join(" ")"""
STORED = """async () => JSON.stringify([
    await chrome.storage.local.get(), { ...localStorage }, { ...sessionStorage }, document.cookie,
])"""
FILES = """async () => {
    const texts = {};
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("library");
    for await (const [name, handle] of folder) {
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        texts[name] = new TextDecoder("latin1").decode(bytes);
    }
    return texts;
}"""
IN_PAGE = """async (url) => {
    const [{ id: tabId }] = await chrome.tabs.query({ url });
    const func = async () => {
        const areas = [chrome.storage?.local, chrome.storage?.session, chrome.storage?.sync];
        const read = areas.map((area) => Promise.resolve(area?.get()).then(JSON.stringify, String));
        return [...(await Promise.all(read)), JSON.stringify({ ...localStorage }), document.cookie,
            document.documentElement.outerHTML].join("\\n");
    };
    return (await chrome.scripting.executeScript({ target: { tabId }, func }))[0].result;
}"""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser whose reader has set up a service with the key, asked it, and looked around."""

    browser: ExtensionBrowser
    client: Client
    server: Loopback
    log: Path
    web_page: str


def host(client: Client, verb: str, **args: Any) -> Any:
    """Ask the service worker as a page of the extension does."""
    script = "([verb, args]) => chrome.runtime.sendMessage({ to: 'sw', verb, args })"
    return client.page.evaluate(script, [verb, args])


def hook(page: Page, name: str) -> Locator:
    return page.locator(f"[data-test={name}]").first


@pytest.fixture(scope="module")
def session(extension: Path, site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("planted")
    log = folder / "chrome.log"
    url = f"{site}/pages/ask/tides.html"
    arguments = ("--enable-logging", f"--log-file={log}")
    with in_a_thread() as server, launched(extension, folder / "profile", arguments=arguments) as browser:
        browser.allow_site("127.0.0.1")
        browser.open_tab(url)
        client = Client(browser)
        client.ensure_engine()
        client.ask("index", tabs=[client.tab(url)])
        set_up(browser.open_tab("settings.html"), server)
        refused(client, server)
        panel = browser.open_tab("panel.html")
        panel.set_default_timeout(TIMEOUT_MS)
        hook(panel, "view-pages").wait_for()
        yield Session(browser, client, server, log, url)


def set_up(settings: Page, server: Loopback) -> None:
    """Add the service and its key as a reader does; it refuses the key and quotes it."""
    settings.set_default_timeout(TIMEOUT_MS)
    server.script["/v1/models"] = QUOTED
    hook(settings, "add-compatible").click()
    hook(settings, "service-address").fill(f"{server.url}/v1")
    hook(settings, "service-model").fill("m-1")
    hook(settings, "service-key").fill(KEY)
    hook(settings, "service-key-session").click()
    hook(settings, "service-key-kept").wait_for()
    hook(settings, "service-try").click()
    expect(hook(settings, "service-error")).to_have_attribute("data-code", "key_refused", timeout=TIMEOUT_MS)


def refused(client: Client, server: Loopback) -> None:
    """Ask the service, which is agreed to and refuses; what it says is told beside the answer."""
    server.script["/v1/chat/completions"] = QUOTED
    (name,) = host(client, "key_places")["value"]["session"]
    asked = {"question": QUESTION, "sources": [], "engine": name, "thread": "planted"}
    assert client.ask("ask", **asked)["fallback"]["code"] == "egress_refused"
    preview = client.ask("egress_preview", origin=server.url)
    client.ask("egress_agree", destination=preview["destination"], once=False)
    assert client.ask("ask", **asked)["fallback"]["code"] == "key_refused"
    client.ask("doctor", check=True, test=True)


@pytest.mark.fault("F58")
def test_the_key_was_used_and_quoted(session: Session) -> None:
    sent = [seen.headers.get("authorization") for seen in session.server.seen]
    assert sent.count(f"Bearer {KEY}") >= 2
    assert MARK in json.dumps(session.client.page.evaluate("heard"))


@pytest.mark.fault("F58")
def test_no_page_of_ours_shows_or_hears_it(session: Session) -> None:
    own = [page for page in session.browser.context.pages if page.url.startswith(session.browser.url(""))]
    assert {page.url.rpartition("/")[2] for page in own} == {"manifest.json", "settings.html", "panel.html"}
    for page in own:
        assert KEY not in page.evaluate(SHOWN), page.url
    assert KEY not in json.dumps(session.client.page.evaluate("heard"))


@pytest.mark.fault("F58")
def test_no_log_and_no_address_holds_it(session: Session) -> None:
    session.client.page.evaluate("console.warn('this line is in the log')")
    assert KEY not in " ".join(page.url for page in session.browser.context.pages)
    for seen in session.server.seen:
        assert KEY not in f"{seen.path}?{seen.query}"
        assert KEY.encode() not in seen.body
    said = session.log.read_text("utf-8", "replace")
    assert "this line is in the log" in said
    assert KEY not in said


@pytest.mark.fault("F58", "S3")
def test_nothing_that_outlives_the_session_holds_it(session: Session) -> None:
    made = session.client.ask("export_library")
    files = session.client.page.evaluate(FILES)
    assert made["name"] in files
    assert "Bay of Fundy" in files[made["name"]]
    assert [name for name, text in files.items() if KEY in text] == []
    assert KEY not in session.client.page.evaluate(STORED)


@pytest.mark.fault("F58", "F59")
def test_no_script_in_a_web_page_can_read_it(session: Session) -> None:
    host(session.client, "key_set", name="kept", value=KEY, kept=True)
    assert KEY in session.client.page.evaluate(STORED)
    seen = session.client.page.evaluate(IN_PAGE, session.web_page)
    assert "Bay of Fundy" in seen
    assert KEY not in seen
