"""What every request that has an answer written shares: who writes, in which bounds, and how it is told."""

from collections.abc import Callable, Sequence
from typing import Any

from tabwise.core.model import AnswerSentence, Citation
from tabwise.engine import wire
from tabwise.engine.answering.pipeline import Answerer
from tabwise.engine.asking import Asker
from tabwise.engine.library import Library
from tabwise.engine.reply import Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.protocol.rules import stays_here


def asker_of(room: Workroom) -> Asker:
    """What searches the open library, through the mirror where there is one; raises StoreError."""
    ports = room.ports
    return Asker(room.library, embedder=ports.embedder, clock=ports.clock, mirror=room.mirror)


def answerer_of(room: Workroom, settings: dict[str, Any]) -> Answerer:
    """What answers from the open library, by the reader's settings; raises StoreError."""
    ports = room.ports
    return Answerer(
        room.library,
        embedder=ports.embedder,
        models=ports.models,
        clock=ports.clock,
        stays_here=lambda url: stays_here(url, settings),
        mirror=room.mirror,
    )


def writing(request: Request, settings: dict[str, Any]) -> dict[str, Any]:
    """Which engine writes and how strictly: as the request says, else as the reader chose."""
    strict, preferences = request["strict"], settings["preferences"]
    return {
        "engine": request["engine"] or preferences["engine"],
        "strict": preferences["strict"] if strict is None else strict,
    }


def telling(reply: Reply, library: Library) -> Callable[[int, AnswerSentence, Sequence[Citation]], None]:
    """Send each sentence to the panel as soon as it is checked."""

    def tell(index: int, sentence: AnswerSentence, citations: Sequence[Citation]) -> None:
        reply.send(
            "sentence",
            index=index,
            sentence=wire.sentence(sentence),
            citations=[wire.citation(item, library.page(item.source)) for item in citations],
        )

    return tell


def at_most(wanted: int, most: int) -> int:
    """A number that a request asked for, from 1 to `most`."""
    return min(max(wanted, 1), most)
