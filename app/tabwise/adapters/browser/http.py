"""HTTP in the browser: fetch in the engine worker, cancelled down to the socket.

The browser says "Failed to fetch" for everything. What it was is found out afterwards: no network at all, an
answer that it keeps from us (CORS, local network access), or nobody there.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import TypeVar, cast

from tabwise.adapters.browser import bridge
from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.errors import HostError, ProviderError

PROBE_LIMIT_MS = 3_000
"""How long to find out whether anybody answers at an address that gave nothing."""

Result = TypeVar("Result")


class BrowserHttp:
    """Implements ports.Http."""

    def __init__(self) -> None:
        self._numbers = count(1)

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator["BrowserResponse"]:
        """Send a request; leaving the context closes the connection, also in the middle of the body.

        Raises ProviderError: address_invalid, network_offline, network_refused, network_blocked,
        network_timeout.
        """
        origin = origin_of(request.url)
        if not origin:
            raise ProviderError("address_invalid", "no http or https address")
        exchange = next(self._numbers)
        try:
            status, headers = await _in_time(
                bridge.http_send(
                    exchange,
                    request.method,
                    request.url,
                    request.headers,
                    request.body,
                    follow=request.purpose is Purpose.DOWNLOAD,
                ),
                request,
            )
            yield BrowserResponse(exchange, request, status, headers)
        except bridge.HttpFailed as error:
            raise ProviderError(await _why_failed(origin), str(error), subject=origin) from error
        finally:
            bridge.http_close(exchange)


class BrowserResponse:
    """Implements ports.HttpResponse."""

    def __init__(self, exchange: int, request: HttpRequest, status: int, headers: Mapping[str, str]) -> None:
        self._exchange = exchange
        self._request = request
        self._status = status
        self._headers = headers

    @property
    def status(self) -> int:
        """The status code; 302 for every redirect that was not followed."""
        return self._status

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by lower-case name; across origins only those the service lets the browser show."""
        return self._headers

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces of any size; raises ProviderError: network_lost, network_timeout."""
        while True:
            try:
                piece = await _in_time(bridge.http_read(self._exchange), self._request)
            except bridge.HttpFailed as error:
                raise ProviderError(
                    "network_lost", str(error), subject=origin_of(self._request.url)
                ) from error
            if piece is None:
                return
            yield piece


async def _in_time(answer: Awaitable[Result], request: HttpRequest) -> Result:
    try:
        return await asyncio.wait_for(answer, request.silence_ms / 1000)
    except TimeoutError as error:
        said = f"silent for {request.silence_ms} ms"
        raise ProviderError("network_timeout", said, subject=origin_of(request.url)) from error


async def _why_failed(origin: str) -> str:
    if not bridge.is_online():
        return "network_offline"
    fields: dict[str, object] = {"url": origin, "limit_ms": PROBE_LIMIT_MS}
    try:
        found = cast(dict[str, object], await bridge.host_call("http_answers", fields))
    except HostError:
        return "network_refused"
    return "network_blocked" if found["answers"] else "network_refused"
