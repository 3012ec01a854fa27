"""What leaves this machine: where to, what it says, and the account of it.

A send is agreed to by destination and purpose. A service of this machine is asked about like any other, as
it is another program, but pages that must stay here may go to it.
"""

import json
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.core.text.bounded_json import read_json


@dataclass(frozen=True, slots=True, order=True)
class Destination:
    """Where something goes and why; sorted by both."""

    origin: str
    purpose: Purpose


@dataclass(frozen=True, slots=True)
class Total:
    """What was exchanged since the account began. Bytes as in `size_bytes` and of bodies."""

    n_requests: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    last_at_ms: float = 0.0

    def sent(self, n_bytes: int, now_ms: float) -> "Total":
        """The total after one more request."""
        return replace(
            self, n_requests=self.n_requests + 1, sent_bytes=self.sent_bytes + n_bytes, last_at_ms=now_ms
        )

    def received(self, n_bytes: int) -> "Total":
        """The total after more of an answer."""
        return replace(self, received_bytes=self.received_bytes + n_bytes)


@dataclass(slots=True)
class Account:
    """What was agreed to and what went where for what."""

    agreed: set[Destination] = field(default_factory=set)
    totals: dict[Destination, Total] = field(default_factory=dict)

    def allows(self, wanted: Destination) -> bool:
        """Whether this was agreed to; who may get pages may also be asked how it is."""
        if wanted.purpose is Purpose.CHECK:
            return any(given.origin == wanted.origin for given in self.agreed)
        return wanted in self.agreed


def destination_of(request: HttpRequest) -> Destination:
    """Where a request goes."""
    return Destination(origin_of(request.url), request.purpose)


def is_remote(origin: str) -> bool:
    """Whether an origin is another machine than this one."""
    host = urlsplit(origin).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return True


def size_bytes(request: HttpRequest) -> int:
    """Bytes of a request as we hand it over: method, address, our headers, body; no more."""
    heads = sum(len(name) + len(value) for name, value in request.headers)
    return len(request.method) + len(request.url.encode()) + heads + len(request.body)


def readable_body(body: bytes) -> str:
    """What a body says, for a person to read: every word of it, JSON with one field a line.

    >>> print(readable_body(b'{"model": "m", "messages": [{"content": "two\\\\nlines"}]}'))
    model: m
    messages:
      content: two
      lines
    """
    text = body.decode("utf-8", "replace")
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_lines(value, ""))


def _lines(value: object, indent: str) -> list[str]:
    if isinstance(value, dict):
        return [line for name, inner in value.items() for line in _field(str(name), inner, indent)]
    if isinstance(value, list):
        return [line for inner in value for line in _lines(inner, indent)]
    text = value if isinstance(value, str) else json.dumps(value)
    return [indent + line for line in text.splitlines() or [""]]


def _field(name: str, value: object, indent: str) -> list[str]:
    if isinstance(value, dict | list):
        return [f"{indent}{name}:", *_lines(value, indent + "  ")]
    first, *rest = _lines(value, "")
    return [f"{indent}{name}: {first}", *(indent + line for line in rest)]


def account_record(account: Account) -> dict[str, object]:
    """The account as JSON values, in a fixed order."""
    return {
        "agreed": [{"origin": to.origin, "purpose": to.purpose.value} for to in sorted(account.agreed)],
        "totals": [
            {
                "origin": to.origin,
                "purpose": to.purpose.value,
                "n_requests": total.n_requests,
                "sent_bytes": total.sent_bytes,
                "received_bytes": total.received_bytes,
                "last_at_ms": total.last_at_ms,
            }
            for to, total in sorted(account.totals.items(), key=itemgetter(0))
        ],
    }


def read_account(value: object) -> Account:
    """The account made of the sound parts of JSON values, None for a new one; damaged parts allow nothing."""
    account = Account()
    stored = value if isinstance(value, dict) else {}
    for row in _rows(stored.get("agreed")):
        try:
            account.agreed.add(Destination(_origin(row["origin"]), Purpose(row["purpose"])))
        except (KeyError, TypeError, ValueError):
            continue
    for row in _rows(stored.get("totals")):
        try:
            account.totals[Destination(_origin(row["origin"]), Purpose(row["purpose"]))] = Total(
                _count(row["n_requests"]),
                _count(row["sent_bytes"]),
                _count(row["received_bytes"]),
                float(row["last_at_ms"]),
            )
        except (KeyError, TypeError, ValueError):
            continue
    return account


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _origin(value: object) -> str:
    if not isinstance(value, str) or origin_of(value) != value:
        raise ValueError("no origin")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("no count")
    return value
