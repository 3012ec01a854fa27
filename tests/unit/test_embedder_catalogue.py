"""Embedding models of the catalogue: fetched whole or not at all, tried before use, deleted."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from desk import Desk
from fakes import BagEmbedder
from loopback import Loopback
from model_hub import Hub
from tabwise.adapters.native.embedder import OnnxEmbedder
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.native.model_folders import DiskModels
from tabwise.core.embedder_catalogue import EMBEDDERS
from tabwise.core.embedders import EmbedderDescription
from tabwise.engine.embedder_catalogue import EmbedderCatalogue
from tabwise.engine.llm.catalogue import Catalogue
from tabwise.engine.own_embedder import CHECKED, FOLDERS, folder_in_use
from tabwise.ports import ModelFolders
from tiny_embedder import ENTRY, write_tiny_embedder

pytestmark = pytest.mark.native

FOLDER = f"{FOLDERS}{ENTRY.id}"


class OwnOnDisk:
    """ports.OwnEmbedders over a folder of the disk; counts the new starts."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.n_starts = 0

    @property
    def folders(self) -> ModelFolders:
        return DiskModels(self._root)

    async def trial(self, folder: str, description: EmbedderDescription) -> OnnxEmbedder:
        (self._root / folder / "model.json").write_text(json.dumps(description.fields()))
        try:
            return OnnxEmbedder(self._root / folder)
        finally:
            (self._root / folder / "model.json").unlink()

    def restart(self) -> None:
        self.n_starts += 1


class Scene:
    """A desk, a hub with the tiny model, and a folder for what comes of it."""

    def __init__(self, tmp_path: Path, server: Loopback) -> None:
        (tmp_path / "work").mkdir()
        self.root = tmp_path / "stored"
        self.hub = Hub(server, tmp_path, write_tiny_embedder(tmp_path / "work"))
        self.http = NativeHttp()
        self.own = OwnOnDisk(self.root)
        self.desk = Desk(
            tmp_path / "library.db",
            {},
            BagEmbedder(),
            http=self.http,
            own_embedders=self.own,
            embedders=lambda gate: EmbedderCatalogue(
                self.own.folders, gate, entries=(ENTRY,), hub=server.url
            ),
        )

    async def model(self) -> dict[str, Any]:
        (model,) = (await self.desk.ask("embedder_catalogue"))["result"]["models"]
        return dict(model)


def with_scene(tmp_path: Path, work: Callable[[Scene], Awaitable[None]]) -> None:
    async def in_loop() -> None:
        async with Loopback() as server:
            scene = Scene(tmp_path, server)
            await scene.desk.service.start()
            try:
                await work(scene)
            finally:
                await scene.desk.service.settle()
                await scene.http.close()

    asyncio.run(in_loop())


def test_a_model_is_fetched_used_given_up_and_deleted(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        desk = scene.desk
        assert (await scene.model())["state"] == "absent"
        await desk.ask("embedder_download", model=ENTRY.id)
        model = await scene.model()
        assert (model["state"], model["is_in_use"], scene.own.n_starts) == ("here", False, 0)
        names = {path.name for path in (scene.root / FOLDER).iterdir()}
        assert names == {"described.json", "tokenizer.json", "model_int8.onnx", "model_int8.onnx_data"}

        assert (await desk.ask("embedder_use", model=ENTRY.id))["result"] == {"id": ENTRY.id}
        assert ((await scene.model())["is_in_use"], scene.own.n_starts) == (True, 1)
        checked = EmbedderDescription.of(json.loads((scene.root / FOLDER / CHECKED).read_text()))
        assert (checked.before, checked.after) == ((1,), (2,))
        assert checked.descriptor.key == "tiny-words (passage)"

        await desk.ask("embedder_forget")
        model = await scene.model()
        assert (model["state"], model["is_in_use"], scene.own.n_starts) == ("here", False, 2)

        await desk.ask("embedder_use", model=ENTRY.id)
        await desk.ask("embedder_remove", model=ENTRY.id)
        assert ((await scene.model())["state"], scene.own.n_starts) == ("absent", 4)
        assert await folder_in_use(scene.own.folders) == ""

    with_scene(tmp_path, work)


@pytest.mark.fault("F45")
def test_a_download_that_broke_off_goes_on_where_it_was(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        half = len(scene.hub.files[ENTRY.model]) // 2
        scene.hub.cut_at = half
        lost = await scene.desk.ask("embedder_download", model=ENTRY.id)
        assert (lost["type"], lost["code"]) == ("error", "network_lost")
        assert (await scene.model())["state"] == "partial"
        used = await scene.desk.ask("embedder_use", model=ENTRY.id)
        assert (used["type"], used["code"]) == ("error", "model_unavailable")
        assert (await scene.desk.ask("embedder_download", model=ENTRY.id))["type"] == "done"
        assert scene.hub.ranges == [f"bytes={half}-"]

    with_scene(tmp_path, work)


def test_a_model_that_does_not_run_changes_nothing(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        await scene.desk.ask("embedder_download", model=ENTRY.id)
        (scene.root / FOLDER / "model_int8.onnx").write_bytes(b"no graph")
        failed = await scene.desk.ask("embedder_use", model=ENTRY.id)
        assert (failed["type"], failed["code"]) == ("error", "model_unavailable")
        assert (await folder_in_use(scene.own.folders), scene.own.n_starts) == ("", 0)

    with_scene(tmp_path, work)


def test_a_repository_without_a_tokenizer_is_said(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        listing = [row for row in scene.hub.listing() if row["path"] != "tokenizer.json"]
        scene.hub.show(listing)
        failed = await scene.desk.ask("embedder_download", model=ENTRY.id)
        assert (failed["type"], failed["code"]) == ("error", "service_foreign")
        assert (await scene.model())["state"] == "partial"

    with_scene(tmp_path, work)


def test_the_list_of_language_models_does_not_see_embedding_models(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        await scene.desk.ask("embedder_download", model=ENTRY.id)
        await scene.desk.ask("embedder_use", model=ENTRY.id)
        assert await Catalogue(scene.own.folders, scene.http, entries=()).states() == ()

    with_scene(tmp_path, work)


def test_an_unknown_model_is_refused(tmp_path: Path) -> None:
    async def work(scene: Scene) -> None:
        for request in ("embedder_download", "embedder_use", "embedder_remove"):
            failed = await scene.desk.ask(request, model="other")
            assert (failed["type"], failed["code"]) == ("error", "source_unknown")

    with_scene(tmp_path, work)


@pytest.mark.parametrize("entry", EMBEDDERS, ids=lambda entry: entry.id)
def test_what_the_catalogue_says_of_a_model_can_be_read(entry: Any) -> None:
    description = EmbedderDescription.of(entry.fields(["model.onnx"]))
    assert description.descriptor.dimensions == entry.dimensions
    assert description.descriptor.passage_prefix == entry.passage_prefix
