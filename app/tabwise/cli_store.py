"""The vector store of the command line: `--qdrant ADDRESS`, its key in $QDRANT_API_KEY.

Naming the address is the agreement to send pages there; it passes the same gate as everything else.
"""

import argparse
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.stores.qdrant.store import QdrantStores
from tabwise.core.model import EmbedderDescriptor
from tabwise.core.network.egress import Destination
from tabwise.core.network.http import Purpose, origin_of
from tabwise.core.network.mirror import StorePlace
from tabwise.engine.egress import Gate, metered
from tabwise.engine.library import Library
from tabwise.engine.mirror import Mirror
from tabwise.engine.passages import BEHIND, OpenMirror, no_mirror
from tabwise.errors import ProviderError
from tabwise.protocol.qdrant import DEFAULT_COLLECTION, read_store_address
from tabwise.ui.words import error_sentence, say

KEY_VARIABLE = "QDRANT_API_KEY"


def store_options() -> argparse.ArgumentParser:
    """The options of a command that can use a vector store."""
    options = argparse.ArgumentParser(add_help=False)
    about = f"mirror the library in this Qdrant and search there (key: ${KEY_VARIABLE})"
    options.add_argument("--qdrant", default="", metavar="ADDRESS", help=about)
    return options


@asynccontextmanager
async def opened_mirror(
    address: str, library: Library, descriptor: EmbedderDescriptor
) -> AsyncIterator[Mirror | None]:
    """The mirror of a library at an address as it was typed, None for none; raises address_invalid."""
    if not address:
        yield None
        return
    url, fault = read_store_address(address)
    if fault:
        raise ProviderError("address_invalid", fault, subject=address)
    http = NativeHttp()
    gate = Gate(http, ledger=_NoLedger(), settings=_NoSettings(), clock=SystemClock())
    await gate.agree(Destination(origin_of(url), Purpose.STORE))
    place = StorePlace(
        url, DEFAULT_COLLECTION, descriptor.key, descriptor.dimensions, library.store.library_id()
    )
    try:
        with metered():
            yield Mirror(library, QdrantStores(gate, _key).at(place))
    finally:
        await http.close()


def always(mirror: Mirror | None) -> OpenMirror:
    """What gives this mirror whenever it is asked."""
    if mirror is None:
        return no_mirror

    async def current() -> Mirror | None:
        return mirror

    return current


def tell_why_local(code: str) -> None:
    """Say on the error stream that the index answered in the place of the store, and why."""
    if code:
        reason = say(code) if code == BEHIND else error_sentence(code)
        print(f"tabwise: {say('answered_here', reason=reason)}", file=sys.stderr)


async def _key() -> str:
    return os.environ.get(KEY_VARIABLE, "").strip()


class _NoLedger:
    """`EgressLedger` of one command: what was agreed to ends with it."""

    async def load(self) -> object:
        return None

    async def save(self, value: object) -> None:
        """Nothing is kept."""


class _NoSettings:
    """`SettingsSource` of a machine without a browser."""

    async def settings(self) -> object:
        return None
