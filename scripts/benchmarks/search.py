"""Search over 10,000 chunks in Chromium, the question's embedding excluded."""

from __future__ import annotations

from pathlib import Path

from benchmarks.extension import bench_browser
from benchmarks.report import Figure

N_CHUNKS = 10_000
SCRIPT = Path(__file__).parent / "in_browser_search.py"


def measure() -> list[Figure]:
    """Fill an index with synthetic chunks and real vectors' statistics, then search it."""
    with bench_browser() as browser:
        page = browser.open_tab("bench/search.html")
        page.set_default_timeout(600_000)
        page.wait_for_function("globalThis.bench")
        times = page.evaluate(
            "([code, n]) => bench.run(code, n)", [SCRIPT.read_text(encoding="utf-8"), N_CHUNKS]
        )
    n = f"{N_CHUNKS:,} chunks"
    return [
        Figure(f"hybrid search over {n}, median", times["search_ms"], "ms", "goal < 10 ms"),
        Figure(f"hybrid search over {n}, slowest of 100", times["search_max_ms"], "ms"),
        Figure("find as you type over 5,000 pages, median", times["find_ms"], "ms", "goal < 20 ms"),
        Figure("find as you type over 5,000 pages, slowest of 100", times["find_max_ms"], "ms"),
        Figure(
            f"all int8 dot products over {n}",
            times["kernel_ms"],
            "ms",
            f"{times['einsum_ms']:.2g} ms by numpy einsum on float32",
        ),
        Figure(f"building the index of {n}", times["build_s"], "s"),
    ]
