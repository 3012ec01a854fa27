"""The built extension with the benchmark's own pages in it, so that they run under its rules."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from buildlib.fetch import cached_path, fetch
from buildlib.lock import read_lock
from buildlib.paths import EXTENSION
from harness.browser import ExtensionBrowser, extension_with_access, launched

PAGES = Path(__file__).parent / "pages"
NUMPY_WHEEL = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@contextmanager
def bench_browser(*, added: Mapping[str, Path] | None = None) -> Iterator[ExtensionBrowser]:
    """Chromium on a fresh profile with the extension, its bench/ folder and access to loopback pages.

    `added`: code that is added to a script of the extension, by the script's path in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        extension = extension_with_access(EXTENSION, Path(folder) / "extension", ("http://127.0.0.1/*",))
        shutil.copytree(PAGES, extension / "bench")
        for script, code in (added or {}).items():
            with (extension / script).open("a", encoding="utf-8") as file:
                file.write(code.read_text(encoding="utf-8"))
        wheel = read_lock().file(NUMPY_WHEEL)
        fetch([wheel])
        shutil.copy(cached_path(wheel), extension / "bench" / NUMPY_WHEEL)
        with launched(extension, Path(folder) / "profile") as browser:
            browser.allow_site("127.0.0.1")
            yield browser
