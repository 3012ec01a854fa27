"""Imports point one way: core ← ports ← engine ← entry points; adapters at the rim; ui knows protocol."""

import ast
import sys
from pathlib import Path

import pytest

APP = Path(__file__).parents[2] / "app"
PACKAGE = APP / "tabwise"

# layer: what it may import of the package; a name covers its submodules
ALLOWED = {
    "core": {"core", "errors"},
    "ports": {"core", "ports"},
    "errors": {"protocol"},
    "protocol": {"protocol"},
    "engine": {"core", "ports", "engine", "errors", "protocol"},
    "adapters": {"core", "ports", "adapters", "errors", "protocol"},
    "ui": {"ui", "protocol"},
    "eval": {"core", "ports", "engine", "eval", "errors"},
}
ENTRY_POINTS = {
    "cli",
    "cli_answer",
    "cli_arguments",
    "cli_check",
    "cli_data",
    "cli_doctor",
    "cli_measure",
    "cli_models",
    "cli_pages",
    "cli_services",
    "cli_session",
    "cli_store",
    "cli_summarise",
    "entry_browser",
    "demo",
    "__main__",
}
# third-party packages that the pure half may use
PURE = {"numpy", "snowballstemmer"}
# the whole standard library that MicroPython shares with CPython and these layers use
MICRO = {"json", "asyncio", "sys", "re", "math", "time", "gc", "js", "jsffi"}
SIDE_EFFECTS = {
    "os",
    "socket",
    "subprocess",
    "urllib.request",
    "asyncio",
    "time",
    "js",
    "pyodide",
    "sqlite3",
    "threading",
}

MODULES = sorted(path.relative_to(APP) for path in PACKAGE.rglob("*.py"))


def layer_of(module: Path) -> str:
    return module.parts[1].removesuffix(".py")


def imports_of(module: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse((APP / module).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            names.add(f"{node.module}")
    return names


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_module_imports_only_lower_layers(module: Path) -> None:
    layer = layer_of(module)
    ours = {name.split(".")[1] for name in imports_of(module) if name.startswith("tabwise.")}
    if layer in ENTRY_POINTS or layer == "__init__":
        return
    assert ours <= ALLOWED[layer]


@pytest.mark.parametrize("module", [m for m in MODULES if layer_of(m) == "core"], ids=str)
def test_core_is_pure(module: Path) -> None:
    names = imports_of(module)
    roots = {name.split(".")[0] for name in names}
    assert not (names | roots) & SIDE_EFFECTS
    assert roots - PURE - {"tabwise"} <= sys.stdlib_module_names


@pytest.mark.parametrize("module", [m for m in MODULES if layer_of(m) in ("ui", "protocol")], ids=str)
def test_panel_code_runs_on_micropython(module: Path) -> None:
    roots = {name.split(".")[0] for name in imports_of(module)}
    assert roots <= MICRO | {"tabwise"}


@pytest.mark.fault("F35")
def test_only_the_bridge_imports_the_browser() -> None:
    users = {
        module.as_posix()
        for module in MODULES
        if {"js", "pyodide"} & {name.split(".")[0] for name in imports_of(module)}
    }
    # the panel's own two rim modules run on MicroPython, which has no bridge
    assert {user for user in users if "/ui/" not in user} <= {"tabwise/adapters/browser/bridge.py"}
