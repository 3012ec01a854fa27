"""HTTP on CPython against a server that says exactly what a test wants."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from loopback import Loopback, breaks_off, reply, stalls, stream
from tabwise.adapters.native.http import NativeHttp, provider_error
from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.errors import ProviderError

pytestmark = pytest.mark.native


def with_server(scenario: Callable[[Loopback, NativeHttp], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with Loopback() as server:
            http = NativeHttp()
            try:
                return await scenario(server, http)
            finally:
                await http.close()

    return asyncio.run(main())


async def body_of(http: NativeHttp, request: HttpRequest) -> tuple[int, bytes]:
    async with http.send(request) as response:
        return response.status, b"".join([chunk async for chunk in response.chunks()])


def code_of(scenario: Callable[[Loopback, NativeHttp], Awaitable[Any]]) -> str:
    with pytest.raises(ProviderError) as raised:
        with_server(scenario)
    return raised.value.code


def test_a_request_goes_out_whole_and_its_answer_comes_back_whole() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/echo"] = stream([b"one ", b"two"])
        request = HttpRequest(
            "POST", f"{server.url}/echo?a=1", Purpose.ANSWER, (("x-api-key", "k"),), "ä".encode()
        )
        assert await body_of(http, request) == (200, b"one two")
        seen = server.seen[0]
        assert (seen.method, seen.path, seen.query, seen.body) == ("POST", "/echo", "a=1", "ä".encode())
        assert seen.headers["x-api-key"] == "k"

    with_server(scenario)


def test_a_request_with_a_body_follows_no_redirect() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/from"] = reply(307, "", {"location": "/to"})
        status, _ = await body_of(
            http, HttpRequest("POST", f"{server.url}/from", Purpose.ANSWER, (), b"page")
        )
        assert status == 307
        assert [seen.path for seen in server.seen] == ["/from"]

    with_server(scenario)


def test_a_download_follows_redirects() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/from"] = reply(302, "", {"location": "/to"})
        server.script["/to"] = stream([b"model"])
        assert (await body_of(http, HttpRequest("GET", f"{server.url}/from", Purpose.DOWNLOAD)))[
            1
        ] == b"model"

    with_server(scenario)


def test_leaving_in_the_middle_closes_the_socket() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/long"] = stalls([b"first"])
        async with http.send(HttpRequest("GET", f"{server.url}/long", Purpose.ANSWER)) as response:
            async for _ in response.chunks():
                break
        await asyncio.wait_for(server.exchanges[0].closed.wait(), 5)

    with_server(scenario)


@pytest.mark.fault("F52")
def test_cancelling_while_waiting_closes_the_socket() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/long"] = stalls([b"first"])
        waiting = asyncio.ensure_future(
            body_of(http, HttpRequest("GET", f"{server.url}/long", Purpose.ANSWER))
        )
        while not server.exchanges:
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.wait_for(server.exchanges[0].closed.wait(), 5)

    with_server(scenario)


@pytest.mark.fault("F60")
def test_nobody_there_is_refused() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        await body_of(http, HttpRequest("GET", "http://127.0.0.1:1/", Purpose.CHECK))

    assert code_of(scenario) == "network_refused"


def test_a_body_that_breaks_off_is_lost() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/half"] = breaks_off([b"half"])
        await body_of(http, HttpRequest("GET", f"{server.url}/half", Purpose.ANSWER))

    assert code_of(scenario) == "network_lost"


def test_silence_is_a_timeout() -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        server.script["/mute"] = stalls([b"first"])
        await body_of(http, HttpRequest("GET", f"{server.url}/mute", Purpose.ANSWER, silence_ms=100))

    assert code_of(scenario) == "network_timeout"


@pytest.mark.parametrize("url", ["ftp://files.example/x", "no address", "http://[broken"])
def test_no_web_address_is_invalid(url: str) -> None:
    async def scenario(server: Loopback, http: NativeHttp) -> None:
        await body_of(http, HttpRequest("GET", url, Purpose.CHECK))

    assert code_of(scenario) == "address_invalid"


def _leaves(kind: type[Exception]) -> list[type[Exception]]:
    below = [leaf for child in kind.__subclasses__() for leaf in _leaves(child)]
    return below or [kind]


@pytest.mark.parametrize(
    "kind",
    [*_leaves(httpx2.HTTPError), *_leaves(httpx2.StreamError), httpx2.InvalidURL],
    ids=lambda kind: kind.__name__,
)
def test_every_error_of_httpx_has_a_name_of_ours(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    assert provider_error(error, "https://api.example/v1").subject == "https://api.example"


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://API.Example/v1?key=x", "https://api.example"),
        ("https://api.example:443/", "https://api.example"),
        ("http://localhost:11434/v1", "http://localhost:11434"),
        ("http://[::1]:8080/v1", "http://[::1]:8080"),
        ("http://user:pass@host.example/", "http://host.example"),
        ("file:///etc/hosts", ""),
        ("http://host:port/", ""),
    ],
)
def test_an_origin_is_scheme_host_and_port(url: str, origin: str) -> None:
    assert origin_of(url) == origin
