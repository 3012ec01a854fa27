"""The Python side of the extension: archives of compiled modules.

numpy.zip     loaded at start
tabwise.zip   the package and its stemmer, loaded at start
content.zip   lxml, trafilatura and what it imports: loaded when the first page comes in
templates.zip Jinja: loaded when a language model brings a chat template of its own
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from buildlib.archives import Members, tree_members, wheel_members, zip_bytes
from buildlib.built import built, digest
from buildlib.fetch import cached_path
from buildlib.lock import Lock
from buildlib.node_pyodide import run_node, runtime_folder, runtime_key
from buildlib.paths import APP, NODE_SCRIPTS

STEMMER = "snowballstemmer"
# What the engine in the browser never imports.
NOT_IN_THE_ENGINE = (
    "tabwise/cli*.py",
    "tabwise/adapters/native/*",
    "tabwise/demo/*",
    "tabwise/ui/*",
)
ON_MICROPYTHON = ("tabwise/__init__.py", "tabwise/protocol/*", "tabwise/ui/*")


def python_archives(lock: Lock) -> dict[str, Path]:
    """The archives by file name, each compiled on first use."""
    runtime, content = (
        {
            file.package: wheel_members(file, cached_path(file))
            for file in lock.group(group)
            if _is_wheel(file.name)
        }
        for group in ("runtime", "content")
    )
    templates = {
        file.name: wheel_members(file, cached_path(file))
        if _is_wheel(file.name)
        else {file.name: cached_path(file).read_bytes()}
        for file in lock.group("templates")
    }
    stemmer = runtime.pop(STEMMER)
    sources = {
        "numpy.zip": _merged(runtime),
        "content.zip": _merged(content),
        "templates.zip": _merged(templates),
        "tabwise.zip": tree_members(APP / "tabwise", "tabwise/", drop=NOT_IN_THE_ENGINE) | stemmer,
    }
    return {name: _compiled(lock, "archive", name, members) for name, members in sources.items()}


def compiled_wheel(lock: Lock, name: str, members: Members) -> Path:
    """The wheel `name` of the members, with the compiled modules beside the sources."""
    return _compiled(lock, "wheel", name, members)


def in_the_engine(path: str) -> bool:
    """Whether a file of the package, as `tabwise/…`, lies in tabwise.zip."""
    return not any(fnmatch(path, pattern) for pattern in NOT_IN_THE_ENGINE)


def _compiled(lock: Lock, kind: str, name: str, members: Members) -> Path:
    scripts = [(NODE_SCRIPTS / script).read_bytes() for script in ("compile_pyc.mjs", "pyc_archive.py")]
    archive = zip_bytes(members)

    def make(folder: Path) -> None:
        sources = folder / "sources.zip"
        sources.write_bytes(archive)
        run_node("compile_pyc.mjs", str(runtime_folder(lock)), kind, str(sources), str(folder / name))
        sources.unlink()

    key = digest([runtime_key(lock), *scripts, kind, archive])
    return built(Path(name).stem.partition("-")[0], key, make) / name


def _is_wheel(name: str) -> bool:
    return name.endswith(".whl")


def _merged(wheels: dict[str, Members]) -> Members:
    merged: Members = {}
    for members in wheels.values():
        merged |= members
    return merged
