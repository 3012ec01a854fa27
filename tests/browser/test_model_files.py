"""The files of models in the browser's own file system: written in pieces, renamed, listed, deleted."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from buildlib.chromium import find_chromium
from buildlib.paths import EXTENSION_SOURCE
from buildlib.serve import serve
from harness.browser import playwright_running

pytestmark = [pytest.mark.native, pytest.mark.browser]

# Sync access handles exist in workers alone.
WORKER = b"""import * as files from "/js/model_files.js";
const readable = (value) => ArrayBuffer.isView(value) ? [...value] : value;
self.onmessage = async ({ data: [name, ...given] }) => {
  const made = given.map((one) => Array.isArray(one) ? Uint8Array.from(one) : one);
  try {
    postMessage({ value: readable(await files[name](...made)) });
  } catch (error) {
    postMessage({ error: error.name });
  }
};"""
PAGE = b"""<!doctype html><script type="module">
const worker = new Worker("/worker.js", { type: "module" });
globalThis.call = (request) => new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(request);
});
globalThis.blob = (bytes) => URL.createObjectURL(new Blob([Uint8Array.from(bytes)]));
</script>"""


class Disk:
    """The file system of one origin."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __call__(self, name: str, *given: object) -> Any:
        reply = self.page.evaluate("(request) => call(request)", [name, *given])
        assert "error" not in reply, reply
        return reply.get("value")

    def error(self, name: str, *given: object) -> str:
        error: str = self.page.evaluate("(request) => call(request)", [name, *given])["error"]
        return error

    def folders(self) -> dict[str, dict[str, int]]:
        listed: dict[str, dict[str, int]] = json.loads(self("listStored"))["folders"]
        return listed


@pytest.fixture
def disk() -> Iterator[Disk]:
    routes = {"/js/": EXTENSION_SOURCE / "js", "/worker.js": WORKER, "/": PAGE}
    with serve(routes) as address, playwright_running() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(f"{address}/")
        page.wait_for_function("() => globalThis.call")
        yield Disk(page)
        chromium.close()


def test_a_file_is_written_in_pieces_and_goes_on_where_it_was(disk: Disk) -> None:
    disk("writeStored", "tiny", "a.part", 0, [1, 2, 3])
    disk("writeStored", "tiny", "a.part", 3, [4, 5])
    assert disk("readStored", "tiny", "a.part", 1, 99) == [2, 3, 4, 5]
    disk("writeStored", "tiny", "a.part", 2, [9])
    assert disk("readStored", "tiny", "a.part", 0, 99) == [1, 2, 9]
    assert disk.folders() == {"tiny": {"a.part": 3}}


def test_a_file_takes_the_place_of_another(disk: Disk) -> None:
    disk("writeStored", "tiny", "model.onnx", 0, [0])
    disk("writeStored", "tiny", "model.onnx.part", 0, [7, 8])
    disk("renameStored", "tiny", "model.onnx.part", "model.onnx")
    assert disk.folders() == {"tiny": {"model.onnx": 2}}
    assert disk("readModelFile", "stored:tiny", "model.onnx") == [7, 8]


def test_a_blob_of_another_page_is_copied(disk: Disk) -> None:
    url = disk.page.evaluate("blob([5, 6, 7])")
    disk("copyStored", "mine", "model.onnx", url)
    assert disk.folders() == {"mine": {"model.onnx": 3}}


def test_a_folder_is_deleted_whole_and_twice(disk: Disk) -> None:
    disk("writeStored", "tiny", "model.onnx", 0, [0])
    disk("removeStored", "tiny")
    disk("removeStored", "tiny")
    assert disk.folders() == {}
    assert disk.error("readModelFile", "stored:tiny", "model.onnx") == "ModelMissing"


def test_there_is_room_and_it_is_told(disk: Disk) -> None:
    assert json.loads(disk("listStored"))["free_bytes"] > 1_000_000
