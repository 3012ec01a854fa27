"""The memory snapshot and the archives together, loaded by Node as the engine worker loads them."""

import json
import subprocess
from typing import Any

import pytest

from buildlib.fetch import fetch
from buildlib.lock import read_lock
from buildlib.node_pyodide import runtime_folder
from buildlib.paths import ROOT, cache
from buildlib.python_archives import python_archives
from buildlib.snapshot import snapshot_file

pytestmark = [pytest.mark.native, pytest.mark.slow]

SCRIPT = """
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
const [runtime, snapshot, ...archives] = process.argv.slice(1);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")).href);
const py = await loadPyodide({ indexURL: runtime, _loadSnapshot: new Uint8Array(fs.readFileSync(snapshot)) });
const extractDir = py.runPython("import site; site.getsitepackages()[0]");
const frozen = py.runPython("import random; random.random()");
const seeded = py.runPython("random.seed(); random.random()");
for (const name of archives) py.unpackArchive(new Uint8Array(fs.readFileSync(name)), "zip", { extractDir });
const names = py.runPython(`
import importlib
importlib.invalidate_caches()
import numpy, snowballstemmer, tabwise.core.model, trafilatura
" ".join([numpy.__version__, trafilatura.__version__, snowballstemmer.stemmer("english").stemWord("tides")])
`);
console.log(JSON.stringify({ frozen, seeded, names }));
"""


def load() -> Any:
    lock = read_lock()
    fetch(lock.group("runtime", "content"))
    archives = [str(path) for path in python_archives(lock).values()]
    command = [
        "node",
        "--input-type=module",
        "-e",
        SCRIPT,
        str(runtime_folder(lock)),
        str(snapshot_file(lock)),
    ]
    done = subprocess.run([*command, *archives], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_started_python_with_its_archives_imports_all_of_them() -> None:
    first, second = load(), load()
    assert first["names"] == "2.4.3 2.3.1 tide"
    assert first["frozen"] == second["frozen"], "the snapshot froze the generator"
    assert first["seeded"] != second["seeded"], "a new seed wakes it"


def test_snapshot_names_no_folder_of_the_machine_that_made_it() -> None:
    lock = read_lock()
    fetch(lock.group("runtime"))
    data = snapshot_file(lock).read_bytes()
    for folder in (runtime_folder(lock), cache(), ROOT):
        assert str(folder).encode() not in data
