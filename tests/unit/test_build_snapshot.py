"""Which modules of ours can be imported before numpy is there, and so be part of the snapshot."""

from pathlib import Path

import pytest

from buildlib.paths import APP
from buildlib.snapshot import independent_modules

pytestmark = pytest.mark.native


def write(app: Path, **modules: str) -> None:
    (app / "tabwise").mkdir()
    for name, source in modules.items():
        (app / "tabwise" / f"{name}.py").write_text(source, "utf-8")


def test_what_needs_numpy_or_a_module_that_does_is_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        __init__="",
        words="import re",
        spans="from tabwise.words import split",
        rows="import numpy as np",
        index="from tabwise import rows, words",
        search="from tabwise.index import find",
    )
    assert independent_modules(tmp_path) == ("tabwise", "tabwise.spans", "tabwise.words")


def test_modules_that_need_each_other_stay_together(tmp_path: Path) -> None:
    write(tmp_path, __init__="", a="from tabwise.b import x", b="import tabwise.a")
    assert independent_modules(tmp_path) == ("tabwise", "tabwise.a", "tabwise.b")


def test_a_module_needs_what_its_package_imports(tmp_path: Path) -> None:
    write(tmp_path, __init__="")
    (tmp_path / "tabwise" / "ports").mkdir()
    (tmp_path / "tabwise" / "ports" / "__init__.py").write_text("import numpy")
    (tmp_path / "tabwise" / "ports" / "clock.py").write_text("import time")
    assert independent_modules(tmp_path) == ("tabwise",)


def test_an_import_inside_a_function_counts(tmp_path: Path) -> None:
    write(tmp_path, __init__="", late="def f():\n    import lxml")
    assert independent_modules(tmp_path) == ("tabwise",)


def test_the_engines_text_rules_are_independent() -> None:
    found = independent_modules(APP)
    assert {
        "tabwise.core.text.characters",
        "tabwise.core.verdicts.contrasts",
        "tabwise.core.verdicts.quantities",
    } <= set(found)
    assert "tabwise.core.model" not in found
