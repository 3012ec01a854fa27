"""Every way a byte leaves: requests, what was sent, keys, and trying a service."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from tabwise.core.network.http import HttpRequest


class HttpResponse(Protocol):
    """The answer to a request: its head at once, its body as it arrives."""

    @property
    def status(self) -> int:
        """The status code."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by lower-case name, as far as the browser shows them."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces of any size; raises ProviderError network_lost when it breaks off."""
        ...


class Http(Protocol):
    """The one way out of this machine."""

    def send(self, request: HttpRequest) -> AbstractAsyncContextManager[HttpResponse]:
        """Send a request; leaving the context closes the connection, also in the middle of the body.

        Raises ProviderError: network_offline, network_refused, network_blocked (by the browser: CORS, local
        network access), network_timeout; egress_refused when the reader did not agree.
        """
        ...


class EgressLedger(Protocol):
    """Where the account of what left is kept, apart from settings and library."""

    async def load(self) -> object:
        """What was saved last, as JSON values, None before the first time; raises HostError."""
        ...

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        ...


KeyPlace = Literal["session", "kept"]


class Keys(Protocol):
    """The keys of services, by name; they are set where nobody but the reader types."""

    async def key(self, name: str) -> str:
        """The key called `name`, "" when there is none; raises HostError."""
        ...

    async def places(self) -> Mapping[str, KeyPlace]:
        """Where each key is kept; raises HostError."""
        ...


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a service offers. `models`: name and context tokens, 0 where it does not tell.

    `kind` and `address` are what it turned out to be, which may differ from what the reader took it for.
    """

    kind: str
    address: str
    models: tuple[tuple[str, int], ...]
    context_tokens: int
    calls_tools: bool


class ProviderTester(Protocol):
    """Finds out what a service offers, without spending tokens."""

    async def inspect(self, row: Mapping[str, object]) -> Inspection:
        """Ask a service described by a Provider record of the settings.

        Raises ProviderError, which names the cause: network_*, egress_refused, key_*, origin_refused,
        model_unknown, service_foreign, network_portal, rate_limited, quota_used, service_failed.
        """
        ...
