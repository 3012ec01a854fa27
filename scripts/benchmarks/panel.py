"""The panel's start, the freedom of its thread while pages are indexed, an answer's time, memory."""

from __future__ import annotations

import statistics
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.extension import bench_browser
from benchmarks.report import Figure
from benchmarks.texts import page as page_of_words
from buildlib.serve import serve
from harness.browser import ExtensionBrowser

N_STARTS = 7
N_PAGES = 26
WORDS_PER_PAGE = 4_200
INDEX_TIMEOUT_MS = 900_000
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
        paints, interactive = zip(*(_start(browser) for _ in range(N_STARTS)), strict=True)
        idle_mb = _extension_memory_mb()
        for number in range(N_PAGES):
            browser.open_tab(f"{address}/{number}.html")
        panel = browser.open_tab("panel.html")
        panel.wait_for_selector("[data-test=view-pages]")
        panel.click("[data-test=view-pages]")
        panel.evaluate(WATCH_TASKS)
        panel.click("[data-test=add-all]")
        panel.wait_for_selector("[data-test=progress]")
        panel.wait_for_selector("[data-test=progress]", state="detached", timeout=INDEX_TIMEOUT_MS)
        longest_ms = panel.evaluate("longest_ms")
        n_chunks = panel.evaluate(LIBRARY_CHUNKS)
        answer_ms = statistics.median(_ask(panel) for _ in range(5))
        memory_mb = _extension_memory_mb()
    return [
        Figure("panel, first paint", statistics.median(paints), "ms", "goal < 150 ms"),
        Figure("panel, interactive", statistics.median(interactive), "ms", ""),
        Figure(
            f"longest task over 50 ms on the panel's thread while {n_chunks:,} chunks were indexed",
            longest_ms,
            "ms",
            "goal 0: none",
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
  channel.postMessage(JSON.stringify({ v: 1, id: "bench", type: "library" }));
})"""


def _start(browser: ExtensionBrowser) -> tuple[float, float]:
    panel = browser.open_tab("panel.html")
    panel.wait_for_selector("[data-test=engine-state]")
    first_paint = panel.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        " ?? performance.getEntriesByName('first-paint')[0].startTime"
    )
    ready = panel.evaluate("performance.getEntriesByName('interactive')[0].startTime")
    panel.close()
    return first_paint, ready


def _ask(panel: Page) -> float:
    panel.click("[data-test=view-chat]")
    n_before = panel.locator("[data-test=answer]").count()
    panel.fill("[data-test=question]", QUESTION)
    return float(
        panel.evaluate(
            """(nBefore) => new Promise((resolve) => {
              const start = performance.now();
              document.querySelector("[data-test=ask]").click();
              const look = () => {
                const answers = [...document.querySelectorAll("[data-test=answer]")];
                const done = answers.length > nBefore && answers.at(-1).dataset.state !== "working";
                if (done) resolve(performance.now() - start);
                else setTimeout(look, 5);
              };
              look();
            })""",
            n_before,
        )
    )


def _extension_memory_mb() -> float:
    """Resident memory of the renderers that run the extension (Linux)."""
    total_kb = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if b"--extension-process" not in command:
                continue
            status = (process / "status").read_text(encoding="utf-8")
        except OSError:
            continue  # the process ended in between
        total_kb += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return total_kb / 1024
