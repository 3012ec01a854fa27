"""A desk to drive the engine from: a service over fakes, and a panel that keeps what it hears."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fakes import (
    BagEmbedder,
    FakeClock,
    FakeEraser,
    FakeFacts,
    FakeFiles,
    FakeKeys,
    FakeModels,
    FakeSettings,
    FakeTabs,
    FakeViewer,
    MemoryMarker,
    NoHttp,
    NoStores,
    WholePage,
    capture_of,
    tab_record,
)
from tabwise.adapters.native.copies import DiskCopies
from tabwise.adapters.providers.directory import Providers
from tabwise.adapters.stores.sqlite import SqliteStore, set_aside
from tabwise.core.model import Capture
from tabwise.core.network.redaction import Redactor
from tabwise.core.search.index import SearchIndex
from tabwise.engine.egress import Gate, MemoryLedger
from tabwise.engine.embedder_catalogue import EmbedderCatalogue
from tabwise.engine.library import Library
from tabwise.engine.secrets import KeyRing
from tabwise.engine.service import Service
from tabwise.engine.workroom import LocalParts, Ports
from tabwise.errors import AppError
from tabwise.ports import Http, OwnEmbedders, VectorStores
from tabwise.protocol import codec, schema

TIDES = capture_of(
    "https://sea.example/tides?utm_source=mail#top",
    "Tides",
    "The largest tidal range on Earth is found in the Bay of Fundy, where it reaches 16.3 metres.",
    "Spring tides occur around the new moon and the full moon, when sun and moon pull in one line.",
    headings=("Range", "Timing"),
)

BREAD = capture_of(
    "https://kitchen.example/bread",
    "Sourdough",
    "A sourdough starter is fed with equal weights of flour and water once a day.",
    "Bake the loaf at 240 degrees Celsius for 35 minutes.",
)


class Desk:
    """A service with fake surroundings and a panel that keeps what it hears."""

    def __init__(
        self,
        path: Path,
        tabs: dict[int, Capture | AppError],
        embedder: BagEmbedder,
        *,
        vector_stores: VectorStores | None = None,
        http: Http | None = None,
        local: Callable[[Gate], LocalParts] | None = None,
        own_embedders: OwnEmbedders | None = None,
        embedders: Callable[[Gate], EmbedderCatalogue] | None = None,
    ) -> None:
        self.path = path
        self.tabs = tabs
        self.embedder = embedder
        self.viewer = FakeViewer()
        self.files = FakeFiles()
        self.models = FakeModels()
        self.settings = FakeSettings()
        clock = self.clock = FakeClock()
        self.redactor = Redactor()
        self.keys = FakeKeys()
        self.host = FakeFacts()
        self.gate = Gate(http or NoHttp(), ledger=MemoryLedger(), settings=self.settings, clock=clock)
        keys = KeyRing(self.keys, self.redactor)
        self.providers = Providers(self.gate, keys, self.settings, own_origin="chrome-extension://tabwise")
        self.copies = DiskCopies(path.parent / f"{path.stem}-copies")
        self.marker = MemoryMarker()
        self.eraser = FakeEraser(path)
        self.events: list[dict[str, Any]] = []
        self.library: Library | None = None
        ports = Ports(
            open_library=self._open,
            set_library_aside=lambda: _ignore(set_aside(path)),
            embedder=embedder,
            pages=FakeTabs(tabs),
            content=WholePage(),
            files=self.files,
            viewer=self.viewer,
            models=self.models,
            settings=self.settings,
            gate=self.gate,
            tester=self.providers,
            host=self.host,
            redactor=self.redactor,
            vector_stores=vector_stores or NoStores(),
            copies=self.copies,
            marker=self.marker,
            eraser=self.eraser,
            clock=clock,
            local=local(self.gate) if local else None,
            own_embedders=own_embedders,
            embedders=embedders(self.gate) if embedders else None,
        )
        self.service = Service(ports, post=lambda text: self.events.append(codec.decode_event(text)))
        self._n = 0

    def _open(self) -> Library:
        self.library = Library(SqliteStore(self.path), SearchIndex(64))
        return self.library

    def send(self, kind: str, **fields: Any) -> str:
        self._n += 1
        self.service.dispatch(codec.encode_request(str(self._n), kind, **fields))
        return str(self._n)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its terminal event."""
        request_id = self.send(kind, **fields)
        await self.service.settle()
        return self.end_of(request_id)

    def end_of(self, request_id: str) -> dict[str, Any]:
        ends = [e for e in self.events if e["re"] == request_id and e["type"] in schema.TERMINAL]
        assert len(ends) == 1, ends
        return ends[0]

    async def add(self, *tab_ids: int) -> dict[str, Any]:
        return await self.ask("index", tabs=[self.tab(tab_id) for tab_id in tab_ids])

    def tab(self, tab_id: int) -> dict[str, object]:
        found = self.tabs[tab_id]
        url = found.url if isinstance(found, Capture) else f"https://gone.example/{tab_id}"
        return tab_record(tab_id, url)


def _ignore(value: object) -> None:
    """Drop a return value."""


def states(result: list[dict[str, Any]]) -> list[str]:
    return [row["state"] for row in result]
