"""One SQLite file: opening, transactions, small notes, and whether it is sound."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from tabwise.adapters.stores.summaries import SummaryTables
from tabwise.adapters.stores.threads import ThreadTables
from tabwise.errors import InputError, StoreError

SCHEMA_VERSION = 1
APPLICATION_ID = 0x54616277
"""What tells a library from other SQLite files: "Tabw" in its header."""


def no_flush() -> None:
    """Flush for file systems whose fsync works."""


class LibraryFile:
    """A library file that is open, and locked while it is."""

    def __init__(
        self, path: str | os.PathLike[str], *, flush: Callable[[], None] = no_flush, is_copy: bool = False
    ) -> None:
        """Open or create the library at `path`.

        `flush` runs after each commit (Emscripten's fdatasync does nothing). `is_copy`: the file stands
        beside the library and is written once, so its journal is kept in memory, and nothing but a library
        of ours is opened. Raises StoreError: store_corrupt, store_newer, store_locked, store_full; InputError
        import_foreign for a copy that is something else.
        """
        self.path = Path(path)
        self._flush = flush
        self._is_copy = is_copy
        with store_errors():
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise
        self.summaries = SummaryTables(self._db, self._transaction, store_errors)
        self.threads = ThreadTables(self._db, self._transaction, store_errors)

    @property
    def schema_version(self) -> int:
        """Version of the file's schema."""
        return SCHEMA_VERSION

    def _open(self) -> None:
        with store_errors():
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            if self._is_copy:
                self._require_ours()
            self._db.execute(f"PRAGMA journal_mode = {'MEMORY' if self._is_copy else 'TRUNCATE'}")
            self._db.execute(f"PRAGMA synchronous = {'OFF' if self._is_copy else 'FULL'}")
            self._db.execute("PRAGMA foreign_keys = ON")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            self.is_new = version == 0
            if version > SCHEMA_VERSION:
                raise StoreError("store_newer", f"schema {version}, this program knows {SCHEMA_VERSION}")
            if version == 0:
                script = resources.files("tabwise.adapters.stores").joinpath("schema.sql").read_text("utf-8")
                self._db.executescript(
                    f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {SCHEMA_VERSION};"
                    f" PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
                )
                self._flush()
            elif self._unclean():
                faults = self.check()
                if faults:
                    raise StoreError("store_corrupt", "; ".join(faults[:5]))
        with self._transaction():
            self._set_meta("open", "1")
            self._sweep()
            self._last_stamp = int(self._meta("last_stamp") or 0)

    def _require_ours(self) -> None:
        """Raise InputError unless the file is empty or a library, with nothing in it that runs by itself."""
        try:
            (n_objects,) = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
                raise
            raise InputError("import_foreign", str(error)) from error
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (n_active,) = self._db.execute(
            "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        ).fetchone()
        if n_objects and (application != APPLICATION_ID or n_active):
            raise InputError("import_foreign", f"application id {application}, {n_active} triggers and views")

    def _unclean(self) -> bool:
        return self._meta("open") == "1"

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with store_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                # A full disk has SQLite roll back by itself, and a second time would be an error of its own.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._flush()

    def _sweep(self) -> None:
        self._db.execute("DELETE FROM page WHERE removed")
        self._sweep_vectors()

    def _sweep_vectors(self) -> None:
        self._db.execute(
            "DELETE FROM vector WHERE NOT EXISTS"
            " (SELECT 1 FROM chunk WHERE chunk.content_hash = vector.content_hash)"
        )

    # -- the file ------------------------------------------------------------------------------

    def note(self, key: str) -> str:
        """A text that travels with the file, "" when there is none."""
        with store_errors():
            return self._meta("note:" + key)

    def put_note(self, key: str, text: str) -> None:
        """Keep a text with the file, in place of the last of this key."""
        with self._transaction():
            self._set_meta("note:" + key, text)

    def size_bytes(self) -> int:
        """Size of the file."""
        with store_errors():
            (n_pages,) = self._db.execute("PRAGMA page_count").fetchone()
            (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
        return int(n_pages) * int(page_size)

    def check(self) -> Sequence[str]:
        """Faults found in the file, empty when sound: SQLite's own check, then ours."""
        with store_errors():
            faults = [row[0] for row in self._db.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
            if faults:
                return faults
            faults += [
                f"dangling reference in {row[0]}" for row in self._db.execute("PRAGMA foreign_key_check")
            ]
            faults += [
                f"chunk {row[0]} lies outside its page"
                for row in self._db.execute(
                    "SELECT id FROM chunk JOIN page_body USING (seq)"
                    ' WHERE start < 0 OR "end" <= start OR "end" > length(text)'
                )
            ]
            lengths = self._db.execute(
                "SELECT length(codes) FROM vector UNION"
                " SELECT length(codes) / n_chunks FROM page_vectors JOIN page USING (seq)"
            ).fetchall()
            if len(lengths) > 1:
                faults.append(f"vectors of {len(lengths)} different lengths")
        return faults

    def close(self) -> None:
        """Mark the file as cleanly closed and release it."""
        with self._transaction():
            self._set_meta("open", "0")
        self._db.close()

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def _set_meta(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


@contextmanager
def store_errors() -> Iterator[None]:
    """Turn SQLite's errors into ours by its result code, which unlike the text does not change."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a fault of this program, not of the file
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith("SQLITE_FULL"):
            raise StoreError("store_full", str(error)) from error
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError("store_locked", str(error)) from error
        raise StoreError("store_corrupt", f"{code} {error}") from error
    except UnicodeDecodeError as error:
        # What SQLite says of a damaged file may quote its bytes, which then are no text.
        raise StoreError("store_corrupt", str(error)) from error
