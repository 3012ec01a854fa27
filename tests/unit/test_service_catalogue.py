"""The models of this machine by messages: listed, downloaded, timed, deleted, or not there at all."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from desk import Desk
from fakes import BagEmbedder
from loopback import Loopback
from model_hub import ENTRY, Hub
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.facts import NativeFacts
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.native.llm import NativeDecoders
from tabwise.adapters.native.model_folders import DiskModels
from tabwise.engine.egress import Gate
from tabwise.engine.llm.catalogue import Catalogue
from tabwise.engine.llm.local_models import LocalModels
from tabwise.engine.llm.measuring import Speeds
from tabwise.engine.workroom import LocalParts
from tiny_llama import write_model

pytestmark = pytest.mark.native


def with_models(tmp_path: Path, work: Callable[[Desk, Path], Awaitable[None]]) -> None:
    """Run `work` on a desk whose bundled model is the tiny one, and whose hub has it too."""
    bundled = write_model(tmp_path / "bundled", model_id="bundled")
    stored = tmp_path / "stored"

    async def in_loop() -> None:
        async with Loopback() as server:
            hub, http = Hub(server, bundled), NativeHttp()

            def local(gate: Gate) -> LocalParts:
                folders = DiskModels(stored)
                decoders = NativeDecoders(bundled, stored)
                speeds = Speeds(folders, NativeFacts(tmp_path))
                models = LocalModels(decoders, render_of=jinja_render, clock=SystemClock(), speeds=speeds)
                return Catalogue(folders, gate, entries=(ENTRY,), hub=hub.server.url), models, folders

            desk = Desk(tmp_path / "library.db", {}, BagEmbedder(), http=http, local=local)
            await desk.service.start()
            try:
                await work(desk, stored)
            finally:
                await desk.service.settle()
                await http.close()

    asyncio.run(in_loop())


def states(event: dict[str, Any]) -> dict[str, str]:
    return {row["engine"]: row["state"] for row in event["result"]["models"]}


def test_a_model_comes_and_goes(tmp_path: Path) -> None:
    async def work(desk: Desk, stored: Path) -> None:
        assert states(await desk.ask("catalogue")) == {"bundled": "here", "catalogue:tiny": "absent"}
        assert states(await desk.ask("model_download", model="tiny"))["catalogue:tiny"] == "here"
        (row,) = [one for one in desk.events if one["type"] == "progress"][-1:]
        assert (row["stage"], row["unit"]) == ("download", "megabytes")
        assert states(await desk.ask("model_remove", model="tiny"))["catalogue:tiny"] == "absent"
        assert not (stored / "tiny").exists()

    with_models(tmp_path, work)


def test_a_measured_speed_is_kept(tmp_path: Path) -> None:
    async def work(desk: Desk, stored: Path) -> None:
        speed = (await desk.ask("model_measure", engine="bundled"))["result"]
        assert speed["prefill_per_s"] > 0
        assert speed["decode_per_s"] > 0
        assert speed["is_slow"] is (speed["decode_per_s"] < 3)
        listed = (await desk.ask("catalogue"))["result"]["models"]
        assert [one["speed"] for one in listed] == [speed, None]
        (stored / "measured" / "speeds.json").write_text("{")
        listed = (await desk.ask("catalogue"))["result"]["models"]
        assert [one["speed"] for one in listed] == [None, None]

    with_models(tmp_path, work)


def test_a_model_that_has_come_is_timed_before_it_is_chosen(tmp_path: Path) -> None:
    async def work(desk: Desk, stored: Path) -> None:
        listed = (await desk.ask("model_download", model="tiny"))["result"]["models"]
        speed = {one["engine"]: one["speed"] for one in listed}["catalogue:tiny"]
        assert speed["device"] == "wasm"
        assert speed["decode_per_s"] > 0

    with_models(tmp_path, work)


def test_a_folder_of_the_disk_becomes_an_engine(tmp_path: Path) -> None:
    async def work(desk: Desk, stored: Path) -> None:
        source = write_model(tmp_path / "source")
        files = [
            {"name": path.name, "url": path.as_uri(), "size_bytes": path.stat().st_size}
            for path in source.iterdir()
        ]
        done = await desk.ask("model_import", name="My own", files=files)
        assert states(done)["catalogue:My-own"] == "here"
        refused = await desk.ask("model_import", name="Half", files=files[:1])
        assert (refused["type"], refused["code"]) == ("error", "model_damaged")
        assert "catalogue:Half" not in states(await desk.ask("catalogue"))

    with_models(tmp_path, work)


def test_where_no_models_are_kept_that_is_said(run: Any) -> None:
    async def work(desk: Desk) -> None:
        error = await desk.ask("catalogue")
        assert (error["type"], error["code"]) == ("error", "model_unavailable")

    run(work)
