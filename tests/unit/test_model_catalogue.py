"""Models come to this machine whole or not at all: broken off, damaged, short of room, from a folder."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from loopback import Loopback, reply
from model_hub import COMMIT, CONFIG, ENTRY, TEMPLATE, Hub
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.native.llm import NativeDecoders
from tabwise.adapters.native.model_folders import DiskModels
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.llm.catalogue import CATALOGUE
from tabwise.core.llm.description import is_file_name
from tabwise.core.llm.export import TEXT_FILES, describe_export, device_of
from tabwise.core.network.hub import wanted_files
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.llm.catalogue import Catalogue
from tabwise.engine.llm.local_models import LocalModels
from tabwise.errors import AppError, InputError, ModelError, ProviderError
from tiny_llama import write_model

pytestmark = pytest.mark.native


class Tight(DiskModels):
    """A disk with little room."""

    def __init__(self, root: Path, free: int) -> None:
        super().__init__(root)
        self._free = free

    async def free_bytes(self) -> int:
        return self._free


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("source") / "tiny")


class Machine:
    """A folder of models and a catalogue of one, at a hub of the tests."""

    def __init__(self, hub: Hub, root: Path, address: str) -> None:
        self.hub = hub
        self.root = root
        self.http = NativeHttp()
        self.folders = DiskModels(root)
        self.address = address
        self.catalogue = Catalogue(self.folders, self.http, entries=(ENTRY,), hub=address)

    def names(self) -> set[str]:
        folder = self.root / "tiny"
        return {path.name for path in folder.iterdir()} if folder.exists() else set()

    async def refused(self) -> AppError:
        with pytest.raises(AppError) as refused:
            await self.catalogue.download("tiny", silent_job())
        return refused.value

    async def words(self) -> str:
        decoders = NativeDecoders(None, self.root)
        model = await LocalModels(decoders, render_of=jinja_render, clock=SystemClock()).open(
            "catalogue:tiny"
        )
        prompt = Prompt((Message(Role.USER, "Tide?"),), max_output_tokens=8)
        return (await model.complete(prompt, on_text=lambda text: None)).text


def run(model_folder: Path, root: Path, work) -> None:  # type: ignore[no-untyped-def]
    async def in_loop() -> None:
        async with Loopback() as server:
            machine = Machine(Hub(server, model_folder), root, server.url)
            try:
                await work(machine)
            finally:
                await machine.http.close()

    asyncio.run(in_loop())


COMPLETE = {"config.json", "tokenizer.json", "tokenizer_config.json", "model_int8.onnx", "model.json"}


def test_a_downloaded_model_writes(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        seen: list[Progress] = []
        await machine.catalogue.download("tiny", Job(seen.append))
        assert machine.names() == COMPLETE
        assert (seen[-1].stage, seen[-1].done, seen[-1].total) == ("download", 1, 1)
        assert [one.done for one in seen] == sorted(one.done for one in seen)
        described = json.loads((tmp_path / "tiny" / "model.json").read_text())
        assert (described["revision"], described["template"]) == (COMMIT, TEMPLATE)
        assert len(await machine.words()) > 0
        (state,) = await machine.catalogue.states()
        assert (state.is_complete, state.is_imported) == (True, False)

    run(model_folder, tmp_path, work)


@pytest.mark.fault("F45")
def test_a_download_that_broke_off_goes_on_where_it_was(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        n_bytes = len(machine.hub.files["onnx/model_int8.onnx"])
        machine.hub.cut_at = n_bytes // 2
        assert (await machine.refused()).code == "network_lost"
        assert "model.json" not in machine.names()
        assert "model_int8.onnx" not in machine.names()
        (state,) = await machine.catalogue.states()
        assert not state.is_complete
        assert state.stored_bytes > n_bytes // 2
        await machine.catalogue.download("tiny", silent_job())
        assert machine.hub.ranges == [f"bytes={n_bytes // 2}-"]
        assert machine.names() == COMPLETE
        assert len(await machine.words()) > 0

    run(model_folder, tmp_path, work)


@pytest.mark.fault("F45")
def test_a_server_without_ranges_gives_it_all_again(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        machine.hub.cut_at, machine.hub.knows_ranges = 1_000, False
        assert (await machine.refused()).code == "network_lost"
        await machine.catalogue.download("tiny", silent_job())
        assert machine.names() == COMPLETE

    run(model_folder, tmp_path, work)


def test_pausing_is_cancelling(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        def pause(progress: Progress) -> None:
            task.cancel()

        task = asyncio.ensure_future(machine.catalogue.download("tiny", Job(pause)))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert "model.json" not in machine.names()
        await machine.catalogue.download("tiny", silent_job())
        assert machine.names() == COMPLETE

    run(model_folder, tmp_path, work)


@pytest.mark.parametrize("path", ["onnx/model_int8.onnx", "config.json"])
@pytest.mark.fault("F45")
def test_a_file_that_is_not_the_one_listed_is_thrown_away(
    model_folder: Path, tmp_path: Path, path: str
) -> None:
    async def work(machine: Machine) -> None:
        right = machine.hub.files[path]
        machine.hub.files[path] = b"!" + right[1:]
        error = await machine.refused()
        assert (error.code, error.subject) == ("model_damaged", path.rpartition("/")[2])
        assert path.rpartition("/")[2] not in machine.names()
        machine.hub.files[path] = right
        await machine.catalogue.download("tiny", silent_job())
        assert machine.names() == COMPLETE

    run(model_folder, tmp_path, work)


@pytest.mark.fault("F46")
def test_without_room_nothing_is_fetched_and_what_is_missing_is_said(
    model_folder: Path, tmp_path: Path
) -> None:
    async def work(machine: Machine) -> None:
        tight = Catalogue(Tight(tmp_path, 49_000_000), machine.http, entries=(ENTRY,), hub=machine.address)
        with pytest.raises(ModelError) as refused:
            await tight.download("tiny", silent_job())
        assert (refused.value.code, refused.value.subject) == ("model_no_room", "2")
        assert machine.names() == set()

    run(model_folder, tmp_path, work)


def test_a_deleted_model_is_gone(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        await machine.catalogue.download("tiny", silent_job())
        await machine.catalogue.remove("tiny")
        assert machine.names() == set()
        (state,) = await machine.catalogue.states()
        assert (state.is_complete, state.stored_bytes) == (False, 0)
        await machine.catalogue.remove("tiny")

    run(model_folder, tmp_path, work)


@pytest.mark.fault("F60")
def test_a_hub_that_answers_something_else_is_named(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        machine.hub.server.script["/api/models/somebody/tiny/revision/main"] = reply(200, ["?"])
        assert (await machine.refused()).code == "service_foreign"
        machine.hub.server.script["/api/models/somebody/tiny/revision/main"] = reply(503, {})
        error = await machine.refused()
        assert isinstance(error, ProviderError)
        assert error.code == "service_failed"

    run(model_folder, tmp_path, work)


def test_an_unknown_model_is_not_looked_for(model_folder: Path, tmp_path: Path) -> None:
    async def work(machine: Machine) -> None:
        with pytest.raises(InputError):
            await machine.catalogue.download("other", silent_job())
        assert machine.hub.server.seen == []

    run(model_folder, tmp_path, work)


async def add_folder(root: Path, name: str, source: Path, files: Mapping[str, Path]) -> str:
    folders = DiskModels(root)
    catalogue = Catalogue(folders, NativeHttp(), entries=())

    async def copy(one: str) -> None:
        await folders.copy("My-model", one, files[one].as_uri())

    sizes = {one: path.stat().st_size for one, path in files.items()}
    added = await catalogue.add_folder(name, sizes, copy, silent_job())
    (state,) = await catalogue.states()
    assert state.is_imported
    return added


def test_a_folder_of_ours_is_taken_in(model_folder: Path, tmp_path: Path) -> None:
    files = {path.name: path for path in model_folder.iterdir()} | {"notes.txt": model_folder / "model.json"}
    assert asyncio.run(add_folder(tmp_path, "My model", model_folder, files)) == "My-model"
    assert {path.name for path in (tmp_path / "My-model").iterdir()} == {
        "model.json",
        "model.onnx",
        "tokenizer.json",
    }


def test_a_folder_of_the_hub_is_taken_in(model_folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "config.json").write_text(json.dumps(CONFIG))
    (source / "tokenizer_config.json").write_text(json.dumps({"chat_template": TEMPLATE}))
    files = {path.name: path for path in source.iterdir()} | {
        "tokenizer.json": model_folder / "tokenizer.json",
        "model_quantized.onnx": model_folder / "model.onnx",
    }
    asyncio.run(add_folder(tmp_path / "models", "My model", source, files))
    described = json.loads((tmp_path / "models" / "My-model" / "model.json").read_text())
    assert described["files"] == {"wasm": ["model_quantized.onnx"]}
    assert described["template"] == TEMPLATE


@pytest.mark.parametrize("left_out", ["model.onnx", "tokenizer.json"])
def test_a_folder_that_lacks_a_file_is_refused_and_leaves_nothing(
    model_folder: Path, tmp_path: Path, left_out: str
) -> None:
    files = {path.name: path for path in model_folder.iterdir() if path.name != left_out}
    with pytest.raises(ModelError) as refused:
        asyncio.run(add_folder(tmp_path, "My model", model_folder, files))
    assert refused.value.code == "model_damaged"
    assert left_out in refused.value.message
    assert not (tmp_path / "My-model").exists()


def test_the_catalogue_names_each_model_once_with_sound_files() -> None:
    assert len({entry.id for entry in CATALOGUE}) == len(CATALOGUE)
    for entry in CATALOGUE:
        assert is_file_name(entry.model.rpartition("/")[2])
        assert device_of(entry.model) == entry.device


def test_external_data_comes_with_its_model() -> None:
    listing = [
        {"type": "file", "path": path, "size": 5, "oid": "x"}
        for path in (
            "onnx/model_int8.onnx",
            "onnx/model_int8.onnx_data",
            "onnx/model_q4.onnx_data",
            "README.md",
        )
    ]
    names = [file.name for file in wanted_files(ENTRY, listing, TEXT_FILES)]
    assert names == ["model_int8.onnx", "model_int8.onnx_data"]
    described = describe_export(
        dict.fromkeys(names, 5),
        {"config.json": CONFIG, "tokenizer.json": {}},
        model_id="x",
        label="X",
        licence="",
    )
    assert described["files"] == {"wasm": names}
    assert described["size_bytes"] == 10
