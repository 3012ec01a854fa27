"""The demo page: time to the first result by words and by meaning, cold and warm, and its bytes by kind.

Cold is a browser that has never seen the page; warm is a second visit, from the service worker and the kept
library. Both from a server on this machine, so a network's time comes on top.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, sync_playwright

from benchmarks.report import Figure
from buildlib.chromium import find_chromium
from buildlib.commands import build_demo
from buildlib.paths import DEMO
from buildlib.serve import serve

N_ROUNDS = 3
TIMEOUT_MS = 180_000
BY_WORDS = "document.querySelector('[data-test=list-fused] [data-test=hit]')"
BY_MEANING = "document.querySelector('[data-test=found-by][data-by=meaning]')"
KEPT = "document.querySelector('[data-test=kept]')"
# kind: folders and files below dist/demo; a file counts for the first that fits
KINDS = {
    "language model for a graphics card, on request": ("models/smollm2/model_q4.onnx",),
    "language model, on request": ("models/smollm2/",),
    "embedder": ("models/minilm/",),
    "Pyodide": ("vendor/pyodide/",),
    "ONNX Runtime": ("vendor/ort/",),
    "PDF reader, with the first PDF": ("vendor/pdfjs/",),
    "reader of HTML, with the first file": ("python/content.zip",),
    "numpy, Tabwise and the page's Python": ("python/",),
    "PyScript, MicroPython, tokenizer": ("vendor/",),
    "page": ("",),
}
# the kinds that are fetched when they are first used
LATER = (
    "language model for a graphics card, on request",
    "language model, on request",
    "PDF reader, with the first PDF",
    "reader of HTML, with the first file",
)


def measure() -> list[Figure]:
    """Visit the page cold and warm in turn; then weigh its files."""
    build_demo()
    cold, warm = [], []
    with serve({"/demo/": DEMO}) as address:
        for _ in range(N_ROUNDS):
            with _new_browser() as context:
                cold.append(_visit(context, f"{address}/demo/", is_first=True))
                warm.append(_visit(context, f"{address}/demo/", is_first=False))
    figures = []
    for i, name in enumerate(("by words", "by meaning")):
        first, second = (statistics.median(times[i] for times in visits) for visits in (cold, warm))
        figures.append(
            Figure(f"demo, first result {name}, cold", first, "ms", f"{second:.0f} ms on a second visit")
        )
        figures.append(Figure(f"demo, first result {name}, warm", second, "ms", f"{first:.0f} ms cold"))
    return [*figures, *_sizes()]


@contextmanager
def _new_browser() -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        yield browser.new_context()
        browser.close()


def _visit(context: BrowserContext, address: str, *, is_first: bool) -> tuple[float, float]:
    """Milliseconds from the start of the navigation to a result by words, and by meaning."""
    page = context.new_page()
    page.goto(address)
    times = []
    for condition in (BY_WORDS, BY_MEANING):
        page.wait_for_function(condition, timeout=TIMEOUT_MS)
        times.append(float(page.evaluate("performance.now()")))
    if is_first:
        page.wait_for_function(KEPT, timeout=TIMEOUT_MS)
    page.close()
    return times[0], times[1]


def _sizes() -> list[Figure]:
    sizes = dict.fromkeys(KINDS, 0)
    for path in DEMO.rglob("*"):
        if path.is_file():
            name = path.relative_to(DEMO).as_posix()
            sizes[next(kind for kind, starts in KINDS.items() if name.startswith(starts))] += (
                path.stat().st_size
            )
    at_first = sum(n_bytes for kind, n_bytes in sizes.items() if kind not in LATER)
    totals = {"all of it": sum(sizes.values()), "loaded for the first results": at_first}
    return [Figure(f"demo, {kind}", n_bytes / 1e6, "MB") for kind, n_bytes in (totals | sizes).items()]
