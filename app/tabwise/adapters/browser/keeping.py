"""What the service worker keeps for the engine beside the settings: keys, the account, the marker."""

from collections.abc import Mapping
from typing import cast

from tabwise.adapters.browser import bridge
from tabwise.ports import KeyPlace


class BrowserKeys:
    """Implements ports.Keys over the browser's storage, which scripts in web pages cannot read."""

    async def key(self, name: str) -> str:
        """The key called `name`, "" when there is none; raises HostError."""
        return cast(dict[str, str], await bridge.host_call("key_get", {"name": name}))["value"]

    async def places(self) -> Mapping[str, KeyPlace]:
        """Where each key is kept; raises HostError."""
        found = cast(dict[str, list[str]], await bridge.host_call("key_places", {}))
        places: dict[str, KeyPlace] = dict.fromkeys(found["kept"], "kept")
        return places | dict.fromkeys(found["session"], "session")


class BrowserLedger:
    """Implements ports.EgressLedger."""

    async def load(self) -> object:
        """What was saved last, None before the first time; raises HostError."""
        return await bridge.host_call("ledger_get", {})

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        await bridge.host_call("ledger_set", {"account": value})


class BrowserMarker:
    """Implements ports.LibraryMarker: what the browser clears with the library is not where this is."""

    async def load(self) -> object:
        """What was saved last, None before the first time; raises HostError."""
        return await bridge.host_call("marker_get", {})

    async def save(self, value: object) -> None:
        """Keep JSON values in place of the last; raises HostError."""
        await bridge.host_call("marker_set", {"marker": value})
