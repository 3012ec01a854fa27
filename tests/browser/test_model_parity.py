"""The browser reads and embeds a text as CPython does: the same tokens, nearly the same vector."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from playwright.sync_api import Page
from tokenizers import Tokenizer

from buildlib.chromium import find_chromium
from buildlib.paths import APP, EXTENSION
from buildlib.serve import serve
from harness.browser import playwright_running
from tabwise.adapters.native.embedder import OnnxEmbedder

pytestmark = [pytest.mark.native, pytest.mark.browser]

MODEL = EXTENSION / "models" / "minilm"
CORPUS = sorted((APP / "tabwise" / "demo" / "corpus").glob("*.md"))
HARD = [
    "",
    " ",
    "naïve café façade Ångström İstanbul straße ﬁn ＡＢＣ",
    "Ὀδυσσεύς ΟΔΥΣΣΕΎΣ σς",
    "日本語のテキスト 中文文本 한국어 텍스트 ภาษาไทย",
    "اللغة العربية עברית हिन्दी নেপালি ქართული",
    "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 \u200b\u00ad\ufeff",
    "v1.2.3 foo_bar-baz fooBarBaz x=[i*2 for i in range(10)] https://a.example/p?q=1#f",
    "1,234.56 € 20 % −5 °C 10⁻³ ½ Ⅳ",
    "a" * 300,
    "\t\n\r\x0b control \x00 characters",
    "[CLS] [SEP] [MASK] [UNK] [PAD] inside",
    "𠀀𠀁𪛖 rare ideographs",
]
PAGE = b"""<!doctype html><script src="/vendor/tokenizers/index.js"></script><script type="module">
const json = await (await fetch("/models/minilm/tokenizer.json")).arrayBuffer();
const tokenizer = await globalThis.tokenizers.Tokenizer.fromJSON(json);
const worker = new Worker("/js/model_worker.js", { type: "module" });
const { port1, port2 } = new MessageChannel();
worker.postMessage({ type: "connect", port: port2 }, [port2]);
globalThis.encode = (text) => [...tokenizer.encode(text)];
globalThis.embed = (ids) => new Promise((resolve, reject) => {
  port1.onmessage = ({ data }) => data.vectors ? resolve([...data.vectors]) : reject(new Error(data.message));
  const [flat, lengths] = [Int32Array.from(ids), Int32Array.of(ids.length)];
  port1.postMessage({ call: 1, kind: "embed", place: "", flat, lengths });
});
globalThis.loaded = true;
</script>"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page with the packaged tokenizer and model worker."""
    with serve({"/": EXTENSION, "/parity.html": PAGE}) as address, playwright_running() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        opened = chromium.new_page()
        opened.goto(f"{address}/parity.html")
        opened.wait_for_function("() => globalThis.loaded", timeout=60_000)
        yield opened
        chromium.close()


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Hard strings and every paragraph of the demo's corpus."""
    return HARD + [part for file in CORPUS for part in file.read_text("utf-8").split("\n\n")]


def test_token_ids_are_the_same(page: Page, texts: list[str]) -> None:
    native = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    found = page.evaluate("(texts) => texts.map(encode)", texts)
    expected = [native.encode(text, add_special_tokens=False).ids for text in texts]
    assert found == expected


def test_vectors_nearly_agree(page: Page, texts: list[str]) -> None:
    embedder = OnnxEmbedder(MODEL)
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    chosen = [text for text in texts if len(text.split()) > 20][:12]
    with ThreadPoolExecutor() as own_thread:  # Playwright keeps an event loop running in this one
        vectors = own_thread.submit(asyncio.run, embedder.embed(chosen)).result()
    cosines = []
    for text, vector in zip(chosen, vectors, strict=True):
        ids = tokenizer.encode(text).ids
        assert len(ids) <= embedder.descriptor.max_tokens
        found = np.array(page.evaluate("(ids) => embed(ids)", ids), np.float32)
        cosines.append(float(found @ vector))
    # Activations are rounded to int8 at run time: a last bit that differs between two runtimes moves some.
    assert np.mean(cosines) >= 0.9995
    assert min(cosines) >= 0.999
