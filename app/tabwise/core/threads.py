"""Saved conversations: a thread is a tree of turns, and one path of it is shown.

    turn A ── turn B ── turn C        asked again or edited, B gets a sibling B′ with the same parent;
          └── turn B′                 the thread's `head` says which leaf is shown: A, B, C or A, B′

A turn is written when it is asked and again as its answer grows, so that whatever dies in between leaves what
was there: a turn that still runs when the library is opened was interrupted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)

MAX_TITLE_CHARS = 60
EXCERPT_CHARS = 80
"""Text on each side of the first match."""


class TurnState(StrEnum):
    """How far a turn came."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by the reader
    INTERRUPTED = "interrupted"  # something died
    FAILED = "failed"  # with an error


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """What a list shows of a thread; times in ms since the epoch. `head`: the last turn that is shown."""

    id: ThreadId
    title: str
    created_at: float
    updated_at: float
    is_pinned: bool
    n_turns: int
    head: TurnId


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """A question with its answer; `parent` is the turn before it, "" for the first.

    `request` and `answer` are JSON texts: what was asked, and the answer as far as it came ("" for none).
    `plain` is the text of the answer without marks, for searching and for follow-up questions. `answer_id`
    names the one answer that `receipt` is of, "" for several or none. `error` is the code of a turn that
    failed.
    """

    id: TurnId
    parent: str
    question: str
    state: TurnState
    asked_at: float
    request: str
    answer: str = ""
    plain: str = ""
    receipt: str = ""
    error: str = ""
    answer_id: str = ""


@dataclass(frozen=True, slots=True)
class ThreadMatch:
    """A thread that holds a text: where, and the words around it; turn "" for the title.

    `start` and `end` are code points of `excerpt`.
    """

    thread: ThreadId
    turn: str
    excerpt: str
    start: int
    end: int


def title_of(question: str) -> str:
    """Return a question as a title: one line, cut at a word."""
    line = " ".join(question.split())
    if len(line) <= MAX_TITLE_CHARS:
        return line
    cut = line[: MAX_TITLE_CHARS + 1].rpartition(" ")[0] or line[:MAX_TITLE_CHARS]
    return cut.rstrip(" ,;:.–-") + "…"


def path_to(turns: Iterable[ThreadTurn], head: str) -> tuple[ThreadTurn, ...]:
    """Return the turns from the first to `head`; those before a parent that is missing are left out."""
    by_id: Mapping[str, ThreadTurn] = {turn.id: turn for turn in turns}
    path: list[ThreadTurn] = []
    seen: set[str] = set()
    at = by_id.get(head)
    while at is not None and at.id not in seen:
        seen.add(at.id)
        path.append(at)
        at = by_id.get(at.parent)
    return tuple(reversed(path))


def newest_leaf(turns: Sequence[ThreadTurn], start: str) -> str:
    """Return the leaf below `start` that one comes to by always taking the turn asked last."""
    at = start
    seen: set[str] = set()
    while at not in seen:
        seen.add(at)
        children = [turn for turn in turns if turn.parent == at]
        if children:
            at = max(children, key=lambda turn: (turn.asked_at, turn.id)).id
    return at


def turns_from(turns: Iterable[ThreadTurn], start: str) -> tuple[ThreadTurn, ...]:
    """Return the turn `start` and all that follow it on any branch; `turns` are in the order of asking."""
    found: dict[str, ThreadTurn] = {}
    for turn in turns:
        if turn.id == start or turn.parent in found:
            found[turn.id] = turn
    return tuple(found.values())


def excerpt_around(text: str, wanted: str) -> tuple[str, int, int]:
    """Return the words around the first place of `wanted`, letter case aside, and its span in them.

    Raises ValueError when it is not there.
    """
    folded, needle = text.lower(), wanted.lower()
    # Some letters change their length in lower case; then the span in the folded text is shown as it is.
    shown = text if len(folded) == len(text) else folded
    at = folded.index(needle)
    first = max(0, at - EXCERPT_CHARS)
    last = min(len(shown), at + len(needle) + EXCERPT_CHARS)
    while first and not shown[first - 1].isspace() and at - first < EXCERPT_CHARS + 20:
        first -= 1
    lead = "…" if first else ""
    cut = lead + " ".join(shown[first:last].split("\n")) + ("…" if last < len(shown) else "")
    start = len(lead) + at - first
    return cut, start, start + len(needle)
