"""`snapshot.bin`: the memory of a Python that has started and imported what it can of the engine.

That is the part of the standard library we use, and those of our own modules that need nothing else: their
patterns and tables are then compiled once, by the build. Loading it instead of starting Python saves about
two of three seconds (the private options `_makeSnapshot` and `_loadSnapshot` of Pyodide, bound to the exact
build, which they check). Extension modules such as numpy cannot be part of it. A snapshot carries the hash
seed, the state of `random` and the time zone (UTC) with it: whoever loads one has to call `random.seed()`,
and gives local times to the user by other means.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from buildlib.built import built, digest
from buildlib.lock import Lock
from buildlib.node_pyodide import run_node, runtime_folder, runtime_key
from buildlib.paths import APP, NODE_SCRIPTS
from buildlib.python_archives import in_the_engine

# What tabwise, numpy and trafilatura import from the standard library at start.
MODULES = (
    "array", "ast", "asyncio", "base64", "bisect", "calendar", "collections", "contextlib", "contextvars",
    "copy", "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "email.message", "enum",
    "fractions", "functools", "hashlib", "heapq", "html", "html.parser", "importlib.metadata",
    "importlib.resources", "inspect", "io", "itertools", "json", "logging", "math", "numbers", "operator",
    "pathlib", "pickle", "platform", "random", "re", "secrets", "shutil", "sqlite3", "statistics",
    "string", "struct", "tempfile", "textwrap", "threading", "time", "traceback", "types", "typing",
    "unicodedata", "urllib.parse", "uuid", "warnings", "weakref", "zipfile",
)  # fmt: skip


def snapshot_file(lock: Lock, package: Path) -> Path:
    """The snapshot for the pinned runtime and the compiled package, made on first use (a few seconds)."""
    script = "make_snapshot.mjs"
    ours = independent_modules(APP)
    key = digest(
        [runtime_key(lock), (NODE_SCRIPTS / script).read_bytes(), package.read_bytes(), *MODULES, *ours]
    )

    def make(folder: Path) -> None:
        target = folder / "snapshot.bin"
        lists = (",".join(MODULES), str(package), ",".join(ours))
        run_node(script, str(runtime_folder(lock)), str(target), *lists)

    return built("snapshot", key, make) / "snapshot.bin"


def independent_modules(app: Path) -> tuple[str, ...]:
    """Modules of the engine that import only the standard library and each other, by name."""
    imports = {
        _module_name(path.relative_to(app)): _imports(path) | _packages_of(path.relative_to(app))
        for path in sorted((app / "tabwise").rglob("*.py"))
        if in_the_engine(path.relative_to(app).as_posix())
    }
    independent = {name for name, used in imports.items() if all(map(_is_ours_or_standard, used))}
    while True:
        kept = {name for name in independent if _ours(imports[name], imports) <= independent}
        if kept == independent:
            return tuple(sorted(kept))
        independent = kept


def _module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _packages_of(path: Path) -> set[str]:
    """Names of the packages around a module, which are imported before it."""
    return {".".join(package.parts) for package in path.parents if package.parts}


def _imports(path: Path) -> set[str]:
    """Dotted names a module imports, or may: what follows `import` can be a module or a name in one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _is_ours_or_standard(name: str) -> bool:
    root = name.partition(".")[0]
    return root == "tabwise" or root in sys.stdlib_module_names


def _ours(used: set[str], modules: dict[str, set[str]]) -> set[str]:
    return {name for name in used if name in modules}
