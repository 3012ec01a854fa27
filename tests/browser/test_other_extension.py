"""Another extension in the same browser: what it sends is not answered, and it sees nothing of ours."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from harness.browser import ExtensionBrowser, launched

pytestmark = [pytest.mark.native, pytest.mark.browser]

Both = tuple[ExtensionBrowser, Page]
MANIFEST = {
    "manifest_version": 3,
    "name": "Another",
    "version": "1.0",
    "permissions": ["tabs", "scripting", "storage"],
    "host_permissions": ["<all_urls>"],
}
MESSAGE = '{ to: "sw", verb: "ensure_engine", args: {} }'
SEND = f"""(id) => chrome.runtime.sendMessage(id, {MESSAGE})
    .then((reply) => reply ?? "no answer", (error) => error.message)"""
CONNECT = """(id) => new Promise((resolve) => {
    const port = chrome.runtime.connect(id, { name: "voice" });
    port.onDisconnect.addListener(() => resolve(chrome.runtime.lastError?.message));
    port.onMessage.addListener(() => resolve("answered"));
})"""
NO_RECEIVER = "Could not establish connection. Receiving end does not exist."
READ = """(url) => fetch(url).then((reply) => reply.text(), () => "refused")"""
HEARD = """() => new Promise((resolve) => {
    const channel = new BroadcastChannel("tabwise");
    channel.onmessage = () => resolve("heard");
    const request = { v: 1, id: "1", type: "library", start: 0, count: 0 };
    channel.postMessage(JSON.stringify(request));
    setTimeout(() => resolve("nothing"), 1_000);
})"""


def id_of(folder: Path) -> str:
    """The id of an unpacked extension without a key: the hash of its path in the letters a to p."""
    digits = hashlib.sha256(str(folder).encode()).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digits)


@pytest.fixture(scope="module")
def both(
    extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ExtensionBrowser, Page]]:
    """A browser with ours and another extension, which may do all it likes, and a page of the other's."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (folder / "page.html").write_text("<!doctype html><title>Another</title>", encoding="utf-8")
    switches = (
        f"--disable-extensions-except={extension},{folder}",
        f"--load-extension={extension},{folder}",
    )
    with launched(extension, tmp_path_factory.mktemp("profile"), arguments=switches) as browser:
        yield browser, browser.open_tab(f"chrome-extension://{id_of(folder)}/page.html")


def engines(browser: ExtensionBrowser) -> int:
    return sum(target["url"] == browser.url("offscreen.html") for target in browser.targets())


@pytest.mark.fault("F20")
def test_another_extension_gets_no_answer_and_starts_nothing(both: Both) -> None:
    browser, other = both
    assert other.evaluate(SEND, browser.extension_id) == NO_RECEIVER
    assert other.evaluate(CONNECT, browser.extension_id) == NO_RECEIVER
    assert engines(browser) == 0


@pytest.mark.fault("F20")
def test_another_extension_reads_no_file_of_ours_and_hears_nothing(
    both: Both,
) -> None:
    browser, other = both
    own = browser.open_tab("manifest.json")
    assert own.evaluate(f"chrome.runtime.sendMessage({MESSAGE})")["ok"]
    assert engines(browser) == 1
    assert own.evaluate(HEARD) == "heard"
    assert other.evaluate(HEARD) == "nothing"
    for path in ("panel.html", "js/sw.js", "models/minilm/model.json"):
        assert other.evaluate(READ, browser.url(path)) == "refused"
