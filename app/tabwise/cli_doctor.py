"""`tabwise doctor`: what works here and why not.

The bundled model is opened and a service is asked, each only when `--provider` names it. A library that
cannot be opened is a finding like any other.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from tabwise.adapters.native.facts import NativeFacts
from tabwise.adapters.providers.directory import Providers
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli_models import BUNDLED, opened_models
from tabwise.cli_services import opened_service, provider_row
from tabwise.cli_session import NOTHING, OK, embedder_of, made_library_file, print_json
from tabwise.engine.check import look_through
from tabwise.engine.doctor import (
    Line,
    closed_library_line,
    embedder_line,
    in_order,
    library_line,
    machine_lines,
    service_line,
)
from tabwise.engine.jobs import silent_job
from tabwise.engine.library import Library, library_of
from tabwise.engine.requests.doctor import line_row
from tabwise.errors import AppError, StoreError
from tabwise.ports import Embedder
from tabwise.ui.words import error_sentence, say


async def doctor(options: argparse.Namespace) -> int:
    """Look through everything and print what was found."""
    path, embedder = made_library_file(options), embedder_of(options)
    library: Library | StoreError
    try:
        library = library_of(embedder.descriptor, SqliteStore(path))
        await library.load(silent_job())
    except StoreError as error:
        library = error
    try:
        rows = await findings(options, library, embedder, path)
    finally:
        if isinstance(library, Library):
            library.store.close()
    if options.json:
        print_json(rows)
    else:
        print_lines(rows)
    return NOTHING if any(row["state"] == "broken" for row in rows) else OK


async def findings(
    options: argparse.Namespace, library: Library | StoreError, embedder: Embedder, place: Path
) -> list[dict[str, Any]]:
    """The DoctorLine records of this machine; a model that the options name is tried."""
    lines = [*machine_lines(await NativeFacts(place).facts()), *await _library_lines(library, embedder)]
    if options.provider == BUNDLED:
        lines.append(await _bundled_line(options))
    else:
        async with opened_service(options) as service:
            if service:
                lines.append(await _service_line(service[0], options))
    return [line_row(line) for line in in_order(lines)]


def print_lines(rows: list[dict[str, Any]]) -> None:
    """Print findings, those that tell more on the error stream too."""
    for row in rows:
        values = {value["name"]: value["value"] for value in row["values"]}
        why = f" {error_sentence(row['code'])}" if row["code"] else ""
        print(f"{row['state']:8} {say('doctor_' + row['topic'] + '_' + row['reason'], **values)}{why}")
        if row["message"]:
            print(f"tabwise: {row['code'] or row['topic']}: {row['message']}", file=sys.stderr)


async def _library_lines(library: Library | StoreError, embedder: Embedder) -> list[Line]:
    if isinstance(library, StoreError):
        return [closed_library_line(library)]
    stats, found = library.stats(), await look_through(library.store, silent_job())
    return [
        library_line(n_pages=stats.n_pages, size_bytes=stats.size_bytes, faults=found.faults),
        await embedder_line(embedder, must_reembed=library.is_of_another_model),
    ]


async def _bundled_line(options: argparse.Namespace) -> Line:
    outcome: AppError | str = BUNDLED
    try:
        async with opened_models(options) as named:
            if named:
                outcome = (await named[0].open(named[1])).descriptor.label
    except AppError as error:
        outcome = error
    return service_line("provider", BUNDLED, BUNDLED, outcome)


async def _service_line(providers: Providers, options: argparse.Namespace) -> Line:
    row = provider_row(options.provider, options.llm, options.context)
    outcome: AppError | str = str(row["model"])
    try:
        await providers.inspect(row)
    except AppError as error:
        outcome = error
    return service_line("provider", row["label"] or row["address"], row["id"], outcome)
