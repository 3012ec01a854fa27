"""What dies or breaks under the engine is named, put aside, and costs nothing else."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.engine_client import Client
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, launched
from harness.panel import Panel
from tabwise.ui.words import error_sentence

pytestmark = [pytest.mark.native, pytest.mark.browser]

WORDS = "tide range moon water basin turbine power metre hour season "
LONG_PAGE = "<title>Long</title><main>" + f"<p>{WORDS * 12}</p>" * 2_500 + "</main>"
SHORT_PAGE = "<title>Short</title><main><p>The tidal range at Saint-Malo reaches twelve metres.</p></main>"
ROOM_BYTES = 200_000
DAMAGE = """async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("library");
  const file = await (await folder.getFileHandle("library.db")).createWritable({ keepExistingData: true });
  await file.write({ type: "write", position: 0, data: new Uint8Array(5000).fill(255) });
  await file.close();
}"""


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    """Address of a server with a long and a short page."""
    with serve({"/long.html": LONG_PAGE.encode(), "/short.html": SHORT_PAGE.encode()}) as address:
        yield address


@pytest.fixture
def fresh(extension: Path, tmp_path: Path) -> Iterator[ExtensionBrowser]:
    """A browser of its own for each test, whose reader lets the loopback site be read."""
    with launched(extension, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        yield browser


@pytest.mark.fault("F32")
def test_every_page_the_engine_dies_on_twice_is_set_aside_and_the_others_are_read(
    fresh: ExtensionBrowser, pages: str
) -> None:
    urls = [f"{pages}/long.html", f"{pages}/long.html?other", f"{pages}/short.html"]
    for url in urls:
        fresh.open_tab(url)
    client = Client(fresh)
    client.ensure_engine()
    client.ask("hello")
    request = client.send("index", tabs=[client.tab(url) for url in urls])
    cutting = "heard.filter((m) => m.type === 'progress' && m.stage === 'chunk').length"
    n_told = 0
    for _ in range(4):
        client.page.wait_for_function(f"(n) => {cutting} > n", arg=n_told)  # by the engine that is to die
        client.crash_workers()
        n_told = client.page.evaluate(cutting)
    rows = client.end_of(request)["result"]
    assert [row["state"] for row in rows] == ["failed", "failed", "added"]
    assert {row["failure"]["code"] for row in rows[:2]} == {"page_set_aside"}


@pytest.mark.fault("F21")
def test_a_damaged_library_is_said_and_a_new_one_is_a_press_away(fresh: ExtensionBrowser, pages: str) -> None:
    url = f"{pages}/short.html"
    fresh.open_tab(url)
    panel = Panel(fresh.open_side_panel(url))
    panel.add_all(1)
    page = fresh.open_tab("manifest.json")
    page.evaluate("chrome.offscreen?.closeDocument()")
    page.evaluate(DAMAGE)
    page.close()
    panel.target.evaluate("location.reload()")
    panel.wait_for("error", timeout_s=60)
    assert "The library file is damaged." in panel.text("error")
    panel.target.evaluate(
        "document.querySelector('[data-code=store_corrupt] button').click()", user_gesture=True
    )
    panel.target.wait_for("!document.querySelector('[data-code=store_corrupt]')", timeout_s=60)
    panel.add_all(1)
    assert "twelve metres" in panel.ask("How large is the tidal range at Saint-Malo?")[0].text


@pytest.fixture
def bounded(extension: Path, tmp_path: Path) -> Iterator[ExtensionBrowser]:
    """A browser whose extension has a quota: without bounds, as it is, it only meets the end of the disk."""
    copy = shutil.copytree(extension, tmp_path / "extension")
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    manifest["permissions"].remove("unlimitedStorage")
    (copy / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with launched(copy, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        yield browser


@pytest.mark.fault("F22")
def test_storage_that_is_full_ends_adding_with_the_reason_and_keeps_what_is_there(
    bounded: ExtensionBrowser, pages: str
) -> None:
    def add(name: str, state: str) -> str:
        url = bounded.open_tab(f"{pages}/{name}").url
        panel.click("view-pages")
        panel.wait_for_state(url, "new")
        panel.click("add-tab")
        panel.wait_for_state(url, state)
        return url

    panel = Panel(bounded.open_side_panel(bounded.open_tab(f"{pages}/short.html?first").url))
    add("short.html", "added")
    own_page = bounded.open_tab("manifest.json")
    used = own_page.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")
    storage, origin = bounded.context.new_cdp_session(own_page), bounded.url("").rstrip("/")
    storage.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": used + ROOM_BYTES})
    long = add("long.html", "failed")
    assert error_sentence("store_full") in panel.row_text(long)
    assert "twelve metres" in panel.ask("How large is the tidal range at Saint-Malo?")[0].text
    storage.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    add("short.html?again", "added")
    doctor = Client(bounded).ask("doctor", check=True, test=False)
    assert [line["reason"] for line in doctor if line["topic"] == "library"] == ["sound"]
