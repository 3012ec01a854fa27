"""The panel's start, the freedom of its thread while pages are indexed, an answer's time, memory."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.extension import bench_browser
from benchmarks.report import Figure
from benchmarks.texts import page as page_of_words
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, until

N_STARTS = 7
N_PAGES = 26
WORDS_PER_PAGE = 4_200
INDEX_TIMEOUT_MS = 900_000
TRACED_MS = 20_000
TASKS = "disabled-by-default-devtools.timeline"
QUESTION = "How much memory does an int8 vector need?"

WATCH_TASKS = """() => {
  globalThis.longest_ms = 0;
  new PerformanceObserver((list) => {
    const durations = list.getEntries().map((entry) => entry.duration);
    globalThis.longest_ms = Math.max(globalThis.longest_ms, ...durations);
  }).observe({ type: "longtask" });
}"""


def measure() -> list[Figure]:
    """Open the panel several times, then index more than a thousand chunks through it and ask."""
    routes: dict[str, Path | bytes] = {
        f"/{number}.html": page_of_words(number, WORDS_PER_PAGE).encode() for number in range(N_PAGES)
    }
    with serve(routes) as address, bench_browser() as browser:
        starts = {name: [_start(browser, name) for _ in range(N_STARTS)] for name in ("panel", "popup")}
        idle_mb = _extension_memory_mb()
        for number in range(N_PAGES):
            browser.open_tab(f"{address}/{number}.html")
        panel = browser.open_tab("panel.html")
        panel.wait_for_selector("[data-test=view-pages]")
        panel.click("[data-test=view-pages]")
        panel.evaluate(WATCH_TASKS)
        cpu_ms = longest_cpu_ms(browser, lambda: _add_all(panel))
        panel.wait_for_selector("[data-test=progress]", state="detached", timeout=INDEX_TIMEOUT_MS)
        longest_ms = panel.evaluate("longest_ms")
        n_chunks = panel.evaluate(LIBRARY_CHUNKS)
        answer_ms = statistics.median(_ask(panel) for _ in range(5))
        memory_mb = _extension_memory_mb()
    return [
        *_start_figures(starts),
        Figure(
            "longest task on the panel's thread while indexing, its own time", cpu_ms, "ms", "goal ≤ 50 ms"
        ),
        Figure(
            "the same with waiting for a core, 0 when none is over 50 ms",
            longest_ms,
            "ms",
            "engine, model and panel share two cores",
        ),
        Figure(f"answer over {n_chunks:,} chunks, question to last sentence", answer_ms, "ms"),
        Figure(
            f"memory of the extension's processes with {n_chunks:,} chunks",
            memory_mb,
            "MB",
            f"{idle_mb:.0f} MB with an empty library",
        ),
    ]


# The rows of the library as the engine tells them, asked over the panel's own channel.
LIBRARY_CHUNKS = """() => new Promise((resolve) => {
  const channel = new BroadcastChannel("tabwise");
  channel.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.re === "bench" && event.type === "done") {
      resolve(event.result.reduce((sum, page) => sum + page.n_chunks, 0));
    }
  };
  channel.postMessage(JSON.stringify({ v: 1, id: "bench", type: "library", start: 0, count: 0 }));
})"""


def _start(browser: ExtensionBrowser, name: str) -> tuple[float, float]:
    page = browser.open_tab(f"{name}.html")
    until(page, "() => performance.getEntriesByName('interactive').length > 0")
    first_paint = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        " ?? performance.getEntriesByName('first-paint')[0].startTime"
    )
    ready = page.evaluate("performance.getEntriesByName('interactive')[0].startTime")
    page.close()
    return first_paint, ready


def _start_figures(starts: dict[str, list[tuple[float, float]]]) -> list[Figure]:
    figures = []
    for name, pairs in starts.items():
        paints, interactive = zip(*pairs, strict=True)
        figures.append(Figure(f"{name}, first paint", statistics.median(paints), "ms", "goal < 150 ms"))
        figures.append(Figure(f"{name}, interactive", statistics.median(interactive), "ms", "goal < 300 ms"))
    return figures


def _add_all(panel: Page) -> None:
    """Press "Add all" and let it go on for a while."""
    panel.click("[data-test=add-all]")
    panel.wait_for_selector("[data-test=progress]")
    panel.wait_for_timeout(TRACED_MS)


def longest_cpu_ms(browser: ExtensionBrowser, act: Callable[[], None]) -> float:
    """The processor time of the longest task on the extension's main thread while something is done."""
    chromium = browser.context.browser
    assert chromium is not None
    chromium.start_tracing(categories=[TASKS])
    act()
    events = json.loads(chromium.stop_tracing())["traceEvents"]
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    ours = _extension_processes()
    tasks_us = [
        event.get("tdur", 0)
        for event in events
        if event["name"] == "RunTask"
        and threads.get((event["pid"], event["tid"])) == "CrRendererMain"
        and event["pid"] in ours
    ]
    return float(max(tasks_us)) / 1000


def _ask(panel: Page) -> float:
    panel.click("[data-test=view-chat]")
    panel.fill("[data-test=question]", QUESTION)
    return float(
        panel.evaluate(
            """() => new Promise((resolve) => {
              const last = () => [...document.querySelectorAll("[data-test=answer]")].at(-1);
              const before = last()?.id;
              const start = performance.now();
              document.querySelector("[data-test=ask]").click();
              const look = () => {
                const done = last() && last().id !== before && last().dataset.state !== "working";
                if (done) resolve(performance.now() - start);
                else setTimeout(look, 5);
              };
              look();
            })"""
        )
    )


def _extension_memory_mb() -> float:
    """Resident memory of the renderers that run the extension (Linux)."""
    total_kb = 0
    for number in _extension_processes():
        status = Path(f"/proc/{number}/status").read_text(encoding="utf-8")
        total_kb += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return total_kb / 1024


def _extension_processes() -> set[int]:
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--extension-process" in (process / "cmdline").read_bytes():
                found.add(int(process.name))
        except OSError:
            continue  # the process ended in between
    return found
