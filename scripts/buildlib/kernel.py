"""`kernel.wasm`, assembled from `extension/kernel/search.wat` with the WebAssembly Binary Toolkit."""

from __future__ import annotations

from pathlib import Path

from buildlib.built import built, digest
from buildlib.node_pyodide import run_node
from buildlib.paths import EXTENSION_SOURCE, NODE_MODULES, NODE_SCRIPTS

SOURCE = EXTENSION_SOURCE / "kernel" / "search.wat"


def kernel_file() -> Path:
    """The assembled kernel."""
    script = "assemble_wat.mjs"
    toolkit = (NODE_MODULES / "wabt" / "package.json").read_bytes()
    key = digest([SOURCE.read_bytes(), (NODE_SCRIPTS / script).read_bytes(), toolkit])

    def make(folder: Path) -> None:
        run_node(script, str(SOURCE), str(folder / "kernel.wasm"))

    return built("kernel", key, make) / "kernel.wasm"
