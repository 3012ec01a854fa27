"""The gate: the one way out, which every byte passes that leaves this machine.

Nothing is sent to a destination, for a purpose, that the reader did not agree to; what was held back is
kept, so that the panel can show exactly what it says. Pages that a rule keeps here go to no other machine.
What went out is counted, for the request being worked on and in total.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from tabwise.core.network.egress import (
    Account,
    Destination,
    Total,
    account_record,
    destination_of,
    is_remote,
    read_account,
    size_bytes,
)
from tabwise.core.network.http import HttpRequest
from tabwise.errors import HostError, ProviderError
from tabwise.ports import Clock, EgressLedger, Http, HttpResponse, SettingsSource
from tabwise.protocol.rules import stays_here
from tabwise.protocol.settings import sound_settings

log = logging.getLogger(__name__)

MAX_HELD_BACK = 8
"""Requests kept for a preview, one a destination; the oldest goes first."""


@dataclass(slots=True)
class Meter:
    """What one piece of work exchanged with whom; `allowed` is what the reader let it do this once."""

    totals: dict[Destination, Total] = field(default_factory=dict)
    allowed: set[Destination] = field(default_factory=set)

    @property
    def sent_bytes(self) -> int:
        """Bytes that left, everywhere."""
        return sum(total.sent_bytes for total in self.totals.values())


_METER: ContextVar[Meter | None] = ContextVar("egress_meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """Count what leaves while the context is open, in this task and those it starts."""
    meter = Meter()
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)
        # A task that was started in here and goes on has the meter, but not what was allowed once.
        meter.allowed.clear()


class Gate:
    """Implements ports.Http over another, which nobody else may have."""

    def __init__(self, http: Http, *, ledger: EgressLedger, settings: SettingsSource, clock: Clock) -> None:
        self._http = http
        self._ledger = ledger
        self._settings = settings
        self._clock = clock
        self._account: Account | None = None
        self._loading = asyncio.Lock()
        self._once: set[Destination] = set()
        self._held_back: dict[Destination, HttpRequest] = {}

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        """Send a request that the reader agreed to; ports.Http says the rest.

        Raises ProviderError: egress_refused (subject: the origin) when the reader did not agree,
        page_stays_here (subject: the page) when it carries text of a page that must not leave; HostError.
        """
        destination = destination_of(request)
        if not destination.origin:
            raise ProviderError("address_invalid", "no http or https address")
        if is_remote(destination.origin):
            for url in sorted(await self.kept_here(request.sources)):
                raise ProviderError("page_stays_here", "a rule keeps this page here", subject=url)
        account = await self._opened()
        if not self._may_go(account, destination):
            self._hold_back(destination, request)
            raise ProviderError("egress_refused", destination.purpose.value, subject=destination.origin)
        self._count(account, destination, lambda total, now: total.sent(size_bytes(request), now))
        try:
            async with self._http.send(request) as response:
                yield _Counted(response, lambda n: self._received(account, destination, n))
        finally:
            await self._save(account)

    async def kept_here(self, urls: Iterable[str]) -> frozenset[str]:
        """Those of the pages that a rule of the reader keeps on this machine; raises HostError."""
        pages = frozenset(urls)
        if not pages:
            return pages
        settings = sound_settings(await self._settings.settings())
        return frozenset(url for url in pages if stays_here(url, settings))

    async def agree(self, destination: Destination, *, once: bool = False) -> None:
        """Let requests go there for this purpose; `once` is for the next piece of work that needs it.

        Raises HostError when the agreement could not be kept.
        """
        self._held_back.pop(destination, None)
        if once:
            self._once.add(destination)
            return
        account = await self._opened()
        # Saved first: what could not be kept must not hold until the engine's next start either.
        await self._ledger.save(account_record(Account(account.agreed | {destination}, account.totals)))
        account.agreed.add(destination)

    async def revoke(self, destination: Destination) -> None:
        """Let nothing go there any more for this purpose; raises HostError."""
        account = await self._opened()
        account.agreed.discard(destination)
        self._once.discard(destination)
        await self._ledger.save(account_record(account))

    async def account(self) -> Account:
        """What was agreed to and what went where; raises HostError."""
        return await self._opened()

    def held_back(self, destination: Destination) -> HttpRequest | None:
        """The request that was last held back on its way to a destination."""
        return self._held_back.get(destination)

    def _may_go(self, account: Account, destination: Destination) -> bool:
        if account.allows(destination):
            return True
        meter = _METER.get()
        if meter is None:
            return False
        if destination in self._once:
            self._once.discard(destination)
            meter.allowed.add(destination)
        return Account(meter.allowed).allows(destination)

    def _hold_back(self, destination: Destination, request: HttpRequest) -> None:
        self._held_back.pop(destination, None)
        self._held_back[destination] = request
        while len(self._held_back) > MAX_HELD_BACK:
            del self._held_back[next(iter(self._held_back))]

    def _received(self, account: Account, destination: Destination, n_bytes: int) -> None:
        self._count(account, destination, lambda total, now: total.received(n_bytes))

    def _count(self, account: Account, to: Destination, add: Callable[[Total, float], Total]) -> None:
        now, meter = self._clock.now_ms(), _METER.get()
        for totals in (account.totals, *([meter.totals] if meter else [])):
            totals[to] = add(totals.get(to, Total()), now)

    async def _opened(self) -> Account:
        async with self._loading:
            if self._account is None:
                self._account = read_account(await self._ledger.load())
            return self._account

    async def _save(self, account: Account) -> None:
        try:
            await self._ledger.save(account_record(account))
        except HostError as error:
            # The counts stay in memory and are written with the next request.
            log.warning("what left was not written down: %s", error.message)


class _Counted:
    """Implements ports.HttpResponse over another, telling the size of each piece."""

    def __init__(self, response: HttpResponse, count: Callable[[int], None]) -> None:
        self._response = response
        self._count = count

    @property
    def status(self) -> int:
        """The status code."""
        return self._response.status

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by lower-case name."""
        return self._response.headers

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces; raises what the other one raises."""
        async for chunk in self._response.chunks():
            self._count(len(chunk))
            yield chunk


class MemoryLedger:
    """Implements ports.EgressLedger for as long as the program runs."""

    def __init__(self) -> None:
        self._value: object = None

    async def load(self) -> object:
        """What was saved last."""
        return self._value

    async def save(self, value: object) -> None:
        """Keep a value."""
        self._value = value
