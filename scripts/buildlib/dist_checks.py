"""What must be true of a built extension: no URL it could load code from, and the same bytes every time."""

from __future__ import annotations

import filecmp
import io
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from buildlib.extension import build_extension
from buildlib.lock import Lock

URL = re.compile(rb"https?://[A-Za-z0-9.-]+[^\s\"'`<>()\\\x00-\x1f\x7f-\xff]*")
CODE = re.compile(r"\.(?:m?js|wasm|whl)(?:$|[?#])")
# Hosts that exist to serve code, whatever the path looks like.
CODE_HOSTS = frozenset(
    {
        "cdn.jsdelivr.net", "fastly.jsdelivr.net", "esm.run", "esm.sh", "unpkg.com", "cdnjs.cloudflare.com",
        "cdn.skypack.dev", "ga.jspm.io", "jspm.dev", "ajax.googleapis.com", "raw.githubusercontent.com",
        "pyscript.net", "cdn.pyodide.org",
    }
)  # fmt: skip
# Examples in docstrings of Pyodide's own `pyodide.http`; nothing reads them.
IN_DOCSTRINGS = frozenset(
    {
        "https://cdn.jsdelivr.net/pyodide/v0.24.1/full/pyodide-lock.json",
        "https://cdn.jsdelivr.net/pyodide/v0.23.4/full/repodata.json",
    }
)


def code_urls(folder: Path) -> list[str]:
    """Every URL in the folder that code could be loaded from, as `file:line: url`; archives are opened."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for name, data in _contents(path.relative_to(folder).as_posix(), path.read_bytes()):
            for match in URL.finditer(data):
                url = match.group().decode("ascii")
                if _may_be_code(url):
                    line = data.count(b"\n", 0, match.start()) + 1
                    found.append(f"{name}:{line}: {url}")
    return found


def differences(lock: Lock, built: Path) -> list[str]:
    """Build again from the fetched files alone and name each file that is not byte-identical to `built`."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("TABWISE_BUILT")
        os.environ["TABWISE_BUILT"] = str(Path(folder) / "built")
        try:
            again = Path(folder) / "extension"
            build_extension(lock, again)
        finally:
            if before is None:
                del os.environ["TABWISE_BUILT"]
            else:
                os.environ["TABWISE_BUILT"] = before
        return tree_differences(built, again)


def tree_differences(left: Path, right: Path) -> list[str]:
    """Paths that exist in one tree alone, or whose bytes differ."""
    names = {
        path.relative_to(root).as_posix()
        for root in (left, right)
        for path in root.rglob("*")
        if path.is_file()
    }
    return [
        name
        for name in sorted(names)
        if not ((left / name).is_file() and (right / name).is_file())
        or not filecmp.cmp(left / name, right / name, shallow=False)
    ]


def _contents(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    if not data.startswith(b"PK\x03\x04"):
        yield name, data
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.namelist():
            yield from _contents(f"{name}!{member}", archive.read(member))


def _may_be_code(url: str) -> bool:
    if url in IN_DOCSTRINGS:
        return False
    host = url.partition("://")[2].partition("/")[0].partition(":")[0]
    return host in CODE_HOSTS or CODE.search(url) is not None
