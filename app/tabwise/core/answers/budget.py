"""What fits into a model's context, and why the rest was left out.

    room = context − reserve for the answer − what must be there (instructions, question)

1. Turns of the conversation outside the window of the last `window_turns` are dropped.
2. Turns inside it may take `HISTORY_SHARE` of the room, all of it when there are no sources; the oldest are
   dropped first, so what stays is always the end of the conversation without a gap.
3. Sources take the rest, best first. The first that does not fit ends the filling: nothing weaker takes the
   place of something better. Room that the sources leave goes back to turns.

Every item comes back with its tokens, whether it was kept, and the reason when it was not.

    >>> config = BudgetConfig(budget_tokens=100, reserve_tokens=20, window_turns=2)
    >>> turns = [Item("turn", "1", 10), Item("turn", "2", 30), Item("turn", "3", 30)]
    >>> [(line.item.name, line.reason) for line in fit(config, [Item("system", "", 30)], turns, []).lines]
    [('', ''), ('1', 'outside_window'), ('2', 'no_room'), ('3', '')]
"""

from collections.abc import Sequence
from dataclasses import dataclass

HISTORY_SHARE = 0.25

KEPT = ""
OUTSIDE_WINDOW = "outside_window"
NO_ROOM = "no_room"
AFTER_FULL = "after_full"
REASONS = (OUTSIDE_WINDOW, NO_ROOM, AFTER_FULL)
"""Older than the window; larger than what was left; weaker, or older, than one that did not fit."""


@dataclass(frozen=True, slots=True)
class BudgetConfig:
    """The model's context, what of it is kept free for the answer, and how many turns may be looked back."""

    budget_tokens: int
    reserve_tokens: int
    window_turns: int


@dataclass(frozen=True, slots=True)
class Item:
    """Something that would go into a prompt; `kind` is system, question, turn or source."""

    kind: str
    name: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Line:
    """What became of an item; `reason` is KEPT or one of REASONS."""

    item: Item
    reason: str

    @property
    def is_kept(self) -> bool:
        """Whether the item is in the prompt."""
        return self.reason == KEPT


@dataclass(frozen=True, slots=True)
class Budget:
    """Every item in the order it was given, and what the kept ones cost.

    `fits` is False when what must be there is too much already; then nothing else is kept.
    """

    lines: tuple[Line, ...]
    n_tokens: int
    room_tokens: int

    @property
    def fits(self) -> bool:
        """Whether the kept items fit."""
        return self.n_tokens <= self.room_tokens

    def kept(self, kind: str) -> tuple[int, ...]:
        """The positions, among the items of a kind, of those that are kept."""
        of_kind = [line for line in self.lines if line.item.kind == kind]
        return tuple(i for i, line in enumerate(of_kind) if line.is_kept)


def fit(
    config: BudgetConfig, fixed: Sequence[Item], turns: Sequence[Item], sources: Sequence[Item]
) -> Budget:
    """Decide what goes into a prompt, see the module. Turns are oldest first, sources best first."""
    room = max(config.budget_tokens - config.reserve_tokens, 0)
    left = room - sum(item.n_tokens for item in fixed)
    in_window = len(turns) - max(config.window_turns, 0)
    for_turns = int(left * HISTORY_SHARE) if sources else left
    n_turns = _n_last(turns[max(in_window, 0) :], for_turns)
    of_turns = sum(item.n_tokens for item in turns[len(turns) - n_turns :])
    n_sources = _n_first(sources, left - of_turns)
    for_turns = left - sum(item.n_tokens for item in sources[:n_sources])
    n_turns = _n_last(turns[max(in_window, 0) :], for_turns)
    first = len(turns) - n_turns
    lines = [
        *(Line(item, KEPT) for item in fixed),
        *(Line(item, _of_turn(i, max(in_window, 0), first)) for i, item in enumerate(turns)),
        *(Line(item, _of_source(i, n_sources)) for i, item in enumerate(sources)),
    ]
    return Budget(tuple(lines), sum(line.item.n_tokens for line in lines if line.is_kept), room)


def _n_first(items: Sequence[Item], room: int) -> int:
    for i, item in enumerate(items):
        room -= item.n_tokens
        if room < 0:
            return i
    return len(items)


def _n_last(items: Sequence[Item], room: int) -> int:
    return _n_first(items[::-1], room)


def _of_turn(i: int, window_start: int, first: int) -> str:
    if i < window_start:
        return OUTSIDE_WINDOW
    if i >= first:
        return KEPT
    return NO_ROOM if i == first - 1 else AFTER_FULL


def _of_source(i: int, n_kept: int) -> str:
    if i < n_kept:
        return KEPT
    return NO_ROOM if i == n_kept else AFTER_FULL
