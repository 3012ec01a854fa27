"""A scripted HTTP server on this machine: it says exactly the bytes a test wants, when it wants.

    async with Loopback() as server:
        server.script["/v1/models"] = reply(200, {"data": []})

A script is a coroutine over an `Exchange`; what it received is kept in `server.seen`.
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self


@dataclass(slots=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Exchange:
    """One request and the way back to whoever sent it."""

    seen: Seen
    writer: asyncio.StreamWriter
    reader: asyncio.StreamReader
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    async def head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} Said so", *(f"{name}: {value}" for name, value in headers.items())]
        self.writer.write(("\r\n".join(lines) + "\r\nconnection: close\r\n\r\n").encode())
        await self.writer.drain()

    async def say(self, piece: bytes) -> None:
        self.writer.write(piece)
        await self.writer.drain()
        await asyncio.sleep(0.001)

    async def gone(self) -> None:
        """Wait until the other side closed the connection."""
        await self.reader.read(1)
        self.closed.set()


Script = Callable[[Exchange], Awaitable[None]]


def reply(status: int, value: object, headers: Mapping[str, str] | None = None) -> Script:
    """A whole answer: JSON, or text as it is."""
    is_text = isinstance(value, str)
    body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    kind = "text/html" if is_text else "application/json"

    async def script(exchange: Exchange) -> None:
        length = {"content-type": kind, "content-length": str(len(body))}
        await exchange.head(status, {**length, **(headers or {})})
        await exchange.say(body)

    return script


def stream(pieces: Sequence[bytes], *, content_type: str = "text/event-stream") -> Script:
    """A streamed answer, in exactly these pieces."""

    async def script(exchange: Exchange) -> None:
        await exchange.head(200, {"content-type": content_type})
        for piece in pieces:
            await exchange.say(piece)

    return script


def breaks_off(pieces: Sequence[bytes]) -> Script:
    """A streamed answer that promises more than it says, and closes."""

    async def script(exchange: Exchange) -> None:
        length = str(sum(map(len, pieces)) + 100)
        await exchange.head(200, {"content-type": "text/event-stream", "content-length": length})
        for piece in pieces:
            await exchange.say(piece)

    return script


def stalls(pieces: Sequence[bytes]) -> Script:
    """A streamed answer that falls silent; its exchange ends when the other side closes."""

    async def script(exchange: Exchange) -> None:
        await exchange.head(200, {"content-type": "text/event-stream"})
        for piece in pieces:
            await exchange.say(piece)
        await exchange.gone()

    return script


def one_after_another(*scripts: Script) -> Script:
    """Each request gets the next script; the last one stays."""
    left = list(scripts)

    async def script(exchange: Exchange) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(exchange)

    return script


class Loopback:
    """The server; a path without a script is 404."""

    def __init__(self) -> None:
        self.script: dict[str, Script] = {}
        self.seen: list[Seen] = []
        self.exchanges: list[Exchange] = []
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server
        port: int = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def bodies(self, path: str) -> list[Any]:
        """What was posted to a path, in order."""
        return [seen.json() for seen in self.seen if seen.path == path]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()
        for exchange in self.exchanges:
            exchange.writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            exchange = Exchange(await _request(reader), writer, reader)
            self.seen.append(exchange.seen)
            self.exchanges.append(exchange)
            await self.script.get(exchange.seen.path, reply(404, {"error": "no such path"}))(exchange)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    path, _, query = target.partition("?")
    return Seen(method, path, query, headers, body)


@contextmanager
def in_a_thread() -> Iterator[Loopback]:
    """A server with an event loop of its own, for tests that wait without one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = Loopback()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
