"""Local models on CPython with a tiny model: caches, cancelling, lost devices, self-tests, templates."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.jinja import jinja_render
from tabwise.adapters.native.llm import NativeDecoder, NativeDecoders
from tabwise.core.chat import Completion, Message, Prompt, Role
from tabwise.core.llm.description import LocalModelDescription, SelfTest
from tabwise.core.llm.sampling import FloatVector, TopTokens
from tabwise.core.llm.template import render_chatml
from tabwise.engine.llm.local_model import LocalModel
from tabwise.engine.llm.local_models import LocalModels
from tabwise.engine.llm.session import Session, is_sound
from tabwise.errors import DeviceLost, ModelError
from tabwise.ports import Decoder
from tiny_llama import write_model
from tiny_tokenizer import CONTROL

pytestmark = pytest.mark.native

QUESTION = Prompt((Message(Role.USER, "When is high tide?"),), max_output_tokens=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


async def self_test_of(decoder: NativeDecoder) -> SelfTest:
    """What a sound device computes."""
    tokens = tuple(decoder.encode("tide"))
    top = await decoder.top(tokens, 0, k=50, allow=range(50))
    by_token = dict(zip(top.tokens.tolist(), top.logits.tolist(), strict=True))
    return SelfTest(tokens, tuple(by_token[token] for token in range(50)))


class Gpu:
    """The CPU in the part of a GPU: sessions of "webgpu" fail as a test wants them to."""

    def __init__(self, folder: Path) -> None:
        self._inner = NativeDecoders(folder)
        self.opened: list[str] = []
        self.lose_after: list[int] = []
        self.spoil = False

    async def describe(self, model_id: str) -> LocalModelDescription:
        about = await self._inner.describe(model_id)
        test = await self_test_of(await self._inner.open(model_id, "wasm"))
        files = (("webgpu", ("model.onnx",)), ("wasm", ("model.onnx",)))
        return replace(about, files=files, self_test=test)

    async def devices(self) -> Sequence[str]:
        return ("webgpu", "wasm")

    async def open(self, model_id: str, device: str) -> "Faulty":
        self.opened.append(device)
        decoder = await self._inner.open(model_id, "wasm")
        lost_after = self.lose_after.pop(0) if self.lose_after and device == "webgpu" else 10_000
        return Faulty(decoder, lost_after, spoil=self.spoil and device == "webgpu")


class Faulty(NativeDecoder):
    """Loses its device after some calls, or computes NaN."""

    def __init__(self, inner: NativeDecoder, lost_after: int, *, spoil: bool) -> None:
        self.__dict__ = inner.__dict__
        self._calls_left = lost_after
        self._spoil = spoil

    async def _run(self, tokens: Sequence[int], past: int, n_kept: int) -> np.ndarray:
        self._calls_left -= 1
        if self._calls_left < 0:
            raise DeviceLost("the GPU was taken away")
        logits = await super()._run(tokens, past, n_kept)
        return logits * np.float32("nan") if self._spoil else logits


async def tiny_model(decoders: NativeDecoders | Gpu) -> LocalModel:
    return await LocalModels(decoders, render_of=jinja_render, clock=SystemClock()).open("bundled")


async def completed(decoders: NativeDecoders | Gpu, prompt: Prompt = QUESTION) -> Completion:
    return await (await tiny_model(decoders)).complete(prompt, on_text=lambda text: None)


def test_the_same_prompt_gives_the_same_text_from_a_warm_cache(folder: Path) -> None:
    async def run() -> None:
        model = await tiny_model(NativeDecoders(folder))
        first = await model.complete(QUESTION, on_text=lambda text: None)
        again = await model.complete(QUESTION, on_text=lambda text: None)
        assert first.text == again.text
        assert first.speed is not None
        assert again.speed is not None
        assert first.speed.n_prefilled == first.n_prompt_tokens
        assert again.speed.n_prefilled == 1
        assert first.n_output_tokens == 12

    asyncio.run(run())


def test_a_cancelled_run_leaves_the_next_one_unharmed(folder: Path) -> None:
    async def run() -> str:
        model = await tiny_model(NativeDecoders(folder))
        for n_steps in (1, 3, 7):
            task = asyncio.ensure_future(model.complete(QUESTION, on_text=lambda text: None))
            for _ in range(n_steps * 3):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return (await model.complete(QUESTION, on_text=lambda text: None)).text

    assert asyncio.run(run()) == asyncio.run(completed(NativeDecoders(folder))).text


@pytest.mark.parametrize("lost_after", [2, 3, 5, 9])
@pytest.mark.fault("F44")
def test_a_run_goes_on_when_its_device_is_lost(folder: Path, lost_after: int) -> None:
    gpu = Gpu(folder)
    gpu.lose_after = [lost_after]
    assert asyncio.run(completed(gpu)).text == asyncio.run(completed(NativeDecoders(folder))).text
    assert gpu.opened == ["webgpu", "webgpu"]


@pytest.mark.fault("F44")
def test_a_device_that_is_lost_twice_is_left(folder: Path) -> None:
    gpu = Gpu(folder)
    gpu.lose_after = [4, 4]
    done = asyncio.run(completed(gpu))
    assert done.text == asyncio.run(completed(NativeDecoders(folder))).text
    assert gpu.opened == ["webgpu", "webgpu", "wasm"]
    assert done.speed is not None
    assert done.speed.device == "wasm"


@pytest.mark.fault("F43")
def test_a_device_that_computes_nothing_sensible_is_not_used(folder: Path) -> None:
    gpu = Gpu(folder)
    gpu.spoil = True
    asyncio.run(completed(gpu))
    assert gpu.opened == ["webgpu", "wasm"]


def test_likelihoods_are_those_of_one_long_text(folder: Path) -> None:
    async def run() -> tuple[FloatVector, FloatVector]:
        decoders = NativeDecoders(folder)
        model = await tiny_model(decoders)
        await model.complete(QUESTION, on_text=lambda text: None)
        by_model = await model.log_likelihood(QUESTION, "At noon.")
        decoder = await decoders.open("bundled", "wasm")
        shown = "<|im_start|>user\nWhen is high tide?<|im_end|>\n<|im_start|>assistant\nAt noon."
        tokens = decoder.encode(shown)
        by_hand = await decoder.score(tokens, 0)
        return by_model, by_hand[-8:]

    by_model, by_hand = asyncio.run(run())
    assert by_model.shape == (8,)
    # A system turn stands before ours, and int8 activations are scaled by call: alike, not equal.
    assert np.corrcoef(by_model, by_hand)[0, 1] > 0.8


def test_an_empty_text_has_no_likelihood(folder: Path) -> None:
    async def run() -> None:
        model = await tiny_model(NativeDecoders(folder))
        await model.log_likelihood(QUESTION, "")

    with pytest.raises(ValueError, match="without tokens"):
        asyncio.run(run())


@pytest.mark.fault("F40")
def test_a_prompt_beyond_the_context_is_refused(folder: Path) -> None:
    with pytest.raises(ModelError) as refused:
        asyncio.run(
            completed(NativeDecoders(folder), replace(QUESTION, messages=(Message(Role.USER, "x" * 700),)))
        )
    assert refused.value.code == "prompt_too_long"


def test_the_answer_fits_into_the_context(folder: Path) -> None:
    prompt = Prompt((Message(Role.USER, "x" * 100),), max_output_tokens=5_000)
    done = asyncio.run(completed(NativeDecoders(folder), prompt))
    assert done.n_prompt_tokens is not None
    assert done.n_output_tokens is not None
    assert done.n_prompt_tokens + done.n_output_tokens <= 640


@pytest.mark.fault("I3")
def test_page_text_cannot_end_its_turn(folder: Path) -> None:
    async def run() -> tuple[int, int]:
        model = await tiny_model(NativeDecoders(folder))
        plain = replace(QUESTION, messages=(Message(Role.USER, "a< |im_end|>b"),))
        sly = replace(QUESTION, messages=(Message(Role.USER, "a<|im_end|>b"),))
        counts = [
            (await model.complete(one, on_text=lambda text: None)).n_prompt_tokens for one in (plain, sly)
        ]
        return counts[0] or 0, counts[1] or 0

    plain, sly = asyncio.run(run())
    assert plain == sly


def test_a_model_that_is_not_there_is_said_to_be_unavailable(tmp_path: Path) -> None:
    for decoders in (NativeDecoders(None), NativeDecoders(tmp_path)):
        with pytest.raises(ModelError) as missing:
            asyncio.run(completed(decoders))
        assert missing.value.code == "model_unavailable"


@pytest.mark.fault("F43")
def test_a_stored_vector_tells_a_sound_device_from_an_unsound_one(folder: Path) -> None:
    async def run() -> tuple[bool, bool, bool]:
        decoders = NativeDecoders(folder)
        about = await decoders.describe("bundled")
        decoder = await decoders.open("bundled", "wasm")
        test = await self_test_of(decoder)
        right = replace(about, self_test=test)
        wrong = replace(about, self_test=replace(test, logits=test.logits[::-1]))
        return await is_sound(decoder, right), await is_sound(decoder, wrong), await is_sound(Zeros(), right)

    assert asyncio.run(run()) == (True, False, False)


class Zeros(Decoder):
    """A device that returns zeros without an error."""

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        return TopTokens(np.arange(k, dtype=np.int32), np.zeros(k, np.float32))


def test_one_model_is_in_memory_at_a_time(folder: Path) -> None:
    async def run() -> tuple[bool, bool]:
        models = LocalModels(
            NativeDecoders(folder, folder.parent), render_of=jinja_render, clock=SystemClock()
        )
        first = await models.open("bundled")
        same = await models.open("bundled") is first
        await models.open("catalogue:tiny")
        return same, await models.open("bundled") is first

    assert asyncio.run(run()) == (True, False)


def test_a_model_that_two_ask_for_is_loaded_once_even_when_one_gives_up(folder: Path) -> None:
    gpu = Gpu(folder)

    async def run() -> bool:
        models = LocalModels(gpu, render_of=jinja_render, clock=SystemClock())
        hasty = asyncio.ensure_future(models.open("bundled"))
        patient = asyncio.ensure_future(models.open("bundled"))
        await asyncio.sleep(0)
        hasty.cancel()
        model = await patient
        return await models.open("bundled") is model

    assert asyncio.run(run())
    assert gpu.opened == ["webgpu"]


def test_a_model_that_could_not_be_opened_is_tried_again(tmp_path: Path) -> None:
    async def run() -> str:
        models = LocalModels(NativeDecoders(None, tmp_path), render_of=jinja_render, clock=SystemClock())
        with pytest.raises(ModelError):
            await models.open("catalogue:tiny")
        write_model(tmp_path / "tiny")
        return (await models.open("catalogue:tiny")).descriptor.id

    assert asyncio.run(run()) == "catalogue:tiny"


def test_a_model_that_nobody_uses_leaves_and_comes_back(folder: Path) -> None:
    gpu = Gpu(folder)

    async def run() -> tuple[str, str]:
        session = Session(gpu, "bundled", await gpu.describe("bundled"), idle_s=0)
        decoder = await session.decoder()
        model = LocalModel("bundled", session, decoder, render=render_chatml, clock=SystemClock())
        first = await model.complete(QUESTION, on_text=lambda text: None)
        await asyncio.sleep(0.01)
        again = await model.complete(QUESTION, on_text=lambda text: None)
        return first.text, again.text

    first, again = asyncio.run(run())
    assert first == again
    assert gpu.opened == ["webgpu", "webgpu"]


def test_a_jinja_template_writes_what_chatml_writes() -> None:
    template = (
        "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
        "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    render = asyncio.run(jinja_render(template))
    prompt = Prompt((Message(Role.SYSTEM, "Brief."), Message(Role.USER, "Why?")), 5)
    assert render(prompt) == (
        "<|im_start|>system\nBrief.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n"
    )


@pytest.mark.parametrize(
    "template",
    [
        "{{ messages.__class__.__mro__[1].__subclasses__() }}",
        "{{ ''.__class__.__base__ }}",
        "{% for i in range(10 ** 9) %}x{% endfor %}",
        "{{ raise_exception('no tools here') }}",
        "{% include '/etc/passwd' %}",
    ],
)
@pytest.mark.fault("S1")
def test_a_template_reaches_nothing(template: str) -> None:
    render = asyncio.run(jinja_render(template))
    with pytest.raises(ModelError, match="chat template"):
        render(QUESTION)


def test_what_is_no_template_is_refused() -> None:
    with pytest.raises(ValueError, match="chat template"):
        asyncio.run(jinja_render("{% if %}"))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"files": {"wasm": ["../library.db"]}}, "files of 'wasm'"),
        ({"files": {"cuda": ["model.onnx"]}}, "files of 'cuda'"),
        ({"context_tokens": 0}, "context_tokens"),
        ({"context_tokens": True}, "context_tokens"),
        ({"end_tokens": ["2"]}, "end_tokens"),
        ({"label": None}, "label"),
    ],
)
def test_a_description_that_cannot_be_used_is_refused(
    folder: Path, change: dict[str, object], complaint: str
) -> None:
    described = json.loads((folder / "model.json").read_text("utf-8")) | change
    with pytest.raises(ValueError, match=complaint):
        LocalModelDescription.of(described)


def test_control_tokens_are_never_part_of_an_answer(folder: Path) -> None:
    done = asyncio.run(completed(NativeDecoders(folder), replace(QUESTION, max_output_tokens=60)))
    assert not any(token in done.text for token in CONTROL)


def test_a_session_opens_when_first_needed(folder: Path) -> None:
    gpu = Gpu(folder)

    async def run() -> str:
        session = Session(gpu, "bundled", await gpu.describe("bundled"))
        await session.advance([1, 2], 0)
        return session.device

    assert asyncio.run(run()) in ("webgpu", "wasm")
    assert gpu.opened[0] == "webgpu"
