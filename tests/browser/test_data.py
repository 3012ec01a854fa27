"""The library leaves the browser as one file, everything is wiped, and the file brings it back."""

import json
from pathlib import Path
from typing import Any

import pytest

from browser.engine_client import Client
from harness.browser import ExtensionBrowser, until
from tabwise.adapters.stores.sqlite import SqliteStore

pytestmark = [pytest.mark.native, pytest.mark.browser]

QUESTION = "How large is the tidal range in the Bay of Fundy?"
# what lies in the browser's own file system, in caches and in databases
STORED = """async () => {
    const files = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const kept = await chrome.storage.local.getKeys();
    return [...files, ...(await caches.keys()), ...databases, ...kept];
}"""
# the bytes of a file beside the library, read as the panel reads it, then given back as a blob
SAVE = """async (name) => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("library");
    const file = await (await folder.getFileHandle(name)).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
}"""
GIVE = "(bytes) => URL.createObjectURL(new Blob([new Uint8Array(bytes)]))"


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser, site: str) -> Client:
    """A client of an engine that has read a page and answered a question about it."""
    opened = Client(browser)
    opened.ensure_engine()
    url = f"{site}/pages/ask/tides.html"
    browser.open_tab(url)
    opened.ask("index", tabs=[opened.tab(url)])
    opened.ask("ask", **question(thread="sea"))
    return opened


def question(**more: str) -> dict[str, Any]:
    filters = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}
    asked = {"question": QUESTION, "sources": [], "filter": filters, "k": 8, "mode": "convex", "history": []}
    return asked | {"style": "auto", "engine": "extractive", "strict": None} | more


def told(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(sentence["text"], sentence["verdict"]) for sentence in answer["sentences"]]


def test_export_wipe_import_gives_the_same_answer(client: Client, tmp_path: Path) -> None:
    page = client.page
    before, threads = told(client.ask("ask", **question())), client.ask("threads")
    made = client.ask("export_library")
    assert (made["n_pages"], made["n_threads"]) == (1, 1)
    exported = page.evaluate(SAVE, made["name"])
    assert len(exported) == made["size_bytes"]
    file = tmp_path / made["file_name"]
    file.write_bytes(bytes(exported))
    store = SqliteStore(file)
    assert (store.check(), len(store.load_heads())) == ([], 1)
    store.close()
    page.evaluate("chrome.storage.local.set({ 'key:groq': 'a key' })")

    n_starts = client.states().count("starting")
    assert client.ask("wipe") == {"left": []}
    page.wait_for_function(
        "(n) => heard.filter((m) => m.type === 'engine' && m.state === 'starting').length > n", arg=n_starts
    )
    client.wait_for_state("ready")
    hello = client.ask("hello")
    assert (hello["pages"], hello["stats"]["n_vectors"]) == ([], 0)
    assert client.ask("threads") == []
    state = client.ask("data_state")
    assert (state["backups"], state["n_lost"], state["can_undo"]) == ([], 0, False)
    assert "key:groq" not in page.evaluate(STORED)

    url = page.evaluate(GIVE, exported)
    report = client.ask("look_at_import", url=url)
    assert (report["pages"]["added"], report["threads"]["added"], report["n_damaged"]) == (1, 1, 0)
    assert report["vectors"]
    client.ask("take_import", mode="merge", settings=False)
    assert told(client.ask("ask", **question())) == before
    assert client.ask("threads") == threads


def test_an_import_is_undone_and_a_backup_restored(client: Client) -> None:
    client.ask("back_up")
    newest = client.ask("data_state")["backups"][0]
    assert newest["size_bytes"] > 0
    assert client.ask("data_state")["can_undo"]
    client.ask("undo_import")
    assert client.ask("library") == []
    client.ask("look_at_import", backup=newest["name"])
    client.ask("take_import", mode="replace", settings=False)
    assert len(client.ask("library")) == 1


def test_a_file_that_is_no_library_is_refused(client: Client) -> None:
    url = client.page.evaluate(
        GIVE, list(json.dumps({"not": "a library"} | {str(n): n for n in range(999)}).encode())
    )
    end = client.end_of(client.send("look_at_import", url=url))
    assert (end["type"], end["code"]) == ("error", "import_foreign")
    assert len(client.ask("library")) == 1


def test_a_library_that_the_browser_cleared_is_noticed(client: Client) -> None:
    client.page.evaluate("chrome.offscreen.closeDocument()")
    until(
        client.page,
        """async () => {
            const root = await navigator.storage.getDirectory();
            return root.removeEntry("library", { recursive: true }).then(() => true, () => false);
        }""",
    )
    client.ensure_engine()
    assert client.ask("data_state")["n_lost"] == 1
    assert client.ask("data_seen")["n_lost"] == 0
