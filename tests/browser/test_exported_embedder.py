"""An embedding model as it is exported: weights beside the graph, the sentence's vector its second output."""

import json
from pathlib import Path

from playwright.sync_api import expect

from harness.browser import launched
from tiny_embedder import ENTRY, write_tiny_embedder

ADD_TIMEOUT_MS = 120_000


def test_it_is_tried_and_taken(extension: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    given = tmp_path / "given"
    given.mkdir()
    files = write_tiny_embedder(tmp_path / "work")
    wanted = ("tokenizer.json", ENTRY.model, f"{ENTRY.model}_data")
    for path in wanted:
        (given / Path(path).name).write_bytes(files[path])
    fields = ENTRY.fields([Path(path).name for path in wanted[1:]])
    (given / "model.json").write_text(json.dumps(fields), "utf-8")
    with launched(extension, tmp_path / "profile") as browser:
        settings = browser.open_tab("settings.html")
        model = settings.locator("dl[data-test=model]")
        expect(model).to_contain_text("384", timeout=ADD_TIMEOUT_MS)
        expect(settings.locator("[data-test=embedder]")).to_have_count(3)
        settings.locator("#embedder-files").set_input_files(sorted(given.iterdir()))
        expect(model).to_contain_text(ENTRY.id, timeout=ADD_TIMEOUT_MS)
        expect(model).to_contain_text("16")
        expect(settings.locator("[data-test=models]")).to_be_visible()
        settings.locator("[data-test=embedder-back]").click()
        expect(model).to_contain_text("384", timeout=ADD_TIMEOUT_MS)
