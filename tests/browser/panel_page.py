"""The real panel on a plain web server, with a scripted browser and engine in place of the extension.

What is served is `extension/` as it lies in the repository, the vendored files of the built one, and
MicroPython's memory with the panel's sources; icons of sites are drawn by the server. The content security
policy is the one of the manifest.
"""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page

from buildlib.lock import read_lock
from buildlib.ui_memory import ui_memory_file

REPOSITORY = Path(__file__).resolve().parents[2]
EXTENSION = REPOSITORY / "extension"
EXTENSION_BUILT = REPOSITORY / "dist" / "extension"
MICROPYTHON = EXTENSION_BUILT / "vendor" / "micropython"
VENDORED_TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm"}
STUB = Path(__file__).with_name("panel_stub.js")
MARKED = "xx"
COLOURS = ("#d9480f", "#2b8a3e", "#1864ab", "#862e9c", "#c2255c", "#5f3dc4", "#087f5b", "#495057")


def marked_words() -> dict[str, dict[str, str]]:
    """A table of words in which every message stands in ⟦brackets⟧, so that what is none can be told."""
    english = json.loads((EXTENSION / "_locales" / "en" / "messages.json").read_text(encoding="utf-8"))
    marked = {key: {"message": f"⟦{entry['message']}⟧"} for key, entry in english.items()}
    return marked | {"locale": {"message": MARKED}}


class _Handler(http.server.SimpleHTTPRequestHandler):
    micropython: Path

    def log_message(self, *args: object) -> None:
        """Tests have no use for an access log."""

    def end_headers(self) -> None:
        manifest = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))
        self.send_header("Content-Security-Policy", manifest["content_security_policy"]["extension_pages"])
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/python/ui.bin":
            memory = ui_memory_file(read_lock(), (json.dumps(marked_words()),))
            self._send("application/octet-stream", memory.read_bytes())
        elif path == f"/_locales/{MARKED}/messages.json":
            self._send("application/json", json.dumps(marked_words()).encode())
        elif path.startswith("/_favicon/"):
            self._send("image/svg+xml", self._favicon())
        elif path.startswith("/vendor/micropython/"):
            self._send_vendored(self.micropython / path.rpartition("/")[2])
        elif path.startswith("/vendor/"):
            self._send_vendored(EXTENSION_BUILT / path[1:])
        else:
            super().do_GET()

    def _send_vendored(self, path: Path) -> None:
        self._send(VENDORED_TYPES.get(path.suffix, "application/octet-stream"), path.read_bytes())

    def _favicon(self) -> bytes:
        url = parse_qs(urlsplit(self.path).query)["pageUrl"][0]
        host = (urlsplit(url).hostname or "?").removeprefix("www.")
        colour = COLOURS[sum(map(ord, host)) % len(COLOURS)]
        place = 'x="16" y="23" font-size="19" font-family="sans-serif" text-anchor="middle" fill="#fff"'
        text = f"<text {place}>{host[0].upper()}</text>"
        square = f'<rect width="32" height="32" rx="7" fill="{colour}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{square}{text}</svg>'.encode()

    def _send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def served(micropython: Path) -> Iterator[str]:
    """Serve the panel; yields the address of panel.html. `micropython` holds micropython.mjs and .wasm."""
    handler = type("Handler", (_Handler,), {"micropython": micropython})
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=str(EXTENSION))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/panel.html"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def stubbed_pages(chromium: Browser, *, hears_console: bool = True) -> Iterator[Callable[[int, int], Page]]:
    """Lend a function that makes pages of some width and height with the scripted browser, and close them.

    An uncaught error in one fails at the end, as does one that the console tells, such as a broken content
    security policy; `hears_console` is for pages whose requests may fail.
    """
    faults: list[str] = []
    pages: list[Page] = []

    def new_page(width: int, height: int) -> Page:
        page = chromium.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page.on("pageerror", lambda error: faults.append(str(error)))
        if hears_console:
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.add_init_script(path=STUB)
        pages.append(page)
        return page

    yield new_page
    for page in pages:
        page.close()
    assert faults == []
