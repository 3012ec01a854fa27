"""The browser ranks as CPython does: the same hits for the same vectors, as good ones for its own."""

import asyncio
import base64
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page as Tab

from buildlib.chromium import find_chromium
from buildlib.paths import APP, EXTENSION, ROOT
from buildlib.serve import serve
from harness.browser import playwright_running
from ranking import rank
from tabwise.adapters.native.embedder import OnnxEmbedder
from tabwise.core.model import chunk_id_prefix
from tabwise.eval.collection import Collection
from tabwise.eval.metrics import mean_scores, score_ranking
from tabwise.eval.scifact import load_scifact

pytestmark = [pytest.mark.native, pytest.mark.browser]

MODEL = EXTENSION / "models" / "minilm"
CORPUS = sorted((APP / "tabwise" / "demo" / "corpus").glob("*.md"))
SCIFACT = Path(os.environ.get("TABWISE_DATA", ROOT.parent / "shared" / "data")) / "scifact"
N_DOCUMENTS = 200
LEAST_EQUAL = 0.98
MAX_DIFFERENCE = 0.005
WORKER = b"""
import { searchKernel, startPython } from "/js/python.js";
self.onmessage = async ({ data }) => {
  try {
    const py = await startPython(["python/numpy.zip", "python/tabwise.zip"]);
    py.registerJsModule("tabwise_host", await searchKernel(py));
    py.runPython(data.code);
    py.globals.set("given", data.given);
    postMessage({ value: py.runPython(
      "from tabwise.adapters.browser.kernel import SimdKernel; rank(given, SimdKernel())") });
  } catch (error) {
    postMessage({ error: String(error).slice(-600) });
  }
};
"""
PAGE = b"""<!doctype html><script type="module">
globalThis.rank = (code, given) => new Promise((resolve, reject) => {
  const worker = new Worker("/rank_worker.js", { type: "module" });
  worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.value));
  worker.postMessage({ code, given });
});
const model = new Worker("/js/model_worker.js", { type: "module" });
const { port1, port2 } = new MessageChannel();
model.postMessage({ type: "connect", port: port2 }, [port2]);
globalThis.embed = (ids) => new Promise((resolve, reject) => {
  port1.onmessage = ({ data }) => data.vectors ? resolve([...data.vectors]) : reject(new Error(data.message));
  const [flat, lengths] = [Int32Array.from(ids), Int32Array.of(ids.length)];
  port1.postMessage({ call: 1, kind: "embed", place: "", flat, lengths });
});
globalThis.loaded = true;
</script>"""

Rows = np.ndarray


@pytest.fixture(scope="module")
def page() -> Iterator[Tab]:
    """A page that searches in Python of its own and embeds with the packaged model."""
    routes: dict[str, Any] = {"/": EXTENSION, "/parity.html": PAGE, "/rank_worker.js": WORKER}
    with serve(routes) as address, playwright_running() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        opened = chromium.new_page()
        opened.set_default_timeout(600_000)
        opened.goto(f"{address}/parity.html")
        opened.wait_for_function("() => globalThis.loaded")
        yield opened
        chromium.close()


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(MODEL)


def native(embedder: OnnxEmbedder, texts: Sequence[str]) -> Rows:
    with ThreadPoolExecutor() as own_thread:  # Playwright keeps an event loop running in this one
        return own_thread.submit(asyncio.run, embedder.embed(texts)).result()


def in_browser(page: Tab, embedder: OnnxEmbedder, texts: Sequence[str]) -> Rows:
    rows = []
    for text in texts:
        ids = embedder._tokenizer.encode(text).ids
        limit = embedder.descriptor.max_tokens
        rows.append(
            page.evaluate("(ids) => embed(ids)", ids if len(ids) <= limit else ids[: limit - 1] + ids[-1:])
        )
    return np.array(rows, np.float32)


def encoded(texts: Sequence[tuple[str, str]], rows: Rows, queries: Sequence[str], of_queries: Rows) -> str:
    def packed(matrix: Rows) -> str:
        return base64.b64encode(matrix.astype("<f4").tobytes()).decode()

    return json.dumps(
        {"texts": texts, "vectors": packed(rows), "queries": queries, "query_vectors": packed(of_queries)}
    )


def ranked_in_browser(page: Tab, given: str) -> dict[str, list[list[str]]]:
    code = (Path(__file__).parents[1] / "ranking.py").read_text("utf-8")
    result: dict[str, list[list[str]]] = json.loads(
        page.evaluate("([code, given]) => rank(code, given)", [code, given])
    )
    return result


def share_of_equals(found: dict[str, list[list[str]]], expected: dict[str, list[list[str]]]) -> float:
    pairs = [pair for mode, rankings in expected.items() for pair in zip(found[mode], rankings, strict=True)]
    return sum(ours == theirs for ours, theirs in pairs) / len(pairs)


def scifact_subset() -> Collection:
    """The first judged documents, and the claims about them."""
    whole = load_scifact(SCIFACT, n_documents=1_000)
    judged = {document for relevance in whole.relevance.values() for document in relevance}
    documents = [document for document in whole.documents if document.id in judged][:N_DOCUMENTS]
    there = {document.id for document in documents}
    relevance = {
        query: {document: grade for document, grade in grades.items() if document in there}
        for query, grades in whole.relevance.items()
    }
    relevance = {query: grades for query, grades in relevance.items() if grades}
    queries = {query: text for query, text in whole.queries.items() if query in relevance}
    return replace(whole, documents=tuple(documents), queries=queries, relevance=relevance)


def test_the_demo_corpus_ranks_the_same(page: Tab, embedder: OnnxEmbedder) -> None:
    texts = [
        (path.stem, part) for path in CORPUS for part in path.read_text("utf-8").split("\n\n") if part.strip()
    ]
    queries = [" ".join(text.split()[3:11]) for _, text in texts if len(text.split()) > 20]
    given = encoded(texts, native(embedder, [text for _, text in texts]), queries, native(embedder, queries))
    assert share_of_equals(ranked_in_browser(page, given), json.loads(rank(given))) >= LEAST_EQUAL


@pytest.mark.skipif(
    not SCIFACT.is_dir(), reason="no SciFact here: set TABWISE_DATA to the folder of collections"
)
def test_scifact_ranks_the_same_and_as_well_with_vectors_of_its_own(
    page: Tab, embedder: OnnxEmbedder
) -> None:
    subset = scifact_subset()
    texts = [(document.title, document.text) for document in subset.documents]
    embedded = [f"{title}. {text}" for title, text in texts]
    queries = list(subset.queries.values())
    given = encoded(texts, native(embedder, embedded), queries, native(embedder, queries))
    expected = json.loads(rank(given))
    assert share_of_equals(ranked_in_browser(page, given), expected) >= LEAST_EQUAL

    fresh = encoded(texts, in_browser(page, embedder, embedded), queries, in_browser(page, embedder, queries))
    document_of = {
        f"{chunk_id_prefix(f'https://example.org/{i}')}-00000": document.id  # type: ignore[arg-type]
        for i, document in enumerate(subset.documents)
    }

    def ndcg(rankings: list[list[str]]) -> float:
        return mean_scores(
            tuple(
                score_ranking([document_of[one] for one in ranking], subset.relevance[query], k=10)
                for query, ranking in zip(subset.queries, rankings, strict=True)
            )
        ).ndcg

    found = ranked_in_browser(page, fresh)
    for mode, rankings in expected.items():
        assert abs(ndcg(found[mode]) - ndcg(rankings)) <= MAX_DIFFERENCE
