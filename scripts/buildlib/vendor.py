"""Third-party JavaScript as the extension ships it: freed of every URL from which code could be loaded.

Store policy calls code from the network remote code, even when the path is never taken. Each edit below is
an exact piece of the published file and what replaces it; a piece that is not found exactly as often as
expected fails the build, so a new version of a library cannot slip past unread.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

from buildlib.console import BuildError
from buildlib.fetch import cached_path
from buildlib.lock import Lock


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old` by `new`; it must occur exactly `times` times."""

    old: str
    new: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Vendored:
    """A locked file, the folder below `vendor/` it goes to, its edits, and its new name if it gets one.

    `unpacked`: the file is a zip, and what is in it goes to the folder, but for names that end in `left_out`.
    """

    name: str
    folder: str
    edits: tuple[Edit, ...] = ()
    target: str = ""
    unpacked: bool = False
    left_out: str = ""


VENDORED = (
    Vendored(
        "pyodide.mjs",
        "pyodide",
        (
            # Packages that are not beside the lock file are looked for beside the runtime, never on the CDN.
            Edit("e.packageBaseUrl??`https://cdn.jsdelivr.net/pyodide/v${U}/full/`", "e.packageBaseUrl??t"),
            Edit("\n//# sourceMappingURL=pyodide.mjs.map", ""),
        ),
    ),
    Vendored("pyodide.asm.mjs", "pyodide"),
    Vendored("pyodide.asm.wasm", "pyodide"),
    Vendored("python_stdlib.zip", "pyodide"),
    Vendored("ort.jspi.min.mjs", "ort", (Edit("\n//# sourceMappingURL=ort.jspi.min.mjs.map", ""),)),
    Vendored("ort-wasm-simd-threaded.jspi.mjs", "ort"),
    Vendored("ort-wasm-simd-threaded.jspi.wasm", "ort"),
    Vendored("micropython.mjs", "micropython"),
    Vendored("micropython.wasm", "micropython"),
    Vendored(
        "web-tokenizers.js",
        "tokenizers",
        (Edit("\n//# sourceMappingURL=index.js.map", ""),),
        target="index.js",
    ),
)

# The build for older browsers: the other one wants a Chromium newer than the manifest does.
PDF_READER = (
    Vendored("pdf.min.mjs", "pdfjs"),
    Vendored("pdf.worker.min.mjs", "pdfjs"),
    Vendored("pdfjs-cmaps.zip", "pdfjs/cmaps", unpacked=True),
)
# What is needed to draw pages, beside reading them; a browser without WebAssembly could not run the rest.
PDF_VIEWER = (
    Vendored("pdfjs-wasm.zip", "pdfjs/wasm", unpacked=True, left_out=".js"),
    Vendored("pdfjs-fonts.zip", "pdfjs/standard_fonts", unpacked=True),
)


def write_vendored(lock: Lock, vendored: Vendored, root: Path) -> None:
    """Write the file, or the files in it, below `root`, a `vendor` folder."""
    path = vendor_path(root, vendored)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not vendored.unpacked:
        path.write_bytes(vendored_bytes(lock, vendored))
        return
    with zipfile.ZipFile(cached_path(lock.file(vendored.name))) as archive:
        members = archive.namelist()
        if vendored.left_out:
            members = [member for member in members if not member.endswith(vendored.left_out)]
        archive.extractall(path.parent, members)


def vendored_bytes(lock: Lock, vendored: Vendored) -> bytes:
    """The file with its edits made. Raises BuildError when an edit does not fit."""
    data = cached_path(lock.file(vendored.name)).read_bytes()
    if not vendored.edits:
        return data
    return apply_edits(vendored.name, data.decode("utf-8"), vendored.edits).encode("utf-8")


def apply_edits(name: str, text: str, edits: tuple[Edit, ...]) -> str:
    """Make the edits in order. Raises BuildError naming the first that does not fit."""
    for edit in edits:
        found = text.count(edit.old)
        if found != edit.times:
            raise BuildError(
                f"{name}: expected {edit.times} × {edit.old!r}, found {found}. "
                "The published file changed: read it, then adapt scripts/buildlib/vendor.py."
            )
        text = text.replace(edit.old, edit.new)
    return text


def trimmed_pyodide_lock(lock: Lock) -> bytes:
    """Pyodide's own list of packages, without packages: ours are unpacked from archives."""
    listing = json.loads(cached_path(lock.file("pyodide-lock.json")).read_text(encoding="utf-8"))
    return (json.dumps(listing | {"packages": {}}, sort_keys=True, separators=(",", ":")) + "\n").encode()


def vendor_path(root: Path, vendored: Vendored) -> Path:
    """Where the file goes below `root`, a `vendor` folder."""
    return root / vendored.folder / (vendored.target or vendored.name)
