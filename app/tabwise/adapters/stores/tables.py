"""What the parts of a library file with tables of their own stand on: its open connection."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any


class Tables:
    """Some tables of a library file."""

    def __init__(
        self,
        db: sqlite3.Connection,
        transaction: Callable[[], AbstractContextManager[None]],
        errors: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """`transaction` and `errors` are those of the file: commit and flush, SQLite's errors as ours."""
        self._db = db
        self._transaction = transaction
        self._errors = errors

    def _read(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        with self._errors():
            return self._db.execute(query, values).fetchall()
