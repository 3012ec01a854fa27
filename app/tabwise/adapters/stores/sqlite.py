"""The library in one SQLite file: the same schema in the browser (on OPFS) and on CPython.

A page, its chunks and its vectors change in one transaction each; vectors are keyed by the content
hash of their chunk, so a changed page keeps those of its unchanged chunks and a restart in the middle
of embedding loses one batch at most. Copying the file is the export.
"""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import numpy as np

from tabwise.adapters.stores.rows import PAGE_COLUMNS, chunk_of, chunk_row, page_of, page_row
from tabwise.core.model import BoolVector, Chunk, Page, QuantizedVectors, SourceId
from tabwise.errors import ModelError, StoreError

SCHEMA_VERSION = 1
_HASHES_PER_QUERY = 500


def _nothing() -> None:
    """Flush for file systems whose fsync works."""


class SqliteStore:
    """`ports.Store` over one SQLite file. One owner at a time: the file is locked while open."""

    def __init__(self, path: str | os.PathLike[str], *, flush: Callable[[], None] = _nothing) -> None:
        """Open or create the library at `path`.

        `flush` runs after each commit (Emscripten's fdatasync does nothing). Raises StoreError:
        store_corrupt, store_newer, store_locked, store_full.
        """
        self.path = Path(path)
        self._flush = flush
        with _store_errors():
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise

    @property
    def schema_version(self) -> int:
        """Version of the file's schema."""
        return SCHEMA_VERSION

    def _open(self) -> None:
        with _store_errors():
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = TRUNCATE")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA_VERSION:
                raise StoreError("store_newer", f"schema {version}, this program knows {SCHEMA_VERSION}")
            if version == 0:
                script = resources.files("tabwise.adapters.stores").joinpath("schema.sql").read_text("utf-8")
                self._db.executescript(
                    f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
                )
                self._flush()
            elif self._unclean():
                faults = self.check()
                if faults:
                    raise StoreError("store_corrupt", "; ".join(faults[:5]))
        with self._transaction():
            self._set_meta("open", "1")
            self._sweep()

    def _unclean(self) -> bool:
        return self._meta("open") == "1"

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _store_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        self._flush()

    # -- pages ---------------------------------------------------------------------------------

    def load_pages(self) -> Sequence[Page]:
        """Every page that is not taken out, oldest first."""
        with _store_errors():
            rows = self._db.execute(
                f"SELECT {PAGE_COLUMNS} FROM page WHERE NOT removed ORDER BY seq"
            ).fetchall()
        return [page_of(row) for row in rows]

    def load_chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page by ordinal; their text is cut from the stored page."""
        with _store_errors():
            page = self._db.execute("SELECT text FROM page WHERE source = ?", (source,)).fetchone()
            rows = self._db.execute(
                'SELECT id, ordinal, start, "end", heading_path, embedding_text, content_hash, n_tokens'
                " FROM chunk WHERE source = ? ORDER BY ordinal",
                (source,),
            ).fetchall()
        return [chunk_of(row, source, page[0]) for row in rows]

    def put_page(self, page: Page, chunks: Sequence[Chunk]) -> None:
        """Replace the page's snapshot and chunks at once; vectors of unchanged chunks stay."""
        with self._transaction():
            self._db.execute(
                f"INSERT INTO page ({PAGE_COLUMNS}) VALUES ({', '.join('?' * 16)})"
                " ON CONFLICT (source) DO UPDATE SET url = excluded.url, title = excluded.title,"
                " language = excluded.language, text = excluded.text, blocks = excluded.blocks,"
                " content_hash = excluded.content_hash, captured_at = excluded.captured_at,"
                " n_removed = excluded.n_removed, n_total_chars = excluded.n_total_chars,"
                " n_read_chars = excluded.n_read_chars, n_pages = excluded.n_pages, places = excluded.places,"
                " moments = excluded.moments, links = excluded.links, has_video = excluded.has_video,"
                " removed = 0",
                page_row(page),
            )
            self._db.execute("DELETE FROM chunk WHERE source = ?", (page.source,))
            self._db.executemany(
                "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (chunk_row(chunk) for chunk in chunks),
            )
            self._sweep_vectors()

    def remove_page(self, source: SourceId) -> None:
        """Take a page out; it can be restored until another page is removed or the file is reopened."""
        with self._transaction():
            self._sweep()
            self._db.execute("UPDATE page SET removed = 1 WHERE source = ?", (source,))

    def restore_page(self, source: SourceId) -> Page | None:
        """Bring the page removed last back, or None when it is gone."""
        with self._transaction():
            changed = self._db.execute("UPDATE page SET removed = 0 WHERE source = ? AND removed", (source,))
            if changed.rowcount == 0:
                return None
        with _store_errors():
            row = self._db.execute(f"SELECT {PAGE_COLUMNS} FROM page WHERE source = ?", (source,)).fetchone()
        return page_of(row)

    def remove_all(self) -> None:
        """Take every page out; they can be restored until the next removal or until the file is reopened."""
        with self._transaction():
            self._sweep()
            self._db.execute("UPDATE page SET removed = 1")

    def restore_all(self) -> Sequence[Page]:
        """Bring every page back that was taken out and is not gone, oldest first."""
        with self._transaction():
            rows = self._db.execute(f"SELECT {PAGE_COLUMNS} FROM page WHERE removed ORDER BY seq").fetchall()
            self._db.execute("UPDATE page SET removed = 0")
        return [page_of(row) for row in rows]

    def _sweep(self) -> None:
        self._db.execute("DELETE FROM page WHERE removed")
        self._sweep_vectors()

    def _sweep_vectors(self) -> None:
        self._db.execute("DELETE FROM vector WHERE content_hash NOT IN (SELECT content_hash FROM chunk)")

    # -- vectors -------------------------------------------------------------------------------

    def load_vectors(self, content_hashes: Sequence[str]) -> tuple[BoolVector, QuantizedVectors]:
        """Return which of the hashes have a vector, and those vectors in the same order."""
        found: dict[str, tuple[bytes, float]] = {}
        with _store_errors():
            for i in range(0, len(content_hashes), _HASHES_PER_QUERY):
                part = content_hashes[i : i + _HASHES_PER_QUERY]
                marks = ", ".join("?" * len(part))
                for content_hash, codes, scale in self._db.execute(
                    f"SELECT content_hash, codes, scale FROM vector WHERE content_hash IN ({marks})", part
                ):
                    found[content_hash] = (codes, scale)
        known = np.array([content_hash in found for content_hash in content_hashes], dtype=np.bool_)
        rows = [found[content_hash] for content_hash in content_hashes if content_hash in found]
        dimensions = len(rows[0][0]) if rows else 0
        codes = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.int8).reshape(len(rows), dimensions)
        return known, QuantizedVectors(codes, np.array([row[1] for row in rows], dtype=np.float32))

    def put_vectors(self, content_hashes: Sequence[str], vectors: QuantizedVectors) -> None:
        """Add vectors, keyed by the content hash of their chunk."""
        with self._transaction():
            self._insert_vectors("vector", content_hashes, vectors)

    def _insert_vectors(self, table: str, content_hashes: Sequence[str], vectors: QuantizedVectors) -> None:
        self._db.executemany(
            f"INSERT OR REPLACE INTO {table} (content_hash, codes, scale) VALUES (?, ?, ?)",
            (
                (content_hash, vectors.codes[i].tobytes(), float(vectors.scales[i]))
                for i, content_hash in enumerate(content_hashes)
            ),
        )

    def model_id(self) -> str:
        """The embedder whose vectors are stored, "" before the first."""
        with _store_errors():
            return self._meta("model_id")

    def set_model_id(self, model_id: str) -> None:
        """Record the embedder; raises ModelError when vectors of another one are there."""
        with self._transaction():
            (n_vectors,) = self._db.execute("SELECT count(*) FROM vector").fetchone()
            stored = self._meta("model_id")
            if n_vectors and stored != model_id:
                raise ModelError("model_mismatch", f"vectors are of {stored}, asked for {model_id}")
            self._set_meta("model_id", model_id)

    # -- the vectors of another model, kept apart until they are complete ----------------------------

    def next_vectors(self, model_id: str, content_hashes: Sequence[str]) -> BoolVector:
        """Return which of the hashes have a vector of the next model, `adopt_next` not yet called."""
        with _store_errors():
            found: set[str] = set()
            if self._meta("next_model_id") == model_id:
                found = {row[0] for row in self._db.execute("SELECT content_hash FROM next_vector")}
        return np.array([content_hash in found for content_hash in content_hashes], dtype=np.bool_)

    def put_next_vectors(
        self, model_id: str, content_hashes: Sequence[str], vectors: QuantizedVectors
    ) -> None:
        """Add vectors of the next model beside those in use; those of yet another one are dropped."""
        with self._transaction():
            if self._meta("next_model_id") != model_id:
                self._drop_next()
                self._db.execute(
                    "CREATE TABLE next_vector"
                    " (content_hash TEXT PRIMARY KEY, codes BLOB NOT NULL, scale REAL NOT NULL) WITHOUT ROWID"
                )
                self._set_meta("next_model_id", model_id)
            self._insert_vectors("next_vector", content_hashes, vectors)

    def adopt_next(self, model_id: str) -> None:
        """Replace all vectors and the model by the next ones."""
        with self._transaction():
            self._db.execute("DELETE FROM vector")
            if self._meta("next_model_id") == model_id:
                self._db.execute("INSERT INTO vector SELECT content_hash, codes, scale FROM next_vector")
            self._set_meta("model_id", model_id)
            self._drop_next()
            self._sweep_vectors()

    def _drop_next(self) -> None:
        self._db.execute("DROP TABLE IF EXISTS next_vector")
        self._set_meta("next_model_id", "")

    # -- attempts ------------------------------------------------------------------------------

    def attempts(self, source: SourceId) -> int:
        """How many times work on this page began without an end."""
        with _store_errors():
            row = self._db.execute("SELECT n FROM attempt WHERE source = ?", (source,)).fetchone()
        return int(row[0]) if row else 0

    def begin_attempt(self, source: SourceId) -> None:
        """Note that work on this page begins."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO attempt VALUES (?, 1) ON CONFLICT (source) DO UPDATE SET n = n + 1", (source,)
            )

    def end_attempt(self, source: SourceId) -> None:
        """Note that work on this page ended, well or with an error."""
        with self._transaction():
            self._db.execute("DELETE FROM attempt WHERE source = ?", (source,))

    # -- mirrored pages ------------------------------------------------------------------------

    def library_id(self) -> str:
        """A name that no other library has, made at the first call; a copy of the file has the same."""
        with self._transaction():
            if not self._meta("library_id"):
                self._set_meta("library_id", secrets.token_hex(8))
            return self._meta("library_id")

    def mirrored(self, destination: str) -> Mapping[SourceId, str]:
        """The fingerprint of each page that a vector store has acknowledged."""
        with _store_errors():
            rows = self._db.execute(
                "SELECT source, fingerprint FROM mirrored WHERE destination = ?", (destination,)
            ).fetchall()
        return {SourceId(source): fingerprint for source, fingerprint in rows}

    def put_mirrored(self, destination: str, fingerprints: Mapping[SourceId, str]) -> None:
        """Note pages as acknowledged."""
        with self._transaction():
            self._db.executemany(
                "INSERT OR REPLACE INTO mirrored VALUES (?, ?, ?)",
                [(destination, source, fingerprint) for source, fingerprint in fingerprints.items()],
            )

    def remove_mirrored(self, destination: str, sources: Sequence[SourceId]) -> None:
        """Note that nothing is known of these pages at a vector store."""
        with self._transaction():
            self._db.executemany(
                "DELETE FROM mirrored WHERE destination = ? AND source = ?",
                [(destination, source) for source in sources],
            )

    # -- the file ------------------------------------------------------------------------------

    def size_bytes(self) -> int:
        """Size of the file."""
        with _store_errors():
            (n_pages,) = self._db.execute("PRAGMA page_count").fetchone()
            (page_size,) = self._db.execute("PRAGMA page_size").fetchone()
        return int(n_pages) * int(page_size)

    def check(self) -> Sequence[str]:
        """Faults found in the file, empty when sound: SQLite's own check, then ours."""
        with _store_errors():
            faults = [row[0] for row in self._db.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
            if faults:
                return faults
            faults += [
                f"dangling reference in {row[0]}" for row in self._db.execute("PRAGMA foreign_key_check")
            ]
            faults += [
                f"chunk {row[0]} lies outside its page"
                for row in self._db.execute(
                    "SELECT id FROM chunk JOIN page USING (source)"
                    ' WHERE start < 0 OR "end" <= start OR "end" > length(text)'
                )
            ]
            lengths = self._db.execute("SELECT DISTINCT length(codes) FROM vector").fetchall()
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


def set_aside(path: str | os.PathLike[str]) -> Path:
    """Copy a library file beside itself as `<stem>.damaged<suffix>` and remove it; return the copy's path.

    Copying rather than renaming also works where only a fixed set of names exists (OPFS handles).
    """
    library = Path(path)
    copy = library.with_name(f"{library.stem}.damaged{library.suffix}")
    with library.open("rb") as source, copy.open("wb") as target:
        while block := source.read(1 << 20):
            target.write(block)
    for name in (library.name, library.name + "-journal"):
        leftover = library.with_name(name)
        if leftover.exists():
            leftover.unlink()
    return copy


@contextmanager
def _store_errors() -> Iterator[None]:
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
