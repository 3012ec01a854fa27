"""The saved threads in the library file: `ports.ThreadStore` over its open connection."""

from collections.abc import Sequence
from typing import Any

from tabwise.adapters.stores.tables import Tables
from tabwise.core.threads import (
    ThreadHead,
    ThreadId,
    ThreadMatch,
    ThreadTurn,
    TurnId,
    TurnState,
    excerpt_around,
)

_HEAD = (
    "id, title, created_at, updated_at, is_pinned,"
    " (SELECT count(*) FROM turn WHERE thread = thread.id AND NOT turn.removed), head"
)
_TURN = "id, parent, question, state, asked_at, request, answer, plain, receipt, error, answer_id"


class ThreadTables(Tables):
    """Two tables of a library file: threads, and their turns."""

    def load_threads(self) -> Sequence[ThreadHead]:
        """Every thread, changed last first."""
        rows = self._read(f"SELECT {_HEAD} FROM thread WHERE NOT removed ORDER BY updated_at DESC, id")
        return [_head_of(row) for row in rows]

    def load_thread(self, thread: ThreadId) -> ThreadHead | None:
        """One thread, or None."""
        rows = self._read(f"SELECT {_HEAD} FROM thread WHERE id = ? AND NOT removed", (thread,))
        return _head_of(rows[0]) if rows else None

    def load_turns(self, thread: ThreadId) -> Sequence[ThreadTurn]:
        """Turns of a thread in the order they were asked."""
        rows = self._read(
            f"SELECT {_TURN} FROM turn WHERE thread = ? AND NOT removed ORDER BY asked_at, id", (thread,)
        )
        return [_turn_of(row) for row in rows]

    def load_turn(self, turn: TurnId) -> ThreadTurn | None:
        """One turn, or None."""
        rows = self._read(f"SELECT {_TURN} FROM turn WHERE id = ? AND NOT removed", (turn,))
        return _turn_of(rows[0]) if rows else None

    def load_receipt(self, answer_id: str) -> str:
        """The receipt of an answer, "" when there is none."""
        rows = self._read("SELECT receipt FROM turn WHERE answer_id = ? AND answer_id <> ''", (answer_id,))
        return str(rows[0][0]) if rows else ""

    def put_thread(self, head: ThreadHead, turns: Sequence[ThreadTurn]) -> None:
        """Put a whole thread in the place of the one of its id, with the times it has."""
        with self._transaction():
            self._db.execute("DELETE FROM thread WHERE id = ?", (head.id,))
            self._db.execute(
                "INSERT INTO thread VALUES (?, ?, ?, ?, ?, ?, 0)",
                (head.id, head.title, head.created_at, head.updated_at, int(head.is_pinned), head.head),
            )
            for turn in turns:
                self._insert_turn(head.id, turn)

    def put_turn(self, thread: ThreadId, turn: ThreadTurn, *, title: str, now_ms: float) -> None:
        """Add or replace a turn and make it the one shown; a thread that is not there begins with `title`."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO thread VALUES (?, ?, ?, ?, 0, ?, 0)"
                " ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, head = excluded.head",
                (thread, title, now_ms, now_ms, turn.id),
            )
            self._insert_turn(thread, turn)

    def update_turn(self, turn: ThreadTurn) -> None:
        """Replace what is kept of a turn; nothing happens when its thread is gone."""
        with self._transaction():
            self._db.execute(
                "UPDATE turn SET state = ?, answer = ?, plain = ?, receipt = ?, error = ?, answer_id = ?"
                " WHERE id = ?",
                (
                    str(turn.state),
                    turn.answer,
                    turn.plain,
                    turn.receipt,
                    turn.error,
                    turn.answer_id,
                    turn.id,
                ),
            )

    def rename(self, thread: ThreadId, title: str) -> None:
        """Give a thread another title."""
        self._set(thread, "title", title)

    def pin(self, thread: ThreadId, is_pinned: bool) -> None:
        """Keep a thread whatever the limit, or no longer."""
        self._set(thread, "is_pinned", int(is_pinned))

    def choose(self, thread: ThreadId, head: TurnId) -> None:
        """Show the path to another turn."""
        self._set(thread, "head", head)

    def remove(self, threads: Sequence[ThreadId]) -> None:
        """Take threads out; they can be restored until something else is removed or the file is reopened."""
        with self._transaction():
            self._forget_removed()
            self._db.executemany(
                "UPDATE thread SET removed = 1 WHERE id = ?", ((thread,) for thread in threads)
            )

    def remove_turns(self, thread: ThreadId, turns: Sequence[TurnId], *, head: TurnId) -> None:
        """Take turns out of a thread and show the path to `head`; they can be restored as threads can.

        A thread of which no turn is left goes with them.
        """
        with self._transaction():
            self._forget_removed()
            self._db.executemany(
                "UPDATE turn SET removed = 1 WHERE id = ? AND thread = ?", ((turn, thread) for turn in turns)
            )
            (n_left,) = self._db.execute(
                "SELECT count(*) FROM turn WHERE thread = ? AND NOT removed", (thread,)
            ).fetchone()
            column, value = ("head", head) if n_left else ("removed", 1)
            self._db.execute(f"UPDATE thread SET {column} = ? WHERE id = ?", (value, thread))

    def restore(self) -> Sequence[ThreadHead]:
        """Bring back what was removed last; returns the threads that were. A turn that was is shown."""
        with self._transaction():
            ids = [row[0] for row in self._db.execute("SELECT id FROM thread WHERE removed")]
            self._db.execute(
                "UPDATE thread SET head = gone.id"
                " FROM (SELECT id, thread FROM turn WHERE removed ORDER BY asked_at DESC, id DESC LIMIT 1)"
                " AS gone WHERE thread.id = gone.thread"
            )
            self._db.execute("UPDATE thread SET removed = 0 WHERE removed")
            self._db.execute("UPDATE turn SET removed = 0 WHERE removed")
        return [head for head in self.load_threads() if head.id in ids]

    def interrupt_running(self) -> None:
        """Mark turns that still run: for the start, when nothing can be running."""
        with self._transaction():
            self._forget_removed()
            self._db.execute(
                "UPDATE turn SET state = ? WHERE state = ?",
                (str(TurnState.INTERRUPTED), str(TurnState.RUNNING)),
            )

    def find(self, text: str, *, k: int) -> Sequence[ThreadMatch]:
        """Threads whose title, questions or answers hold `text`, changed last first, one match each.

        Letter case is ignored. Nothing is found for an empty text.
        """
        wanted = " ".join(text.lower().split())
        if not wanted:
            return []
        matches: list[ThreadMatch] = []
        for head in self.load_threads():
            match = self._match(head, wanted)
            if match:
                matches.append(match)
            if len(matches) == k:
                break
        return matches

    def _match(self, head: ThreadHead, wanted: str) -> ThreadMatch | None:
        if wanted in head.title.lower():
            return ThreadMatch(head.id, "", *excerpt_around(head.title, wanted))
        for turn_id, *texts in self._read(
            "SELECT id, question, plain FROM turn WHERE thread = ? AND NOT removed ORDER BY asked_at, id",
            (head.id,),
        ):
            for written in texts:
                if wanted in written.lower():
                    return ThreadMatch(head.id, turn_id, *excerpt_around(written, wanted))
        return None

    def _forget_removed(self) -> None:
        self._db.execute("DELETE FROM thread WHERE removed")
        self._db.execute("DELETE FROM turn WHERE removed")

    def _insert_turn(self, thread: ThreadId, turn: ThreadTurn) -> None:
        marks = ", ".join("?" * (len(_TURN.split(", ")) + 1))
        self._db.execute(
            f"INSERT OR REPLACE INTO turn (thread, {_TURN}) VALUES ({marks})",
            (
                thread,
                turn.id,
                turn.parent,
                turn.question,
                str(turn.state),
                turn.asked_at,
                turn.request,
                turn.answer,
                turn.plain,
                turn.receipt,
                turn.error,
                turn.answer_id,
            ),
        )

    def _set(self, thread: ThreadId, column: str, value: str | int) -> None:
        with self._transaction():
            self._db.execute(f"UPDATE thread SET {column} = ? WHERE id = ?", (value, thread))


def _head_of(row: Any) -> ThreadHead:
    return ThreadHead(ThreadId(row[0]), row[1], row[2], row[3], bool(row[4]), row[5], TurnId(row[6]))


def _turn_of(row: Any) -> ThreadTurn:
    return ThreadTurn(TurnId(row[0]), row[1], row[2], TurnState(row[3]), *row[4:])
