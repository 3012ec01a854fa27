"""HTTP on CPython, through httpx.

Redirects are followed for downloads alone, which carry nothing but their address: any other request would be
repeated, with its body, to a host that nobody agreed to.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import httpx2

from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.errors import ProviderError

CONNECT_TIMEOUT_S = 10.0

# what httpx can end with, the most exact class first; a test checks that no error of a request is left out
_CODES: tuple[tuple[type[Exception], str], ...] = (
    (httpx2.ConnectTimeout, "network_timeout"),
    (httpx2.TimeoutException, "network_timeout"),
    (httpx2.ConnectError, "network_refused"),
    (httpx2.ProxyError, "network_refused"),
    (httpx2.TooManyRedirects, "network_refused"),
    (httpx2.UnsupportedProtocol, "address_invalid"),
    (httpx2.LocalProtocolError, "address_invalid"),
    (httpx2.InvalidURL, "address_invalid"),
    (httpx2.HTTPError, "network_lost"),
    (httpx2.StreamError, "network_lost"),
)


class NativeHttp:
    """Implements ports.Http. One event loop; `close` it at the end."""

    def __init__(self) -> None:
        self._client: httpx2.AsyncClient | None = None

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator["NativeResponse"]:
        """Send a request; leaving the context closes the connection, also in the middle of the body.

        Raises ProviderError: address_invalid, network_refused, network_timeout, network_lost.
        """
        if not origin_of(request.url):
            raise ProviderError("address_invalid", "no http or https address")
        async with AsyncExitStack() as stack:
            try:
                sent = await stack.enter_async_context(
                    self._opened().stream(
                        request.method,
                        request.url,
                        headers=list(request.headers),
                        content=request.body,
                        timeout=httpx2.Timeout(request.silence_ms / 1000, connect=CONNECT_TIMEOUT_S),
                        follow_redirects=request.purpose is Purpose.DOWNLOAD,
                    )
                )
            except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
                raise provider_error(error, request.url) from error
            yield NativeResponse(sent, request.url)

    async def close(self) -> None:
        """Let go of idle connections."""
        if self._client:
            await self._client.aclose()

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = httpx2.AsyncClient()
        return self._client


class NativeResponse:
    """Implements ports.HttpResponse."""

    def __init__(self, response: httpx2.Response, url: str) -> None:
        self._response = response
        self._url = url

    @property
    def status(self) -> int:
        """The status code."""
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by lower-case name."""
        return {name.lower(): value for name, value in self._response.headers.items()}

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces of any size; raises ProviderError: network_lost, network_timeout."""
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise provider_error(error, self._url) from error


def provider_error(error: Exception, url: str) -> ProviderError:
    """Name what httpx ended with; the text of the error stays out of it, as it may hold the address."""
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    return ProviderError(code, type(error).__name__, subject=origin_of(url))
