"""Runs inside Pyodide, in a worker of the extension: `measure(n_chunks)` returns times."""

import json
import time
from collections.abc import Callable

import numpy as np

from tabwise.adapters.browser.kernel import SimdKernel
from tabwise.core.model import Chunk, ChunkId, FloatMatrix, FusionMode, Page, SourceId
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.vectors import quantize, quantize_query

DIMENSIONS = 384
CHUNKS_PER_PAGE = 2
WORDS_PER_CHUNK = 110
N_QUERIES = 100
VOCABULARY = 30_000


def synthetic_words(rng: np.random.Generator, n_words: int) -> list[str]:
    """Words whose frequencies fall as in text (Zipf's law)."""
    ranks = np.minimum(rng.zipf(1.25, n_words), VOCABULARY)
    return [f"w{rank}" for rank in ranks.tolist()]


def make_page(rng: np.random.Generator, number: int) -> tuple[Page, list[Chunk]]:
    """A page of chunks as the index takes them."""
    source = SourceId(f"https://example.org/{number}")
    page = Page(source, source, f"Page {number}", "en", "", (), "", 0.0, 0, 0, 0)
    chunks = []
    for ordinal in range(CHUNKS_PER_PAGE):
        text = " ".join(synthetic_words(rng, WORDS_PER_CHUNK))
        chunk_id = ChunkId(f"{number:012d}-{ordinal:05d}")
        chunks.append(Chunk(chunk_id, source, ordinal, 0, len(text), (), text, text, chunk_id, 200))
    return page, chunks


def unit_rows(rng: np.random.Generator, n_rows: int) -> FloatMatrix:
    """Random unit vectors, float32."""
    rows = rng.standard_normal((n_rows, DIMENSIONS)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def median_ms(work: Callable[[int], object], n_times: int) -> tuple[float, float]:
    """Median and maximum duration of `work(i)`."""
    times = []
    for i in range(n_times):
        start = time.perf_counter()
        work(i)
        times.append((time.perf_counter() - start) * 1000)
    return float(np.median(times)), max(times)


def measure(n_chunks: int) -> str:
    """Return the times as JSON."""
    rng = np.random.default_rng(1)
    kernel = SimdKernel()
    index = SearchIndex(DIMENSIONS, kernel=kernel)
    start = time.perf_counter()
    for number in range(n_chunks // CHUNKS_PER_PAGE):
        page, chunks = make_page(rng, number)
        index.add_page(page, chunks, quantize(unit_rows(rng, len(chunks))))
    build_s = time.perf_counter() - start
    queries = [" ".join(f"w{rank}" for rank in rng.integers(20, 3000, 6)) for _ in range(N_QUERIES)]
    vectors = unit_rows(rng, N_QUERIES)

    def search(i: int) -> None:
        index.search(queries[i], vectors[i], sources=None, mode=FusionMode.CONVEX, k=8)

    search(0)
    search_ms, search_max_ms = median_ms(search, N_QUERIES)
    # One word begun, or one finished and one begun, after one to four further characters.
    begun = [f"w{rank}"[: 2 + i % 4] for i, rank in enumerate(rng.integers(100, 30_000, N_QUERIES))]
    typed = [queries[i].split()[0] + " " + last if i % 2 else last for i, last in enumerate(begun)]
    find_ms, find_max_ms = median_ms(lambda i: index.find_pages(typed[i], k=10), N_QUERIES)
    matrix = unit_rows(rng, n_chunks)
    rows = quantize(matrix)
    codes, scales = rows.codes, rows.scales
    query, _ = quantize_query(vectors[0])
    out = np.empty(n_chunks, np.float32)
    kernel_ms, _ = median_ms(lambda i: kernel.cosines([codes], query, scales, 1.0, out), 50)
    einsum_ms, _ = median_ms(lambda i: np.einsum("ij,j->i", matrix, vectors[0]), 50)
    return json.dumps(
        {
            "search_ms": search_ms,
            "search_max_ms": search_max_ms,
            "find_ms": find_ms,
            "find_max_ms": find_max_ms,
            "kernel_ms": kernel_ms,
            "einsum_ms": einsum_ms,
            "build_s": build_s,
        }
    )
