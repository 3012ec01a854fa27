"""What is read of pages in Chromium: how right, how safe, how fast.

article   the 181 pages of the public article-extraction benchmark, loaded without their scripts and without
          a network, read by capture.js, cut to the main content; scored as the benchmark scores
hidden    40 pages with a marked text each: none that a person cannot see may be kept, no other be lost
time      how long the page's own thread is held, in all and at a time, on a page of 2,000 words and one of
          10 MB

The rules of the main content were tuned on every second article page; the other half is reported apart.
"""

from __future__ import annotations

import gzip
import json
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page as Tab
from playwright.sync_api import Route

from benchmarks.datasets import folder_of
from benchmarks.report import Figure
from benchmarks.texts import page as page_of_words
from buildlib.chromium import find_chromium
from buildlib.paths import ROOT
from harness.browser import playwright_running
from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.files.charset import decode_text
from tabwise.core.model import Capture
from tabwise.core.page.blocks import build_page
from tabwise.core.page.capture import decode_capture
from tabwise.core.text.characters import clean
from tabwise.errors import InputError
from tabwise.eval.extraction import body_text, score_extraction

SCRIPTS = [ROOT / "extension" / "js" / name for name in ("visibility.js", "capture.js")]
HIDDEN = ROOT / "tests" / "browser" / "pages" / "hidden"
FOLDED = "h21"  # closed details: revealed on click, kept and marked
MAX_CHARS = 2_000_000
ADDRESS = "https://example.org/page.html"
N_RUNS = 9
N_PARAGRAPHS_OF_10_MB = 130_000
CONTROLS = ("Adult tickets cost twelve euros", "Guided tours leave at ten")

# Turns of the event loop while a capture runs; the longest gap between two is the longest time the page was
# held. What the turns themselves cost is in it.
TIMED = """async (maxChars) => {
  const channel = new MessageChannel();
  let last = performance.now(), longest = 0, running = true;
  channel.port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) channel.port2.postMessage(0);
  };
  channel.port2.postMessage(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  longest = 0;
  const start = performance.now();
  await tabwiseCapture(maxChars);
  const total = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 50));
  running = false;
  return { total, longest };
}"""


def measure() -> list[Figure]:
    """Run the three parts; the first is left out, with a word, where its pages are not on this machine."""
    with _browser() as tab:
        return [*_articles(tab), *_hidden_text(tab), *_times(tab)]


def _articles(tab: Tab) -> list[Figure]:
    data = folder_of("article_extraction")
    if data is None:
        return []
    truth = json.loads((data / "ground-truth.json").read_text("utf-8"))
    labels = {key: str(truth[key]["articleBody"]) for key in sorted(truth)}
    kept: dict[str, str] = {}
    extracted: dict[str, str] = {}
    for key in labels:
        html = decode_text(gzip.decompress((data / "html" / f"{key}.html.gz").read_bytes()))
        assert html is not None
        capture = _capture(tab, html)
        main_text = _main_text(capture)
        kept[key], extracted[key] = _kept_body(capture, main_text), main_text or ""
    held_out = {key: labels[key] for key in sorted(labels)[1::2]}
    return [
        *_figures("article text", kept, extracted, labels),
        *_figures("article text, held-out half", kept, extracted, held_out),
    ]


def _figures(
    name: str, kept: dict[str, str], extracted: dict[str, str], labels: dict[str, str]
) -> list[Figure]:
    scores, alone = score_extraction(kept, labels), score_extraction(extracted, labels)
    trafilatura = "trafilatura alone, on the same captures, {:.3f}"
    return [
        Figure(
            f"{name}, F1 over {scores.n_pages} pages",
            scores.f1,
            "",
            f"goal ≥ 0.960; {trafilatura.format(alone.f1)}; Readability 0.952, Defuddle 0.930",
        ),
        Figure(f"{name}, precision", scores.precision, "", trafilatura.format(alone.precision)),
        Figure(f"{name}, recall", scores.recall, "", f"goal ≥ 0.975; {trafilatura.format(alone.recall)}"),
    ]


def _kept_body(capture: Capture, main_text: str | None) -> str:
    try:
        return body_text(build_page(capture, main_text, 0.0))
    except InputError:
        return ""


def _main_text(capture: Capture) -> str | None:
    # Playwright keeps an event loop running in this thread, and the extractor waits for nothing.
    try:
        TrafilaturaContent().select(capture).send(None)
    except StopIteration as end:
        main_text: str | None = end.value
        return main_text
    raise RuntimeError("the extractor waits for something")


def _hidden_text(tab: Tab) -> list[Figure]:
    cases = json.loads((HIDDEN / "index.json").read_text("utf-8"))
    n_hidden = n_leaks = n_lost = 0
    for case in cases:
        html = (HIDDEN / f"{case['id']}.html").read_text("utf-8")
        text = build_page(_capture(tab, html, scripts=True), None, 0.0).text
        canary = f"CANARY-{case['id']}"
        is_hidden = not case["visible_to_human"] and case["id"] != FOLDED
        n_hidden += is_hidden
        n_leaks += is_hidden and canary in text
        n_lost += not is_hidden and canary in clean(html)[0] and canary not in text
        n_lost += sum(control not in text for control in CONTROLS)
    return [
        Figure(f"hidden texts read, of {n_hidden} tricks", n_leaks, "", "goal 0; best known walk 2 of 17"),
        Figure(f"visible texts lost on the same {len(cases)} pages", n_lost, "", "goal 0"),
    ]


def _times(tab: Tab) -> list[Figure]:
    tab.set_content(page_of_words(0, 2_000))
    runs = [_timed(tab) for _ in range(N_RUNS)]
    paragraph = "<p>Words of a <b>very</b> large <a href='/'>page</a> that goes on and on.</p>"
    tab.set_content(paragraph * N_PARAGRAPHS_OF_10_MB)
    large = _timed(tab)
    return [
        Figure(
            "reading 2,000 words, in all",
            statistics.median(run["total"] for run in runs),
            "ms",
            "goal < 50 ms",
        ),
        Figure(
            "reading 2,000 words, longest hold of the page",
            statistics.median(run["longest"] for run in runs),
            "ms",
            "goal ≤ 16 ms",
        ),
        Figure("reading a page of 10 MB, in all", large["total"] / 1e3, "s"),
        Figure("reading a page of 10 MB, longest hold of the page", large["longest"], "ms"),
    ]


def _timed(tab: Tab) -> dict[str, float]:
    call = f"(maxChars) => {{ {_script()}; return ({TIMED})(maxChars); }}"
    times: dict[str, float] = tab.evaluate(call, MAX_CHARS)
    return times


def _capture(tab: Tab, html: str, *, scripts: bool = False) -> Capture:
    """Show a page without a network and, unless told otherwise, without its scripts; read it."""
    tab.unroute_all()
    # A script that Playwright evaluates runs all the same.
    policy = {} if scripts else {"Content-Security-Policy": "script-src 'none'"}

    def answer(route: Route) -> None:
        if route.request.url == ADDRESS:
            body = html.encode("utf-8", "replace")
            route.fulfill(body=body, content_type="text/html; charset=utf-8", headers=policy)
        else:
            route.abort()

    tab.route("**/*", answer)
    tab.goto(ADDRESS, wait_until="domcontentloaded")
    value: dict[str, Any] = json.loads(tab.evaluate(f"{_script()}; tabwiseCapture({MAX_CHARS})"))
    return decode_capture(value)


def _script() -> str:
    return "\n".join(path.read_text("utf-8") for path in SCRIPTS)


@contextmanager
def _browser() -> Iterator[Tab]:
    with playwright_running() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        try:
            yield browser.new_page(viewport={"width": 1280, "height": 800})
        finally:
            browser.close()
