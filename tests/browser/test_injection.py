"""The real panel draws what an obedient model wrote, while a server waits for a request that never comes."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from browser.panel_page import STUB
from browser.scene import TIDAL, Scene, answer, citation, saved_pages, sentence
from obedience import HOSTILE_TEXTS, obeyed
from tabwise.core.answers.cited import parse
from tabwise.core.answers.model_text import visible

pytestmark = [pytest.mark.native, pytest.mark.browser]

DRAWN = """() => {
  const answer = document.querySelector("[data-test=answer]");
  const all = [...answer.querySelectorAll("*")];
  const names = ["href", "src", "srcset", "action", "formaction", "data", "poster", "style"];
  return {
    tags: [...new Set(all.map((each) => each.localName))],
    handlers: all.flatMap((each) => each.getAttributeNames()).filter((name) => /^on[a-z]+$/.test(name)),
    addresses: all.flatMap((each) => names.map((name) => each.getAttribute(name)).filter(Boolean)),
    text: answer.textContent,
  };
}"""


@contextmanager
def canary() -> Iterator[tuple[str, list[str]]]:
    """A server that only notes what is asked of it."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET

        def log_message(self, *args: object) -> None:
            """Tests have no use for an access log."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def page(chromium: Browser, panel_address: str) -> Iterator[Page]:
    opened = chromium.new_page()
    opened.add_init_script(path=STUB)
    opened.goto(panel_address)
    yield opened
    opened.close()


def drawn_answer(page: Page, texts: list[str]) -> dict[str, Any]:
    scene = Scene(page)
    scene.pages(saved_pages())
    sentences = [
        sentence(said.text, "not_found", [1] if said.numbers else [])
        for text in texts
        for said in parse(visible(obeyed(text), is_whole=True))
    ]
    request = scene.ask("How large is the tidal range?")
    written = answer("How large is the tidal range?", sentences, [citation(1, *TIDAL, texts[0])])
    scene.call("done", request, written)
    page.locator("[data-test=chip]").first.hover()
    scene.settle()
    found: dict[str, Any] = page.evaluate(DRAWN)
    return found


@pytest.mark.fault("F71", "I5")
def test_an_obedient_model_reaches_nobody(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    with canary() as (address, asked):
        texts = [text.format(canary=address) for text in HOSTILE_TEXTS]
        found = drawn_answer(page, texts)
        page.wait_for_timeout(500)  # for what would be fetched late
        assert asked == []
    assert not [url for url in requests if url.startswith(address)]
    assert not {
        "script",
        "iframe",
        "form",
        "input",
        "video",
        "style",
        "link",
        "base",
        "object",
        "math",
    } & set(found["tags"])
    assert found["handlers"] == []
    own = urlsplit(page.url).netloc
    for value in found["addresses"]:
        assert value == TIDAL[0] or urlsplit(value).netloc in ("", own), value
    assert f"![status]({address}/s.gif)" in found["text"]


def test_the_server_would_notice(page: Page) -> None:
    with canary() as (address, asked):
        page.request.get(f"{address}/direct")
        assert asked == ["/direct"]
