"""What is fuzzed: for each kind of foreign bytes a function that reads them and keeps its promises.

A target raises when a promise is broken. An `AppError`, or what the reader itself is documented to raise,
says that the bytes cannot be used; every other exception is a fault of the program.
"""

import asyncio
import contextlib
import json
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from tabwise.adapters.files.html import parse_file
from tabwise.adapters.providers.directory import wire_of
from tabwise.adapters.providers.remote_model import RemoteModel
from tabwise.adapters.providers.wire import Provider
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.model import Page
from tabwise.core.network.http import HttpRequest
from tabwise.core.network.sse import SseDecoder
from tabwise.core.page.blocks import build_page
from tabwise.core.page.capture import decode_capture
from tabwise.core.page.chunking import chunk_page
from tabwise.core.page.pdf.capture import PdfCapture, decode_pdf_pages
from tabwise.core.page.pdf.page import build_pdf_page
from tabwise.engine.check import look_through
from tabwise.engine.jobs import silent_job
from tabwise.errors import AppError
from tabwise.protocol import codec

URL = "https://fuzz.example/page"
MAX_CHARS = 20_000
PROMPT = Prompt((Message(Role.USER, "How high?"),), 100, stops=("END",))


def html(data: bytes) -> None:
    """A file of a page: to blocks and passages that cover it."""
    with contextlib.suppress(AppError):
        require_page(build_page(parse_file(data, "page.html", url=URL, max_chars=MAX_CHARS), None, 1.0))


def text(data: bytes) -> None:
    """A file of Markdown."""
    with contextlib.suppress(AppError):
        require_page(build_page(parse_file(data, "page.md", url=URL, max_chars=MAX_CHARS), None, 1.0))


def capture(data: bytes) -> None:
    """The tree of a page as a script in it sent it."""
    with contextlib.suppress(AppError):
        require_page(build_page(decode_capture(json_of(data)), None, 1.0))


def pdf(data: bytes) -> None:
    """The text items of a PDF as the reader in the browser sent them."""
    with contextlib.suppress(AppError):
        pages = decode_pdf_pages(json_of(data))
        require_page(build_pdf_page(PdfCapture(URL, "", "", len(pages), pages), 1.0))


def messages(data: bytes) -> None:
    """A message between panel and engine: decoded, it can be written again."""
    message = data.decode("utf-8", "replace")
    codec.request_id_of(message)
    with contextlib.suppress(codec.Malformed):
        request = codec.decode_request(message)
        fields = {name: value for name, value in request.items() if name not in ("v", "id", "type")}
        again = codec.encode_request(request["id"], request["type"], **fields)
        assert codec.decode_request(again) == request
    with contextlib.suppress(codec.Malformed):
        codec.decode_event(message)


def events(data: bytes) -> None:
    """A stream of events: cut in two anywhere it means the same."""
    cut = len(data) // 2
    whole, halves = SseDecoder(), SseDecoder()
    at_once = whole.feed(data) + whole.close()
    assert at_once == halves.feed(data[:cut]) + halves.feed(data[cut:]) + halves.close()


def service(data: bytes) -> None:
    """The answer of a service, in each of the ways that services speak."""
    for kind in ("compatible", "ollama", "gemini"):
        provider = Provider("p", kind, "", "https://fuzz.example/v1", "m-1", 8192, True, "sk-planted-key")
        model = RemoteModel(provider, wire_of(provider), _Answering(data), sleep=_no_time)
        with contextlib.suppress(AppError):
            completion = asyncio.run(model.complete(PROMPT, on_text=lambda piece: None))
            assert "END" not in completion.text


def library(data: bytes) -> None:
    """A library file: opened and looked through, or refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "library.db"
        file.write_bytes(data)
        with contextlib.suppress(AppError):
            store = SqliteStore(file)
            try:
                asyncio.run(look_through(store, silent_job()))
            finally:
                store.close()


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "html": html,
    "text": text,
    "capture": capture,
    "pdf": pdf,
    "messages": messages,
    "events": events,
    "service": service,
    "library": library,
}


def require_page(page: Page) -> None:
    """The blocks of a page are in order, and its passages are spans that leave no block out."""
    assert page.text.encode()
    assert all(before.end <= after.start for before, after in pairwise(page.blocks))
    chunks = chunk_page(page, lambda text: 2 + len(text.split()), max_tokens=64)
    assert all(chunk.text == page.text[chunk.start : chunk.end] for chunk in chunks)
    covered = {position for chunk in chunks for position in range(chunk.start, chunk.end)}
    assert all(position in covered or page.text[position].isspace() for position in range(len(page.text)))


def json_of(data: bytes) -> object:
    """What the bytes say as JSON, or the bytes as a string."""
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace")
    return value


@dataclass
class _Answering:
    """`ports.Http` that answers every request with the same bytes, a hundred at a time."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @contextlib.asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator["_Answering"]:
        yield self

    async def chunks(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.body), 100):
            yield self.body[start : start + 100]


async def _no_time(seconds: float) -> None:
    """Wait for nothing."""
