"""What dies or breaks under the engine is named, put aside, and costs nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.engine_client import Client
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, launched
from harness.panel import Panel

pytestmark = [pytest.mark.native, pytest.mark.browser]

WORDS = "tide range moon water basin turbine power metre hour season "
LONG_PAGE = "<title>Long</title><main>" + f"<p>{WORDS * 12}</p>" * 2_500 + "</main>"
SHORT_PAGE = "<title>Short</title><main><p>The tidal range at Saint-Malo reaches twelve metres.</p></main>"
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
def test_a_page_the_engine_dies_on_twice_is_set_aside_and_the_others_are_read(
    fresh: ExtensionBrowser, pages: str
) -> None:
    urls = [f"{pages}/long.html", f"{pages}/short.html"]
    for url in urls:
        fresh.open_tab(url)
    client = Client(fresh)
    client.ensure_engine()
    client.ask("hello")
    request = client.send("index", tabs=[client.tab(url) for url in urls])
    for n_deaths in range(2):
        client.page.wait_for_function(
            "(n) => heard.filter((m) => m.type === 'progress' && m.stage === 'chunk').length > n",
            arg=n_deaths,
        )
        client.crash_workers()
    rows = client.end_of(request)["result"]
    assert [row["state"] for row in rows] == ["failed", "added"]
    assert rows[0]["failure"]["code"] == "page_set_aside"


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
