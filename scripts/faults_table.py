"""docs/faults.md from tests/faults/faults.toml and the tests that carry a row's mark.

    python scripts/faults_table.py           write the table
    python scripts/faults_table.py --check   fail when it is not what would be written

Tests are read, not run: a mark is the decorator `@pytest.mark.fault("F12")`, or the same of a whole module
in `pytestmark`.
"""

import argparse
import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "faults" / "faults.toml"
TABLE = ROOT / "docs" / "faults.md"

HEAD = """# What goes wrong, and what happens then

Made by `python scripts/faults_table.py` from `tests/faults/faults.toml` and the tests that carry a row's
mark. A row is *injected* when a test makes the fault happen and asserts the behaviour; *nightly* rows need
`build.py test --nightly`; rows that are *replaced* say what is tested in their place.
"""
GROUPS = {
    "F01": "Lifecycle and messages",
    "F21": "Storage",
    "F32": "Computation",
    "F49": "Network",
    "F61": "Content and answers",
    "I1": "Instructions in pages",
    "S1": "Package and privacy",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One fault; `instead` says why it cannot be injected whole, "" when it can."""

    id: str
    fault: str
    behaviour: str
    inject: str
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Injection:
    """A test that carries the mark of a row; `kind`: fast, browser or nightly."""

    id: str
    file: str
    test: str
    kind: str


def rows() -> list[Row]:
    """The rows of the list, in its order."""
    read = tomllib.loads(LIST.read_text("utf-8"))
    return [Row(id_, **fields) for id_, fields in read.items()]


def injections(folder: Path = ROOT / "tests") -> list[Injection]:
    """Every mark of a fault in the tests, by file and place."""
    return [found for file in sorted(folder.rglob("test_*.py")) for found in _of_file(file, folder)]


def table() -> str:
    """Return the document."""
    marked = injections()
    lines = [HEAD]
    for row in rows():
        if row.id in GROUPS:
            lines += [
                f"\n## {GROUPS[row.id]}\n",
                _line("", "what goes wrong", "what happens", "injected by", "state"),
            ]
            lines.append(_line(*["---"] * 5))
        tests = [one for one in marked if one.id == row.id]
        named = "; ".join(dict.fromkeys(f"`{one.file}`" for one in tests))
        how = f"{row.inject}. {row.instead}".strip() + (f" ({named})" if named else "")
        lines.append(_line(row.id, row.fault, row.behaviour, how, _state(row, tests)))
    return "\n".join(lines) + "\n"


def _state(row: Row, tests: list[Injection]) -> str:
    if not tests:
        return "open"
    if row.instead:
        return "replaced"
    return "nightly" if all(one.kind == "nightly" for one in tests) else "injected"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _of_file(file: Path, folder: Path) -> Iterator[Injection]:
    tree = ast.parse(file.read_text("utf-8"))
    whole = [mark for node in tree.body if _is_module_marks(node) for mark in _marks(node)]
    name = file.relative_to(folder).as_posix()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        marks = [*whole, *(mark for decorator in node.decorator_list for mark in _marks(decorator))]
        names = {mark_name for mark_name, _ in marks}
        kind = "nightly" if "nightly" in names else "browser" if "browser" in names else "fast"
        for mark_name, arguments in marks:
            if mark_name == "fault":
                yield from (Injection(id_, name, node.name, kind) for id_ in arguments)


def _is_module_marks(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(one) for one in node.targets] == ["pytestmark"]


def _marks(node: ast.AST) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of pytest's marks in an expression, with the texts they were given."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and (name := _mark_name(part.func)):
            yield name, tuple(str(one.value) for one in part.args if isinstance(one, ast.Constant))
        elif name := _mark_name(part):
            yield name, ()


def _mark_name(node: ast.AST) -> str:
    text = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
    return text.removeprefix("pytest.mark.") if text.startswith("pytest.mark.") else ""


def main() -> int:
    """Write the table, or say that it is not up to date."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the table differs")
    if parser.parse_args().check:
        return 0 if TABLE.read_text("utf-8") == table() else 1
    TABLE.write_text(table(), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
