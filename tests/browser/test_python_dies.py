"""Python itself fails for good, or grows without end, in the real engine worker.

The extension is a copy whose engine worker has a way in for the test: what is sent on the channel "trapdoor"
is run by its Python, and what comes of it is kept from the worker's own error handler.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.engine_client import Client
from buildlib.serve import serve
from harness.browser import launched

pytestmark = [pytest.mark.native, pytest.mark.browser]

LINES = (
    f"<p>On day {n} the tide turned at {n % 12} and reached {n} centimetres at the pier.</p>"
    for n in range(90)
)
TIDES = f"<title>Tides</title><main>{''.join(LINES)}</main>"
READY = "dispatch = entry.dispatch;"
TRAPDOOR = """
  const trapdoor = new BroadcastChannel("trapdoor");
  trapdoor.onmessage = ({ data }) => {
    try {
      py.runPython(data);
    } catch {}
    trapdoor.postMessage("");
  };"""
# reads beyond the memory of WebAssembly
FAIL_FOR_GOOD = """
import ctypes
ctypes.string_at(0xFFFF_FFF0, 64)
"""
GROW = "bytearray(1_200_000_000) and None"
# fulfilled when it has been run
RUN = """(code) => new Promise((resolve) => {
  const trapdoor = new BroadcastChannel("trapdoor");
  trapdoor.onmessage = () => resolve(trapdoor.close());
  trapdoor.postMessage(code);
})"""


@pytest.fixture(scope="module")
def pages() -> Iterator[str]:
    with serve({"/tides.html": TIDES.encode()}) as address:
        yield address


@pytest.fixture
def client(extension: Path, tmp_path: Path) -> Iterator[Client]:
    copy = shutil.copytree(extension, tmp_path / "extension")
    script = copy / "js" / "engine_worker.js"
    source = script.read_text("utf-8")
    assert READY in source
    script.write_text(source.replace(READY, READY + TRAPDOOR), "utf-8")
    with launched(copy, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        opened = Client(browser)
        opened.ensure_engine()
        opened.ask("hello")
        yield opened


@pytest.mark.fault("F32")
def test_a_fatal_error_of_python_costs_nothing_that_was_asked_for(client: Client, pages: str) -> None:
    url = f"{pages}/tides.html"
    client.browser.open_tab(url)
    request = client.send("index", tabs=[client.tab(url)])
    client.page.wait_for_function("() => heard.some((m) => m.type === 'progress' && m.stage === 'embed')")
    client.page.evaluate(RUN, FAIL_FOR_GOOD)
    client.wait_for_restart()
    (row,) = client.end_of(request)["result"]
    assert row["state"] in ("added", "unchanged")
    assert [page["title"] for page in client.ask("library")] == ["Tides"]


@pytest.mark.slow
@pytest.mark.fault("F33")
def test_a_python_that_grew_large_is_exchanged_once_it_has_nothing_to_do(client: Client, pages: str) -> None:
    url = f"{pages}/tides.html?large"
    client.browser.open_tab(url)
    client.ask("index", tabs=[client.tab(url)])
    client.page.evaluate(RUN, GROW)
    n_before = len(client.states())
    client.ask("hello")
    client.page.wait_for_function(
        "(n) => heard.filter((m) => m.type === 'engine').length >= n + 2", arg=n_before
    )
    assert client.states()[n_before:] == ["starting", "ready"]
    assert [page["title"] for page in client.ask("library")] == ["Tides"]
