"""The bridge and the adapters over it, with a scripted JavaScript side."""

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tabwise.core.search.segments import Segment
from tabwise.errors import AppError, HostError, InputError, ModelError, StoreError
from tabwise.ports import ShownPassage
from tabwise.protocol.codes import ERROR_CODES
from tabwise.protocol.schema import HOST_ERRORS

# Under Pyodide the real `pyodide.ffi` is there; these tests put one of their own in its place.
pytestmark = pytest.mark.native

DIMENSIONS = 16
DESCRIPTOR = {
    "id": "m",
    "dimensions": DIMENSIONS,
    "max_tokens": 8,
    "query_prefix": "",
    "licence": "MIT",
    "pooling": "mean",
}


class JsError(Exception):
    """Stands in for pyodide.ffi.JsException."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name, self.message = name, "said so"


class JsArray:
    """A typed array as Python sees it."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def to_py(self) -> memoryview:
        return memoryview(np.ascontiguousarray(self._values))


class Host:
    """The module the engine worker registers, scripted."""

    def __init__(self) -> None:
        self.descriptor = json.dumps(DESCRIPTOR)
        self.libraryFault = ""
        self.reply: dict[str, Any] = {}
        self.failures: list[str] = []
        self.calls: list[list[int]] = []
        self.scale = 1.0
        self.n_pages = 20
        self.said: list[str] = []
        self.n_model_restarts = 0

    def modelRestart(self) -> None:
        self.n_model_restarts += 1

    def post(self, text: str) -> None:
        self.said.append(text)

    async def openFile(self, url: str, max_bytes: int) -> str:
        self.asked = (url, max_bytes)
        if self.failures:
            raise JsError(self.failures.pop(0))
        return json.dumps({"is_pdf": True, "n_pages": self.n_pages, "title": "Tides", "language": "en"})

    async def pdfPages(self, first: int, last: int) -> str:
        if self.failures:
            raise JsError(self.failures.pop(0))
        self.calls.append([first, last])
        items = [["A line of text.", 60, 100, 70, 10, 0, "body"]]
        numbers = range(first, last + 1)
        return json.dumps([{"number": n, "width": 600, "height": 800, "items": items} for n in numbers])

    def closeFile(self) -> None:
        self.said.append("closed")

    def flushLibrary(self) -> None:
        self.said.append("flushed")

    async def call(self, verb: str, args: str) -> str:
        self.asked = (verb, json.loads(args))
        return json.dumps(self.reply)

    def encode(self, text: str) -> JsArray:
        return JsArray(np.array([len(word) for word in text.split()], np.int32))

    async def embed(self, flat: np.ndarray, lengths: np.ndarray, place: str) -> JsArray:
        if self.failures:
            raise JsError(self.failures.pop(0))
        self.calls.append(lengths.tolist())
        starts = np.cumsum(lengths) - lengths
        rows = np.zeros((len(lengths), DIMENSIONS), np.float32)
        # The vector tells its row's first word: [CLS], then the word's id.
        rows[np.arange(len(lengths)), flat[starts + 1] % DIMENSIONS] = self.scale
        return JsArray(rows.reshape(-1))

    def scaledProducts(self, *arguments: float) -> None:
        self.calls.append(list(arguments))


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    scripted = Host()
    ffi = ModuleType("pyodide.ffi")
    ffi.__dict__.update(JsException=JsError, to_js=lambda value: value)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setitem(sys.modules, "tabwise_host", scripted)
    forget()
    yield scripted
    forget()


def forget() -> None:
    """Unload the adapters, so that the next import meets the script of its own test."""
    package = importlib.import_module("tabwise.adapters.browser")
    for name in ("bridge", "documents", "embedder", "host", "kernel"):
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


def load(name: str) -> Any:
    return importlib.import_module(f"tabwise.adapters.browser.{name}")


def test_a_host_call_returns_what_the_browser_said(host: Host) -> None:
    host.reply = {"ok": True, "value": {"found": True, "tab_id": 7}}
    viewer = load("host").TabHost()
    passages = [ShownPassage("q", "b", "a", 3), ShownPassage("r", "c", "d", None)]
    shown = asyncio.run(viewer.show("u", passages, source="s", title="t", start=5, moment_url=None))
    assert shown == (True, 7)
    told = [
        {"quote": "q", "before": "b", "after": "a", "page_number": 3},
        {"quote": "r", "before": "c", "after": "d", "page_number": None},
    ]
    fields = {"url": "u", "passages": told, "source": "s", "title": "t", "start": 5, "moment_url": None}
    assert host.asked == ("passage_show", fields)


@pytest.mark.parametrize("name", HOST_ERRORS)
def test_every_host_failure_has_its_code(host: Host, name: str) -> None:
    host.reply = {"ok": False, "name": name, "message": "no"}
    with pytest.raises(HostError) as caught:
        asyncio.run(load("bridge").host_call("tab_capture", {}))
    assert caught.value.code == HOST_ERRORS[name]
    assert caught.value.code in ERROR_CODES


def test_an_unknown_host_failure_is_host_failed(host: Host) -> None:
    host.reply = {"ok": False, "name": "TypeError", "message": "no"}
    with pytest.raises(HostError) as caught:
        asyncio.run(load("bridge").host_call("tab_capture", {}))
    assert caught.value.code == "host_failed"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("NoModificationAllowedError", "store_locked"),
        ("TimeoutError", "store_locked"),
        ("QuotaExceededError", "store_full"),
        ("UnknownError", "store_corrupt"),
    ],
)
def test_a_library_that_did_not_open_is_a_store_error(host: Host, fault: str, code: str) -> None:
    host.libraryFault = fault
    with pytest.raises(StoreError) as caught:
        load("bridge").require_library()
    assert caught.value.code == code


def test_an_open_library_is_no_error(host: Host) -> None:
    load("bridge").require_library()


def test_vectors_come_in_the_order_of_the_texts(host: Host) -> None:
    texts = ["three words of", "a", "four", "seventh of", "sixsix", "fivee long words here"]
    vectors = asyncio.run(load("embedder").BrowserEmbedder().embed(texts))
    assert vectors.dtype == np.float32
    assert vectors.argmax(axis=1).tolist() == [5, 1, 4, 7, 6, 5]


def test_each_text_is_embedded_alone_so_that_its_vector_never_depends_on_others(host: Host) -> None:
    asyncio.run(load("embedder").BrowserEmbedder().embed(["a b c d", "a", "a b"]))
    assert host.calls == [[6], [3], [4]]


def test_long_texts_are_cut_at_the_limit(host: Host) -> None:
    embedder = load("embedder").BrowserEmbedder()
    assert embedder.count("w " * 50) == 52
    asyncio.run(embedder.embed(["w " * 50]))
    assert host.calls == [[DESCRIPTOR["max_tokens"]]]


def test_no_texts_give_no_rows(host: Host) -> None:
    assert asyncio.run(load("embedder").BrowserEmbedder().embed([])).shape == (0, DIMENSIONS)


def test_a_model_lost_once_is_asked_again(host: Host) -> None:
    host.failures = ["ModelLost"]
    assert asyncio.run(load("embedder").BrowserEmbedder().embed(["a"])).shape == (1, DIMENSIONS)


def test_a_model_lost_twice_is_unavailable(host: Host) -> None:
    host.failures = ["ModelLost", "ModelLost"]
    with pytest.raises(ModelError) as caught:
        asyncio.run(load("embedder").BrowserEmbedder().embed(["a"]))
    assert caught.value.code == "model_unavailable"


@pytest.mark.fault("F37")
def test_a_model_without_memory_is_asked_again_in_a_new_worker(host: Host) -> None:
    host.failures = ["number"]
    assert asyncio.run(load("embedder").BrowserEmbedder().embed(["a"])).shape == (1, DIMENSIONS)
    assert host.n_model_restarts == 1


@pytest.mark.fault("F37")
def test_a_model_that_never_has_memory_says_so(host: Host) -> None:
    host.failures = ["number", "RangeError"]
    with pytest.raises(ModelError) as caught:
        asyncio.run(load("embedder").BrowserEmbedder().embed(["a"]))
    assert caught.value.code == "model_out_of_memory"


@pytest.mark.fault("F35")
def test_null_of_javascript_is_none(host: Host) -> None:
    host.reply = {"ok": True, "value": None}
    assert asyncio.run(load("bridge").host_call("settings_get", {})) is None


@pytest.mark.fault("F43")
@pytest.mark.parametrize("scale", [0.0, float("nan"), 0.5])
def test_what_is_no_unit_vector_is_refused(host: Host, scale: float) -> None:
    host.scale = scale
    with pytest.raises(ModelError) as caught:
        asyncio.run(load("embedder").BrowserEmbedder().embed(["a"]))
    assert caught.value.code == "model_mismatch"


PDF_TAB = {"ok": True, "value": {"pdf": "https://sea.example/a.pdf"}}


def test_a_pdf_tab_is_fetched_and_read_a_few_pages_at_a_time(host: Host) -> None:
    host.reply = PDF_TAB
    captured = asyncio.run(load("host").TabHost().capture(7, 10_000))
    assert host.asked == ("https://sea.example/a.pdf", 50_000_000)
    assert host.calls == [[1, 8], [9, 16], [17, 20]]
    assert [page.number for page in captured.pages] == list(range(1, 21))
    assert (captured.url, captured.title, captured.n_pages) == ("https://sea.example/a.pdf", "Tides", 20)
    assert host.said == ["closed"]


def test_a_pdf_is_read_until_there_is_enough_text(host: Host) -> None:
    host.reply = PDF_TAB
    captured = asyncio.run(load("host").TabHost().capture(7, 100))
    assert (len(captured.pages), captured.n_pages) == (8, 20)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("FileUnreachable", "file_unreachable"),
        ("FileTooLarge", "file_too_large"),
        ("PdfLocked", "page_locked"),
        ("PdfDamaged", "page_unreadable"),
        ("TypeError", "page_unreadable"),
    ],
)
def test_every_failure_of_a_file_has_its_code(host: Host, name: str, code: str) -> None:
    host.reply, host.failures = PDF_TAB, [name]
    with pytest.raises(AppError) as caught:
        asyncio.run(load("host").TabHost().capture(7, 100))
    assert caught.value.code == code
    assert host.said == ["closed"]


def test_a_given_file_whose_panel_was_closed_is_missing(host: Host) -> None:
    host.failures = ["FileUnreachable"]
    with pytest.raises(InputError) as caught:
        asyncio.run(load("documents").FetchedFiles().read("a.pdf", "blob:gone", 100))
    assert (caught.value.code, caught.value.subject) == ("file_missing", "a.pdf")


def test_the_kernel_gets_a_block_at_a_time(host: Host) -> None:
    blocks, query = [np.ones((4, 32), np.int8), np.ones((4, 32), np.int8)], np.ones(32, np.int16)
    scales, out = np.ones(6, np.float32), np.empty(6, np.float32)
    load("kernel").SimdKernel().cosines(blocks, query, scales, 0.5, out)
    addresses = [query.ctypes.data, scales.ctypes.data, out.ctypes.data]
    assert host.calls == [
        [blocks[0].ctypes.data, *addresses[:2], 0.5, addresses[2], 4, 32],
        [blocks[1].ctypes.data, addresses[0], addresses[1] + 16, 0.5, addresses[2] + 16, 2, 32],
    ]


def test_rows_the_kernel_cannot_take_go_to_numpy(host: Host) -> None:
    out = np.empty(3, np.float32)
    query, scales = np.ones(20, np.int16), np.full(3, 0.5, np.float32)
    load("kernel").SimdKernel().cosines([np.ones((3, 20), np.int8)], query, scales, 1.0, out)
    assert host.calls == []
    assert out.tolist() == [10.0, 10.0, 10.0]


def one_posting(first_slot: int, dtype: type = np.uint16) -> Segment:
    return Segment(
        first_slot,
        1,
        np.array([7], np.int32),
        np.array([0, 1], np.int32),
        np.zeros(1, dtype),
        np.ones(1, np.uint8),
    )


def test_the_kernel_is_told_of_every_segment(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter, given = load("kernel"), []
    monkeypatch.setattr(load("bridge"), "add_postings", lambda *arrays: given.append(arrays))
    kernel = adapter.SimdKernel()
    terms = (np.array([7], np.int32), np.ones(1, np.float32), np.ones(2, np.float32), np.zeros(2))
    for segments in ((one_posting(0),), (one_posting(0), one_posting(1))):
        kernel.add_postings(segments, *terms)
        table, *rest = given.pop()
        assert all(ours is theirs for ours, theirs in zip(rest, terms, strict=True))
        assert table.tolist() == [
            [
                segment.first_slot,
                segment.term_ids.ctypes.data,
                1,
                segment.offsets.ctypes.data,
                segment.documents.ctypes.data,
                segment.tfs.ctypes.data,
            ]
            for segment in segments
        ]


def test_wider_postings_go_to_numpy(host: Host) -> None:
    sums = np.zeros(1)
    segments = (one_posting(0, np.uint32),)
    load("kernel").SimdKernel().add_postings(
        segments, np.array([7], np.int32), np.ones(1, np.float32), np.ones(1, np.float32), sums
    )
    assert host.calls == []
    assert sums.tolist() == [0.5]


def test_events_and_flushes_pass_through(host: Host) -> None:
    bridge = load("bridge")
    bridge.post_event("text")
    bridge.flush_library()
    assert host.said == ["text", "flushed"]


def test_the_browsers_summariser_writes_and_says_why_not(host: Host) -> None:
    summarizer = load("summarizer").BrowserSummarizer()
    host.reply = {"ok": True, "value": {"state": "downloadable"}}
    assert asyncio.run(summarizer.state()) == "downloadable"
    host.reply = {"ok": True, "value": {"text": "In short."}}
    assert asyncio.run(summarizer.summarise("long", context="Title", language="de")) == "In short."
    assert host.asked == ("summarizer_write", {"text": "long", "context": "Title", "language": "de"})
    host.reply = {"ok": False, "name": "SummaryTooLong", "message": "too long"}
    with pytest.raises(ModelError) as caught:
        asyncio.run(summarizer.summarise("long", context="", language="de"))
    assert caught.value.code == "prompt_too_long"
    host.reply = {"ok": False, "name": "HostFailed", "message": "gone"}
    assert asyncio.run(summarizer.state()) == "unavailable"
