"""A library of 1,000, 10,000 and 100,000 chunks in Chromium, and the same search by native libraries.

Real text of the public collections when they are on this machine, else of the demo's corpus. At the largest
size the same corpus and queries also go through numpy's `M @ q` in float32 and bm25s on CPython.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from playwright.sync_api import Page as Tab

from benchmarks.datasets import folder_of
from benchmarks.extension import bench_browser
from benchmarks.in_browser_scale import CHUNKS_PER_PAGE, DIMENSIONS, N_QUERIES, K, make_page
from benchmarks.report import Figure
from benchmarks.texts import words
from buildlib.console import say
from tabwise.core.text.terms import terms

SIZES = (1_000, 10_000, 100_000)
MAX_SENTENCES = 40_000
CHUNKS_PER_STEP = 2_000
HERE = Path(__file__).parent
CODE = "\n".join(
    (HERE / name).read_text("utf-8") for name in ("in_browser_scale.py", "in_browser_scale_entry.py")
)


def measure(sizes: tuple[int, ...] = SIZES) -> list[Figure]:
    """Grow one library through the sizes; at each, restart Python, load it and measure."""
    sentences, queries = _texts()
    given = json.dumps({"sentences": sentences, "queries": queries})
    runs = {}
    with bench_browser() as browser:
        page = browser.open_tab("bench/scale.html")
        page.set_default_timeout(3_600_000)
        page.wait_for_function("globalThis.bench")
        for size in sizes:
            runs[size] = _run(page, given, size)
            say(f"{size:,} chunks: {_summary(runs[size])}")
    native_ms = _native_ms(max(sizes), sentences, queries)
    return [
        figure for size in sizes for figure in _figures(size, runs[size], runs[min(sizes)], max(sizes))
    ] + [
        Figure(
            f"hybrid search over {max(sizes):,} chunks, ratio to native",
            statistics.median(runs[max(sizes)]["query"]) / native_ms,
            "×",
            f"numpy M @ q in float32 and bm25s on CPython, {native_ms:.1f} ms; goal ≤ 1.0 ×",
        )
    ]


def _run(page: Tab, given: str, size: int) -> dict[str, Any]:
    def call(code: str) -> Any:
        return json.loads(page.evaluate("(call) => bench.run(call)", code))

    page.evaluate("([code, given]) => bench.restart(code, given)", [CODE, given])
    call("await loaded()")
    for n_chunks in range(0, size, CHUNKS_PER_STEP):
        upto = min(n_chunks + CHUNKS_PER_STEP, size)
        call(f"await grown.fill({upto}); 'null'")
    page.evaluate("([code, given]) => bench.restart(code, given)", [CODE, given])
    loaded = call("await loaded()")
    assert loaded["n_chunks"] == size
    measured = call("await measured()")
    page.evaluate("([code, given]) => bench.restart(code, given)", [CODE, given])
    return {**loaded, **measured, "memory_mb": call("await held()")}


def _figures(size: int, run: dict[str, Any], smallest: dict[str, Any], largest: int) -> list[Figure]:
    at, is_largest = f"{size:,} chunks", size == largest
    added, before = statistics.median(run["add"]), statistics.median(smallest["add"])
    query, removed = statistics.median(run["query"]), statistics.median(run["remove"])
    growth = f"{added / before:.2f} × that at the smallest size; goal ≤ 1.5 ×" if is_largest else ""
    return [
        Figure(f"hybrid search over {at}, median", query, "ms", "goal < 25 ms" if is_largest else ""),
        Figure(f"adding a page of {CHUNKS_PER_PAGE} chunks to {at}, median", added, "ms", growth),
        Figure(f"removing a page from {at}, median", removed, "ms"),
        Figure(f"loading {at} from OPFS", run["load_s"], "s", "goal < 2 s" if is_largest else ""),
        Figure(
            f"memory of the index of {at}",
            run["memory_mb"],
            "MB",
            f"{run['heap_mb']:.0f} MB by which the heap grew" + ("; goal < 120 MB" if is_largest else ""),
        ),
    ]


def _summary(run: dict[str, Any]) -> str:
    medians = {name: statistics.median(run[name]) for name in ("query", "add", "remove")}
    times = ", ".join(f"{name} {value:.1f} ms" for name, value in medians.items())
    mean = statistics.mean(run["add"])
    memory = f"memory {run['memory_mb']:.0f} MB, heap {run['heap_mb']:.0f} MB"
    return f"{times} (add, mean {mean:.1f}), load {run['load_s']:.2f} s, {memory}"


def _native_ms(n_chunks: int, sentences: list[str], queries: list[str]) -> float:
    """Median time of both parts of the same search by the libraries one would take on CPython."""
    texts = [
        chunk.embedding_text
        for number in range(n_chunks // CHUNKS_PER_PAGE)
        for chunk in make_page(number, sentences)[1]
    ]
    lexical = bm25s.BM25(k1=1.2, b=0.6)
    lexical.index([terms(text, "en") for text in texts], show_progress=False)
    rng = np.random.default_rng(7)
    matrix = rng.standard_normal((n_chunks, DIMENSIONS), np.float32)
    vectors = rng.standard_normal((len(queries), DIMENSIONS), np.float32)
    times = []
    for query, vector in zip(queries, vectors, strict=True):
        start = time.perf_counter()
        cosines = matrix @ vector
        np.argpartition(cosines, -K)
        lexical.retrieve([terms(query, "en")], k=K, show_progress=False)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def _texts() -> tuple[list[str], list[str]]:
    """Sentences to make pages of, and questions."""
    folder = folder_of("scifact")
    if folder is None:
        pool = words()
        sentences = [" ".join(pool[i : i + 15]) for i in range(0, len(pool) - 15, 15)]
        return sentences, [" ".join(sentence.split()[:8]) for sentence in sentences[:N_QUERIES]]
    lines = (folder / "corpus.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    sentences = [one for text in texts for one in re.split(r"(?<=[.!?]) ", text) if one.count(" ") > 3]
    queries = [
        json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()
    ]
    return sentences[:MAX_SENTENCES], queries[:N_QUERIES]
