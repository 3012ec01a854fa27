"""Assemble `dist/demo`: the PyScript page and all it loads, ready for any static host.

What goes where is the table FILES. The page's own sources are the files of `app/tabwise/demo` that are not
Python; its Python comes in the wheel.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from pathlib import Path

from buildlib.archives import Members, tree_members, zip_bytes
from buildlib.embedder import embedder_folder
from buildlib.extension import package_version
from buildlib.fetch import cached_path
from buildlib.kernel import kernel_file
from buildlib.lock import Lock
from buildlib.notice import notice
from buildlib.paths import APP, DEMO
from buildlib.python_archives import ui_sources
from buildlib.vendor import VENDORED, vendor_path, vendored_bytes

GROUPS = ("runtime", "content", "models", "ui", "demo")
PAGE_SOURCE = APP / "tabwise" / "demo"

# Locked files by the folder they go to. Wheels lie beside the runtime, where PyScript's `packages` finds
# them; the other runtimes come from the table of `vendor`.
FILES: dict[str, tuple[str, ...]] = {
    "pyscript": (
        "pyscript/core.js",
        "pyscript/core-C9KDLldu.js",
        "pyscript/core.css",
        "pyscript/deprecations-manager-UpAPKqCb.js",
        "pyscript/error-D2315lOB.js",
        "pyscript/pyodide_graph-CX6fRcVL.js",
        "pyscript/toml-Blg7Izee.js",
        "pyscript/toml-V4Savzlc.js",
        "pyscript/zip-T1gzVEcZ.js",
    ),
}


def build_demo(lock: Lock, target: Path = DEMO) -> None:
    """Write the demo to `target`, replacing what was there."""
    staging = target.with_name(f".{target.name}.new")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    for vendored in VENDORED:
        _write(vendor_path(staging, vendored), vendored_bytes(lock, vendored))
    for folder, names in FILES.items():
        for name in names:
            _write(staging / folder / Path(name).name, cached_path(lock.file(name)).read_bytes())
    wheels = [file for file in lock.group("runtime", "content", "demo") if file.name.endswith(".whl")]
    for file in wheels:
        _write(staging / "pyodide" / file.name, cached_path(file).read_bytes())
    _write(staging / "pyodide" / "pyodide-lock.json", _package_list(lock, {file.name for file in wheels}))
    _write(staging / "pyodide" / wheel_name(), tabwise_wheel())
    shutil.copytree(embedder_folder(lock), staging / "models" / "minilm", copy_function=shutil.copyfile)
    _write(staging / "kernel.wasm", kernel_file().read_bytes())
    _write(staging / "ui.json", ui_sources().encode())
    _write(staging / "NOTICE.txt", notice(lock.group(*GROUPS)).encode())
    if PAGE_SOURCE.is_dir():
        for name, data in tree_members(PAGE_SOURCE, drop=("*.py",)).items():
            _write(staging / name, data)
    shutil.rmtree(target, ignore_errors=True)
    staging.rename(target)


def wheel_name() -> str:
    """The file name of the plain wheel."""
    return f"tabwise-{package_version()}-py3-none-any.whl"


def tabwise_wheel() -> bytes:
    """The package as a plain wheel for the browser: sources only, no dependencies to resolve.

    Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    """
    version = package_version()
    info = f"tabwise-{version}.dist-info"
    members = tree_members(APP / "tabwise", "tabwise/", drop=("tabwise/cli.py", "tabwise/adapters/native/*"))
    members[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: tabwise\nVersion: {version}\n".encode()
    members[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: tabwise\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    members[f"{info}/RECORD"] = _record(members, f"{info}/RECORD")
    return zip_bytes(members)


def _record(members: Members, own_name: str) -> bytes:
    lines = []
    for name in sorted(members):
        sha256 = base64.urlsafe_b64encode(hashlib.sha256(members[name]).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={sha256},{len(members[name])}")
    return ("\n".join([*lines, f"{own_name},,"]) + "\n").encode()


def _package_list(lock: Lock, wheels: set[str]) -> bytes:
    """Pyodide's list of packages, cut to those that lie beside it: it must not offer what is not there."""
    listing = json.loads(cached_path(lock.file("pyodide-lock.json")).read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in listing["packages"].items() if entry["file_name"] in wheels}
    for entry in packages.values():
        entry["depends"] = [name for name in entry["depends"] if name in packages]
    return (json.dumps(listing | {"packages": packages}, sort_keys=True) + "\n").encode()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
