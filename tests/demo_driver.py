"""The demo without a browser: its stages over a fake embedder, and its page as plain nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fakes import BagEmbedder, FakeClock, FakeFiles, FakeModels, WholePage
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.core.model import FloatMatrix
from tabwise.demo import messages
from tabwise.demo.stages import Stages
from tabwise.demo.surroundings import Surroundings
from tabwise.demo.ui.state import initial_state
from tabwise.demo.ui.update import update
from tabwise.demo.ui.view.page import page_view
from tabwise.engine.library import library_of
from tabwise.engine.llm.catalogue import ModelState
from tabwise.ui.memo import Memo

Record = dict[str, Any]
SIZES = {"target_words": 110, "overlap_words": 20}


class HeldEmbedder(BagEmbedder):
    """A BagEmbedder whose model is not there until `arrive` is called."""

    def __init__(self) -> None:
        super().__init__()
        self._arrived = asyncio.Event()

    def arrive(self) -> None:
        """Let every call through, those that wait included."""
        self._arrived.set()

    async def embed(self, texts: Sequence[str]) -> FloatMatrix:
        await self._arrived.wait()
        return await super().embed(texts)


class Engine:
    """Stages whose events are kept in `told`, as (kind, fields)."""

    def __init__(
        self, folder: Path, embedder: BagEmbedder | None = None, models: FakeModels | None = None
    ) -> None:
        """`folder` keeps the library; "bundled" of `models` is the page's own model, if there is one."""
        self.embedder = embedder or BagEmbedder()
        self.files = FakeFiles()
        self.told: list[tuple[str, Record]] = []
        models = models or FakeModels()
        self.store = SqliteStore(folder / "library.db")
        around = Surroundings(
            library=library_of(self.embedder.descriptor, self.store),
            embedder=self.embedder,
            clock=FakeClock(),
            files=self.files,
            content=WholePage(),
            models=models,
            tokens=str.split,
            writer=partial(_writer, "bundled" in models.models),
            save=lambda: "blob:library",
            lasting=True,
        )
        self.stages = Stages(
            around, post=lambda text: self.told.append(messages.decode(messages.EVENTS, text))
        )

    def send(self, kind: str, **fields: Any) -> None:
        """Send a request."""
        self.stages.dispatch(messages.encode(messages.REQUESTS, kind, fields))

    async def settled(self) -> None:
        """Wait until the engine has nothing left to do."""
        await self.stages.settle()

    def all(self, kind: str) -> list[Record]:
        """The fields of every event of a kind so far."""
        return [fields for name, fields in self.told if name == kind]

    def last(self, kind: str) -> Record:
        """The fields of the last event of a kind."""
        return self.all(kind)[-1]


async def _writer(is_there: bool) -> ModelState | None:
    """What is known of the page's own model."""
    if not is_there:
        return None
    return ModelState("bundled", "Tiny 1M", "Apache-2.0", "wasm", 2048, 1_000_000, 1_000_000, True, False)


class Page:
    """The page's state and nodes, wired to an engine; every state is drawn."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.state: Record = initial_state("http://host.example/demo/")
        self.later: dict[str, Record] = {}
        self.scrolled: list[str] = []
        self.effects: list[tuple[Any, ...]] = []
        self.queue: list[Record] = []
        self._memo = Memo()
        self.nodes: Any = page_view(self.state, self._memo)
        self._n_heard = 0

    def restart(self, engine: Engine) -> None:
        """Go on with another engine."""
        self.engine = engine
        self._n_heard = 0

    def do(self, event: Record) -> None:
        """Run one event and perform its effects."""
        self.state, effects = update(self.state, event)
        for name, *rest in effects:
            if name == "send":
                self.engine.send(rest[0], **rest[1])
            elif name == "later":
                self.later[rest[0]] = rest[2]
            elif name == "scroll":
                self.scrolled.append(rest[0])
            elif name == "dispatch":
                self.queue.append(rest[0])
            else:
                self.effects.append((name, *rest))
        self.nodes = page_view(self.state, self._memo)

    async def settled(self) -> None:
        """Let pauses end and the engine finish, and hear all it tells."""
        while self.later or self.queue or self._n_heard < len(self.engine.told) or self.engine.stages.is_busy:
            for name in list(self.later):
                self.do(self.later.pop(name))
            while self.queue:
                self.do(self.queue.pop(0))
            await self.engine.settled()
            self.hear()

    def hear(self) -> None:
        """Take in what the engine has told since the last time."""
        while self._n_heard < len(self.engine.told):
            kind, fields = self.engine.told[self._n_heard]
            self._n_heard += 1
            self.do({"type": "engine", "kind": kind, "fields": fields})

    def find(self, test: str) -> list[Any]:
        """Every node with this `data-test`."""
        return [node for node in walk(self.nodes) if node[1].get("data-test") == test]

    def text(self, test: str) -> str:
        """The text of the only node with this `data-test`."""
        (node,) = self.find(test)
        return text_of(node)


def walk(node: Any) -> Iterator[Any]:
    """Every element below and including a node."""
    if not isinstance(node, str):
        yield node
        for child in node[2]:
            yield from walk(child)


def text_of(node: Any) -> str:
    """What a reader sees of a node."""
    return node if isinstance(node, str) else "".join(map(text_of, node[2]))
