"""A library that grows and is measured on the way; runs in Pyodide in a worker, and on CPython.

Pages of twenty chunks are made of sentences of real documents in another order each, and every chunk has a
word that no other has, as names and numbers are. Vectors are random: nothing measured depends on them.
"""

import random
import time
from collections.abc import Callable, Sequence

import numpy as np

from tabwise.core.model import Chunk, ChunkId, Page, QuantizedVectors, SourceId, chunk_id_prefix
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.kernel import SearchKernel
from tabwise.core.search.vectors import quantize
from tabwise.engine.jobs import silent_job
from tabwise.engine.library import Library
from tabwise.ports import Store

DIMENSIONS = 384
CHUNKS_PER_PAGE = 20
WORDS_PER_CHUNK = 110
CHUNKS_PER_SAVE = 4
N_QUERIES = 60
N_CHANGES = 24
K = 8


def make_page(number: int, sentences: Sequence[str]) -> tuple[Page, list[Chunk]]:
    """A page and its chunks, as reading a tab would give them."""
    rng = random.Random(number)
    source = SourceId(f"https://site{number % 97}.example/articles/{number}")
    title, prefix = rng.choice(sentences)[:60], chunk_id_prefix(source)
    texts: list[str] = []
    for ordinal in range(CHUNKS_PER_PAGE):
        words = [f"{title.split()[0]}{number}x{ordinal}"]
        while len(words) < WORDS_PER_CHUNK:
            words += rng.choice(sentences).split()
        texts.append(" ".join(words[:WORDS_PER_CHUNK]))
    text = "\n".join(texts)
    page = Page(source, source, title, "en", text, (), f"{number}", 0.0, 0, len(text), len(text))
    chunks, start = [], 0
    for ordinal, own in enumerate(texts):
        end = start + len(own)
        chunk_id = ChunkId(f"{prefix}-{ordinal:05d}")
        embedding_text = f"{title}\n{own}"
        content_hash = f"{prefix}{ordinal:052d}"
        chunks.append(
            Chunk(chunk_id, source, ordinal, start, end, (), own, embedding_text, content_hash, 200)
        )
        start = end + 1
    return page, chunks


def make_vectors(number: int, n_rows: int) -> QuantizedVectors:
    """Random unit vectors."""
    rows = np.random.default_rng(number).standard_normal((n_rows, DIMENSIONS))
    return quantize(rows.astype(np.float32))


class GrowingLibrary:
    """A library over a store, opened anew or filled here."""

    def __init__(self, store: Store, sentences: Sequence[str], kernel: SearchKernel | None = None) -> None:
        self.library = Library(store, SearchIndex(DIMENSIONS, kernel=kernel))
        self._sentences = sentences

    async def load(self) -> float:
        """Build the index from the file; return the seconds it took."""
        start = time.perf_counter()
        await self.library.load(silent_job())
        return time.perf_counter() - start

    async def add(self, number: int) -> float:
        """Add a page with its vectors as an index job does, but for the embedding; return ms."""
        page, chunks = make_page(number, self._sentences)
        vectors = make_vectors(number, len(chunks))
        start = time.perf_counter()
        await self.library.put(page, chunks, silent_job())
        for first in range(0, len(chunks), CHUNKS_PER_SAVE):
            rows = slice(first, first + CHUNKS_PER_SAVE)
            own = QuantizedVectors(vectors.codes[rows], vectors.scales[rows])
            self.library.put_vectors(chunks[rows], own)
        self.library.attach_vectors(page.source)
        return (time.perf_counter() - start) * 1e3

    def remove(self, number: int) -> float:
        """Remove a page; return ms."""
        page, _ = make_page(number, self._sentences)
        start = time.perf_counter()
        self.library.remove(page.source)
        return (time.perf_counter() - start) * 1e3

    async def fill(self, n_chunks: int) -> None:
        """Add pages up to `n_chunks`."""
        for number in range(self.library.index.n_chunks // CHUNKS_PER_PAGE, n_chunks // CHUNKS_PER_PAGE):
            await self.add(number)

    def query_ms(self, queries: Sequence[str]) -> list[float]:
        """Duration of each search; texts of the hits included, the question's embedding not."""
        vectors = np.random.default_rng(7).standard_normal((len(queries), DIMENSIONS)).astype(np.float32)

        def search(i: int) -> None:
            self.library.index.search(queries[i], vectors[i], k=K, allow_weak=True)

        search(0)
        return [_ms(search, i) for i in range(len(queries))]

    async def changes_ms(self) -> tuple[list[float], list[float]]:
        """Durations of adding N_CHANGES pages and of removing them again."""
        numbers = range(10_000_000, 10_000_000 + N_CHANGES)
        added = [await self.add(number) for number in numbers]
        return added, [self.remove(number) for number in numbers]


def _ms(work: Callable[[int], object], argument: int) -> float:
    start = time.perf_counter()
    work(argument)
    return (time.perf_counter() - start) * 1e3
