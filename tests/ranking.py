"""Search as a function of JSON, so that CPython and Pyodide can run the same one."""

import base64
import json

import numpy as np

from tabwise.core.model import Chunk, ChunkId, FusionMode, Page, SourceId, chunk_id_prefix
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.kernel import SearchKernel
from tabwise.core.search.vectors import quantize

K = 10


def floats(text: str, n_rows: int) -> np.ndarray:
    """Rows (n_rows, d) float32 from base64 of their little-endian bytes."""
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32).reshape(n_rows, -1)


def rank(given: str, kernel: SearchKernel | None = None) -> str:
    """Return {mode: [[chunk id, ...], ...]}, the best K of each query.

    `given`: {"texts": [[title, text], ...], "vectors": rows, "queries": [...], "query_vectors": rows}.
    """
    value = json.loads(given)
    rows = floats(value["vectors"], len(value["texts"]))
    queries = floats(value["query_vectors"], len(value["queries"]))
    index = SearchIndex(rows.shape[1], kernel=kernel)
    for number, (title, text) in enumerate(value["texts"]):
        source = SourceId(f"https://example.org/{number}")
        page = Page(source, source, title, "en", text, (), "", 0.0, 0, len(text), len(text))
        chunk_id = ChunkId(f"{chunk_id_prefix(source)}-00000")
        embedded = f"{title}. {text}"
        chunk = Chunk(chunk_id, source, 0, 0, len(text), (), text, embedded, "", 0)
        index.add_page(page, [chunk], quantize(rows[number : number + 1]))
    return json.dumps(
        {
            mode.value: [
                [hit.chunk.id for hit in index.search(text, vector, mode=mode, k=K, allow_weak=True)]
                for text, vector in zip(value["queries"], queries, strict=True)
            ]
            for mode in FusionMode
        }
    )
