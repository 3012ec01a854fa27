"""Faults that cannot happen because of what the package does not hold."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "extension" / "js"
MANIFEST = json.loads((ROOT / "extension" / "manifest.json").read_text("utf-8"))
IMPORT = re.compile(r"^import\s(?:[^;]*?from\s)?\"([^\"]+)\"", re.MULTILINE)


def code_of(script: Path) -> str:
    """A script without its comments."""
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", script.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def imports_of(script: Path) -> set[Path]:
    """Every script that a script imports, by whatever way."""
    found, waiting = set(), [script]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        waiting += [(one.parent / name).resolve() for name in IMPORT.findall(code_of(one))]
    return found


@pytest.mark.fault("F24", "F25")
def test_no_script_opens_an_indexeddb() -> None:
    assert [script.name for script in SCRIPTS.rglob("*.js") if "indexedDB.open" in code_of(script)] == []


@pytest.mark.fault("F38")
def test_the_service_worker_imports_no_runtime() -> None:
    imported = imports_of(SCRIPTS / "sw.js")
    assert SCRIPTS / "sw" / "ensure_engine.js" in imported
    assert {script.parent for script in imported} == {SCRIPTS, SCRIPTS / "sw"}
    assert not {script.name for script in imported} & {"model_worker.js", "engine_worker.js", "python.js"}


@pytest.mark.fault("F38")
def test_no_script_imports_while_it_runs() -> None:
    scripts = [*(SCRIPTS / "sw").rglob("*.js"), SCRIPTS / "sw.js"]
    assert [script.name for script in scripts if re.search(r"\bimport\(", code_of(script))] == []


@pytest.mark.fault("F56", "F71", "S1")
def test_the_rule_of_content_lets_answers_be_fetched_and_nothing_else() -> None:
    rule = MANIFEST["content_security_policy"]["extension_pages"]
    allowed = {part.split()[0]: set(part.split()[1:]) for part in rule.split(";") if part.strip()}
    assert {"http:", "https:"} <= allowed["connect-src"]
    assert allowed["script-src"] == {"'self'", "'wasm-unsafe-eval'"}
    assert allowed["object-src"] <= {"'self'", "'none'"}
    assert not allowed["img-src"] & {"*", "http:", "https:"}


@pytest.mark.fault("S2")
def test_no_site_is_taken_without_being_asked_for() -> None:
    assert "host_permissions" not in MANIFEST
    assert "content_scripts" not in MANIFEST
    assert not {"history", "cookies", "webRequest", "debugger"} & set(MANIFEST["permissions"])


@pytest.mark.fault("F19")
def test_private_windows_are_not_for_it() -> None:
    assert MANIFEST["incognito"] == "not_allowed"
