"""Saved conversations."""

from collections.abc import Sequence
from typing import Protocol

from tabwise.core.threads import ThreadHead, ThreadId, ThreadMatch, ThreadTurn, TurnId


class ThreadStore(Protocol):
    """The saved threads of the library file. Every method is one transaction; all raise StoreError."""

    def load_threads(self) -> Sequence[ThreadHead]:
        """Every thread, changed last first."""
        ...

    def load_thread(self, thread: ThreadId) -> ThreadHead | None:
        """One thread, or None."""
        ...

    def load_turns(self, thread: ThreadId) -> Sequence[ThreadTurn]:
        """Turns of a thread in the order they were asked."""
        ...

    def load_turn(self, turn: TurnId) -> ThreadTurn | None:
        """One turn, or None."""
        ...

    def load_receipt(self, answer_id: str) -> str:
        """The receipt of an answer, "" when there is none."""
        ...

    def put_thread(self, head: ThreadHead, turns: Sequence[ThreadTurn]) -> None:
        """Put a whole thread in the place of the one of its id, with the times it has."""
        ...

    def put_turn(self, thread: ThreadId, turn: ThreadTurn, *, title: str, now_ms: float) -> None:
        """Add or replace a turn and make it the one shown; a thread that is not there begins with `title`."""
        ...

    def update_turn(self, turn: ThreadTurn) -> None:
        """Replace what is kept of a turn; nothing happens when its thread is gone."""
        ...

    def rename(self, thread: ThreadId, title: str) -> None:
        """Give a thread another title."""
        ...

    def pin(self, thread: ThreadId, is_pinned: bool) -> None:
        """Keep a thread whatever the limit, or no longer."""
        ...

    def choose(self, thread: ThreadId, head: TurnId) -> None:
        """Show the path to another turn."""
        ...

    def remove(self, threads: Sequence[ThreadId]) -> None:
        """Take threads out; they can be restored until something else is removed or the file is reopened."""
        ...

    def remove_turns(self, thread: ThreadId, turns: Sequence[TurnId], *, head: TurnId) -> None:
        """Take turns out of a thread and show the path to `head`; they can be restored as threads can.

        A thread of which no turn is left goes with them.
        """
        ...

    def restore(self) -> Sequence[ThreadHead]:
        """Bring back what was removed last; returns the threads that were. A turn that was is shown."""
        ...

    def interrupt_running(self) -> None:
        """Mark turns that still run: for the start, when nothing can be running."""
        ...

    def find(self, text: str, *, k: int) -> Sequence[ThreadMatch]:
        """Threads whose title, questions or answers hold `text`, changed last first, one match each.

        Letter case is ignored. Nothing is found for an empty text.
        """
        ...
