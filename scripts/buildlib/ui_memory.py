"""`ui.bin`: the memory of a MicroPython that has imported all of `tabwise.ui` and learnt its words.

Pages of the extension start with it instead of compiling half a megabyte of Python each time they are
opened (`extension/js/micropython.js`). It holds the memory up to the last byte that is not zero, and belongs
to the exact `micropython.wasm` it was made with. That works because at rest all of MicroPython's state is in
this memory, and because no module of `tabwise.ui` touches JavaScript when it is imported.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from buildlib.built import built, digest
from buildlib.fetch import cached_path
from buildlib.lock import Lock
from buildlib.node_pyodide import run_node
from buildlib.paths import APP, EXTENSION_SOURCE, NODE_SCRIPTS
from buildlib.python_archives import ON_MICROPYTHON

RUNTIME_FILES = ("micropython.mjs", "micropython.wasm")


def ui_memory_file(lock: Lock, more_tables: tuple[str, ...] = ()) -> Path:
    """The memory for the pinned MicroPython, the sources and the words as they are, made on first use.

    `more_tables` are words in languages that the product does not speak, as JSON texts.
    """
    script = "make_ui_memory.mjs"
    sources = ui_sources()
    modules = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in sources]
    made_from = {"sources": sources, "modules": modules, "tables": [*_tables(), *more_tables]}
    text = json.dumps(made_from, ensure_ascii=False)
    runtime = [lock.file(name) for name in RUNTIME_FILES]
    key = digest([(NODE_SCRIPTS / script).read_bytes(), text, *(file.sha256 for file in runtime)])

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            for file in runtime:
                shutil.copyfile(cached_path(file), scratch / file.name)
            (scratch / "made_from.json").write_text(text, encoding="utf-8")
            run_node(script, name, str(folder / "ui.bin"))

    return built("ui", key, make) / "ui.bin"


def ui_sources() -> dict[str, str]:
    """The Python that runs on MicroPython, by path below `app`."""
    files = {path.relative_to(APP).as_posix(): path for path in sorted((APP / "tabwise").rglob("*.py"))}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in files.items()
        if any(fnmatch(name, pattern) for pattern in ON_MICROPYTHON)
    }


def _tables() -> list[str]:
    """The words of every language, English first, from which the others take what they lack."""
    files = sorted((EXTENSION_SOURCE / "_locales").glob("*/messages.json"), key=lambda file: file.parent.name)
    texts = {file.parent.name: file.read_text(encoding="utf-8") for file in files}
    return [texts.pop("en"), *texts.values()]
