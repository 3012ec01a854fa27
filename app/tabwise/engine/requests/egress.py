"""Requests about what leaves this machine: the account, the preview, agreeing and revoking."""

from typing import Any

from tabwise.core.model import SourceId
from tabwise.core.network.egress import Account, Destination, Total, is_remote, readable_body, size_bytes
from tabwise.core.network.http import HttpRequest, Purpose, origin_of
from tabwise.core.network.redaction import Redactor
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import StoreError


class EgressRequests:
    """Shows and decides what goes where."""

    def __init__(self, room: Workroom) -> None:
        self._room = room
        self._gate = room.ports.gate

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "egress_list": self._list,
            "egress_preview": self._preview,
            "egress_agree": self._agree,
            "egress_revoke": self._revoke,
        }

    async def _list(self, request: Request, reply: Reply) -> Any:
        return account_row(await self._gate.account())

    async def _preview(self, request: Request, reply: Reply) -> Any:
        destination = Destination(origin_of(request["origin"]), Purpose(request["purpose"]))
        sent = self._gate.held_back(destination)
        if sent is None:
            return None
        text = readable_body(sent.body)
        return {
            "destination": _destination_row(destination),
            "url": _without_secrets(sent, sent.url),
            "remote": is_remote(destination.origin),
            "size_bytes": size_bytes(sent),
            "n_chars": len(text),
            "pages": [{"url": source, "title": self._title(source)} for source in sorted(sent.sources)],
            "text": _without_secrets(sent, text),
        }

    async def _agree(self, request: Request, reply: Reply) -> Any:
        await self._gate.agree(_destination(request), once=request["once"])
        return account_row(await self._gate.account())

    async def _revoke(self, request: Request, reply: Reply) -> Any:
        await self._gate.revoke(_destination(request))
        return account_row(await self._gate.account())

    def _title(self, source: str) -> str:
        try:
            return self._room.library.page(SourceId(source)).title
        except (KeyError, StoreError):
            return ""


def account_row(account: Account) -> dict[str, Any]:
    """Build an EgressAccount; what was agreed to by origin, totals with the largest first."""
    totals = sorted(account.totals.items(), key=lambda item: (-item[1].sent_bytes, item[0]))
    return {
        "agreed": [_destination_row(given) for given in sorted(account.agreed)],
        "totals": [total_row(*item) for item in totals],
    }


def total_row(destination: Destination, total: Total) -> dict[str, Any]:
    """Build an EgressTotal."""
    return {
        **_destination_row(destination),
        "remote": is_remote(destination.origin),
        "n_requests": total.n_requests,
        "sent_bytes": total.sent_bytes,
        "received_bytes": total.received_bytes,
        "last_at_ms": total.last_at_ms,
    }


def _destination(request: Request) -> Destination:
    row = request["destination"]
    return Destination(row["origin"], Purpose(row["purpose"]))


def _destination_row(destination: Destination) -> dict[str, Any]:
    return {"origin": destination.origin, "purpose": destination.purpose.value}


def _without_secrets(request: HttpRequest, text: str) -> str:
    redact = Redactor()
    for secret in request.secrets:
        redact.add(secret)
    return redact(text)
