"""Search for inputs that reach new code, and stop at the first that breaks a target.

    python tests/fuzz/guided.py html --seconds 600

Needs `pip install -r wheels/requirements-fuzz.txt`. The input that breaks something is written into the
folder as `crash-…`; an input over the limits of time and memory counts as broken.
"""

import argparse
import sys
from pathlib import Path

import atheris

ROOT = Path(__file__).parents[2]
SLOWEST_S = 20
MOST_MEMORY_MB = 2_000
LONGEST_BYTES = 20_000


def main() -> None:
    """Search; the exit status is 0 when nothing broke."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--folder", type=Path, default=Path("fuzz-inputs"), help="where inputs are gathered")
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]
    with atheris.instrument_imports(include=["tabwise"]):
        from fuzz.seeds import seeds_of
        from fuzz.targets import TARGETS
    options.folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds_of(options.target)):
        (options.folder / f"seed-{number}").write_bytes(data)
    switches = [
        f"-max_total_time={options.seconds}",
        f"-timeout={SLOWEST_S}",
        f"-rss_limit_mb={MOST_MEMORY_MB}",
        f"-max_len={LONGEST_BYTES}",
        f"-artifact_prefix={options.folder}/",
    ]
    atheris.Setup([sys.argv[0], *switches, str(options.folder)], TARGETS[options.target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
