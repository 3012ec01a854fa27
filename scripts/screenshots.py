"""Make the pictures of the store listing: 1280 × 800, from the built extension over the sample pages.

    python scripts/screenshots.py [FOLDER]      dist/screenshots unless told; build the extension first

The picture of the panel alone, in the README, is made on the way and stands in docs/images. One of the panel
stands beside one of the page, as in a browser window: without a screen the browser draws them apart. The PDF
is a sample page as the browser prints it.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page

from buildlib.console import say
from buildlib.paths import DIST, DOCS, EXTENSION, SAMPLES
from buildlib.serve import serve
from buildlib.showcase import PANEL_SIZE_PX, QUESTION, sample_pages
from harness.browser import ExtensionBrowser, Target, extension_with_access, launched
from harness.panel import Panel

WIDTH_PX, HEIGHT_PX = 1280, 800
PANEL_PX = 440
OF_THE_PANEL = DOCS / "images" / "panel.png"
PRINTED = SAMPLES / "tidal-power.html"
PASSAGE = "At the Rance the range is 8 metres on average and up to 13.5 metres at the largest spring tides."
FRAME = """<!doctype html><style>
  body {{ display: flex; margin: 0; inline-size: {width}px; block-size: {height}px; overflow: hidden; }}
  img {{ display: block; block-size: {height}px; }}
  img + img {{ border-inline-start: 1px solid #d5d8de; }}
</style>{images}"""


class Camera:
    """Takes pictures in the folder."""

    def __init__(self, browser: ExtensionBrowser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self._taken: dict[str, list[bytes]] = {}

    def beside(self, name: str, url: str, panel: Target) -> None:
        """The tab with that address, and the panel at its side."""
        page = next(page for page in self._browser.context.pages if page.url == url)
        page.set_viewport_size({"width": WIDTH_PX - PANEL_PX, "height": HEIGHT_PX})
        with tempfile.TemporaryDirectory() as folder:
            shot = Path(folder) / "panel.png"
            panel.screenshot(shot)
            self._taken[name] = [page.screenshot(), shot.read_bytes()]

    def alone(self, name: str, path: str, prepare: Callable[[Page], None]) -> None:
        """A page of the extension as wide as the window."""
        page = self._browser.open_tab(path)
        page.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
        prepare(page)
        self._taken[name] = [page.screenshot()]

    def develop(self) -> None:
        """Write the pictures; only now, so that no tab of ours is in them."""
        self._folder.mkdir(parents=True, exist_ok=True)
        frame = self._browser.context.new_page()
        frame.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
        for name, images in self._taken.items():
            self._write(frame, name, images)

    def _write(self, frame: Page, name: str, images: list[bytes]) -> None:
        shown = [f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}">' for one in images]
        frame.set_content(FRAME.format(width=WIDTH_PX, height=HEIGHT_PX, images="".join(shown)))
        frame.wait_for_function("[...document.images].every((image) => image.complete)")
        frame.screenshot(path=self._folder / f"{name}.png")
        say(f"{self._folder / name}.png")


def main(folder: Path) -> None:
    """Write all pictures; raises HarnessError with what did not come about."""
    pages = sample_pages()
    with serve({"/": SAMPLES}) as address, tempfile.TemporaryDirectory() as scratch:
        extension = extension_with_access(EXTENSION, Path(scratch) / "extension", ("http://127.0.0.1/*",))
        with launched(extension, Path(scratch) / "profile") as browser:
            browser.allow_site("127.0.0.1")
            urls = [f"{address}/{page.name}" for page in pages]
            for url in urls:
                browser.open_tab(url)
            browser.context.pages[0].close()  # the empty tab that a new browser has
            target = browser.open_side_panel(urls[-1])
            target.resize(PANEL_PX, HEIGHT_PX)
            camera, panel = Camera(browser, folder), Panel(target)
            panel.add_all(len(urls))
            camera.beside("2-pages", urls[-1], target)
            panel.click("view-chat")
            panel.ask(QUESTION)
            panel.click("guide-close")
            target.resize(*PANEL_SIZE_PX)
            target.screenshot(OF_THE_PANEL)
            target.resize(PANEL_PX, HEIGHT_PX)
            camera.beside("1-answer", urls[-1], target)
            panel.press_chip(0)
            panel.click("view-shelf")
            panel.wait_for("shelf-row")
            camera.beside("3-library", urls[-1], target)
            camera.alone("4-settings", "settings.html", _show_data)
            with serve({"/tides.pdf": _printed(browser)}) as papers:
                camera.alone("5-pdf", _viewer(f"{papers}/tides.pdf"), _show_passage)
            camera.develop()


def _show_data(settings: Page) -> None:
    settings.locator("[data-test=export]").wait_for()
    settings.locator("#data").evaluate("section => section.scrollIntoView()")


def _printed(browser: ExtensionBrowser) -> bytes:
    """A sample page as a PDF."""
    page = browser.context.new_page()
    page.goto(PRINTED.as_uri())
    printed = page.pdf(format="A4", margin={"top": "2cm", "bottom": "2cm"})
    page.close()
    return printed


def _viewer(url: str) -> str:
    """The address of our viewer for the cited passage of a file."""
    passage = {"quote": PASSAGE, "before": "", "after": "", "page_number": 1}
    shown = {"url": url, "source": url, "title": "Power from the tides", "start": 0, "passages": [passage]}
    return "pdf.html#" + quote(json.dumps(shown))


def _show_passage(viewer: Page) -> None:
    viewer.locator(".pdf-mark.current").first.wait_for()
    viewer.locator("[data-test=waiting]").wait_for(state="detached")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DIST / "screenshots", metavar="FOLDER")
    main(parser.parse_args().folder)
    sys.exit(0)
