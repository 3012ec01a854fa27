"""The library in one SQLite file: the same schema in the browser (on OPFS) and on CPython.

A page with its chunks and its part of the index changes in one transaction. Copying the file is the export.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tabwise.adapters.stores.library_file import SCHEMA_VERSION, no_flush, store_errors
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
)
from tabwise.adapters.stores.vectors import VectorTables
from tabwise.core.model import Chunk, Page, PageHead, SourceId, head_of
from tabwise.errors import InputError
from tabwise.ports import PartRow

__all__ = ["SCHEMA_VERSION", "SqliteStore", "open_copy", "set_aside"]


class SqliteStore(VectorTables):
    """`ports.Store` over one SQLite file. One owner at a time: the file is locked while open."""

    # -- pages ---------------------------------------------------------------------------------

    def load_heads(self) -> Sequence[PageHead]:
        """What lists need of every page that is not taken out, oldest first."""
        with store_errors():
            rows = self._db.execute(
                f"SELECT {HEAD_COLUMNS} FROM page WHERE NOT removed ORDER BY seq"
            ).fetchall()
        return [head_of_row(row) for row in rows]

    def load_page(self, source: SourceId) -> Page | None:
        """A page that is not taken out, or None."""
        with store_errors():
            row = self._db.execute(
                f"SELECT {HEAD_COLUMNS}, {BODY_COLUMNS} FROM page JOIN page_body USING (seq)"
                " WHERE source = ? AND NOT removed",
                (source,),
            ).fetchone()
        return page_of(head_of_row(row[:-5]), row[-5:]) if row else None

    def load_pages(self) -> Sequence[Page]:
        """Every page that is not taken out, oldest first."""
        with store_errors():
            rows = self._db.execute(
                f"SELECT {HEAD_COLUMNS}, {BODY_COLUMNS} FROM page JOIN page_body USING (seq)"
                " WHERE NOT removed ORDER BY seq"
            ).fetchall()
        return [page_of(head_of_row(row[:-5]), row[-5:]) for row in rows]

    def load_chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page by ordinal; their text is cut from the stored page."""
        with store_errors():
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
        with store_errors():
            row = self._db.execute(
                f'SELECT {CHUNK_COLUMNS}, substr(text, start + 1, "end" - start)'
                " FROM chunk JOIN page_body USING (seq)"
                " WHERE seq = (SELECT seq FROM page WHERE source = ?) AND ordinal = ?",
                (source, ordinal),
            ).fetchone()
        return chunk_of(row[:-1], source, row[-1]) if row else None

    def content_hashes(self, source: SourceId) -> Sequence[str]:
        """Content hashes of a page's chunks by ordinal."""
        with store_errors():
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

    # -- parts of the index ------------------------------------------------------------------------

    def new_stamp(self) -> int:
        """A number for the next snapshot that none before had."""
        self._last_stamp += 1
        return self._last_stamp

    def part_sizes(self) -> Mapping[int, int]:
        """Number of postings of every part by its id, oldest first."""
        with store_errors():
            return dict(self._db.execute("SELECT id, n_postings FROM index_part ORDER BY id").fetchall())

    def load_part(self, part_id: int) -> bytes:
        """The bytes of a part, none when it is gone."""
        with store_errors():
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

    # -- attempts ------------------------------------------------------------------------------

    def attempts(self, source: SourceId) -> int:
        """How many times work on this page began without an end."""
        with store_errors():
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
        with store_errors():
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


def open_copy(path: str | os.PathLike[str], *, flush: Callable[[], None] = no_flush) -> SqliteStore:
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
