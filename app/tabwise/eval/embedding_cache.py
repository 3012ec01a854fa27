"""Embeddings kept between runs, keyed by model and text: a collection is embedded once per model.

One SQLite file per model, rows as float32. The fingerprint must change with the model file: a name alone
would hand out the vectors of another quantisation.
"""

import sqlite3
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from tabwise.core.model import FloatMatrix

_TEXTS_PER_COMMIT = 32

Embed = Callable[[Sequence[str]], FloatMatrix]
"""Texts to unit rows (n, d) float32, in order."""


class CachedEmbed:
    """An `Embed` that asks another one only for texts it has not seen."""

    def __init__(
        self,
        embed: Embed,
        folder: Path,
        *,
        fingerprint: str,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Open or create the file of this model in `folder`; `on_progress` gets texts done and in all."""
        folder.mkdir(parents=True, exist_ok=True)
        self._embed = embed
        self._on_progress = on_progress
        name = sha256(fingerprint.encode()).hexdigest()[:16]
        self._db = sqlite3.connect(folder / f"embeddings-{name}.db")
        self._db.execute("CREATE TABLE IF NOT EXISTS row (text_hash BLOB PRIMARY KEY, vector BLOB NOT NULL)")

    def __call__(self, texts: Sequence[str]) -> FloatMatrix:
        """Return unit rows (n, d) float32, in order; n ≥ 1."""
        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if not self._has(key)}
        waiting = list(missing.items())
        for start in range(0, len(waiting), _TEXTS_PER_COMMIT):
            part = waiting[start : start + _TEXTS_PER_COMMIT]
            vectors = self._embed([text for _, text in part])
            rows = [
                (key, vector.astype("<f4").tobytes()) for (key, _), vector in zip(part, vectors, strict=True)
            ]
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO row VALUES (?, ?)", rows)
            self._on_progress(start + len(part), len(waiting))
        return np.stack([np.frombuffer(self._get(key), "<f4") for key in keys]).astype(np.float32)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _has(self, key: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM row WHERE text_hash = ?", (key,)).fetchone() is not None

    def _get(self, key: bytes) -> bytes:
        (vector,) = self._db.execute("SELECT vector FROM row WHERE text_hash = ?", (key,)).fetchone()
        return bytes(vector)
