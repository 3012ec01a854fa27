"""Drives the panel's pure parts: events in, effects and visible nodes out, with a scripted engine."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from tabwise.protocol import codec
from tabwise.ui.memo import Memo
from tabwise.ui.state import initial_state
from tabwise.ui.update import update
from tabwise.ui.view.frame import frame_view

Record = dict[str, Any]
NOW_MS = 1_764_000_000_000.0


def tab(tab_id: int, url: str, title: str = "A title", **more: Any) -> Record:
    """A Tab record; tab 1 is the active one."""
    record: Record = {
        "tab_id": tab_id,
        "window_id": 7,
        "index": tab_id,
        "url": url,
        "title": title,
        "favicon": "",
        "active": tab_id == 1,
        "loading": False,
        "asleep": False,
        "private": False,
        "last_accessed": NOW_MS - tab_id,
    }
    return record | more


def page(url: str, title: str = "A title", **more: Any) -> Record:
    """A PageRow record."""
    record: Record = {
        "source": url,
        "url": url,
        "title": title,
        "n_words": 1234,
        "n_pages": 0,
        "no_captions": False,
        "n_chunks": 12,
        "n_removed": 0,
        "n_total_chars": 8000,
        "n_read_chars": 8000,
        "captured_at": NOW_MS,
    }
    return record | more


def citation(number: int, url: str = "https://a.example/", quote: str = "The quote.") -> Record:
    """A Citation record."""
    return {
        "number": number,
        "source": url,
        "url": url,
        "title": "A title",
        "chunk_id": f"c{number}",
        "start": 0,
        "end": len(quote),
        "quote": quote,
        "before": "Before. ",
        "after": " After.",
        "page_number": None,
        "seconds": None,
        "link": None,
    }


def sentence(
    text: str = "A sentence.", verdict: str = "supported", numbers: tuple[int, ...] = (1,)
) -> Record:
    """A Sentence record."""
    return {"text": text, "citations": list(numbers), "verdict": verdict, "reasons": []}


def hit(place: int, **more: Any) -> Record:
    """A Hit record."""
    record: Record = {
        "chunk_id": f"c{place}",
        "source": "https://a.example/",
        "url": "https://a.example/",
        "title": "A title",
        "heading_path": ["One", "Two"],
        "text": "Some words.",
        "start": 0,
        "end": 11,
        "score": 1.0 / place,
        "dense": 0.5,
        "lexical": 2.0,
        "rank_dense": place,
        "rank_lexical": place,
        "rank_fused": place,
        "word_order": 0.0,
        "recency": 0.0,
    }
    return record | more


PLAN: Record = {
    "kind": "answer",
    "question": "Why?",
    "queries": ["Why?"],
    "topics": [],
    "language": "en",
    "is_follow_up": False,
    "by_model": False,
}


def answer(*sentences: Record, citations: tuple[Record, ...] = (), **more: Any) -> Record:
    """An Answer record."""
    record: Record = {
        "id": "answer-1",
        "question": "Why?",
        "plan": PLAN,
        "found": bool(sentences),
        "engine": "extractive",
        "engine_label": "extractive",
        "semantic": True,
        "sentences": list(sentences),
        "citations": list(citations),
        "hits": [],
        "timings": [],
        "store": "local",
        "why_local": "",
        "missing": [],
        "fallback": None,
        "given": [],
        "dropped": [],
        "notices": [],
        "agreement": None,
    }
    return record | more


EMBEDDER: Record = {
    "id": "minilm",
    "dimensions": 384,
    "licence": "Apache-2.0",
    "stored": "minilm",
    "must_reembed": False,
    "is_own": False,
}
STATS: Record = {
    "n_pages": 0,
    "n_chunks": 0,
    "n_vectors": 0,
    "size_bytes": 0,
    "model": "",
    "schema_version": 1,
}


class Driver:
    """A panel without a browser. Effects are kept; posted requests are decoded by the real codec.

    `name` tells the requests of one panel from those of another.
    """

    def __init__(self, name: str = "id") -> None:
        self.state: Record = initial_state()
        self.effects: list[tuple[Any, ...]] = []
        self.memo = Memo()
        self.saved: list[Record] = []  # ThreadRow records that the engine tells of at the start
        self._ids = (f"{name}-{number}" for number in itertools.count())

    def do(self, kind: str, **fields: Any) -> list[tuple[Any, ...]]:
        """Dispatch one event; returns its effects."""
        event = {"type": kind, "id": next(self._ids), "now": NOW_MS, "offset_min": 0} | fields
        self.state, effects = update(self.state, event)
        self.effects += effects
        return effects

    def requests(self) -> list[Record]:
        """Every request posted so far, repeats included."""
        return [codec.decode_request(effect[1]) for effect in self.effects if effect[0] == "post"]

    def last(self, kind: str) -> Record:
        """The last request of a kind."""
        return [request for request in self.requests() if request["type"] == kind][-1]

    def event(self, request: Record, kind: str, **fields: Any) -> list[tuple[Any, ...]]:
        """Let the engine send an event about a request."""
        return self.do("wire", text=codec.encode_event(request["id"], kind, **fields))

    def done(self, request: Record, result: Any) -> list[tuple[Any, ...]]:
        """Let the engine finish a request."""
        return self.event(request, "done", result=result)

    def notice(self, state: str, epoch: str = "e1", detail: str = "") -> list[tuple[Any, ...]]:
        """Let the router tell the state of the engine."""
        message = {"v": 1, "type": "engine", "state": state, "epoch": epoch, "detail": detail}
        return self.do("wire", text=json.dumps(message))

    def ready(self, *pages: Record) -> Driver:
        """Boot and let the engine say hello with these saved pages."""
        self.do("boot", draft="", page="panel", browser_language="en")
        result = {"version": "0.1.0", "stats": STATS, "pages": list(pages), "semantic": True, "boot_ms": 1.0}
        self.done(self.last("hello"), result)
        self.done(self.last("embedder"), EMBEDDER)
        self.done(self.last("data_state"), {"backups": [], "n_lost": 0, "can_undo": False, "stats": None})
        self.done(self.last("threads"), self.saved)
        self.starters(())
        return self

    def starters(self, starters: Iterable[Record]) -> None:
        """Answer every question for starters that is not answered yet."""
        for request in self.requests():
            if request["type"] == "starters" and request["id"] in self.state["pending"]:
                self.done(request, list(starters))

    def ask(self, question: str = "Why?") -> Record:
        """Type a question, ask it, return the request."""
        self.do("draft", value=question)
        self.do("ask")
        return self.last("ask")

    def granted(self, effects: list[tuple[Any, ...]], answer: bool = True) -> list[tuple[Any, ...]]:
        """Answer the browser's question about access to sites."""
        (asked,) = [effect for effect in effects if effect[0] == "grant"]
        fields = {name: value for name, value in asked[2].items() if name != "type"}
        return self.do(asked[2]["type"], **(fields | {"granted": answer}))

    def fire(self, kind: str) -> list[tuple[Any, ...]]:
        """Let the last timer ring whose event is of that kind."""
        timers = [effect[2] for effect in self.effects if effect[0] == "timer" and effect[2]["type"] == kind]
        return self.do(
            **({"kind": timers[-1]["type"]} | {k: v for k, v in timers[-1].items() if k != "type"})
        )

    def draw(self) -> tuple[Any, ...]:
        """The panel as it would be drawn now."""
        node: tuple[Any, ...] = frame_view(self.state, self.memo)
        return node

    def shown(self, hook: str) -> list[tuple[Any, ...]]:
        """Every visible node of a test hook, in document order."""
        return [node for node in _visible(self.draw()) if node[1].get("data-test") == hook]

    def press(self, hook: str, place: int = 0) -> list[tuple[Any, ...]]:
        """Press a control that is shown and enabled."""
        node = self.shown(hook)[place]
        assert not node[1].get("disabled")
        fields = {name: value for name, value in node[1]["on-click"].items() if name != "type"}
        return self.do(node[1]["on-click"]["type"], **fields)


def text_of(node: tuple[Any, ...] | str) -> str:
    """The text of a node and all below it, as a reader sees it."""
    if isinstance(node, str):
        return node
    return " ".join(filter(None, (text_of(child) for child in node[2])))


def _visible(node: tuple[Any, ...] | str) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, str) or node[1].get("hidden"):
        return
    yield node
    for child in node[2]:
        yield from _visible(child)
