"""The bundled language model in Chromium against wllama and transformers.js, in one page and in turn.

wllama runs the GGUF file that ours was made from, transformers.js our own ONNX file. A prompt of 1,000 tokens
and the tokens behind it are timed; five questions with one answer each show who is right.
"""

from __future__ import annotations

import json
import os
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.extension import bench_browser
from benchmarks.report import Figure
from benchmarks.texts import words
from buildlib.chromium import find_chromium
from buildlib.fetch import cached_path, fetch
from buildlib.lock import read_lock
from buildlib.paths import EXTENSION
from buildlib.serve import serve
from buildlib.smollm2 import GGUF

PAGES = Path(__file__).parent / "pages"
MODEL = EXTENSION / "models" / "smollm2"
N_PROMPT = 1_000
N_SHORT = 128
N_LONG = 2_000  # with what is written behind it, nearly all that the model takes
N_QUESTION, N_KNOWN = 500, 400  # a prompt as the product writes it, and what two turns have in common
N_WRITTEN = 16
ROUNDS_VARIABLE = "TABWISE_LLM_ROUNDS"
PREFILL_GOAL, DECODE_GOAL = 8.0, 2.5
SYSTEM = (
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
)
QUESTIONS = (
    ("What is the capital of France?", "Paris"),
    ("What is the capital of Italy?", "Rome"),
    ("What is the capital of Japan?", "Tokyo"),
    ("Which planet is known as the red planet?", "Mars"),
    ("Who wrote Romeo and Juliet?", "Shakespeare"),
)


def measure() -> list[Figure]:
    """Figures with one thread and with two. On two cores the threads take turns with the page's own work."""
    return [*_measure(1), *_measure(2), _bridge()]


def _measure(n_threads: int) -> list[Figure]:
    rounds = int(os.environ.get(ROUNDS_VARIABLE, "3"))
    with serve(_routes(), isolated=True) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(1_800_000)
        page.goto(f"{address}/bench/llm.html?threads={n_threads}")
        page.wait_for_function("globalThis.bench")
        long = _call(page, "encode", " ".join(words()))[:N_LONG]
        prompt = long[:N_PROMPT]
        text = _call(page, "decode", prompt)
        _call(page, "ours", prompt[:64], 24)  # WebAssembly compiles its hot paths as it goes
        _call(page, "transformers", prompt[:64], 24)
        short = _call(page, "decode", prompt[:N_SHORT])
        times: dict[str, list[Any]] = {
            name: [] for name in ("ours", "transformers", "wllama", "short", "short_wllama", "long")
        }
        for _ in range(rounds):
            times["ours"].append(_call(page, "ours", prompt, N_WRITTEN))
            times["transformers"].append(_call(page, "transformers", prompt, N_WRITTEN))
            times["wllama"].append(_call(page, "wllama", text, N_WRITTEN))
            times["short"].append(_call(page, "ours", prompt[:N_SHORT], N_WRITTEN))
            times["short_wllama"].append(_call(page, "wllama", short, N_WRITTEN))
            times["long"].append(_call(page, "ours", long, N_WRITTEN))
        right = {name: _n_right(page, name) for name in ("ours", "transformers")}
        drafts = _call(page, "drafting")
        turns = [
            (
                _call(page, "firstToken", prompt[:N_QUESTION], 0),
                _call(page, "firstToken", prompt[:N_QUESTION], N_KNOWN),
            )
            for _ in range(rounds)
        ]
        heap = _call(page, "about")["heap_bytes"]
        browser.close()
    return [*_figures(n_threads, times, right, drafts, heap), _reuse(n_threads, turns)]


def _figures(
    n_threads: int, times: dict[str, list[Any]], right: dict[str, int], drafts: dict[str, Any], heap: int
) -> list[Figure]:
    def median(name: str, what: str) -> float:
        return float(statistics.median(one[what] for one in times[name]))

    prefill, decode = median("ours", "prefill_ms"), median("ours", "decode_ms")
    threads = _named(n_threads)
    at = f"{N_PROMPT:,} tokens, {threads}"
    return [
        Figure(
            f"prefill of {at}, against wllama",
            median("wllama", "prefill_ms") / prefill,
            "×",
            f"wllama 3.13 on the same GGUF file; goal ≥ {PREFILL_GOAL:g} ×",
        ),
        Figure(
            f"decode behind {at}, against wllama",
            median("wllama", "decode_ms") / decode,
            "×",
            f"wllama 3.13; goal ≥ {DECODE_GOAL:g} ×",
        ),
        Figure(
            f"decode behind {N_SHORT} tokens, {threads}, against wllama",
            median("short_wllama", "decode_ms") / median("short", "decode_ms"),
            "×",
            f"wllama 3.13; goal ≥ {DECODE_GOAL:g} ×",
        ),
        Figure(
            f"decode behind {at}, against transformers.js",
            median("transformers", "decode_ms") / decode,
            "×",
            "transformers.js 4 on the same ONNX file; goal ≥ 1 ×",
        ),
        Figure(f"prefill, {threads}", 1_000 * N_PROMPT / prefill, "tokens/s", at),
        Figure(f"decode, {threads}", 1_000 / decode, "tokens/s", f"behind {at}"),
        Figure(
            f"decode of a short prompt, {threads}",
            1_000 / median("short", "decode_ms"),
            "tokens/s",
            f"behind {N_SHORT} tokens",
        ),
        Figure(
            f"prefill of {N_LONG:,} tokens, {threads}",
            1_000 * N_LONG / median("long", "prefill_ms"),
            "tokens/s",
        ),
        Figure(
            f"decode behind {N_LONG:,} tokens, {threads}",
            1_000 / median("long", "decode_ms"),
            "tokens/s",
        ),
        Figure(
            f"time to the first token, {threads}",
            median("short", "prefill_ms"),
            "ms",
            f"a new prompt of {N_SHORT} tokens",
        ),
        Figure(
            f"right answers to {len(QUESTIONS)} questions, {threads}",
            float(right["ours"]),
            "",
            f"{right['transformers']} by transformers.js, which feeds token 0 with the rest",
        ),
        Figure(
            f"a call of 8 tokens against one of 1, {threads}",
            statistics.median(drafts["8"]) / statistics.median(drafts["1"]),
            "×",
            "at 500 tokens; what a draft of 8 costs",
        ),
        Figure(f"memory of WebAssembly, {threads}", heap / 1_000_000, "MB", "model, cache and runtime"),
    ]


def _named(n_threads: int) -> str:
    return "one thread" if n_threads == 1 else f"{n_threads} threads"


def _reuse(n_threads: int, turns: list[tuple[float, float]]) -> Figure:
    whole, behind = (statistics.median(times) for times in zip(*turns, strict=True))
    threads = _named(n_threads)
    return Figure(
        f"first token of {N_QUESTION} with {N_KNOWN} in the cache, {threads}",
        whole / behind,
        "× as fast",
        f"{behind:.0f} ms against {whole:.0f} ms for the whole prompt",
    )


def _n_right(page: Page, name: str) -> int:
    n_right = 0
    for question, answer in QUESTIONS:
        text = f"{SYSTEM}<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
        written = _call(page, name, _call(page, "encode", text), 12)["written"]
        n_right += answer in _call(page, "decode", written)
    return n_right


def _bridge() -> Figure:
    """What Python adds to a token: how long the model worker waits for the engine to ask for the next one."""
    with bench_browser(added={"js/decoder.js": PAGES / "timed_decoder.js"}) as browser:
        page = browser.open_tab("bench/llm_steps.html")
        page.set_default_timeout(600_000)
        page.wait_for_function("!!globalThis.measured")
        page.evaluate("measured()")  # warms up
        rounds = 3 * int(os.environ.get(ROUNDS_VARIABLE, "3"))
        tokens = [token for _ in range(rounds) for token in page.evaluate("measured()")]
    busy, waiting = (statistics.median(times) for times in zip(*tokens, strict=True))
    return Figure(
        "what Python adds to a token",
        100 * waiting / busy,
        "%",
        f"{waiting:.2f} ms of waiting for {busy:.1f} ms of computing; goal < 2 %",
    )


def _call(page: Page, name: str, *arguments: object) -> Any:
    return page.evaluate(f"(given) => bench.{name}(...given)", list(arguments))


def _routes() -> dict[str, Path | bytes]:
    lock = read_lock()
    fetch(lock.group("bench", "llm"))

    def read(name: str) -> bytes:
        return cached_path(lock.file(name)).read_bytes()

    described = json.loads((MODEL / "model.json").read_text("utf-8"))
    model = "/rival/models/smollm2/"
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": 576,
        "num_hidden_layers": 30,
        "num_attention_heads": 9,
        "num_key_value_heads": 3,
        "head_dim": 64,
        "vocab_size": 49_152,
        "max_position_embeddings": 8192,
        "eos_token_id": described["end_tokens"][0],
    }
    return {
        "/": EXTENSION,
        "/bench/": PAGES,
        "/rival/transformers.js": read("transformers.min.js"),
        "/rival/ort-wasm-simd-threaded.asyncify.mjs": read("ort-wasm-simd-threaded.asyncify.mjs"),
        "/rival/ort-wasm-simd-threaded.asyncify.wasm": read("ort-wasm-simd-threaded.asyncify.wasm"),
        "/rival/wllama.js": read("wllama.js"),
        "/rival/wllama.wasm": read("wllama.wasm"),
        "/rival/model.gguf": read(GGUF),
        f"{model}onnx/model_quantized.onnx": (MODEL / "model_int8.onnx").read_bytes(),
        f"{model}config.json": json.dumps(config).encode(),
        f"{model}generation_config.json": json.dumps({"eos_token_id": config["eos_token_id"]}).encode(),
    }
