"""Time to a ready engine when the offscreen document is made again, against plain Pyodide with numpy."""

from __future__ import annotations

import statistics

from benchmarks.extension import bench_browser
from benchmarks.report import Figure

N_ROUNDS = 7


def measure() -> list[Figure]:
    """Start both in turn; ours also opens the library, the tokenizer and the package, plain does not."""
    with bench_browser() as browser:
        page = browser.open_tab("bench/boot.html")
        page.set_default_timeout(120_000)
        page.wait_for_function("globalThis.bench")
        page.evaluate("bench.engine()")  # the first start compiles; browsers keep the compiled code
        page.evaluate("bench.plain()")
        engine, plain = [], []
        for _ in range(N_ROUNDS):
            engine.append(page.evaluate("bench.engine()"))
            plain.append(page.evaluate("bench.plain()"))
    ours, theirs = statistics.median(engine), statistics.median(plain)
    return [
        Figure(
            "engine ready after the offscreen document was made again",
            ours / theirs,
            "×",
            "plain loadPyodide + numpy in a worker; goal ≤ 0.6 ×",
        ),
        Figure("engine ready", ours, "ms", f"{theirs:.0f} ms for plain Pyodide with numpy"),
    ]
