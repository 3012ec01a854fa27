"""The library in one SQLite file: the same schema in the browser (on OPFS) and on CPython.

A page with its chunks and its part of the index changes in one transaction. Vectors are asked for by the
content hash of their chunk, so a changed page keeps those of its unchanged chunks and a restart in the middle
of embedding loses one batch at most; once a page has all of its own they lie together, which makes starting
quick. Copying the file is the export.
"""

import os
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import numpy as np

from tabwise.adapters.stores.rows import (
    BODY_COLUMNS,
    CHUNK_COLUMNS,
    HEAD_COLUMNS,
    body_row,
    chunk_of,
    chunk_row,
    head_of_row,
    head_row,
    page_of,
    vectors_of,
    vectors_row,
)
from tabwise.adapters.stores.summaries import SummaryTables
from tabwise.adapters.stores.threads import ThreadTables
from tabwise.core.model import BoolVector, Chunk, Page, PageHead, QuantizedVectors, SourceId, head_of
from tabwise.errors import InputError, ModelError, StoreError
from tabwise.ports import PartRow

SCHEMA_VERSION = 1
APPLICATION_ID = 0x54616277
"""What tells a library from other SQLite files: "Tabw" in its header."""
_HASHES_PER_QUERY = 500
_PAGES_PER_QUERY = 32


def _nothing() -> None:
    """Flush for file systems whose fsync works."""


class SqliteStore:
    """`ports.Store` over one SQLite file. One owner at a time: the file is locked while open."""

    def __init__(
        self, path: str | os.PathLike[str], *, flush: Callable[[], None] = _nothing, is_copy: bool = False
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
        with _store_errors():
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise
        self.summaries = SummaryTables(self._db, self._transaction, _store_errors)
        self.threads = ThreadTables(self._db, self._transaction, _store_errors)

    @property
    def schema_version(self) -> int:
        """Version of the file's schema."""
        return SCHEMA_VERSION

    def _open(self) -> None:
        with _store_errors():
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
        with _store_errors():
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

    # -- pages ---------------------------------------------------------------------------------

    def load_heads(self) -> Sequence[PageHead]:
        """What lists need of every page that is not taken out, oldest first."""
        with _store_errors():
            rows = self._db.execute(
                f"SELECT {HEAD_COLUMNS} FROM page WHERE NOT removed ORDER BY seq"
            ).fetchall()
        return [head_of_row(row) for row in rows]

    def load_page(self, source: SourceId) -> Page | None:
        """A page that is not taken out, or None."""
        with _store_errors():
            row = self._db.execute(
                f"SELECT {HEAD_COLUMNS}, {BODY_COLUMNS} FROM page JOIN page_body USING (seq)"
                " WHERE source = ? AND NOT removed",
                (source,),
            ).fetchone()
        return page_of(head_of_row(row[:-5]), row[-5:]) if row else None

    def load_pages(self) -> Sequence[Page]:
        """Every page that is not taken out, oldest first."""
        with _store_errors():
            rows = self._db.execute(
                f"SELECT {HEAD_COLUMNS}, {BODY_COLUMNS} FROM page JOIN page_body USING (seq)"
                " WHERE NOT removed ORDER BY seq"
            ).fetchall()
        return [page_of(head_of_row(row[:-5]), row[-5:]) for row in rows]

    def load_chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page by ordinal; their text is cut from the stored page."""
        with _store_errors():
            body = self._db.execute(
                "SELECT seq, text FROM page JOIN page_body USING (seq) WHERE source = ?", (source,)
            ).fetchone()
            if body is None:
                return []
            rows = self._db.execute(
                f"SELECT {CHUNK_COLUMNS} FROM chunk WHERE seq = ? ORDER BY ordinal", (body[0],)
            ).fetchall()
        return [chunk_of(row, source, body[1][row[2] : row[3]]) for row in rows]

    def load_chunk(self, source: SourceId, ordinal: int) -> Chunk | None:
        """One chunk of a page, or None."""
        with _store_errors():
            row = self._db.execute(
                f'SELECT {CHUNK_COLUMNS}, substr(text, start + 1, "end" - start)'
                " FROM chunk JOIN page_body USING (seq)"
                " WHERE seq = (SELECT seq FROM page WHERE source = ?) AND ordinal = ?",
                (source, ordinal),
            ).fetchone()
        return chunk_of(row[:-1], source, row[-1]) if row else None

    def content_hashes(self, source: SourceId) -> Sequence[str]:
        """Content hashes of a page's chunks by ordinal."""
        with _store_errors():
            rows = self._db.execute(
                "SELECT chunk.content_hash FROM page JOIN chunk USING (seq)"
                " WHERE source = ? ORDER BY ordinal",
                (source,),
            ).fetchall()
        return [row[0] for row in rows]

    def put_page(self, page: Page, chunks: Sequence[Chunk], part: PartRow | None = None) -> None:
        """Replace the page's snapshot and chunks at once; vectors of unchanged chunks stay.

        `part` is what the index derived from the page, under a stamp from `new_stamp`.
        """
        stamp = part.stamp if part else 0
        columns = HEAD_COLUMNS.split(", ")
        changes = ", ".join(f"{column} = excluded.{column}" for column in columns[1:])
        with self._transaction():
            self._db.execute(
                f"INSERT INTO page ({HEAD_COLUMNS}) VALUES ({', '.join('?' * len(columns))})"
                f" ON CONFLICT (source) DO UPDATE SET {changes}, removed = 0",
                head_row(head_of(page, len(chunks), stamp)),
            )
            (seq,) = self._db.execute("SELECT seq FROM page WHERE source = ?", (page.source,)).fetchone()
            self._unpack_vectors(seq, {chunk.content_hash for chunk in chunks})
            self._db.execute(
                f"INSERT OR REPLACE INTO page_body (seq, {BODY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                (seq, *body_row(page)),
            )
            self._db.execute("DELETE FROM chunk WHERE seq = ?", (seq,))
            self._db.executemany(
                f"INSERT INTO chunk (seq, {CHUNK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((seq, *chunk_row(chunk)) for chunk in chunks),
            )
            if part:
                self._insert_part(part)
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
        return self.load_page(source)

    def remove_all(self) -> None:
        """Take every page out; they can be restored until the next removal or until the file is reopened."""
        with self._transaction():
            self._sweep()
            self._db.execute("UPDATE page SET removed = 1")

    def restore_all(self) -> Sequence[Page]:
        """Bring every page back that was taken out and is not gone, oldest first."""
        with self._transaction():
            rows = self._db.execute(
                f"SELECT {HEAD_COLUMNS}, {BODY_COLUMNS} FROM page JOIN page_body USING (seq)"
                " WHERE removed ORDER BY seq"
            ).fetchall()
            self._db.execute("UPDATE page SET removed = 0 WHERE removed")
        return [page_of(head_of_row(row[:-5]), row[-5:]) for row in rows]

    def _sweep(self) -> None:
        self._db.execute("DELETE FROM page WHERE removed")
        self._sweep_vectors()

    def _sweep_vectors(self) -> None:
        self._db.execute(
            "DELETE FROM vector WHERE NOT EXISTS"
            " (SELECT 1 FROM chunk WHERE chunk.content_hash = vector.content_hash)"
        )

    # -- parts of the index ------------------------------------------------------------------------

    def new_stamp(self) -> int:
        """A number for the next snapshot that none before had."""
        self._last_stamp += 1
        return self._last_stamp

    def part_sizes(self) -> Mapping[int, int]:
        """Number of postings of every part by its id, oldest first."""
        with _store_errors():
            return dict(self._db.execute("SELECT id, n_postings FROM index_part ORDER BY id").fetchall())

    def load_part(self, part_id: int) -> bytes:
        """The bytes of a part, none when it is gone."""
        with _store_errors():
            row = self._db.execute("SELECT data FROM index_part WHERE id = ?", (part_id,)).fetchone()
        return row[0] if row else b""

    def put_part(self, source: SourceId, part: PartRow) -> None:
        """Add the part of a stored page that has none."""
        with self._transaction():
            self._db.execute("UPDATE page SET stamp = ? WHERE source = ?", (part.stamp, source))
            self._insert_part(part)

    def replace_parts(self, part_ids: Sequence[int], part: PartRow | None) -> None:
        """Drop parts, for one that has what is still needed of them or for none."""
        with self._transaction():
            self._db.executemany("DELETE FROM index_part WHERE id = ?", ((part_id,) for part_id in part_ids))
            if part:
                self._insert_part(part)

    def _insert_part(self, part: PartRow) -> None:
        self._db.execute(
            "INSERT INTO index_part (n_postings, data) VALUES (?, ?)", (part.n_postings, part.data)
        )
        self._set_meta("last_stamp", str(self._last_stamp))

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
            packed = dict.fromkeys(one for one in content_hashes if one not in found)
            found |= self._packed(list(packed))
        known = np.array([content_hash in found for content_hash in content_hashes], dtype=np.bool_)
        rows = [found[content_hash] for content_hash in content_hashes if content_hash in found]
        dimensions = len(rows[0][0]) if rows else 0
        codes = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.int8).reshape(len(rows), dimensions)
        return known, QuantizedVectors(codes, np.array([row[1] for row in rows], dtype=np.float32))

    def put_vectors(self, content_hashes: Sequence[str], vectors: QuantizedVectors) -> None:
        """Add vectors, keyed by the content hash of their chunk."""
        with self._transaction():
            self._insert_vectors("vector", content_hashes, vectors)

    def _packed(self, content_hashes: Sequence[str]) -> dict[str, tuple[bytes, float]]:
        """Those of the hashes whose page has all its vectors."""
        places: dict[int, list[tuple[int, str]]] = {}
        for content_hash in content_hashes:
            place = self._db.execute(
                "SELECT seq, ordinal FROM chunk JOIN page_vectors USING (seq) WHERE content_hash = ? LIMIT 1",
                (content_hash,),
            ).fetchone()
            if place:
                places.setdefault(place[0], []).append((place[1], content_hash))
        found = {}
        for seq, of_page in places.items():
            vectors = self._vectors_of(seq)
            if vectors is None:
                continue
            for ordinal, content_hash in of_page:
                if ordinal >= len(vectors.scales):
                    continue
                found[content_hash] = (vectors.codes[ordinal].tobytes(), float(vectors.scales[ordinal]))
        return found

    def _vectors_of(self, seq: int) -> QuantizedVectors | None:
        row = self._db.execute(
            "SELECT codes, scales, checksum FROM page_vectors WHERE seq = ?", (seq,)
        ).fetchone()
        return vectors_of(*row) if row else None

    def pack_vectors(self, source: SourceId, vectors: QuantizedVectors) -> None:
        """Lay all vectors of a page, by ordinal, together."""
        with self._transaction():
            (seq,) = self._db.execute("SELECT seq FROM page WHERE source = ?", (source,)).fetchone()
            self._db.execute(
                "INSERT OR REPLACE INTO page_vectors VALUES (?, ?, ?, ?)", (seq, *vectors_row(vectors))
            )
            self._db.execute(
                "DELETE FROM vector WHERE content_hash IN (SELECT content_hash FROM chunk WHERE seq = ?)",
                (seq,),
            )

    def packed_vectors(self) -> Iterator[tuple[SourceId, QuantizedVectors]]:
        """The vectors of every page that has all of them; a damaged row is left out."""
        last = 0
        while True:
            with _store_errors():
                rows = self._db.execute(
                    "SELECT seq, source, codes, scales, checksum FROM page_vectors JOIN page USING (seq)"
                    " WHERE seq > ? AND NOT removed ORDER BY seq LIMIT ?",
                    (last, _PAGES_PER_QUERY),
                ).fetchall()
            if not rows:
                return
            for _, source, *row in rows:
                vectors = vectors_of(*row)
                if vectors:
                    yield SourceId(source), vectors
            last = rows[-1][0]

    def _unpack_vectors(self, seq: int, content_hashes: Collection[str]) -> None:
        """Keep the vectors of some chunks of a page that is about to change apart from it."""
        vectors = self._vectors_of(seq)
        if vectors is None:
            return
        rows = self._db.execute("SELECT ordinal, content_hash FROM chunk WHERE seq = ?", (seq,)).fetchall()
        kept = [(ordinal, content_hash) for ordinal, content_hash in rows if content_hash in content_hashes]
        at = [ordinal for ordinal, _ in kept]
        self._insert_vectors(
            "vector",
            [content_hash for _, content_hash in kept],
            QuantizedVectors(vectors.codes[at], vectors.scales[at]),
        )
        self._db.execute("DELETE FROM page_vectors WHERE seq = ?", (seq,))

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
            (has_vectors,) = self._db.execute(
                "SELECT EXISTS (SELECT 1 FROM vector) OR EXISTS (SELECT 1 FROM page_vectors)"
            ).fetchone()
            stored = self._meta("model_id")
            if has_vectors and stored != model_id:
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
            self._db.execute("DELETE FROM page_vectors")
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

    def note(self, key: str) -> str:
        """A text that travels with the file, "" when there is none."""
        with _store_errors():
            return self._meta("note:" + key)

    def put_note(self, key: str, text: str) -> None:
        """Keep a text with the file, in place of the last of this key."""
        with self._transaction():
            self._set_meta("note:" + key, text)

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


def open_copy(path: str | os.PathLike[str], *, flush: Callable[[], None] = _nothing) -> SqliteStore:
    """Open a copy that is there; raises as `SqliteStore` does, import_foreign for an empty file."""
    store = SqliteStore(path, flush=flush, is_copy=True)
    if store.is_new:
        store.close()
        raise InputError("import_foreign", "an empty file")
    return store


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
    except UnicodeDecodeError as error:
        # What SQLite says of a damaged file may quote its bytes, which then are no text.
        raise StoreError("store_corrupt", str(error)) from error
