"""`build.py run`: the extension in a browser with sample pages open, by hand or without a screen."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from buildlib.chromium import browser_arguments, find_chromium
from buildlib.console import BuildError, say, step
from buildlib.paths import DEMO, DIST, EXTENSION, SAMPLES
from buildlib.serve import serve

QUESTION = "How much electricity does the tidal power station on the Rance generate in a year?"
SCREENSHOT = DIST / "headless.png"
SAMPLES_HOST = "samples.example"
PANEL_SIZE_PX = (420, 900)


def sample_pages() -> list[Path]:
    """The sample pages, in the order of their names."""
    pages = sorted(SAMPLES.glob("*.html"))
    if not pages:
        raise BuildError(f"There are no sample pages in {SAMPLES}.")
    return pages


def run_window(profile: Path | None) -> None:
    """Open Chromium with the extension and the sample pages; returns when the browser is closed."""
    chromium = find_chromium()
    routes = {"/": SAMPLES, "/demo/": DEMO}
    with serve(routes, isolated=True) as address, tempfile.TemporaryDirectory() as folder:
        # Under a public name: addresses of this machine are not read unless the reader allows them.
        samples = f"http://{SAMPLES_HOST}:{address.rpartition(':')[2]}"
        urls = [f"{samples}/{page.name}" for page in sample_pages()]
        say("Chromium is open: press Tabwise's button in the toolbar (or Alt+Shift+A), add the tabs, ask.")
        say("Close the browser or press Ctrl+C to end.")
        where = profile.resolve() if profile else Path(folder)
        resolve = f"--host-resolver-rules=MAP {SAMPLES_HOST} 127.0.0.1"
        command = [str(chromium), *browser_arguments(EXTENSION), resolve, f"--user-data-dir={where}", *urls]
        log = Path(folder) / "chromium.log"
        with log.open("wb") as stream:
            browser = subprocess.Popen(command, stdout=stream, stderr=stream)
            try:
                exit_code = browser.wait()
            finally:
                browser.terminate()
                browser.wait()
        if exit_code:
            said = "\n".join(log.read_text(errors="replace").splitlines()[-5:])
            raise BuildError(f"Chromium ended with {exit_code}:\n{said}\nWithout a screen, use --headless.")


def run_headless(question: str, profile: Path | None) -> None:
    """The same without a screen: add all tabs in the real side panel, ask, print the answer.

    Raises BuildError with what the panel said when there is no answer.
    """
    from harness.browser import HarnessError, extension_with_access, launched
    from harness.panel import Panel

    pages = sample_pages()
    with serve({"/": SAMPLES}) as address, tempfile.TemporaryDirectory() as folder:
        extension = extension_with_access(EXTENSION, Path(folder) / "extension", ("http://127.0.0.1/*",))
        where = profile.resolve() if profile else Path(folder) / "profile"
        with launched(extension, where) as browser:
            browser.allow_site("127.0.0.1")
            urls = [f"{address}/{page.name}" for page in pages]
            for url in urls:
                browser.open_tab(url)
            target = browser.open_side_panel(urls[-1])
            target.resize(*PANEL_SIZE_PX)
            try:
                panel = Panel(target)
                with step(f"Adding {len(urls)} tabs"):
                    panel.add_all(len(urls))
                with step("Asking"):
                    sentences = panel.ask(question)
            except HarnessError as error:
                target.screenshot(SCREENSHOT)
                raise BuildError(f"{error}\nWhat the panel showed: {SCREENSHOT}") from error
            target.screenshot(SCREENSHOT)
    say(f"\n{question}")
    for sentence in sentences:
        say(f"  {sentence.text}\n    [{sentence.verdict}] {'; '.join(sentence.citations)}")
    say(f"\nScreenshot: {SCREENSHOT}")
    if not sentences:
        raise BuildError("The panel answered, but found nothing on the sample pages.")
