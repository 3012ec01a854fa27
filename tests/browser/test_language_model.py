"""Language models in the browser: the session computes what CPython computes, and the engine runs them."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from appending_model import write_appending_model
from browser.engine_client import Client
from buildlib.chromium import find_chromium
from buildlib.paths import EXTENSION
from buildlib.serve import serve
from harness.browser import ExtensionBrowser, playwright_running
from model_hub import CONFIG, TEMPLATE
from tabwise.adapters.native.llm import NativeDecoder
from tabwise.core.llm.sampling import TopTokens
from tiny_llama import write_model

pytestmark = [pytest.mark.native, pytest.mark.browser]

PAGE = b"""<!doctype html><script type="module">
const worker = new Worker("/js/model_worker.js", { type: "module" });
const { port1, port2 } = new MessageChannel();
worker.postMessage({ type: "connect", port: port2 }, [port2]);
const waiting = new Map();
port1.onmessage = ({ data }) => waiting.get(data.call)(data);
let last = 0;
const plain = (reply) => Object.fromEntries(
  Object.entries(reply).map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...value] : value]));
globalThis.ask = (request) => new Promise((resolve) => {
  const call = (last += 1);
  waiting.set(call, (reply) => resolve(plain(reply)));
  const ints = (values) => values && Int32Array.from(values);
  port1.postMessage({ ...request, call, tokens: ints(request.tokens), allow: ints(request.allow) });
});
globalThis.loaded = true;
</script>"""
PROMPT = [104, 105, 103, 104, 32, 116, 105, 100, 101, 115]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def page(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with the model worker, the packaged models, the tiny one and one that appends to its cache."""
    appending = write_appending_model(tmp_path_factory.mktemp("models") / "appending")
    routes: dict[str, Path | bytes] = {
        "/": EXTENSION,
        "/models/tiny/": tiny,
        "/models/appending/": appending,
        "/models.html": PAGE,
    }
    with serve(routes) as address, playwright_running() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        opened = chromium.new_page()
        opened.set_default_timeout(120_000)
        opened.goto(f"{address}/models.html")
        opened.wait_for_function("() => globalThis.loaded")
        yield opened
        chromium.close()


class Remote:
    """A decoder of the model worker."""

    def __init__(self, page: Page, place: str, file: str, device: str = "wasm") -> None:
        self.page = page
        opened = self.ask(kind="open", place=place, files=[file], device=device)
        self.number: int = opened["decoder"]
        self.keeps_its_cache: bool = opened["keeps_its_cache"]
        self.has_own_step: bool = opened["has_own_step"]

    def ask(self, **request: Any) -> dict[str, Any]:
        reply: dict[str, Any] = self.page.evaluate("(request) => ask(request)", request)
        return reply

    def run(self, tokens: Sequence[int], past: int, **fields: Any) -> dict[str, Any]:
        return self.ask(kind="run", decoder=self.number, tokens=list(tokens), past=past, **fields)

    def top(
        self, tokens: Sequence[int], past: int, k: int, allow: Sequence[int] | None = None
    ) -> dict[str, Any]:
        return self.run(tokens, past, want="top", k=k, allow=None if allow is None else list(allow))


@pytest.fixture(scope="module")
def remote(page: Page) -> Remote:
    return Remote(page, "packaged:tiny", "model.onnx")


class Native:
    """The same model on CPython; its calls run on a thread, for Playwright has a loop running here."""

    def __init__(self, folder: Path) -> None:
        self._decoder = NativeDecoder(folder, "model.onnx")
        self._pool = ThreadPoolExecutor(1)

    def top(self, tokens: Sequence[int], past: int, k: int, allow: Sequence[int] | None = None) -> TopTokens:
        return self._wait(lambda: self._decoder.top(tokens, past, k=k, allow=allow))

    def verify(self, tokens: Sequence[int], past: int) -> Any:
        return self._wait(lambda: self._decoder.verify(tokens, past))

    def score(self, tokens: Sequence[int], past: int) -> Any:
        return self._wait(lambda: self._decoder.score(tokens, past))

    def _wait(self, call: Any) -> Any:
        return self._pool.submit(lambda: asyncio.run(call())).result()


@pytest.fixture(scope="module")
def native(tiny: Path) -> Native:
    return Native(tiny)


def test_the_likeliest_tokens_are_those_of_cpython(remote: Remote, native: Native) -> None:
    theirs, ours = remote.top(PROMPT, 0, 8), native.top(PROMPT, 0, 8)
    assert theirs["tokens"] == ours.tokens.tolist()
    np.testing.assert_allclose(theirs["logits"], ours.logits, atol=1e-3)


def test_a_draft_is_verified_as_on_cpython(remote: Remote, native: Native) -> None:
    remote.run(PROMPT[:4], 0, want="nothing")
    native.top(PROMPT[:4], 0, 1)
    theirs, ours = remote.run(PROMPT[4:], 4, want="verify"), native.verify(PROMPT[4:], 4)
    assert theirs["tokens"] == ours.tolist()
    assert len(theirs["tokens"]) == len(PROMPT) - 4


def test_a_cache_that_is_set_back_forgets_what_stood_behind(remote: Remote, native: Native) -> None:
    remote.run([1, 2, 3, 4, 5, 6], 0, want="nothing")
    theirs = remote.top([9, 8], 3, 5)
    native.top([1, 2, 3, 4, 5, 6], 0, 1)
    ours = native.top([9, 8], 3, 5)
    assert theirs["tokens"] == ours.tokens.tolist()
    np.testing.assert_allclose(theirs["logits"], ours.logits, atol=1e-3)


@pytest.mark.parametrize("n_kept", [300, 256, 255, 1])
def test_a_cache_that_has_grown_holds_what_it_held(remote: Remote, native: Native, n_kept: int) -> None:
    tokens = [(7 * i) % 250 for i in range(639)]
    for at in range(0, len(tokens), 100):
        remote.run(tokens[at : at + 100], at, want="nothing")
        native.top(tokens[at : at + 100], at, 1)
    theirs, ours = remote.top(tokens[n_kept:], n_kept, 5), native.top(tokens[n_kept:], n_kept, 5)
    assert theirs["tokens"] == ours.tokens.tolist()
    np.testing.assert_allclose(theirs["logits"], ours.logits, atol=1e-3)


def test_the_cache_stays_in_the_heap_of_the_runtime(page: Page, remote: Remote) -> None:
    assert remote.keeps_its_cache
    assert Remote(page, "packaged:smollm2", "model_int8.onnx").keeps_its_cache


def test_single_tokens_are_computed_beside_the_runtime(page: Page, remote: Remote) -> None:
    assert remote.has_own_step
    assert Remote(page, "packaged:smollm2", "model_int8.onnx").has_own_step
    assert not Remote(page, "packaged:appending", "model.onnx").has_own_step


def test_single_tokens_are_those_of_cpython(remote: Remote, native: Native) -> None:
    """Behind a prompt and behind each other, over the border at which the cache grows."""
    tokens = [(11 * i) % 250 for i in range(270)]
    remote.run(tokens[:240], 0, want="nothing")
    native.top(tokens[:240], 0, 1)
    for past in range(240, 270):
        theirs = remote.top(tokens[past : past + 1], past, 5)
        ours = native.top(tokens[past : past + 1], past, 5)
        assert theirs["tokens"][0] == ours.tokens[0]
        np.testing.assert_allclose(theirs["logits"][0], ours.logits[0], atol=0.05)
    theirs, ours = remote.top(tokens[:9], 261, 5), native.top(tokens[:9], 261, 5)
    assert theirs["tokens"] == ours.tokens.tolist()


@pytest.mark.parametrize("tokens", [[], [3], [3, 4]])
def test_what_was_computed_ahead_is_forgotten_when_another_token_comes(
    remote: Remote, native: Native, tokens: list[int]
) -> None:
    """Asked for one token alone, the worker goes on with it before it is told to."""
    remote.run(PROMPT[:8], 0, want="nothing")
    likeliest = remote.top(PROMPT[8:9], 8, 1)["tokens"]
    written = [*PROMPT[:9], *(tokens or likeliest), 77]
    native.top(PROMPT[:8], 0, 1)
    native.top(PROMPT[8:9], 8, 1)
    for past in range(9, len(written)):
        theirs, ours = remote.top(written[past : past + 1], past, 1), native.top([written[past]], past, 1)
        assert theirs["tokens"] == ours.tokens.tolist()
        np.testing.assert_allclose(theirs["logits"], ours.logits, atol=0.05)


def test_weights_without_memory_leave_single_tokens_to_the_runtime(page: Page) -> None:
    released = page.evaluate(
        """async () => {
            const { LlamaWeights } = await import("/js/llama_weights.js");
            const held = new Set();
            const heap = {
                allocate: (size) => {
                    if (held.size === 2) throw new RangeError("out of memory");
                    held.add(held.size + 1);
                    return held.size;
                },
                free: (at) => held.delete(at),
                bytes: (at, size) => new Uint8Array(size),
            };
            const one = { shape: [1, 4], data: new Uint8Array(4) };
            const weights = new LlamaWeights({}, heap, new Map([["a", one]]));
            weights.vector("a");
            weights.vector("a");
            let name = "";
            try { weights.vector("a"); } catch (error) { name = error.name; }
            weights.release();
            return [name, held.size];
        }"""
    )
    assert released == ["RangeError", 0]


def test_a_runtime_that_lacks_a_function_is_not_called_by_hand(page: Page) -> None:
    over = "() => import('/js/ort_heap.js').then(({ OrtHeap }) => OrtHeap.over(MODULE) !== null)"
    whole = "new Proxy({}, { get: () => () => 0 })"
    lacking = "new Proxy({}, { get: (_, name) => (name === '_OrtRun' ? undefined : () => 0) })"
    found = [page.evaluate(over.replace("MODULE", module)) for module in (whole, lacking, "null")]
    assert found == [True, False, False]


@pytest.mark.fault("F37")
def test_memory_that_the_runtime_does_not_get_is_a_range_error(page: Page) -> None:
    failure = page.evaluate(
        """async () => {
            const { OrtHeap } = await import("/js/ort_heap.js");
            const full = new Proxy({}, { get: () => () => 0 });
            try { OrtHeap.over(full).allocate(8); } catch (error) { return error.name; }
        }"""
    )
    assert failure == "RangeError"  # which the engine reads as model_out_of_memory


def test_a_graph_that_appends_to_its_cache_runs_with_copies(page: Page) -> None:
    model = Remote(page, "packaged:appending", "model.onnx")
    assert not model.keeps_its_cache
    model.run([5, 6, 7], 0, want="nothing")
    assert model.top([8], 3, 1)["logits"] == [5 + 6 + 7 + 8]
    assert model.top([9], 2, 1)["logits"] == [5 + 6 + 9]


def test_only_allowed_tokens_are_offered(remote: Remote, native: Native) -> None:
    allow = [3, 77, 120, 250]
    theirs, ours = remote.top(PROMPT, 0, 9, allow), native.top(PROMPT, 0, 9, allow)
    assert sorted(theirs["tokens"]) == allow
    assert theirs["tokens"] == ours.tokens.tolist()


def test_scores_are_those_of_cpython(remote: Remote, native: Native) -> None:
    scores = remote.run(PROMPT, 0, want="score")["scores"]
    assert len(scores) == len(PROMPT) - 1
    np.testing.assert_allclose(scores, native.score(PROMPT, 0), atol=1e-3)


@pytest.mark.fault("F39")
def test_two_calls_at_once_are_answered_one_after_the_other(page: Page, remote: Remote) -> None:
    # WebAssembly runs a model in one go; files are waited for, and that long another call could slip in
    slow = {"kind": "open", "place": "packaged:tiny", "files": ["model.onnx"], "device": "wasm"}
    fast = {"kind": "run", "decoder": remote.number, "tokens": PROMPT, "past": 0, "want": "top", "k": 3}
    ended = page.evaluate(
        """async (calls) => {
            const ended = [];
            await Promise.all(calls.map((call) => ask(call).then(() => ended.push(call.kind))));
            return ended;
        }""",
        [slow, fast],
    )
    assert ended == ["open", "run"]


def test_the_worker_tells_its_memory_and_devices(remote: Remote) -> None:
    about = remote.ask(kind="about")
    assert about["heap_bytes"] > 1_000_000
    assert about["devices"][-1] == "wasm"


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ({"kind": "open", "place": "packaged:nowhere", "files": ["model.onnx"]}, "ModelMissing"),
        ({"kind": "open", "place": "stored:nowhere", "files": ["model.onnx"]}, "ModelMissing"),
        ({"kind": "run", "decoder": 999, "tokens": [1], "past": 0, "want": "nothing"}, "ModelLost"),
    ],
)
def test_what_is_not_there_has_a_name(remote: Remote, request_: dict[str, Any], name: str) -> None:
    assert remote.ask(device="wasm", **request_)["name"] == name


def test_the_bundled_model_knows_the_capital_of_france(page: Page) -> None:
    from tokenizers import Tokenizer

    folder = EXTENSION / "models" / "smollm2"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    text = (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n"
    )
    prompt = tokenizer.encode(text).ids
    model = Remote(page, "packaged:smollm2", "model_int8.onnx")
    model.run(prompt[:1], 0, want="nothing")
    written = model.top(prompt[1:], 1, 1)["tokens"]
    for n_before in range(len(prompt), len(prompt) + 6):
        written += model.top(written[-1:], n_before, 1)["tokens"]
    assert tokenizer.decode(written, skip_special_tokens=False).startswith("The capital of France is Paris.")


def test_two_threads_compute_what_one_computes(tiny: Path, remote: Remote) -> None:
    page_of_two = PAGE.replace(b"model_worker.js", b"model_worker.js?threads=2")
    routes: dict[str, Path | bytes] = {"/": EXTENSION, "/models/tiny/": tiny, "/models.html": page_of_two}
    browser = remote.page.context.browser
    assert browser is not None
    with serve(routes, isolated=True) as address:
        page = browser.new_page()
        page.goto(f"{address}/models.html")
        page.wait_for_function("() => globalThis.loaded")
        theirs = Remote(page, "packaged:tiny", "model.onnx").top(PROMPT, 0, 8)
        n_workers = len(page.workers)
        page.close()
    assert n_workers > 1  # the model worker's own second thread
    assert theirs == remote.top(PROMPT, 0, 8) | {"call": theirs["call"]}


GPU_FLAGS = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]


TAKE_THE_GPU_AWAY = """async () => {
    const { env } = await import("/vendor/ort/ort.jspi.min.mjs");
    const device = await env.webgpu.device;
    device.destroy();
    await device.lost;
}"""


@pytest.mark.fault("F44")
def test_a_gpu_computes_what_a_cpu_computes_until_it_is_taken_away(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "tiny", kind="q4")
    native = Native(folder)
    routes: dict[str, Path | bytes] = {"/": EXTENSION, "/models/tiny/": folder, "/models.html": PAGE}
    with serve(routes) as address, playwright_running() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=GPU_FLAGS)
        page = chromium.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/models.html")
        page.wait_for_function("() => globalThis.loaded")
        gpu = Remote(page, "packaged:tiny", "model.onnx", device="webgpu")
        assert gpu.ask(kind="about")["devices"] == ["webgpu", "wasm"]
        whole = gpu.top(PROMPT, 0, 5)
        gpu.run([7, 7, 7], 4, want="nothing")
        set_back = gpu.top(PROMPT[4:], 4, 5)
        page.workers[0].evaluate(TAKE_THE_GPU_AWAY)
        bereft = gpu.top(PROMPT, 0, 5)
        chromium.close()
    ours = native.top(PROMPT, 0, 5)
    for theirs in (whole, set_back):
        assert theirs["tokens"] == ours.tokens.tolist()
        np.testing.assert_allclose(theirs["logits"], ours.logits, atol=1e-2)
    assert bereft["name"] == "DeviceLost"


FOLDER = """async (files) => files.map(({ name, data }) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return { name, url: URL.createObjectURL(new Blob([bytes])), size_bytes: bytes.length };
})"""


def test_a_model_from_a_folder_runs_in_the_engine_and_can_be_deleted(
    browser: ExtensionBrowser, tiny: Path
) -> None:
    import base64

    client = Client(browser)
    client.ensure_engine()
    client.wait_for_state("ready")
    contents = {
        "config.json": json.dumps(CONFIG).encode(),
        "tokenizer.json": (tiny / "tokenizer.json").read_bytes(),
        "tokenizer_config.json": json.dumps({"chat_template": TEMPLATE}).encode(),
        "model_quantized.onnx": (tiny / "model.onnx").read_bytes(),
    }
    files = [{"name": name, "data": base64.b64encode(data).decode()} for name, data in contents.items()]
    listed = client.ask("model_import", name="Tiny one", files=client.page.evaluate(FOLDER, files))
    (row,) = [one for one in listed["models"] if one["engine"] == "catalogue:Tiny-one"]
    assert (row["state"], row["is_imported"], row["context_tokens"]) == ("here", True, 640)
    speed = client.ask("model_measure", engine="catalogue:Tiny-one")
    assert (speed["device"], speed["decode_per_s"] > 0) == ("wasm", True)
    assert speed["memory_bytes"] > 1_000_000
    left = client.ask("model_remove", model="Tiny-one")
    assert "catalogue:Tiny-one" not in {one["engine"] for one in left["models"]}
    assert [one["state"] for one in left["models"] if one["engine"] == "bundled"] == ["here"]
