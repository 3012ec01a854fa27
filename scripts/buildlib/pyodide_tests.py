"""The unit, contract, golden and fault tests under Pyodide, in Node and in Chromium.

They run against what is shipped: the pinned runtime and the numpy and content archives of the extension.
The package comes as sources, for readable tracebacks. Left out are tests that need CPython itself: single
ones marked `native`, whole modules with `pytestmark = pytest.mark.native`, and the build's own tests.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from buildlib.archives import Members, wheel_members, zip_bytes
from buildlib.chromium import find_chromium
from buildlib.console import BuildError, say
from buildlib.fetch import cached_path
from buildlib.lock import Lock
from buildlib.node_pyodide import runtime_folder
from buildlib.paths import NODE_SCRIPTS, ROOT
from buildlib.python_archives import STEMMER, python_archives
from buildlib.serve import serve

GROUPS = ("runtime", "content", "templates", "test")
SUITES = ("tests/unit", "tests/contract", "tests/golden", "tests/faults", "tests/pyodide")
PACKED = ("app", "tests", "docs", "extension")
PACKED_FILES = ("pyproject.toml", "README.md", "CHANGELOG.md")
LARGEST_PACKED_BYTES = 2_000_000
WHOLE_MODULE_NATIVE = re.compile(r"^pytestmark = pytest\.mark\.native$", re.M)
# JSPI: the switch was renamed in V8 and is on by default in newer ones.
JSPI_SWITCHES = ("--experimental-wasm-jspi", "--experimental-wasm-stack-switching")
TIMEOUT_S = 900
SHOWN_LINES = 80


def run_in_node(lock: Lock, junit: Path) -> int:
    """Run the suites under Node; writes a JUnit file and returns pytest's exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository = folder / "repository.zip"
        repository.write_bytes(_repository())
        job = {
            "runtime": str(runtime_folder(lock)),
            "archives": [str(path) for path in _archives(lock, folder)],
            "repository": str(repository),
            "args": _arguments(),
            "junit": str(junit),
        }
        (folder / "job.json").write_text(json.dumps(job))
        script = str(NODE_SCRIPTS / "pytest_node.mjs")
        command = ["node", *_jspi_switch(), script, str(folder / "job.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    _show(done.stdout + done.stderr, done.returncode)
    return done.returncode


def run_in_chromium(lock: Lock, junit: Path) -> int:
    """Run the suites in a module worker of headless Chromium; as `run_in_node`."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name:
        archives = _archives(lock, Path(name))
        routes: dict[str, Path | bytes] = {
            "/": b"<!doctype html><title>tests</title>",
            "/runtime/": runtime_folder(lock),
            "/runner/": NODE_SCRIPTS,
            "/repository.zip": _repository(),
        }
        routes |= {f"/archives/{path.name}": path.read_bytes() for path in archives}
        job = {
            "archives": [f"/archives/{path.name}" for path in archives],
            "repository": "/repository.zip",
            "args": _arguments(),
        }
        with serve(routes) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(address + "/")
            result = page.evaluate(_IN_PAGE, job)
            browser.close()
    _show(result["log"], result["exitCode"])
    junit.write_text(result["junit"], encoding="utf-8")
    return int(result["exitCode"])


_IN_PAGE = """job => new Promise((resolve) => {
  let log = "";
  const end = (result) => resolve({ ...result, log });
  const worker = new Worker("/runner/pytest_worker.mjs", { type: "module" });
  worker.onerror = (event) => {
    log += event.message || "the worker did not start";
    end({ exitCode: 3, junit: "" });
  };
  worker.onmessage = ({ data }) => {
    log += data.text ?? "";
    if (data.result) end(data.result);
  };
  worker.postMessage(job);
  setTimeout(() => worker.onerror({ message: "the tests did not end" }), TIMEOUT_MS);
})""".replace("TIMEOUT_MS", str(TIMEOUT_S * 1000))


def _show(log: str, exit_code: int) -> None:
    """The last line of a run that went well; of any other, its end, where a crash leaves its traces."""
    lines = log.rstrip().splitlines()
    say("\n".join(lines[-SHOWN_LINES:] if exit_code else lines[-1:]))


def _arguments() -> list[str]:
    suites = [suite for suite in SUITES if any((ROOT / suite).rglob("test_*.py"))]
    return [
        "-v",
        "--tb=short",
        "--continue-on-collection-errors",
        "-m",
        "not native and not browser",
        *suites,
    ]


def _archives(lock: Lock, folder: Path) -> list[Path]:
    shipped = python_archives(lock)
    tools = [file for file in lock.group("test") if file.name.endswith(".whl")]
    tools += [file for file in lock.files if file.package == STEMMER]
    members: Members = {}
    for file in tools:
        members |= wheel_members(file, cached_path(file), entry_points=True)
    # Tests compare arrays with numpy.testing, which the product leaves out.
    numpy = next(file for file in lock.files if file.package == "numpy")
    whole = wheel_members(replace(numpy, drop=()), cached_path(numpy))
    members |= {name: data for name, data in whole.items() if name.startswith("numpy/testing/")}
    path = folder / "tools.zip"
    path.write_bytes(zip_bytes(members))
    return [shipped["numpy.zip"], shipped["content.zip"], path]


def _repository() -> bytes:
    return zip_bytes({path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _packed()})


def _packed() -> Iterable[Path]:
    for folder in PACKED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and not _is_left_out(path):
                yield path
    yield from (ROOT / name for name in PACKED_FILES if (ROOT / name).exists())


def _is_left_out(path: Path) -> bool:
    if path.stat().st_size > LARGEST_PACKED_BYTES or path.name.startswith("test_build_"):
        return True
    is_test = path.suffix == ".py" and path.name.startswith("test_")
    return is_test and WHOLE_MODULE_NATIVE.search(path.read_text(encoding="utf-8")) is not None


def _jspi_switch() -> list[str]:
    probe = (
        "process.exit('Suspending' in WebAssembly || 'Suspender' in WebAssembly ? 0 : 1)"  # new API, old API
    )
    for switches in ([], *([switch] for switch in JSPI_SWITCHES)):
        done = subprocess.run(["node", *switches, "-e", probe], capture_output=True, check=False)
        if done.returncode == 0:
            return list(switches)
    raise BuildError("This Node has no JavaScript promise integration for WebAssembly; use Node 20 or newer.")
