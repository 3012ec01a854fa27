"""Renders extension/js/protocol.d.ts from the message schema, so that JavaScript is checked against it.

python scripts/buildlib/typedefs.py            writes the file
python scripts/buildlib/typedefs.py --check    exit code 1 when the file on disk differs
"""

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "extension" / "js" / "protocol.d.ts"
SCALARS = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "json": "any"}
HEADER = "// Rendered from app/tabwise/protocol/schema.py by scripts/buildlib/typedefs.py. Do not edit.\n"


def render_type(kind: Any) -> str:
    """Return the TypeScript form of a schema type."""
    if isinstance(kind, dict):
        return "{ " + "".join(f"{name}: {render_type(value)}; " for name, value in kind.items()) + "}"
    if isinstance(kind, str):
        return SCALARS.get(kind, kind)
    head, *rest = kind
    if head == "enum":
        return " | ".join(f'"{value}"' for value in rest)
    inner = render_type(rest[0])
    if head == "optional":
        return f"{inner} | null"
    return f"({inner})[]" if " " in inner else f"{inner}[]"


def render_interface(name: str, fields: dict[str, Any]) -> str:
    """Return an exported interface with one line per field."""
    lines = [f"  {field}: {render_type(kind)};" for field, kind in fields.items()]
    return "\n".join([f"export interface {name} {{", *lines, "}", ""])


def render(schema: Any) -> str:
    """Return the whole file for a schema module."""
    calls = {
        verb: {"args": arguments, "result": result} for verb, (arguments, result) in schema.HOST_CALLS.items()
    }
    errors = {name: ("enum", code) for name, code in schema.HOST_ERRORS.items()}
    return "\n".join(
        [
            HEADER,
            *(render_interface(name, fields) for name, fields in schema.RECORDS.items()),
            render_interface("Requests", schema.REQUESTS),
            render_interface("Results", schema.RESULTS),
            render_interface("Events", schema.EVENTS),
            render_interface("Notices", schema.NOTICES),
            render_interface("HostCalls", calls),
            render_interface("HostErrors", errors),
        ]
    )


def main() -> int:
    """Write or check the file; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT / "app"))
    from tabwise.protocol import schema

    text = render(schema)
    if not arguments.check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET.relative_to(ROOT)} is out of date: run python {Path(__file__).relative_to(ROOT)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
