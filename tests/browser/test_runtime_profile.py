"""The library file across crashes, restarts of the browser, and a second owner."""

from pathlib import Path

import pytest

from browser.engine_client import Client
from harness.browser import launched, until

pytestmark = [pytest.mark.native, pytest.mark.browser]

HOLD = """() => void navigator.locks.request("tabwise-library", () => new Promise((done) => {
    globalThis.letGo = done;
}))"""
IS_WAITED_FOR = """async () => {
    const { pending } = await navigator.locks.query();
    return pending.some(({ name }) => name === "tabwise-library");
}"""


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
        client.page.evaluate(HOLD)
        client.ensure_engine()
        end = client.end_of(client.send("library"))
    assert end["code"] == "store_locked"
    assert end["retryable"] is True


@pytest.mark.fault("F28")
def test_a_library_that_is_let_go_of_in_time_is_waited_for(extension: Path, tmp_path: Path) -> None:
    with launched(extension, tmp_path / "profile") as browser:
        client = Client(browser)
        client.page.evaluate(HOLD)
        client.ensure_engine()
        until(client.page, IS_WAITED_FOR)
        client.page.evaluate("letGo()")
        assert client.ask("library") == []
