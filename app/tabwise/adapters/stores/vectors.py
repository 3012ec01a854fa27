"""The vectors of a library file.

They are asked for by the content hash of their chunk, so a changed page keeps those of its unchanged chunks
and a restart in the middle of embedding loses one batch at most; once a page has all of its own they lie
together, which makes starting quick.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from tabwise.adapters.stores.library_file import LibraryFile, store_errors
from tabwise.adapters.stores.rows import vectors_of, vectors_row
from tabwise.core.model import BoolVector, QuantizedVectors, SourceId
from tabwise.errors import ModelError

_HASHES_PER_QUERY = 500
_PAGES_PER_QUERY = 32


class VectorTables(LibraryFile):
    """The part of `ports.Store` that keeps vectors."""

    def load_vectors(self, content_hashes: Sequence[str]) -> tuple[BoolVector, QuantizedVectors]:
        """Return which of the hashes have a vector, and those vectors in the same order."""
        found: dict[str, tuple[bytes, float]] = {}
        with store_errors():
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
            with store_errors():
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
        with store_errors():
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
        with store_errors():
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
