"""The one place where Python meets JavaScript: everything the engine worker lends, as plain functions.

Only JSON text and typed arrays cross, copied; no proxy outlives a call. JavaScript errors become ours here,
by name, and nowhere else. `tabwise_host` is the module that js/engine_worker.js registers.
"""

import json
import re
from collections.abc import Awaitable, Sequence
from typing import Any, TypedDict, cast

import numpy as np
import numpy.typing as npt
import tabwise_host  # type: ignore[import-not-found]
from pyodide.ffi import JsException, to_js

from tabwise.core.embedders import EmbedderDescription
from tabwise.core.model import FloatMatrix
from tabwise.errors import AppError, DeviceLost, HostError, InputError, ModelError, StoreError
from tabwise.protocol.schema import HOST_ERRORS

# why the library file could not be opened, by the name of the browser's error
_LIBRARY_FAULTS = {
    "TimeoutError": "store_locked",
    "AbortError": "store_locked",
    "NoModificationAllowedError": "store_locked",
    "QuotaExceededError": "store_full",
}
# what fetching and opening a file can end with, by the name of the JavaScript error
_FILE_ERRORS = {
    "FileUnreachable": "file_unreachable",
    "FileTooLarge": "file_too_large",
    "PdfLocked": "page_locked",
    "PdfDamaged": "page_unreadable",
}
# ONNX Runtime has no name for running out of memory: it throws an address, or says so in passing
_OUT_OF_MEMORY = re.compile(
    r"out of memory|\boom\b|bad_alloc|allocat|memory access out of bounds", re.IGNORECASE
)
_SESSION_LOST = ("ModelLost", "DeviceLost")


class OpenedFile(TypedDict):
    """What is known of a fetched file; of one that is no PDF, `is_pdf` alone."""

    is_pdf: bool
    n_pages: int
    title: str
    language: str


class HttpFailed(Exception):
    """An exchange ended without an answer; the text is the name of the browser's error, all it tells."""


async def host_call(verb: str, fields: dict[str, object]) -> object:
    """Ask the service worker for one of HOST_CALLS; return its result as JSON values.

    Raises HostError with the code that HOST_ERRORS gives the failure, host_failed for a name it lacks.
    """
    reply = json.loads(await tabwise_host.call(verb, json.dumps(fields)))
    if reply["ok"]:
        return reply["value"]
    raise HostError(HOST_ERRORS.get(reply["name"], "host_failed"), reply["message"])


def post_event(text: str) -> None:
    """Send an encoded event to the panels."""
    tabwise_host.post(text)


def encode_ids(text: str) -> npt.NDArray[np.int32]:
    """Token ids of `text`, int32, without special tokens and uncut."""
    return np.array(tabwise_host.encode(text).to_py(), np.int32)


async def embed_ids(
    flat: npt.NDArray[np.int32],
    lengths: npt.NDArray[np.int32],
    place: str = "",
    files: Sequence[str] = (),
    output: str = "",
) -> FloatMatrix:
    """Embed rows of token ids laid end to end; return an output of the graph, (len(lengths), …) float32.

    `place` is where the model's files are, "" for the packaged one. Of another model, `files` are the graph
    and then its data, `output` the name of what it gives, "" for the first. Raises ModelError:
    model_unavailable, model_out_of_memory.
    """
    model = (place, to_js(list(files)), output) if place else ("",)
    try:
        vectors = await tabwise_host.embed(to_js(flat), to_js(lengths), *model)
    except JsException as error:
        code = "model_out_of_memory" if _is_out_of_memory(error) else "model_unavailable"
        raise ModelError(code, f"{error.name}: {error.message}") from error
    return np.array(vectors.to_py(), np.float32).reshape(len(lengths), -1)


def packaged_embedder() -> EmbedderDescription:
    """What models/minilm/model.json says about the packaged model."""
    return EmbedderDescription.of(json.loads(tabwise_host.descriptor))


def restart_engine() -> None:
    """Start the engine anew, as after an update: what is in memory is gone, what is stored stays."""
    tabwise_host.restart()


def scaled_products(
    codes: npt.NDArray[np.int8],
    query: npt.NDArray[np.int16],
    scales: npt.NDArray[np.float32],
    factor: float,
    out: npt.NDArray[np.float32],
) -> None:
    """Write codes @ query · scales · factor into `out`: (n, d), (d,), (n,), (n,), d a multiple of 16."""
    rows = (codes.ctypes.data, query.ctypes.data, scales.ctypes.data)
    tabwise_host.scaledProducts(*rows, factor, out.ctypes.data, *codes.shape)


def add_postings(
    segments: npt.NDArray[np.uintp],
    term_ids: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float32],
    saturations: npt.NDArray[np.float32],
    sums: npt.NDArray[np.float64],
) -> None:
    """Add the postings of terms (t,) with weights (t,) in segments (n, 6) to `sums` by slot."""
    terms = (term_ids.ctypes.data, weights.ctypes.data, len(term_ids))
    tabwise_host.addPostings(
        segments.ctypes.data, len(segments), *terms, saturations.ctypes.data, sums.ctypes.data
    )


def count_above(
    scores: npt.NDArray[np.float32], thresholds: npt.NDArray[np.float32], counts: npt.NDArray[np.int32]
) -> None:
    """Write into `counts` (t, 2) how many of `scores` (n,) are above `thresholds` (t,), and reach them."""
    thresholds_and_counts = (thresholds.ctypes.data, len(thresholds), counts.ctypes.data)
    tabwise_host.countAbove(scores.ctypes.data, len(scores), *thresholds_and_counts)


def require_library() -> None:
    """Raise StoreError unless the library file is mounted at /library."""
    fault = tabwise_host.libraryFault
    if fault:
        raise StoreError(_LIBRARY_FAULTS.get(fault, "store_corrupt"), f"opening the library file: {fault}")


def flush_library() -> None:
    """Bring committed changes of the library file to disk; Emscripten's own fsync does nothing."""
    tabwise_host.flushLibrary()


async def copy_open(name: str) -> None:
    """Make a file beside the library, which is created if it is not there, usable at /library/<name>."""
    await _copying(tabwise_host.openCopy(name))


def copy_close(name: str) -> None:
    """Let go of a file beside the library."""
    tabwise_host.closeCopy(name)


async def copy_sizes() -> dict[str, int]:
    """Size in bytes of every file beside the library and of the library, by name."""
    sizes: dict[str, int] = json.loads(await tabwise_host.copySizes())
    return sizes


async def copy_fetch(name: str, url: str) -> None:
    """Store what is at a blob URL beside the library; raises StoreError store_full, HostError."""
    await _copying(tabwise_host.fetchCopy(name, url))


async def copy_remove(name: str) -> None:
    """Delete a file beside the library if it is there."""
    await _copying(tabwise_host.removeCopy(name))


async def erase_stored() -> list[str]:
    """Delete everything in the browser's file system, caches and databases; names of what is left."""
    left: list[str] = json.loads(await tabwise_host.eraseStored())
    return left


async def _copying(step: Awaitable[object]) -> None:
    try:
        await step
    except JsException as error:
        message = f"{error.name}: {error.message}"
        if error.name == "QuotaExceededError":
            raise StoreError("store_full", message) from error
        raise HostError("file_unreachable", message) from error


async def open_file(url: str, max_bytes: int) -> OpenedFile:
    """Fetch a file; one that is a PDF is opened and stays open until `close_file` or the next one.

    Raises HostError (file_unreachable), InputError (file_too_large, page_locked, page_unreadable).
    """
    try:
        return cast(OpenedFile, json.loads(await tabwise_host.openFile(url, max_bytes)))
    except JsException as error:
        raise _file_error(error, url) from error


async def pdf_pages(first: int, last: int) -> object:
    """Pages `first` to `last` of the open PDF, as JSON values; raises InputError (page_unreadable)."""
    try:
        return json.loads(await tabwise_host.pdfPages(first, last))
    except JsException as error:
        raise _file_error(error, "") from error


def file_bytes() -> bytes:
    """What `open_file` fetched, when it is no PDF."""
    return bytes(tabwise_host.fileBytes().to_py())


def close_file() -> None:
    """Let go of the file that was opened last."""
    tabwise_host.closeFile()


def _file_error(error: JsException, url: str) -> AppError:
    code = _FILE_ERRORS.get(error.name, "page_unreadable")
    kind = HostError if code == "file_unreachable" else InputError
    return kind(code, f"{error.name}: {error.message}", subject=url)


async def http_send(
    exchange: int, method: str, url: str, headers: Sequence[tuple[str, str]], body: bytes, *, follow: bool
) -> tuple[int, dict[str, str]]:
    """Send a request under a number of the caller's; return its status and headers by lower-case name.

    Raises HttpFailed; a redirect that is not followed is 302 without headers.
    """
    head = json.dumps({"method": method, "url": url, "headers": list(headers), "follow": follow})
    try:
        answer = json.loads(await tabwise_host.httpSend(exchange, head, to_js(body)))
    except JsException as error:
        raise HttpFailed(error.name) from error
    return answer["status"], {name.lower(): value for name, value in answer["headers"]}


async def http_read(exchange: int) -> bytes | None:
    """The next piece of a body, None at its end; raises HttpFailed."""
    try:
        piece = await tabwise_host.httpRead(exchange)
    except JsException as error:
        raise HttpFailed(error.name) from error
    return None if piece is None else bytes(piece.to_py())


def http_close(exchange: int) -> None:
    """Abort a request, or let go of one that ended."""
    tabwise_host.httpClose(exchange)


def own_origin() -> str:
    """What the browser tells services that we are."""
    return str(tabwise_host.origin)


def is_online() -> bool:
    """Whether the browser has any network at all."""
    return bool(tabwise_host.isOnline())


async def surroundings() -> dict[str, Any]:
    """Facts of the machine that a worker can see, with `heap_bytes` of Python's own memory."""
    found: dict[str, Any] = json.loads(await tabwise_host.surroundings())
    return found | {"heap_bytes": int(tabwise_host.heapBytes())}


async def load_content_packages() -> None:
    """Unpack lxml and trafilatura, once; later calls return at once."""
    await tabwise_host.loadContentPackages()


async def load_template_packages() -> None:
    """Unpack Jinja, once; later calls return at once."""
    await tabwise_host.loadTemplatePackages()


async def model_text(place: str, name: str) -> str:
    """A text file of a model; raises ModelError model_unavailable."""
    try:
        return str(await tabwise_host.modelText(place, name))
    except JsException as error:
        raise _model_error(error) from error


async def open_tokenizer(place: str) -> str:
    """Text of a model's tokenizer.json, which `model_encode` and `model_decode` then use."""
    try:
        return str(await tabwise_host.modelTokenizer(place))
    except JsException as error:
        raise _model_error(error) from error


def model_encode(place: str, text: str) -> list[int]:
    """Tokens of `text`, control tokens read as such, none added."""
    tokens: list[int] = tabwise_host.modelEncode(place, text).to_py().tolist()
    return tokens


def model_decode(place: str, tokens: npt.NDArray[np.int32]) -> str:
    """The text of tokens."""
    return str(tabwise_host.modelDecode(place, to_js(tokens)))


async def model_ask(kind: str, **fields: object) -> object:
    """Ask the model worker: open, about; raises ModelError (model_unavailable, …), DeviceLost."""
    try:
        reply = await tabwise_host.modelAsk(kind, json.dumps(fields))
    except JsException as error:
        raise _model_error(error) from error
    return reply.to_py()


async def model_run(
    tokens: npt.NDArray[np.int32], allow: npt.NDArray[np.int32] | None, **fields: object
) -> dict[str, npt.NDArray[np.generic]]:
    """Compute tokens in the model worker; arrays of the reply by name, int32 and float32.

    Raises ModelError (model_unavailable, model_out_of_memory), DeviceLost.
    """
    try:
        reply = await tabwise_host.modelRun(
            json.dumps(fields), to_js(tokens), None if allow is None else to_js(allow)
        )
    except JsException as error:
        raise _model_error(error) from error
    return {name: np.array(values) for name, values in reply.to_py().items()}


async def stored_models() -> dict[str, Any]:
    """`folders`: sizes by file name by folder; `free_bytes`."""
    found: dict[str, Any] = json.loads(await tabwise_host.storedModels())
    return found


async def stored_read(folder: str, name: str, start: int, end: int) -> bytes:
    """Bytes of a model's file, fewer at its end."""
    return bytes((await tabwise_host.storedRead(folder, name, start, end)).to_py())


async def stored_write(folder: str, name: str, at: int, data: bytes) -> None:
    """Write into a model's file; raises ModelError model_no_room."""
    await _stored(tabwise_host.storedWrite(folder, name, at, to_js(data)))


async def stored_copy(folder: str, name: str, url: str) -> None:
    """Store what is at a blob URL as a model's file; raises ModelError model_no_room."""
    await _stored(tabwise_host.storedCopy(folder, name, url))


async def stored_rename(folder: str, name: str, new_name: str) -> None:
    """Give a model's file another name."""
    await _stored(tabwise_host.storedRename(folder, name, new_name))


async def stored_remove(folder: str) -> None:
    """Delete a model's folder if it is there."""
    await _stored(tabwise_host.storedRemove(folder))


async def _stored(change: Awaitable[object]) -> None:
    try:
        await change
    except JsException as error:
        code = "model_no_room" if error.name == "QuotaExceededError" else "model_damaged"
        raise ModelError(code, f"{error.name}: {error.message}") from error


def restart_models() -> None:
    """End the model worker: memory that WebAssembly took is given back no other way."""
    tabwise_host.modelRestart()


def _model_error(error: JsException) -> ModelError:
    message = f"{error.name}: {error.message}"
    if error.name in _SESSION_LOST:
        return DeviceLost(message)
    if _is_out_of_memory(error):
        return ModelError("model_out_of_memory", message)
    return ModelError("model_unavailable", message)


def _is_out_of_memory(error: JsException) -> bool:
    """Whether a runtime had no memory left; ONNX Runtime then throws a number."""
    return error.name in ("number", "RangeError") or bool(_OUT_OF_MEMORY.search(error.message))
