"""Measure what the documents claim: `python3 scripts/bench.py [SUITE ...]`.

Each suite prints a table and writes its rows into docs/measurements.json. Speed claims are ratios between
two things measured alternately in one run: absolute times on a busy machine mean little. Needs
`build.py dist` and the environment of `build.py test`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from buildlib.environment import continue_in_venv, ensure_node, ensure_python


def main() -> int:
    """Run the chosen suites, all by default; return the exit status."""
    ensure_python()
    continue_in_venv()
    ensure_node()
    from benchmarks import SUITES
    from benchmarks.datasets import VARIABLE
    from benchmarks.report import report
    from buildlib.commands import build_dist

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"one of: {', '.join(SUITES)}")
    parser.add_argument(
        "--data", metavar="DIR", help="public collections; default $TABWISE_DATA, ../shared/data"
    )
    options = parser.parse_args()
    if options.data:
        os.environ[VARIABLE] = options.data
    chosen = options.suites or list(SUITES)
    unknown = set(chosen) - set(SUITES)
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")
    build_dist()
    for name in chosen:
        report(name, SUITES[name]())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
