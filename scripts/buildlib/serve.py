"""A web server for this machine alone: the sample pages, the demo, the pages of the tests."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}
# What a page needs for shared memory between threads.
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


@contextmanager
def serve(routes: Mapping[str, Path | bytes], *, isolated: bool = False) -> Iterator[str]:
    """Serve on a free port of 127.0.0.1 and yield the address, without a slash at the end.

    A route is a path and the bytes it answers with, or a path ending in "/" and the folder behind it. The
    longest matching route wins.
    """
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(dict(routes), isolated))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def find(routes: Mapping[str, Path | bytes], path: str) -> bytes | None:
    """What a request path is answered with, or None. Never a file outside the folder of its route."""
    for prefix in sorted(routes, key=len, reverse=True):
        target = routes[prefix]
        if isinstance(target, bytes):
            if path == prefix:
                return target
        elif path.startswith(prefix):
            file = (target / path.removeprefix(prefix)).resolve()
            if file.is_dir():
                file /= "index.html"
            if file.is_relative_to(target.resolve()) and file.is_file():
                return file.read_bytes()
    return None


def _handler(routes: dict[str, Path | bytes], isolated: bool) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            body = find(routes, path)
            self.send_response(HTTPStatus.NOT_FOUND if body is None else HTTPStatus.OK)
            suffix = Path(path).suffix or ".html"
            self.send_header("Content-Type", TYPES.get(suffix, "application/octet-stream"))
            self.send_header("Content-Length", str(len(body or b"")))
            self.send_header("Cache-Control", "no-store")
            for name, value in ISOLATION.items() if isolated else ():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *arguments: object) -> None:
            del format, arguments

    return Handler
