"""The engine in the built extension, asked as a panel asks: it starts, dies, comes back and loses nothing."""

from collections.abc import Iterator

import pytest

from browser.engine_client import Client
from harness.browser import ExtensionBrowser

pytestmark = [pytest.mark.native, pytest.mark.browser]


@pytest.fixture(scope="module")
def client(browser: ExtensionBrowser) -> Client:
    opened = Client(browser)
    opened.ensure_engine()
    return opened


@pytest.fixture(scope="module")
def pages(browser: ExtensionBrowser, site: str) -> Iterator[list[str]]:
    """Addresses of two pages open in tabs."""
    urls = [f"{site}/pages/ask/tides.html", f"{site}/pages/ask/bread.html"]
    opened = [browser.open_tab(url) for url in urls]
    yield urls
    for page in opened:
        page.close()


def test_the_engine_starts_and_greets(client: Client) -> None:
    ready = client.ask("hello")
    assert ready["stats"]["n_pages"] == 0
    assert client.states()[-1] == "ready"


def test_a_broken_request_is_answered_as_such(client: Client) -> None:
    assert client.end_of(client.send("ask", question=3, sources=[]))["code"] == "wire_invalid"


def test_pages_are_read_and_found(client: Client, pages: list[str]) -> None:
    rows = client.ask("index", tabs=[client.tab(url) for url in pages])
    assert [row["state"] for row in rows] == ["added", "added"]
    hits = client.ask("search", query="tidal range in the Bay of Fundy", sources=[], k=3, mode="convex")
    assert hits[0]["url"] == pages[0]
    assert hits[0]["dense"] is not None


@pytest.mark.fault("F32", "F37")
def test_work_in_hand_is_finished_after_the_workers_crashed(client: Client, pages: list[str]) -> None:
    request = client.send("index", tabs=[client.tab(url) for url in pages])
    question = client.send("ask", question="How large is the tidal range?", sources=[])
    client.crash_workers()
    assert [row["state"] for row in client.end_of(request)["result"]] == ["unchanged", "unchanged"]
    end = client.end_of(question)
    assert end["type"] == "done", end
    assert end["result"]["found"] is True
    # On a fast machine the work may be done before the crash; the engine comes back all the same.
    client.wait_for_state("ready")
    assert client.states()[-2:] == ["restarting", "ready"]


@pytest.mark.fault("F32")
@pytest.mark.parametrize("moment", ["starting", "told"])
def test_work_in_hand_is_finished_after_the_engine_died_twice_at_once(
    client: Client, pages: list[str], moment: str
) -> None:
    client.ask("hello")
    client.doom_engines(moment)
    request = client.send("index", tabs=[client.tab(url) for url in pages])
    assert [row["state"] for row in client.end_of(request)["result"]] == ["unchanged", "unchanged"]


@pytest.mark.fault("F32")
@pytest.mark.parametrize("moment", ["starting", "told"])
def test_three_deaths_at_once_end_what_is_in_hand_and_the_next_request_is_served(
    client: Client, pages: list[str], moment: str
) -> None:
    client.doom_engines(moment, moment)
    end = client.end_of(client.send("index", tabs=[client.tab(url) for url in pages]))
    assert (end["type"], end["code"], end["retryable"]) == ("error", "engine_lost", True)
    assert client.states()[-1] == "failed"
    assert client.ask("hello")["stats"]["n_pages"] == 2


@pytest.mark.fault("F05")
def test_the_engine_comes_back_after_its_document_was_closed(client: Client, pages: list[str]) -> None:
    client.browser.service_worker.evaluate("chrome.offscreen.closeDocument()")
    client.ensure_engine()
    assert [row["url"] for row in client.ask("library")] != []
    assert client.ask("hello")["stats"]["n_pages"] == 2
