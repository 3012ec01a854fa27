"""One Chromium with the built extension for a module's tests, and a loopback site for it to read.

The extension is a copy of dist/extension that may read the loopback site without asking: the browser's
permission prompt cannot be answered without a screen.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.panel_page import MICROPYTHON, served
from buildlib.chromium import find_chromium
from buildlib.paths import EXTENSION, SAMPLES
from buildlib.serve import serve
from harness.browser import PATIENCE_S, ExtensionBrowser, extension_with_access, launched
from harness.panel import Panel

PAGES = Path(__file__).parent / "pages"
PANEL_SIZE_PX = (420, 900)
expect.set_options(timeout=PATIENCE_S * 1e3)


@pytest.fixture(scope="session")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built extension with access to the loopback site."""
    assert (EXTENSION / "manifest.json").is_file(), "run `python3 scripts/build.py dist` first"
    return extension_with_access(
        EXTENSION, tmp_path_factory.mktemp("dist") / "extension", ("http://127.0.0.1/*",)
    )


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of a server with the sample pages at / and the test pages at /pages/."""
    with serve({"/": SAMPLES, "/pages/": PAGES}) as address:
        yield address


@pytest.fixture(scope="module")
def browser(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExtensionBrowser]:
    """A Chromium on a fresh profile whose reader lets the loopback site be read."""
    with launched(extension, tmp_path_factory.mktemp("profile")) as opened:
        opened.allow_site("127.0.0.1")
        yield opened


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A Chromium without the extension, for pages on a plain web server."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def panel_address() -> Iterator[str]:
    """Address of panel.html on a plain web server, the extension's other pages beside it."""
    with served(MICROPYTHON) as address:
        yield address


@pytest.fixture(scope="module")
def open_panel(browser: ExtensionBrowser) -> Callable[[str], Panel]:
    """Open the real side panel over the tab with this address."""

    def open_over(url: str) -> Panel:
        target = browser.open_side_panel(url)
        target.resize(*PANEL_SIZE_PX)
        return Panel(target)

    return open_over
