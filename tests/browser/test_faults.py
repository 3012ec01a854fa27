"""What a real browser does to an extension, done on purpose; each test names its row of the list."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from browser.engine_client import Client
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, entered, launched
from harness.panel import Panel
from tabwise.engine.indexing import MAX_CHARS

pytestmark = [pytest.mark.native, pytest.mark.browser]

LARGEST_MESSAGE_BYTES = 64 << 20
LARGE = b"<title>Large</title><main>" + (b"<p>" + b"All the words of it. " * 5_000 + b"</p>") * 700
# takes a while to look through, and holds a sentence
SLOW = b"<title>Slow</title><main><p>The tide turns at noon.</p>" + b"<p><b></b></p>" * 60_000 + b"</main>"
TIDES = b"<title>Tides</title><main><p>The tidal range at Saint-Malo reaches twelve metres.</p></main>"
BREAD = b"<title>Bread</title><main><p>A sourdough loaf is baked for thirty-five minutes.</p></main>"
ROUTES = {"/large.html": LARGE, "/slow.html": SLOW, "/tides.html": TIDES, "/bread.html": BREAD}
CAPTURE = """(tab_id) => chrome.runtime.sendMessage(
    { to: "sw", verb: "tab_capture", args: { tab_id, max_chars: %d, selection: false } })"""


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    """Address of a server with two short pages and a giant one."""
    with serve(ROUTES) as address:
        yield address


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser) -> Client:
    opened = Client(browser)
    opened.ensure_engine()
    return opened


def stop_service_worker(client: Client) -> None:
    """Stop it as the browser does after half a minute without work."""
    cdp = client.page.context.new_cdp_session(client.page)
    cdp.send("ServiceWorker.enable")
    cdp.send("ServiceWorker.stopAllWorkers")
    cdp.detach()


@pytest.mark.fault("F01")
def test_a_page_is_added_though_the_service_worker_stops_while_it_is_read(
    browser: ExtensionBrowser, client: Client, pages: str
) -> None:
    page = browser.open_tab(f"{pages}/slow.html")
    with entered(page, browser.url("").rstrip("/")):
        request = client.send("index", tabs=[client.tab(page.url)])
    stop_service_worker(client)
    (row,) = client.end_of(request)["result"]
    assert (row["state"], row["page"]["title"]) == ("added", "Slow")
    page.close()


@pytest.mark.fault("F02")
def test_every_step_works_with_a_service_worker_that_has_just_started(
    browser: ExtensionBrowser, client: Client, pages: str
) -> None:
    browser.open_tab(f"{pages}/bread.html")
    stop_service_worker(client)
    client.ensure_engine()
    stop_service_worker(client)
    assert [row["state"] for row in client.ask("index", tabs=[client.tab(f"{pages}/bread.html")])] == [
        "added"
    ]
    stop_service_worker(client)
    found = client.ask("ask", question="How long is a sourdough loaf baked?", sources=[])
    assert "thirty-five minutes" in found["sentences"][0]["text"]
    stop_service_worker(client)
    assert client.ask("show", citation=found["citations"][0])["found"]


@pytest.mark.fault("F05")
def test_a_page_is_added_though_the_engine_s_document_is_closed_while_it_is_read(
    browser: ExtensionBrowser, client: Client, pages: str, open_panel: Callable[[str], Panel]
) -> None:
    page = browser.open_tab(f"{pages}/slow.html?closed")
    panel = open_panel(page.url)
    panel.click("view-pages")
    panel.wait_for_state(page.url, "new")
    with entered(page, browser.url("").rstrip("/")):
        panel.click("add-tab")
    client.page.evaluate("chrome.offscreen.closeDocument()")
    panel.wait_for_state(page.url, "added")
    panel.target.close()
    page.close()


@pytest.mark.fault("F07")
def test_a_page_of_seventy_megabytes_is_cut_before_it_is_sent(
    browser: ExtensionBrowser, client: Client, pages: str
) -> None:
    page = browser.open_tab(f"{pages}/large.html")
    tab_id = client.tab(f"{pages}/large.html")["tab_id"]
    reply = client.page.evaluate(f"async (id) => JSON.stringify(await ({CAPTURE % MAX_CHARS})(id))", tab_id)
    counts = client.page.evaluate("(text) => JSON.parse(text).value", reply)
    page.close()
    assert len(reply.encode()) < LARGEST_MESSAGE_BYTES
    assert counts["n_total_chars"] > len(LARGE) * 0.9
    assert counts["n_read_chars"] <= MAX_CHARS


@pytest.mark.fault("F09")
def test_a_page_that_came_back_is_read(browser: ExtensionBrowser, client: Client, pages: str) -> None:
    url = f"{pages}/tides.html?back"
    page = browser.open_tab(url)
    client.ask("index", tabs=[client.tab(url)])
    page.goto(f"{pages}/bread.html?next")
    page.go_back()
    page.wait_for_url(url)
    assert [row["state"] for row in client.ask("index", tabs=[client.tab(url)])] == ["unchanged"]


@pytest.mark.fault("F42")
def test_without_a_graphics_processor_models_run_and_the_doctor_says_so(
    extension: Path, tmp_path: Path
) -> None:
    with launched(extension, tmp_path / "profile", arguments=("--disable-gpu",)) as browser:
        client = Client(browser)
        client.ensure_engine()
        lines = {line["topic"]: line for line in client.ask("doctor", check=False, test=False)}
    assert lines["gpu"]["reason"] == "absent"
    assert lines["embedder"]["reason"] == "ready"
