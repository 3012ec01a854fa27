"""Build, run and check Tabwise. `python3 scripts/build.py run` is all a fresh machine needs.

Nothing but Python 3.11 and Node 20 has to be installed: the rest is made in `.venv` and `node_modules` or
fetched by hash into a cache (`$TABWISE_CACHE`, else `~/.cache/tabwise`). What each part does is written in
`scripts/buildlib`.
"""

import argparse
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  (older ones get a sentence, not a traceback)
    sys.exit(
        f"Tabwise needs Python 3.11 or newer; this is {sys.version.split()[0]}. Use for example python3.12."
    )

sys.path.insert(0, str(Path(__file__).resolve().parent))

from buildlib.commands import COMMANDS
from buildlib.console import BuildError


def main() -> int:
    """Run one subcommand; 0 when it did what it says, 1 with a message on standard error when not."""
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__.split("\n\n")[0])
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.summary, description=command.description)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    arguments = parser.parse_args()
    try:
        return int(arguments.run(arguments))
    except BuildError as error:
        print(f"\nbuild.py {arguments.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
