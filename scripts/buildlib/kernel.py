"""The WebAssembly kernels, assembled from `extension/kernel/*.wat` with the WebAssembly Binary Toolkit.

`kernel.wasm` is what a search needs of them, `llama.wasm` a step of the bundled language model.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from buildlib.built import built, digest
from buildlib.node_pyodide import run_node
from buildlib.paths import EXTENSION_SOURCE, NODE_MODULES, NODE_SCRIPTS

SOURCES = EXTENSION_SOURCE / "kernel"
_FILES = {"kernel.wasm": "search.wat", "llama.wasm": "llama.wat"}


def kernel_file(name: str = "kernel.wasm") -> Path:
    """The assembled kernel of that name."""
    source = SOURCES / _FILES[name]
    script = "assemble_wat.mjs"
    toolkit = (NODE_MODULES / "wabt" / "package.json").read_bytes()
    key = digest([source.read_bytes(), (NODE_SCRIPTS / script).read_bytes(), toolkit])

    def make(folder: Path) -> None:
        run_node(script, str(source), str(folder / name))

    return built(source.stem, key, make) / name


def copy_kernels(folder: Path) -> None:
    """Write all kernels into `folder`."""
    for name in _FILES:
        shutil.copyfile(kernel_file(name), folder / name)
