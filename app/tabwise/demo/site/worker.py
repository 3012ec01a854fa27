"""The engine's worker: lends Python what js/host.js offers, then takes requests as text."""

import sys

import pyodide_js
from pyscript import sync
from pyscript.js_modules import tabwise_host

sys.modules["tabwise_host"] = tabwise_host
tabwise_host.startKernel(pyodide_js._module.memory)

from tabwise.demo.entry import start  # noqa: E402  (its modules import tabwise_host)

stages = start(sync.receive, tabwise_host.tokenizerJson)


def dispatch(text: str) -> None:
    """Take one request; what it leads to comes through `sync.receive`."""
    stages.dispatch(text)


__export__ = ["dispatch"]
