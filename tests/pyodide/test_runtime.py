"""The Python that is shipped to the browser: version, packed archives, what the engine relies on."""

import asyncio
import importlib
import importlib.metadata
import pkgutil
import sqlite3
import sys

import numpy as np
import pytest

HTML = """<html lang="en"><head><title>Lighthouse</title><meta name="date" content="2024-05-03"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
<article><h1>Lighthouse to be rebuilt</h1>
<p>The harbour board voted to rebuild the lighthouse that fell in the storm of 2021, for 3.2 million.</p>
<p>Work begins in March and is to end before the winter; the light will be seen at a distance of 18 miles.</p>
</article><footer>All rights reserved</footer></body></html>"""

# Modules of the package that run elsewhere: on CPython, or on MicroPython beside a page.
ELSEWHERE = ("tabwise.adapters.native", "tabwise.cli", "tabwise.demo", "tabwise.eval", "tabwise.ui")


def test_it_is_the_pinned_python() -> None:
    assert sys.platform == "emscripten"
    assert sys.version_info[:2] == (3, 14)


@pytest.mark.parametrize(
    "name", ["numpy", "lxml", "trafilatura", "courlan", "htmldate", "justext", "babel", "tld"]
)
def test_package_is_shipped_compiled_and_knows_its_version(name: str) -> None:
    assert str(importlib.import_module(name).__file__).endswith(".pyc")
    assert importlib.metadata.version(name)


def test_main_text_is_found() -> None:
    trafilatura = importlib.import_module("trafilatura")
    text = trafilatura.extract(HTML, include_tables=True, favor_recall=True)
    assert "3.2 million" in text
    assert "All rights reserved" not in text


def test_date_is_found() -> None:
    metadata = importlib.import_module("trafilatura").extract_metadata(HTML)
    assert (metadata.title, metadata.date) == ("Lighthouse to be rebuilt", "2024-05-03")


def test_synchronous_code_may_wait_for_a_promise() -> None:
    async def later() -> int:
        await asyncio.sleep(0.01)
        return 7

    assert asyncio.run(later()) == 7


def test_integers_are_32_bit_unless_told() -> None:
    assert np.array([1]).dtype == np.dtype(np.intp)
    assert np.dtype(np.intp).itemsize == 4


def test_sqlite_is_there() -> None:
    with sqlite3.connect(":memory:") as database:
        assert database.execute("select 1 + 1").fetchone() == (2,)


def test_every_module_of_the_engine_can_be_imported() -> None:
    package = importlib.import_module("tabwise")
    names = [
        info.name for info in pkgutil.walk_packages(package.__path__, "tabwise.", onerror=lambda name: None)
    ]
    engine = [
        name
        for name in names
        if not name.startswith(ELSEWHERE) and not name.startswith("tabwise.adapters.browser")
    ]
    for name in engine:
        if name != "tabwise.entry_browser":  # needs the host's JavaScript module
            importlib.import_module(name)
    assert "tabwise.core.search.bm25" in engine
