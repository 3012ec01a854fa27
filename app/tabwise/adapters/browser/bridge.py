"""The one place where Python meets JavaScript: everything the engine worker lends, as plain functions.

Only JSON text and typed arrays cross, copied; no proxy outlives a call. JavaScript errors become ours here,
by name, and nowhere else. `tabwise_host` is the module that js/engine_worker.js registers.
"""

import json
from collections.abc import Sequence
from typing import Any, TypedDict, cast

import numpy as np
import numpy.typing as npt
import tabwise_host  # type: ignore[import-not-found]
from pyodide.ffi import JsException, to_js

from tabwise.core.model import EmbedderDescriptor, FloatMatrix
from tabwise.errors import AppError, HostError, InputError, ModelError, StoreError
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


async def embed_ids(flat: npt.NDArray[np.int32], lengths: npt.NDArray[np.int32]) -> FloatMatrix:
    """Embed rows of token ids laid end to end; return (len(lengths), d) float32.

    Raises ModelError: model_unavailable.
    """
    try:
        vectors = await tabwise_host.embed(to_js(flat), to_js(lengths))
    except JsException as error:
        raise ModelError("model_unavailable", f"{error.name}: {error.message}") from error
    return np.array(vectors.to_py(), np.float32).reshape(len(lengths), -1)


def embedder_descriptor() -> EmbedderDescriptor:
    """What models/minilm/model.json says about the packaged model."""
    return EmbedderDescriptor.of(json.loads(tabwise_host.descriptor))


def matvec_int8(
    codes: npt.NDArray[np.int8], query: npt.NDArray[np.int16], products: npt.NDArray[np.int32]
) -> None:
    """Write codes @ query into `products`: (n, d), (d,), (n,), all C-contiguous, d a multiple of 16."""
    tabwise_host.matvecInt8(codes.ctypes.data, query.ctypes.data, products.ctypes.data, *codes.shape)


def require_library() -> None:
    """Raise StoreError unless the library file is mounted at /library."""
    fault = tabwise_host.libraryFault
    if fault:
        raise StoreError(_LIBRARY_FAULTS.get(fault, "store_corrupt"), f"opening the library file: {fault}")


def flush_library() -> None:
    """Bring committed changes of the library file to disk; Emscripten's own fsync does nothing."""
    tabwise_host.flushLibrary()


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
