"""Render the measured tables of README.md and docs/*.md from docs/measurements.json.

    python scripts/tables.py           rewrite them
    python scripts/tables.py --check   fail when one differs

A table stands between `<!-- measured: COMMAND -->` and `<!-- /measured -->` and holds the rows of that
command.
"""

import argparse
import re
import sys
from pathlib import Path

from tabwise.eval.measurements import load, table

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs" / "measurements.json"
MARKED = re.compile(r"(<!-- measured: (.+?) -->\n)(.*?)(<!-- /measured -->)", re.S)


def rendered(text: str) -> str:
    """The document with its tables filled from the record; raises KeyError for an unknown command."""
    rows = load(RECORD)

    def fill(match: re.Match[str]) -> str:
        command = match[2]
        own = [row for row in rows if row.command == command]
        if not own:
            raise KeyError(f"nothing measured by {command!r}")
        return f"{match[1]}{table(own)}\n{match[4]}"

    return MARKED.sub(fill, text)


def main() -> int:
    """Rewrite or check every document; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail instead of writing")
    options = parser.parse_args()
    stale = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text("utf-8")
        fresh = rendered(text)
        if fresh != text:
            stale.append(path.name)
            if not options.check:
                path.write_text(fresh, "utf-8")
    if stale:
        print(f"{'stale' if options.check else 'rewrote'}: {', '.join(stale)}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
