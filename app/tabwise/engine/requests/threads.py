"""Requests about saved conversations."""

import functools
from collections.abc import Callable
from typing import Any

from tabwise.core.text.bounded_json import read_json
from tabwise.core.threads import (
    MAX_TITLE_CHARS,
    ThreadHead,
    ThreadId,
    ThreadMatch,
    ThreadTurn,
    TurnId,
    TurnState,
    newest_leaf,
    path_to,
    turns_from,
)
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.requests.writing import at_most
from tabwise.engine.wire import Record
from tabwise.engine.workroom import Workroom
from tabwise.errors import InputError
from tabwise.ports import ThreadStore
from tabwise.protocol import codec
from tabwise.protocol.tables.threads import N_WHOLE

MAX_MATCHES = 100


class ThreadRequests:
    """Lists threads, opens them, changes and removes them."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "threads": self._list,
            "thread": self._open,
            "thread_turns": self._turns,
            "find_threads": self._find,
            "rename_thread": self._rename,
            "pin_thread": self._pin,
            "choose_turn": self._choose,
            "remove_threads": self._remove,
            "remove_turn": self._remove_turn,
            "restore_threads": self._restore,
        }

    @property
    def _threads(self) -> ThreadStore:
        return self._room.library.store.threads

    async def _list(self, request: Request, reply: Reply) -> Any:
        return [_row(head) for head in self._threads.load_threads()]

    async def _open(self, request: Request, reply: Reply) -> Any:
        head = self._head(request)
        turns = self._threads.load_turns(head.id)
        whole = {turn.id for turn in path_to(turns, head.head)[-N_WHOLE:]}
        return {"row": _row(head), "turns": [_turn(turn, is_whole=turn.id in whole) for turn in turns]}

    async def _turns(self, request: Request, reply: Reply) -> Any:
        loaded = [self._threads.load_turn(TurnId(turn)) for turn in request["turns"]]
        return [_turn(turn) for turn in loaded if turn is not None]

    async def _find(self, request: Request, reply: Reply) -> Any:
        found = self._threads.find(request["text"], k=at_most(request["k"], MAX_MATCHES))
        return [_match(match) for match in found]

    async def _rename(self, request: Request, reply: Reply) -> Any:
        title = " ".join(request["title"].split())[: 2 * MAX_TITLE_CHARS]
        head = self._head(request)
        if title:
            self._threads.rename(head.id, title)
        return _row(self._head(request))

    async def _pin(self, request: Request, reply: Reply) -> Any:
        self._threads.pin(self._head(request).id, request["pinned"])
        return _row(self._head(request))

    async def _choose(self, request: Request, reply: Reply) -> Any:
        head = self._head(request)
        turns = self._threads.load_turns(head.id)
        if not any(turn.id == request["turn"] for turn in turns):
            raise InputError("turn_unknown", subject=request["turn"])
        self._threads.choose(head.id, TurnId(newest_leaf(turns, request["turn"])))
        return _row(self._head(request))

    async def _remove(self, request: Request, reply: Reply) -> Any:
        self._threads.remove([ThreadId(thread) for thread in request["threads"]])
        return await self._list(request, reply)

    async def _remove_turn(self, request: Request, reply: Reply) -> Any:
        thread = ThreadId(request["thread"])
        turns = self._threads.load_turns(thread)
        gone = turns_from(turns, request["turn"])
        if gone:
            left = [turn for turn in turns if turn not in gone]
            head = newest_leaf(left, gone[0].parent)
            self._threads.remove_turns(thread, [turn.id for turn in gone], head=TurnId(head))
        return await self._list(request, reply)

    async def _restore(self, request: Request, reply: Reply) -> Any:
        self._threads.restore()
        return await self._list(request, reply)

    def _head(self, request: Request) -> ThreadHead:
        head = self._threads.load_thread(ThreadId(request["thread"]))
        if head is None:
            raise InputError("thread_unknown", subject=request["thread"])
        return head


def _row(head: ThreadHead) -> Record:
    return {
        "id": head.id,
        "title": head.title,
        "created_at": head.created_at,
        "updated_at": head.updated_at,
        "pinned": head.is_pinned,
        "n_turns": head.n_turns,
        "head": head.head,
    }


def _turn(turn: ThreadTurn, *, is_whole: bool = True) -> Record:
    answer, sentences, citations = _answer_of(turn) if is_whole else (None, [], [])
    return {
        "id": turn.id,
        "parent": turn.parent,
        "question": turn.question,
        "state": str(turn.state),
        "asked_at": turn.asked_at,
        "request": read_json(turn.request),
        "answer": answer,
        "sentences": sentences,
        "citations": citations,
        "error": turn.error,
        "has_receipt": bool(turn.receipt),
        "whole": is_whole or not turn.answer,
    }


def _answer_of(turn: ThreadTurn) -> tuple[Any, list[Record], list[Record]]:
    """What is kept of an answer as the panel can draw it: whole, or sentences with their citations.

    What an older version wrote is given as far as it still has the form of today.
    """
    kept = read_json(turn.answer) if turn.answer else None
    kind = read_json(turn.request)["type"]
    if turn.state is TurnState.DONE and _fits(functools.partial(codec.check_result, kind, kept)):
        return kept, [], []
    parts = kept if isinstance(kept, dict) else {}
    return None, _sound(parts.get("sentences"), "Sentence"), _sound(parts.get("citations"), "Citation")


def _sound(values: Any, kind: str) -> list[Record]:
    listed = values if isinstance(values, list) else []
    return [value for value in listed if _fits(functools.partial(codec.check, value, kind))]


def _fits(check: Callable[[], None]) -> bool:
    try:
        check()
    except codec.Malformed:
        return False
    return True


def _match(match: ThreadMatch) -> Record:
    return {
        "thread": match.thread,
        "turn": match.turn,
        "excerpt": match.excerpt,
        "start": match.start,
        "end": match.end,
    }
