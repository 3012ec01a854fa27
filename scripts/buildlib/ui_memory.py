"""`ui.bin`: the memory of a MicroPython that has started and imported all of `tabwise.ui`.

Pages of the extension start with it instead of compiling half a megabyte of Python each time they are
opened (`extension/js/micropython.js`). It holds the memory up to the last byte that is not zero, and belongs
to the exact `micropython.wasm` it was made with. That works because at rest all of MicroPython's state is in
this memory, and because no module of `tabwise.ui` touches JavaScript when it is imported.
"""

from __future__ import annotations

import json
import shutil
from fnmatch import fnmatch
from pathlib import Path

from buildlib.built import built, digest
from buildlib.fetch import cached_path
from buildlib.lock import Lock
from buildlib.node_pyodide import run_node
from buildlib.paths import APP, NODE_SCRIPTS
from buildlib.python_archives import ON_MICROPYTHON

RUNTIME_FILES = ("micropython.mjs", "micropython.wasm")


def ui_memory_file(lock: Lock) -> Path:
    """The memory for the pinned MicroPython and the sources as they are, made on first use (seconds)."""
    script = "make_ui_memory.mjs"
    sources = json.dumps(ui_sources(), ensure_ascii=False, sort_keys=True)
    runtime = [lock.file(name) for name in RUNTIME_FILES]
    key = digest([(NODE_SCRIPTS / script).read_bytes(), sources, *(file.sha256 for file in runtime)])

    def make(folder: Path) -> None:
        scratch = folder / "scratch"
        scratch.mkdir()
        for file in runtime:
            shutil.copyfile(cached_path(file), scratch / file.name)
        (scratch / "sources.json").write_text(sources, encoding="utf-8")
        modules = ",".join(_module_name(path) for path in sorted(ui_sources()))
        run_node(script, str(scratch), str(scratch / "sources.json"), str(folder / "ui.bin"), modules)
        shutil.rmtree(scratch)

    return built("ui", key, make) / "ui.bin"


def ui_sources() -> dict[str, str]:
    """The Python that runs on MicroPython, by path below `app`."""
    files = {path.relative_to(APP).as_posix(): path for path in sorted((APP / "tabwise").rglob("*.py"))}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in files.items()
        if any(fnmatch(name, pattern) for pattern in ON_MICROPYTHON)
    }


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
