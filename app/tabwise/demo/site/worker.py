"""The engine's worker: lends Python what js/host.js offers, then takes requests as text."""

import sys

import pyodide_js
from pyscript import sync
from pyscript.js_modules import tabwise_host

sys.modules["tabwise_host"] = tabwise_host
await tabwise_host.start(pyodide_js)  # type: ignore[top-level-await]  # noqa: F704

from tabwise.demo.entry import start  # noqa: E402  (its modules import tabwise_host)


def offer(data: bytes) -> str:
    """Put a file under an address from which the page can save it."""
    return str(tabwise_host.offer(data))


stages = start(sync.receive, tabwise_host.tokenizerJson, offer)


def dispatch(text: str) -> None:
    """Take one request; what it leads to comes through `sync.receive`."""
    stages.dispatch(text)


__export__ = ["dispatch"]
