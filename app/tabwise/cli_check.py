"""`tabwise check FILE`: whether a library file is sound, without changing it.

A copy is looked through, together with the journal that a crash leaves beside the file, because opening a
library puts it in order: it would take back half a transaction and drop what was removed.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli_session import NOTHING, OK, print_json
from tabwise.engine.check import Findings, look_through
from tabwise.engine.jobs import silent_job
from tabwise.errors import InputError, StoreError
from tabwise.ui.words import error_sentence

_HEADER_BYTES = 100
_VERSION_BYTES = slice(60, 64)


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to what `add_subparsers` returned."""
    about = "say whether a library file is sound, without changing it"
    check = commands.add_parser("check", parents=[common], help=about)
    check.add_argument("file", type=Path, metavar="FILE")


async def check(options: argparse.Namespace) -> int:
    """Look through a file and print what was found; raises InputError file_missing."""
    if not options.file.exists():
        raise InputError("file_missing", "nothing is there", subject=str(options.file))
    findings = await findings_of(options.file)
    print_findings(findings, as_json=options.json)
    return NOTHING if findings.faults else OK


async def findings_of(file: Path) -> Findings:
    """Look through a library file.

    What keeps the file from being opened is a finding like any other.
    """
    if not _is_library(file):
        return Findings(0, 0, 0, (error_sentence("import_foreign"),))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library.db"
        shutil.copyfile(file, copy)
        journal = file.with_name(file.name + "-journal")
        if journal.is_file():
            shutil.copyfile(journal, copy.with_name(copy.name + "-journal"))
        try:
            store = SqliteStore(copy)
        except StoreError as error:
            return Findings(0, 0, 0, (f"{error_sentence(error.code)} {error.message}",))
        try:
            return await look_through(store, silent_job())
        finally:
            store.close()


def _is_library(file: Path) -> bool:
    """Whether the header is that of an SQLite file with a schema version (its format, section 1.3)."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        header = opened.read(_HEADER_BYTES)
    return header.startswith(b"SQLite format 3\0") and any(header[_VERSION_BYTES])


def print_findings(findings: Findings, *, as_json: bool) -> None:
    """Say what was counted and what is wrong."""
    counts = {
        "n_pages": findings.n_pages,
        "n_chunks": findings.n_chunks,
        "n_vectors": findings.n_vectors,
        "n_waiting": findings.n_waiting,
    }
    if as_json:
        print_json(counts | {"faults": findings.faults})
        return
    for fault in findings.faults:
        print(fault)
    sound = "not sound" if findings.faults else "sound"
    waiting = f", {findings.n_waiting} still to be embedded" if findings.n_waiting else ""
    print(f"{sound}: {findings.n_pages} pages, {findings.n_chunks} passages{waiting}")
