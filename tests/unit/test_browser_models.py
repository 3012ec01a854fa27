"""The model worker's failures as the engine knows them, with a scripted worker."""

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tabwise.errors import DeviceLost, ModelError
from tiny_tokenizer import tokenizer_json

DESCRIBED = {
    "id": "x",
    "label": "X",
    "licence": "",
    "context_tokens": 64,
    "template": "chatml",
    "end_tokens": [],
    "control_tokens": [],
    "files": {"wasm": ["model.onnx"]},
    "size_bytes": 1,
    "sha256": {},
}


class Thrown(Exception):
    """A JavaScript error, or a number that was thrown as one."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


class Proxy:
    """A JavaScript value that is copied when asked."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def to_py(self) -> Any:
        return self._value


class Worker:
    """What js/engine_worker.js lends for models."""

    def __init__(self) -> None:
        self.fails: Thrown | None = None
        self.n_restarts = 0
        self.ran: list[dict[str, Any]] = []

    async def modelText(self, place: str, name: str) -> str:
        if place != "packaged:smollm2":
            raise Thrown("ModelMissing", f"{place} has no {name}")
        return json.dumps(DESCRIBED)

    async def modelTokenizer(self, place: str) -> str:
        return json.dumps(tokenizer_json())

    async def modelAsk(self, kind: str, fields: str) -> Proxy:
        if self.fails and kind == "open":
            raise self.fails
        return Proxy({"decoder": 7, "heap_bytes": 440_000_000, "devices": ["webgpu", "wasm"]})

    async def modelRun(self, fields: str, tokens: np.ndarray, allow: np.ndarray | None) -> Proxy:
        if self.fails:
            raise self.fails
        self.ran.append(json.loads(fields) | {"tokens": tokens.tolist(), "allow": allow})
        return Proxy({"tokens": np.array([3, 1], np.int32), "logits": np.array([2.0, 1.5], np.float32)})

    def modelRestart(self) -> None:
        self.n_restarts += 1


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    scripted = Worker()
    ffi = ModuleType("pyodide.ffi")
    ffi.__dict__.update(JsException=Thrown, to_js=lambda value: value)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setitem(sys.modules, "tabwise_host", scripted)
    _forget()
    yield scripted
    _forget()


def _forget() -> None:
    package = importlib.import_module("tabwise.adapters.browser")
    for name in ("bridge", "llm"):
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


def decoders() -> Any:
    return importlib.import_module("tabwise.adapters.browser.llm").BrowserDecoders()


def failure_of(worker: Worker, thrown: Thrown) -> ModelError:
    async def run() -> None:
        decoder = await decoders().open("bundled", "wasm")
        worker.fails = thrown
        await decoder.top([1, 2], 0, k=2)

    with pytest.raises(ModelError) as failed:
        asyncio.run(run())
    return failed.value


def test_a_step_carries_a_handful_of_numbers(worker: Worker) -> None:
    async def run() -> Any:
        decoder = await decoders().open("bundled", "wasm")
        return await decoder.top([5, 6], 11, k=2, allow=[9, 3])

    top = asyncio.run(run())
    assert (top.tokens.tolist(), top.logits.tolist()) == ([3, 1], [2.0, 1.5])
    (ran,) = worker.ran
    assert (ran["decoder"], ran["past"], ran["tokens"], ran["want"]) == (7, 11, [5, 6], "top")
    assert ran["allow"].tolist() == [3, 9]


@pytest.mark.parametrize(
    "thrown",
    [
        Thrown("number", "284432024"),
        Thrown("RangeError", "Array buffer allocation failed"),
        Thrown("Error", "failed to allocate memory"),
        Thrown("RuntimeError", "Aborted(OOM)"),
    ],
)
@pytest.mark.fault("F37")
def test_out_of_memory_is_said_in_plain_words_and_the_worker_started_anew(
    worker: Worker, thrown: Thrown
) -> None:
    assert failure_of(worker, thrown).code == "model_out_of_memory"
    assert worker.n_restarts == 1


def test_out_of_memory_while_loading_as_well(worker: Worker) -> None:
    worker.fails = Thrown("number", "1073741824")
    with pytest.raises(ModelError) as failed:
        asyncio.run(decoders().open("bundled", "wasm"))
    assert (failed.value.code, worker.n_restarts) == ("model_out_of_memory", 1)


@pytest.mark.parametrize("name", ["DeviceLost", "ModelLost"])
@pytest.mark.fault("F44")
def test_a_lost_session_can_be_opened_anew(worker: Worker, name: str) -> None:
    assert isinstance(failure_of(worker, Thrown(name, "gone")), DeviceLost)
    assert worker.n_restarts == 0


def test_any_other_failure_is_one_of_the_model(worker: Worker) -> None:
    failed = failure_of(worker, Thrown("Error", "Could not find an implementation for Foo(1)"))
    assert (failed.code, worker.n_restarts) == ("model_unavailable", 0)


def test_a_model_that_is_not_stored_is_unavailable(worker: Worker) -> None:
    with pytest.raises(ModelError) as missing:
        asyncio.run(decoders().describe("catalogue:gone"))
    assert missing.value.code == "model_unavailable"


def test_devices_and_memory_are_what_the_worker_tells(worker: Worker) -> None:
    async def run() -> tuple[tuple[str, ...], int]:
        decoder = await decoders().open("bundled", "wasm")
        return await decoders().devices(), await decoder.memory_bytes()

    assert asyncio.run(run()) == (("webgpu", "wasm"), 440_000_000)
