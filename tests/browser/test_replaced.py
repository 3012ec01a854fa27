"""The extension is replaced by a newer one under open pages, as the browser does when an update arrives."""

import json
import shutil
from pathlib import Path

import pytest

from browser.engine_client import Client
from harness.browser import launched

pytestmark = [pytest.mark.native, pytest.mark.browser]

NEWER = "9.9.9"
VERSION = "() => chrome.runtime.getManifest().version"
LEFT = """async (url) => {
    const [tab] = (await chrome.tabs.query({})).filter((tab) => tab.url === url);
    const func = () => Object.keys(globalThis)
        .filter((name) => name.startsWith("tabwise") && globalThis[name] !== undefined);
    return (await chrome.scripting.executeScript({ target: { tabId: tab.id }, func }))[0].result;
}"""


@pytest.mark.fault("F06")
def test_after_an_update_open_pages_are_read_as_before(extension: Path, site: str, tmp_path: Path) -> None:
    own = Path(shutil.copytree(extension, tmp_path / "extension"))
    url = f"{site}/pages/visibility.html"
    with launched(own, tmp_path / "profile") as browser:
        browser.allow_site("127.0.0.1")
        page = browser.open_tab(url)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        before = Client(browser)
        before.ensure_engine()
        (row,) = before.ask("index", tabs=[before.tab(url)])
        assert row["state"] == "added"

        manifest = json.loads((own / "manifest.json").read_text(encoding="utf-8"))
        (own / "manifest.json").write_text(json.dumps(manifest | {"version": NEWER}), encoding="utf-8")
        browser.cdp.send("Extensions.loadUnpacked", {"path": str(own)})

        after = Client(browser)
        assert after.page.evaluate(VERSION) == NEWER
        after.ensure_engine()
        assert [row["state"] for row in after.ask("index", tabs=[after.tab(url)])] == ["unchanged"]
        assert after.page.evaluate(LEFT, url) == []
        assert errors == []
