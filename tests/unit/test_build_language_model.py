"""The language model we build, against an independent implementation in float32 (tests/golden/smollm2)."""

import hashlib
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from buildlib.fetch import cached_path, fetch
from buildlib.kernel import kernel_file
from buildlib.lock import read_lock
from buildlib.paths import EXTENSION_SOURCE
from buildlib.smollm2 import GGUF, language_model_folder

pytestmark = [pytest.mark.native, pytest.mark.slow]

REFERENCE = Path(__file__).parents[1] / "golden" / "smollm2" / "reference.json"
STEPS = Path(__file__).parents[1] / "llama_steps.mjs"
N_VOCABULARY = 49_152
N_WRITTEN = 16
MIN_SAME_CHOICES = 183  # of 200
MAX_DIVERGENCE = 0.03  # mean Kullback-Leibler divergence, nats


def folder(kind: str) -> Path:
    lock = read_lock()
    fetch(lock.group("llm"))
    return language_model_folder(lock, kind)


@pytest.fixture(scope="module")
def runs() -> list[dict[str, Any]]:
    reference: list[dict[str, Any]] = json.loads(REFERENCE.read_text("utf-8"))["runs"]
    return reference


class Session:
    """Feeds tokens one call at a time and keeps the cache."""

    def __init__(self, model: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        inputs = [one for one in self._session.get_inputs() if one.name.startswith("past_key_values.")]
        self._past = {one.name: np.zeros((1, one.shape[1], 0, one.shape[3]), np.float32) for one in inputs}
        self._outputs = [one.name for one in self._session.get_outputs()]
        self._n = 0

    def feed(self, tokens: Sequence[int]) -> npt.NDArray[np.float32]:
        """The logits after the last token."""
        n = len(tokens)
        feed = {
            "input_ids": np.array([tokens], np.int64),
            "attention_mask": np.ones((1, self._n + n), np.int64),
            "position_ids": np.arange(self._n, self._n + n, dtype=np.int64)[None],
            "num_logits_to_keep": np.array(1, np.int64),
        }
        values = dict(zip(self._outputs, self._session.run(None, feed | self._past), strict=True))
        self._past = {name: values[name.replace("past_key_values", "present")] for name in self._past}
        self._n += n
        logits: npt.NDArray[np.float32] = values["logits"][0, -1]
        return logits


def forced(model: Path, run: dict[str, Any], *, first_alone: bool) -> Iterator[npt.NDArray[np.float32]]:
    """The logits before each token of a reference run, whatever the model itself would choose."""
    session, prompt = Session(model), run["prompt"]
    if first_alone:
        session.feed(prompt[:1])
    logits = session.feed(prompt[1:] if first_alone else prompt)
    for token in run["tokens"]:
        yield logits
        logits = session.feed([token])


def divergence(run: dict[str, Any], step: int, logits: npt.NDArray[np.float32]) -> float:
    """Kullback-Leibler divergence from the reference, all but its 16 likeliest tokens taken as one."""
    ours = logits.astype(np.float64) - np.max(logits)
    ours -= np.log(np.sum(np.exp(ours)))
    p = np.exp(np.array(run["log_probabilities"][step]))
    q = np.exp(ours[run["likeliest"][step]])
    p, q = np.append(p, max(1 - p.sum(), 1e-9)), np.append(q, max(1 - q.sum(), 1e-9))
    return float(np.sum(p * np.log(p / q)))


def test_four_bit_model_writes_what_the_reference_writes(runs: list[dict[str, Any]]) -> None:
    model = folder("q4") / "model_q4.onnx"
    for run in runs:
        session = Session(model)
        logits, written = session.feed(run["prompt"]), []
        for _ in range(N_WRITTEN):
            written.append(int(np.argmax(logits)))
            logits = session.feed(written[-1:])
        assert written == run["tokens"][:N_WRITTEN]


def test_int8_model_stays_near_the_reference(runs: list[dict[str, Any]]) -> None:
    model = folder("int8") / "model_int8.onnx"
    n_same, divergences = 0, []
    for run in runs:
        for step, logits in enumerate(forced(model, run, first_alone=True)):
            n_same += int(np.argmax(logits)) == run["tokens"][step]
            divergences.append(divergence(run, step, logits))
    assert n_same >= MIN_SAME_CHOICES
    assert np.mean(divergences) <= MAX_DIVERGENCE


def test_single_tokens_beside_the_runtime_stay_nearer(runs: list[dict[str, Any]], tmp_path: Path) -> None:
    """Each token by `js/llama_step.js`, those of the prompt too, so that each has a scale of its own."""
    texts = [{"tokens": run["prompt"] + run["tokens"][:-1], "first": len(run["prompt"]) - 1} for run in runs]
    job, result = tmp_path / "job.json", tmp_path / "logits"
    shape = {"n_layers": 30, "n_kv_heads": 3, "head_width": 64, "capacity": 128}
    job.write_text(json.dumps(shape | {"texts": texts}), "utf-8")
    files = [EXTENSION_SOURCE, kernel_file("llama.wasm"), folder("int8") / "model_int8.onnx", job, result]
    subprocess.run(["node", str(STEPS), *map(str, files)], check=True, capture_output=True)
    rows = iter(np.fromfile(result, np.float32).reshape(-1, N_VOCABULARY))
    n_same, divergences = 0, []
    for run in runs:
        for step, token in enumerate(run["tokens"]):
            logits = next(rows)
            n_same += int(np.argmax(logits)) == token
            divergences.append(divergence(run, step, logits))
    assert n_same >= MIN_SAME_CHOICES
    assert np.mean(divergences) <= MAX_DIVERGENCE / 2


def test_first_token_in_company_is_what_spoils_the_int8_model(runs: list[dict[str, Any]]) -> None:
    model = folder("int8") / "model_int8.onnx"

    def mean_divergence(first_alone: bool) -> float:
        steps = enumerate(forced(model, runs[0], first_alone=first_alone))
        return float(np.mean([divergence(runs[0], step, logits) for step, logits in steps]))

    assert mean_divergence(first_alone=True) < mean_divergence(first_alone=False)
    assert json.loads((folder("int8") / "model.json").read_text("utf-8"))["first_token_alone"]


def test_tokenizer_is_the_byte_pair_encoding_of_the_file() -> None:
    from gguf import GGUFReader
    from tokenizers import Tokenizer

    from byte_pair import encode

    fields = GGUFReader(cached_path(read_lock().file(GGUF))).fields
    vocabulary = fields["tokenizer.ggml.tokens"].contents()
    merges = fields["tokenizer.ggml.merges"].contents()
    tokenizer = Tokenizer.from_file(str(folder("int8") / "tokenizer.json"))
    for text in (
        "The tidal power station was opened in 1966 and has 24 turbines.",
        "  def f(x):\n\treturn x**2  # spaces\n\n",
        "Überfluß, naïve café, 東京, 🙂, don't we'll I'M",
        "3.14159 + 2,000 = ?",
        " leading and trailing ",
    ):
        assert tokenizer.encode(text).ids == encode(text, vocabulary, merges)
        assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text


def test_control_tokens_are_one_token_each() -> None:
    from tokenizers import Tokenizer

    described = json.loads((folder("int8") / "model.json").read_text("utf-8"))
    tokenizer = Tokenizer.from_file(str(folder("int8") / "tokenizer.json"))
    assert [len(tokenizer.encode(text).ids) for text in described["control_tokens"]] == [1] * 17
    assert tokenizer.encode("<|im_end|>").ids == described["end_tokens"]


@pytest.mark.parametrize(("kind", "device"), [("int8", "wasm"), ("q4", "webgpu")])
def test_description_states_what_the_model_is(kind: str, device: str) -> None:
    described = json.loads((folder(kind) / "model.json").read_text("utf-8"))
    (name,) = described["files"][device]
    data = (folder(kind) / name).read_bytes()
    assert described["size_bytes"] == len(data)
    assert described["sha256"] == {name: hashlib.sha256(data).hexdigest()}


def test_four_bit_model_passes_its_own_self_test() -> None:
    described = json.loads((folder("q4") / "model.json").read_text("utf-8"))
    logits = Session(folder("q4") / "model_q4.onnx").feed(described["self_test"]["tokens"])
    stored = np.array(described["self_test"]["logits"])
    np.testing.assert_allclose(logits[: len(stored)], stored, atol=1e-3)
