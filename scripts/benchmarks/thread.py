"""A long conversation in the real panel: opened, read back to its first question, scrolled, asked on."""

from __future__ import annotations

from playwright.sync_api import Page

from benchmarks.extension import bench_browser
from benchmarks.panel import longest_cpu_ms
from benchmarks.report import Figure
from benchmarks.texts import page as page_of_words
from buildlib.serve import serve
from tabwise.protocol.schema import DEFAULTS
from tabwise.ui.state import SHOWN

N_QUESTIONS = 60
TIMEOUT_MS = 300_000
GOAL = "goal ≤ 50 ms"

# Asks in one conversation, each question after the one before, over the panel's own channel.
ASK_ALL = """async ([n, defaults]) => {
  const channel = new BroadcastChannel("tabwise");
  const ask = (id, parent) => new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.re === id && ["done", "error"].includes(event.type)) resolve(event.type);
    };
    const question = `How are vectors of passage ${id} compared?`;
    channel.postMessage(
      JSON.stringify({ ...defaults, v: 1, id, type: "ask", question, sources: [], thread: "long", parent }),
    );
  });
  const ends = [];
  for (let place = 0; place < n; place += 1) ends.push(await ask(`q${place}`, place ? `q${place - 1}` : ""));
  return ends.filter((end) => end === "done").length;
}"""


def measure() -> list[Figure]:
    """Fill a conversation, then do in the panel what a reader does; the longest task of each."""
    with serve({"/0.html": page_of_words(0, 4_200).encode()}) as address, bench_browser() as browser:
        browser.open_tab(f"{address}/0.html")
        panel = browser.open_tab("panel.html")
        panel.set_default_timeout(TIMEOUT_MS)
        panel.click("[data-test=view-pages]")
        panel.click("[data-test=add-all]")
        panel.wait_for_selector("[data-test=tab-row][data-state=added]")
        n_asked = panel.evaluate(ASK_ALL, [N_QUESTIONS, DEFAULTS["ask"]])
        assert n_asked == N_QUESTIONS, f"{n_asked} of {N_QUESTIONS} questions were answered"
        panel.click("[data-test=view-history]")
        tasks = {
            "opened": longest_cpu_ms(browser, lambda: _open(panel)),
            "read back to its first question": longest_cpu_ms(browser, lambda: _read_back(panel)),
            "scrolled from end to end": longest_cpu_ms(browser, lambda: _scroll(panel)),
            "asked on": longest_cpu_ms(browser, lambda: _ask(panel)),
        }
    return [
        Figure(f"longest task, conversation of {N_QUESTIONS} questions {what}", ms, "ms", GOAL)
        for what, ms in tasks.items()
    ]


def _open(panel: Page) -> None:
    panel.click("[data-test=past-open]")
    _wait_for_answers(panel, min(SHOWN, N_QUESTIONS))


def _read_back(panel: Page) -> None:
    for n_drawn in range(SHOWN, N_QUESTIONS, SHOWN):
        panel.click("[data-test=earlier]")
        _wait_for_answers(panel, min(n_drawn + SHOWN, N_QUESTIONS))


def _scroll(panel: Page) -> None:
    box = panel.locator(".scroll").first.bounding_box()
    assert box is not None
    panel.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for step_px in (-900, 900):
        for _ in range(60):
            panel.mouse.wheel(0, step_px)
            panel.wait_for_timeout(16)


def _ask(panel: Page) -> None:
    panel.fill("[data-test=question]", "Which of them is the fastest?")
    panel.press("[data-test=question]", "Enter")
    _wait_for_answers(panel, N_QUESTIONS)
    panel.locator("[data-test=answer]").last.and_(panel.locator("[data-state=done]")).wait_for()


def _wait_for_answers(panel: Page, n: int) -> None:
    drawn = "(n) => document.querySelectorAll('[data-test=answer] .foot').length >= n"
    panel.wait_for_function(drawn, arg=n)
