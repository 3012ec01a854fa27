"""Assemble `dist/demo`: the PyScript page and all it loads, ready for any static host.

What goes where is a table for each kind of file. The folders are those of the extension, so that the scripts
both share find what they load. The page's own sources are `app/tabwise/demo/site`; the engine's Python comes
in wheels, sources with their compiled modules, and in the memory of one that has imported most of it; the
page's, which runs on MicroPython, in `page.zip`. `models/smollm2` can be left out of a site that has no room
for it: the page then says so and does everything else.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
from fnmatch import fnmatchcase
from pathlib import Path

from buildlib.archives import Members, tree_members, wheel_members, zip_bytes
from buildlib.embedder import embedder_folder
from buildlib.extension import package_version
from buildlib.fetch import cached_path
from buildlib.kernel import copy_kernels
from buildlib.lock import Lock
from buildlib.notice import notice
from buildlib.paths import APP, DEMO, EXTENSION_SOURCE
from buildlib.python_archives import ON_MICROPYTHON, compiled_wheel, python_archives
from buildlib.smollm2 import language_model_folder
from buildlib.snapshot import snapshot_file
from buildlib.staging import staged
from buildlib.vendor import (
    PDF_READER,
    VENDORED,
    Edit,
    apply_edits,
    trimmed_pyodide_lock,
    write_vendored,
)

GROUPS = ("runtime", "content", "documents", "models", "llm", "templates", "ui", "demo")
SITE = APP / "tabwise" / "demo" / "site"

# The files of PyScript that a page without its editors, terminals and TOML asks for.
PYSCRIPT = (
    "pyscript/core.js",
    "pyscript/core-C9KDLldu.js",
    "pyscript/error-D2315lOB.js",
    "pyscript/pyodide_graph-CX6fRcVL.js",
    "pyscript/zip-T1gzVEcZ.js",
)
# What the page shares with the extension, by its path in both.
SHARED = (
    "css/tokens.css",
    "css/base.css",
    "css/answer.css",
    "css/receipt.css",
    "icons/32.png",
    "js/decoder.js",
    "js/decoder_layout.js",
    "js/fetch_file.js",
    "js/heap_session.js",
    "js/llama_step.js",
    "js/llama_weights.js",
    "js/local_models.js",
    "js/mailbox.js",
    "js/model_client.js",
    "js/model_files.js",
    "js/model_worker.js",
    "js/onnx_file.js",
    "js/opfs_fs.js",
    "js/ort_heap.js",
    "js/ort_module.js",
    "js/pdf_file.js",
    "js/pdf_reader.js",
    "js/python.js",
    "js/tensor_session.js",
    "js/wasm_heap.js",
)
IN_PAGE_ZIP = (*ON_MICROPYTHON, "tabwise/demo/__init__.py", "tabwise/demo/messages.py", "tabwise/demo/ui/*")
# The page is in English; the words it shares with the panel are the panel's.
WORDS = "_locales/en/messages.json"
# What the service worker does not fetch by itself: the large model, tables of PDF.js for the scripts of East
# Asia, and itself.
NOT_KEPT = ("models/smollm2/", "vendor/pdfjs/cmaps/", "sw.js", "NOTICE.txt")
NOT_IN_THE_WHEEL = ("tabwise/cli*.py", "tabwise/demo/site/*")


def build_demo(lock: Lock, target: Path = DEMO) -> None:
    """Write the demo to `target`, replacing what was there."""
    with staged(target) as folder:
        for name, data in tree_members(SITE).items():
            _write(folder / name, data)
        (folder / "sw.js").unlink()  # written last, with what it keeps
        for name in SHARED:
            _write(folder / name, (EXTENSION_SOURCE / name).read_bytes())
        for vendored in (*VENDORED, *PDF_READER):
            write_vendored(lock, vendored, folder / "vendor")
        for name in PYSCRIPT:
            _write(folder / "vendor" / name, cached_path(lock.file(name)).read_bytes())
        _write(folder / "vendor" / "pyodide" / "pyodide-lock.json", trimmed_pyodide_lock(lock))
        archives = python_archives(lock)
        memory = snapshot_file(lock, archives["tabwise.zip"]).read_bytes()
        # Its name ends in nothing that a host takes for an encoding, which would unpack it twice.
        _write(folder / "vendor" / "pyodide" / "snapshot.packed", gzip.compress(memory, mtime=0))
        wheels = _wheels(lock)
        for name, path in wheels.items():
            _write(folder / "python" / name, path.read_bytes())
        _write(folder / "engine.json", _with_packages((SITE / "engine.json").read_bytes(), sorted(wheels)))
        _write(folder / "python" / "page.zip", page_zip())
        shutil.copyfile(archives["content.zip"], folder / "python" / "content.zip")
        shutil.copytree(embedder_folder(lock), folder / "models" / "minilm", copy_function=shutil.copyfile)
        _write_language_model(lock, folder / "models" / "smollm2")
        copy_kernels(folder)
        _write(folder / "NOTICE.txt", notice(lock.group(*GROUPS)).encode())
        _write(folder / "sw.js", _with_files((SITE / "sw.js").read_text(encoding="utf-8"), folder))


def _write_language_model(lock: Lock, folder: Path) -> None:
    """The language model for both devices, each with its own file: the page fetches the one it needs."""
    on_wasm, on_gpu = language_model_folder(lock), language_model_folder(lock, "q4")
    shutil.copytree(on_wasm, folder, copy_function=shutil.copyfile)
    described, more = (json.loads((one / "model.json").read_bytes()) for one in (on_wasm, on_gpu))
    for name in more["sha256"]:
        shutil.copyfile(on_gpu / name, folder / name)
    # the self-test is that of a graphics card; what WebAssembly computes is not put to it
    described |= {
        "self_test": more["self_test"],
        "size_bytes": max(described["size_bytes"], more["size_bytes"]),
    }
    described |= {name: described[name] | more[name] for name in ("files", "sha256")}
    _write(folder / "model.json", json.dumps(described, separators=(",", ":")).encode())


def _wheels(lock: Lock) -> dict[str, Path]:
    """Those the engine loads at start, by file name."""
    members = {
        file.name: wheel_members(file, cached_path(file))
        for file in lock.group("runtime")
        if file.name.endswith(".whl")
    }
    members[f"tabwise-{package_version()}-py3-none-any.whl"] = tabwise_members()
    return {name: compiled_wheel(lock, name, held) for name, held in members.items()}


def tabwise_members() -> Members:
    """What a plain wheel of the package holds, with no dependencies to resolve.

    Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    """
    version = package_version()
    info = f"tabwise-{version}.dist-info"
    members = tree_members(APP / "tabwise", "tabwise/", drop=NOT_IN_THE_WHEEL)
    members[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: tabwise\nVersion: {version}\n".encode()
    members[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: tabwise\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    members[f"{info}/RECORD"] = _record(members, f"{info}/RECORD")
    return members


def _record(members: Members, own_name: str) -> bytes:
    lines = []
    for name in sorted(members):
        sha256 = base64.urlsafe_b64encode(hashlib.sha256(members[name]).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={sha256},{len(members[name])}")
    return ("\n".join([*lines, f"{own_name},,"]) + "\n").encode()


def page_zip() -> bytes:
    """The Python that MicroPython reads, as PyScript unpacks it."""
    members = tree_members(APP / "tabwise", "tabwise/")
    wanted = {name: data for name, data in members.items() if any(fnmatchcase(name, p) for p in IN_PAGE_ZIP)}
    return zip_bytes(wanted | {"tabwise/messages.json": (EXTENSION_SOURCE / WORDS).read_bytes()})


def _with_packages(config: bytes, wheels: list[str]) -> bytes:
    """PyScript's configuration of the engine with the wheels it loads."""
    settings = json.loads(config) | {"packages": [f"./python/{name}" for name in wheels]}
    return (json.dumps(settings, indent=2) + "\n").encode()


def _with_files(worker: str, folder: Path) -> bytes:
    """The service worker with the files that it keeps and a digest of them."""
    kept = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.relative_to(folder).as_posix().startswith(NOT_KEPT)
    }
    digest = hashlib.sha256()
    for name, path in kept.items():
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    # Hosts redirect index.html to its folder, and a page must not come from a redirected answer.
    names = ["" if name == "index.html" else name for name in kept]
    edits = (
        Edit('const VERSION = "dev";', f'const VERSION = "{digest.hexdigest()[:16]}";'),
        Edit("const FILES = [];", f"const FILES = {json.dumps(names, indent=2)};"),
    )
    return apply_edits("sw.js", worker, edits).encode()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
