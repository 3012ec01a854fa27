"""Runs inside Pyodide: turn a zip of Python sources into one of compiled modules, or into a wheel with both.

Compiling here, not on the machine that builds, gives the bytecode of the Python that will run it, and the
same bytes whatever the machine's own Python and zlib are. Members of an archive are stored, not deflated: the
package an extension is installed from is compressed as a whole, and unpacking at each start should only copy.
Those of a wheel are deflated, since it travels by itself.
"""

import importlib.util
import marshal
import zipfile

SITE = "/lib/python3.14/site-packages/"
UNCHECKED_HASH = (1).to_bytes(4, "little")  # PEP 552: hash-based, never compared with a source


def compile_archive(source_path: str, target_path: str) -> None:
    """Write `target_path` with the members of `source_path`, in name order, each .py as a bare .pyc."""
    with zipfile.ZipFile(source_path) as source, zipfile.ZipFile(target_path, "w") as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            if name.endswith(".py"):
                name, data = name + "c", _compiled(name, data, optimize=1)
            target.writestr(zipfile.ZipInfo(name), data)


def compile_wheel(source_path: str, target_path: str) -> None:
    """Write `target_path` with the members of `source_path`, and the module of each .py in its cache."""
    with zipfile.ZipFile(source_path) as source, zipfile.ZipFile(target_path, "w") as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            if name.endswith(".py"):
                kept = importlib.util.cache_from_source(name, optimization="")
                target.writestr(zipfile.ZipInfo(kept), _compiled(name, data), zipfile.ZIP_DEFLATED)


def _compiled(name: str, source: bytes, *, optimize: int = 0) -> bytes:
    code = compile(source, SITE + name, "exec", dont_inherit=True, optimize=optimize)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)
