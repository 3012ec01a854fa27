"""Runs inside Pyodide: turn a zip of Python sources into a zip of compiled modules.

Compiling here, not on the machine that builds, gives the bytecode of the Python that will run it, and the
same bytes whatever the machine's own Python and zlib are. Members are stored, not deflated: the package an
extension is installed from is compressed as a whole, and unpacking at each start should only copy.
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
                code = compile(data, SITE + name, "exec", dont_inherit=True, optimize=1)
                header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(data)
                name, data = name + "c", header + marshal.dumps(code)
            target.writestr(zipfile.ZipInfo(name), data)
