"""Every byte that leaves passes the gate: there is no other place in the program that could send one.

The engine, the panel, the service worker, the workers, what runs in web pages, and the demo page are looked
through. What reads packaged files, and what fetches again the document of a tab or a file that the reader
gave, is listed by name; each names the addresses it is for.
"""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APP = ROOT / "app/tabwise"
SCRIPTS = ROOT / "extension/js"
DEMO = APP / "demo/site"

# Python modules that open connections, and the one file that may have each
NETWORK_MODULES = {
    "aiohttp", "asyncio.streams", "ftplib", "h11", "http", "http.client", "http.server", "httpcore2", "httpx",
    "httpx2", "pyodide.http", "requests", "smtplib", "socket", "socketserver", "ssl", "telnetlib",
    "urllib.request", "urllib.request.build_opener", "urllib.request.urlopen", "urllib.request.urlretrieve",
    "urllib3", "websockets", "xmlrpc.client",
}  # fmt: skip
PYTHON_WAYS_OUT = {"adapters/native/http.py": {"httpx2"}}
# names by which Python in the browser could reach the browser's own ways
BROWSER_NAMES = {
    "fetch", "pyfetch", "open_connection", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon",
    "httpSend",
}  # fmt: skip
PYTHON_BRIDGES = {
    "adapters/browser/bridge.py": {"httpSend"},
    "demo/ui/app.py": {"fetch"},  # files of the demo page itself; it is no part of the extension
}

# JavaScript: file, how often `fetch` is called in it, and what for
FETCHES = {
    "copies.js": 1,  # a library file that the reader gave
    "exchanges.js": 1,  # the adapter of the gate
    "sw/http_answers.js": 1,  # whether anybody answers at an address that failed
    "fetch_file.js": 1,  # the PDF of a tab, a file that the reader gave
    "python.js": 2,  # packaged archives
    "model_files.js": 2,  # packaged models, a file that the reader gave
    "micropython.js": 1,  # the packaged memory that the panel starts from
    "llama_step.js": 1,  # the packaged kernel of a language model's step
    "demo/sw.js": 1,  # files of the demo page itself
    "demo/js/interpreter.js": 1,  # the packaged memory that its engine starts from
}
PACKAGED = re.compile(r"new URL\([^)]*ROOT\)|\bat\(")
OTHER_WAYS = re.compile(
    r"\b(?:XMLHttpRequest|WebSocket|WebSocketStream|EventSource|sendBeacon|WebTransport|RTCPeerConnection"
    r"|importScripts|fetchLater|Image|Audio)\b"
)

PYTHON = sorted(path.relative_to(APP).as_posix() for path in APP.rglob("*.py"))
JAVASCRIPT = {path.relative_to(SCRIPTS).as_posix(): path for path in sorted(SCRIPTS.rglob("*.js"))}
JAVASCRIPT |= {f"demo/{path.relative_to(DEMO).as_posix()}": path for path in sorted(DEMO.rglob("*.js"))}
PAGES = [*sorted((ROOT / "extension").glob("*.html")), *sorted(DEMO.glob("*.html"))]


def code_of(path: str) -> str:
    """A script without its comments."""
    text = JAVASCRIPT[path].read_text("utf-8")
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", PYTHON)
@pytest.mark.fault("S5")
def test_python_opens_connections_in_one_file(path: str) -> None:
    tree = ast.parse((APP / path).read_text("utf-8"))
    imported: set[str] = set()
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
            # Its helpers for file addresses open nothing.
            imported |= {node.module} - {"urllib.request"}
        elif isinstance(node, ast.Attribute):
            named.add(node.attr)
        elif isinstance(node, ast.Name):
            named.add(node.id)
    assert imported & NETWORK_MODULES == PYTHON_WAYS_OUT.get(path, set())
    assert named & BROWSER_NAMES == PYTHON_BRIDGES.get(path, set())


@pytest.mark.fault("S5")
def test_scripts_fetch_where_it_is_listed_and_nowhere_else() -> None:
    found = Counter({path: len(re.findall(r"\bfetch\(", code_of(path))) for path in JAVASCRIPT})
    assert {path: n for path, n in found.items() if n} == FETCHES


@pytest.mark.parametrize("path", ["python.js", "micropython.js"])
@pytest.mark.fault("S5")
def test_packaged_files_are_fetched_from_the_package(path: str) -> None:
    calls = re.findall(r"\bfetch\((.{0,60})", code_of(path))
    assert all(PACKAGED.match(call) for call in calls)


@pytest.mark.parametrize("path", JAVASCRIPT)
@pytest.mark.fault("S5")
def test_scripts_know_no_other_way_out(path: str) -> None:
    assert OTHER_WAYS.findall(code_of(path)) == []


@pytest.mark.parametrize("path", JAVASCRIPT)
@pytest.mark.fault("S5")
def test_scripts_import_packaged_modules_alone(path: str) -> None:
    modules = re.findall(r"^import [^;]*?\"([^\"]+)\"", code_of(path), flags=re.MULTILINE)
    assert all(module.startswith(("./", "../")) for module in modules)
    dynamic = re.findall(r"\bimport\(([^)]*)\)", code_of(path))
    assert all(re.fullmatch(r"(?:at\()?\"[./]*vendor/[\w./-]+\"", module) for module in dynamic)


@pytest.mark.fault("S5")
def test_pages_of_the_extension_may_not_load_anything_from_elsewhere() -> None:
    manifest = json.loads((ROOT / "extension/manifest.json").read_text("utf-8"))
    policy = manifest["content_security_policy"]["extension_pages"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert rules["object-src"] == "'self'"
    assert rules["img-src"] == "'self' data:"


@pytest.mark.parametrize("html", PAGES, ids=lambda path: path.name)
@pytest.mark.fault("S5")
def test_pages_name_no_address(html: Path) -> None:
    assert re.findall(r"(?:https?:)?//[\w.-]+", html.read_text("utf-8")) == []
