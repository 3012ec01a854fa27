"""`tabwise export FILE` and `tabwise import FILE`: the same file as the extension's."""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.lexical import NoEmbedder
from tabwise.adapters.native.copies import DiskCopies
from tabwise.cli_arguments import new_file
from tabwise.cli_session import OK, Session, library_file, print_json
from tabwise.engine.backup import write_copy
from tabwise.engine.importing import Comparison, about_a_file, bring_in, compare
from tabwise.engine.jobs import Job
from tabwise.engine.library import Library
from tabwise.errors import InputError

_GIVEN = "given.db"


def add_parsers(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the two commands to what `add_subparsers` returned."""
    export = commands.add_parser("export", parents=[common], help="write the library to one file")
    export.add_argument("file", type=new_file, metavar="FILE", help="what is there is replaced")
    bring = commands.add_parser("import", parents=[common], help="bring in a library file")
    bring.add_argument("file", type=Path, metavar="FILE")
    bring.add_argument("--dry-run", action="store_true", help="only say what would change")
    about = "take everything from the file and remove what it does not have"
    bring.add_argument("--replace", action="store_true", help=about)


async def export(session: Session, options: argparse.Namespace) -> int:
    """Write the library to a file, which is there as a whole or as it was before."""
    library, file = session.library, options.file
    part = file.with_name(file.name + ".part")
    await _write(library, part, session.job())
    part.replace(file)
    found = {
        "file": str(file),
        "size_bytes": file.stat().st_size,
        "n_pages": len(library.heads()),
        "n_threads": len(library.store.threads.load_threads()),
    }
    as_text = "{file}: {n_pages} pages, {n_threads} threads".format(**found)
    print(json.dumps(found) if session.as_json else as_text)
    return OK


async def bring(session: Session, options: argparse.Namespace) -> int:
    """Say what a file would change and, unless it is a dry run, do it.

    What is here is kept beside the library file first, as <library>.before-import.db. Raises
    InputError (file_missing, import_foreign, import_newer, import_damaged), HostError file_unreachable.
    """
    given: Path = options.file
    if not given.is_file():
        code = "import_foreign" if given.exists() else "file_missing"
        raise InputError(code, "not a file", subject=str(given))
    library, home, job = session.library, library_file(options), session.job()
    with tempfile.TemporaryDirectory() as folder, about_a_file():
        copies = DiskCopies(Path(folder))
        await copies.take_in(_GIVEN, given.resolve().as_uri())
        async with copies.opened(_GIVEN) as copy:
            found = await compare(copy, library, session.embedder.descriptor.key, job)
            _tell(found, as_json=options.json)
            if options.dry_run:
                return OK
            kept = home.with_name(f"{home.stem}.before-import.db")
            await _write(library, kept, job)
            n_written = await bring_in(copy, library, found, "replace" if options.replace else "merge", job)
    print(f"tabwise: {n_written} written; what was here before is in {kept}", file=sys.stderr)
    if not isinstance(session.embedder, NoEmbedder):
        await session.indexer({}).embed_missing(job)
    return OK


async def _write(library: Library, file: Path, job: Job) -> None:
    copies, now_ms = DiskCopies(file.resolve().parent), SystemClock().now_ms()
    await write_copy(library, copies, file.name, settings=None, now_ms=now_ms, job=job)


def _tell(found: Comparison, *, as_json: bool) -> None:
    told = {"pages": dict(found.page_counts), "threads": dict(found.thread_counts)}
    if as_json:
        print_json(told | {"damaged": list(found.damaged)})
        return
    for kind, counts in told.items():
        print(f"{kind:8} " + ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in counts.items()))
    for title in found.damaged:
        print(f"damaged  {title}")
