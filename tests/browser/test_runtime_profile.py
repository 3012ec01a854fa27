"""The library file across crashes, restarts of the browser, and a second owner."""

from pathlib import Path

import pytest

from browser.engine_client import Client
from harness.browser import launched

pytestmark = [pytest.mark.native, pytest.mark.browser]


def test_the_library_survives_a_crash_and_a_restart_of_the_browser(
    extension: Path, site: str, tmp_path: Path
) -> None:
    url = f"{site}/pages/ask/tides.html"
    with launched(extension, tmp_path / "profile") as browser:
        browser.open_tab(url)
        client = Client(browser)
        client.ensure_engine()
        client.ask("index", tabs=[client.tab(url)])
        client.crash_workers()
    with launched(extension, tmp_path / "profile") as browser:
        client = Client(browser)
        client.ensure_engine()
        stats = client.ask("hello")["stats"]
    assert stats["n_pages"] == 1
    assert stats["n_vectors"] == stats["n_chunks"] > 0


@pytest.mark.fault("F25", "F28")
def test_a_library_that_someone_else_holds_is_reported_as_locked(extension: Path, tmp_path: Path) -> None:
    with launched(extension, tmp_path / "profile") as browser:
        client = Client(browser)
        hold = "void navigator.locks.request('tabwise-library', () => new Promise(() => undefined))"
        client.page.evaluate(hold)
        client.ensure_engine()
        end = client.end_of(client.send("library"))
    assert end["code"] == "store_locked"
    assert end["retryable"] is True
