"""Throughput of the embedder against transformers.js with a ready-made q8 file, in one page, one thread."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.report import Figure
from benchmarks.texts import chunks
from buildlib.chromium import find_chromium
from buildlib.fetch import cached_path, fetch
from buildlib.lock import read_lock
from buildlib.paths import EXTENSION
from buildlib.serve import serve

PAGES = Path(__file__).parent / "pages"
N_CHUNKS = 12
N_WORDS = 180
N_ROUNDS = 5
MAX_TOKENS = 256


def measure() -> list[Figure]:
    """Embed the same chunks by both in turn; the ratio is of median throughputs."""
    lock = read_lock()
    fetch(lock.group("bench"))

    def read(name: str) -> bytes:
        return cached_path(lock.file(name)).read_bytes()

    model = "/rival/models/minilm/"
    routes: dict[str, Path | bytes] = {
        "/": EXTENSION,
        "/bench/": PAGES,
        "/rival/transformers.js": read("transformers.min.js"),
        "/rival/ort-wasm-simd-threaded.asyncify.mjs": read("ort-wasm-simd-threaded.asyncify.mjs"),
        "/rival/ort-wasm-simd-threaded.asyncify.wasm": read("ort-wasm-simd-threaded.asyncify.wasm"),
        f"{model}onnx/model_quantized.onnx": read("minilm-q8.onnx"),
        f"{model}config.json": read("minilm-config.json"),
        f"{model}tokenizer_config.json": _limited(read("minilm-tokenizer_config.json")),
        f"{model}tokenizer.json": (EXTENSION / "models" / "minilm" / "tokenizer.json").read_bytes(),
    }
    with serve(routes, isolated=True) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}/bench/embedding.html")
        page.wait_for_function("globalThis.bench", timeout=120_000)
        texts = json.dumps(chunks(N_CHUNKS, N_WORDS))
        page.set_default_timeout(600_000)
        times = page.evaluate(f"bench.compare({texts}, {N_ROUNDS})")
        browser.close()
    ours = statistics.median(times["ours"]) / N_CHUNKS
    theirs = statistics.median(times["theirs"]) / N_CHUNKS
    return [
        Figure(
            "embedding throughput, 180-word chunks, one thread",
            theirs / ours,
            "×",
            "transformers.js 4 with a ready-made q8 MiniLM; goal ≥ 1.8 ×",
        ),
        Figure("time per 180-word chunk", ours, "ms", f"{theirs:.0f} ms by transformers.js"),
        Figure("cosine between both models' vectors, least", times["least_cosine"], ""),
    ]


def _limited(tokenizer_config: bytes) -> bytes:
    """Both cut at 256 tokens, the length the model was trained for."""
    config = json.loads(tokenizer_config)
    return json.dumps({**config, "model_max_length": MAX_TOKENS}).encode()
