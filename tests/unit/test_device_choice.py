"""Which device a model runs on: timed on each before its first use, and the fastest one after that."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.llm import NativeDecoder, NativeDecoders
from tabwise.adapters.native.model_folders import DiskModels
from tabwise.core.chat import Message, Prompt, Role, Speed
from tabwise.core.host_facts import Gpu, HostFacts
from tabwise.core.llm.description import LocalModelDescription, SelfTest
from tabwise.engine.llm.local_models import LocalModels
from tabwise.engine.llm.measuring import Speeds, decode_per_s, fastest
from tabwise.errors import ModelError
from tiny_llama import write_model

pytestmark = pytest.mark.native

QUESTION = Prompt((Message(Role.USER, "When is high tide?"),), max_output_tokens=2)


class Machine:
    """A processor and a graphics card of its name; the clock runs faster on one of them."""

    def __init__(self, gpu: str = "A") -> None:
        self.gpu = gpu

    async def facts(self) -> HostFacts:
        return HostFacts(n_threads=4, gpu=Gpu(self.gpu, is_software=False, has_f16=True))


class TwoDevices:
    """The tiny model for both devices; each call on one takes so many ms of `clock`, or fails."""

    def __init__(self, folder: Path, ms: dict[str, float], broken: Sequence[str] = ()) -> None:
        self._inner = NativeDecoders(folder)
        self._ms, self._broken = ms, broken
        self.now = 0.0
        self.opened: list[str] = []

    def monotonic_ms(self) -> float:
        return self.now

    def now_ms(self) -> float:
        return self.now

    async def describe(self, model_id: str) -> LocalModelDescription:
        about = await self._inner.describe(model_id)
        decoder = await self._inner.open(model_id, "wasm")
        top = await decoder.top([5, 6], 0, k=20, allow=range(20))
        logits = dict(zip(top.tokens.tolist(), top.logits.tolist(), strict=True))
        test = SelfTest((5, 6), tuple(logits[token] for token in range(20)))
        files = (("webgpu", ("model.onnx",)), ("wasm", ("model.onnx",)))
        return replace(about, files=files, self_test=test)

    async def devices(self) -> Sequence[str]:
        return ("webgpu", "wasm")

    async def open(self, model_id: str, device: str) -> NativeDecoder:
        self.opened.append(device)
        if device in self._broken:
            raise ModelError("model_unavailable", "no such kernel")
        return Timed(await self._inner.open(model_id, "wasm"), self, self._ms[device])


class Timed(NativeDecoder):
    """Lets time pass with each call."""

    def __init__(self, inner: NativeDecoder, owner: TwoDevices, ms: float) -> None:
        self.__dict__ = inner.__dict__
        self._owner, self._ms = owner, ms

    async def _run(self, tokens: Sequence[int], past: int, n_kept: int) -> object:
        self._owner.now += self._ms
        return await super()._run(tokens, past, n_kept)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


def models_of(decoders: TwoDevices, kept: Path, machine: Machine | None = None) -> LocalModels:
    speeds = Speeds(DiskModels(kept), machine or Machine())
    return LocalModels(decoders, render_of=jinja_render, clock=decoders, speeds=speeds)


async def device_of(models: LocalModels) -> str:
    model = await models.open("bundled")
    done = await model.complete(QUESTION, on_text=lambda text: None)
    assert done.speed is not None
    return done.speed.device


@pytest.mark.parametrize(
    ("ms", "chosen"), [({"webgpu": 5.0, "wasm": 50.0}, "webgpu"), ({"webgpu": 900.0, "wasm": 50.0}, "wasm")]
)
def test_a_model_runs_where_it_writes_fastest(
    folder: Path, tmp_path: Path, ms: dict[str, float], chosen: str
) -> None:
    decoders = TwoDevices(folder, ms)
    assert asyncio.run(device_of(models_of(decoders, tmp_path))) == chosen
    assert decoders.opened == ["webgpu", "wasm", chosen]


def test_what_was_timed_once_is_known_from_then_on(folder: Path, tmp_path: Path) -> None:
    first, later = (TwoDevices(folder, {"webgpu": 900.0, "wasm": 50.0}) for _ in range(2))
    asyncio.run(device_of(models_of(first, tmp_path)))
    assert asyncio.run(device_of(models_of(later, tmp_path))) == "wasm"
    assert later.opened == ["wasm"]


def test_another_graphics_card_is_timed_anew(folder: Path, tmp_path: Path) -> None:
    first = TwoDevices(folder, {"webgpu": 900.0, "wasm": 50.0})
    later = TwoDevices(folder, {"webgpu": 5.0, "wasm": 50.0})
    asyncio.run(device_of(models_of(first, tmp_path)))
    assert asyncio.run(device_of(models_of(later, tmp_path, Machine("B")))) == "webgpu"
    assert asyncio.run(device_of(models_of(first, tmp_path, Machine("A")))) == "wasm"


def test_timing_on_request_replaces_what_was_known(folder: Path, tmp_path: Path) -> None:
    asyncio.run(device_of(models_of(TwoDevices(folder, {"webgpu": 900.0, "wasm": 50.0}), tmp_path)))

    async def again() -> tuple[Speed, str]:
        models = models_of(TwoDevices(folder, {"webgpu": 5.0, "wasm": 50.0}), tmp_path)
        best = await models.measure("bundled")
        assert (await models.speeds())["bundled"] == best
        return best, await device_of(models)

    best, chosen = asyncio.run(again())
    assert (best.device, chosen) == ("webgpu", "webgpu")
    assert decode_per_s(best) == pytest.approx(200.0)


@pytest.mark.fault("F42")
def test_a_device_that_cannot_run_it_is_not_chosen(folder: Path, tmp_path: Path) -> None:
    decoders = TwoDevices(folder, {"webgpu": 5.0, "wasm": 50.0}, broken=["webgpu"])
    assert asyncio.run(device_of(models_of(decoders, tmp_path))) == "wasm"
    assert decoders.opened == ["webgpu", "wasm", "wasm"]


def test_without_a_place_for_speeds_nothing_is_timed(folder: Path) -> None:
    decoders = TwoDevices(folder, {"webgpu": 5.0, "wasm": 50.0})
    models = LocalModels(decoders, render_of=jinja_render, clock=SystemClock())
    asyncio.run(device_of(models))
    assert decoders.opened == ["webgpu"]


def test_speeds_that_cannot_be_read_are_forgotten(tmp_path: Path) -> None:
    async def run(stored: object) -> object:
        folders = DiskModels(tmp_path)
        await folders.write("measured", "speeds.json", 0, json.dumps(stored).encode())
        return await Speeds(folders, Machine()).all()

    for stored in ([], {"4 threads, GPU: A": {"bundled": {"wasm": {"speed": 3}}}}, {"4 threads, GPU: A": 7}):
        assert asyncio.run(run(stored)) == {}


def test_of_no_speeds_none_is_fastest() -> None:
    assert fastest([]) is None
    assert decode_per_s(Speed("wasm", 0, 0.0, 0, 0.0, 0.0, 0)) == 0.0
