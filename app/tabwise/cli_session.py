"""What commands over an open library share: its pages, its search, progress, and how results are printed."""

import argparse
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.lexical import NoEmbedder
from tabwise.adapters.native.embedder import MODEL_FOLDER, MODELS_VARIABLE, OnnxEmbedder, find_model
from tabwise.adapters.native.files import FileSource
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli_store import always, opened_mirror
from tabwise.core.model import SourceId
from tabwise.engine.asking import Asker
from tabwise.engine.indexing import Indexer, RowOutcome, TabRef
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library, library_of
from tabwise.engine.mirror import Mirror
from tabwise.errors import ProviderError
from tabwise.ports import Embedder
from tabwise.ui.words import error_sentence, file_sentence

LIBRARY_VARIABLE = "TABWISE_LIBRARY"
OK, NOTHING, FAILED = 0, 1, 2


def library_options() -> argparse.ArgumentParser:
    """The options of every command that opens a library."""
    options = argparse.ArgumentParser(add_help=False)
    where = f"library file (default: ${LIBRARY_VARIABLE} or the user's data folder)"
    options.add_argument("--library", type=Path, default=None, help=where)
    model = f"folder of the embedding model (default: ${MODELS_VARIABLE}/{MODEL_FOLDER} or the packaged one)"
    options.add_argument("--model", type=Path, default=None, metavar="DIR", help=model)
    options.add_argument("--json", action="store_true", help="print one JSON value instead of text")
    return options


def library_file(options: argparse.Namespace) -> Path:
    """The library the options name, else $TABWISE_LIBRARY, else one in the user's data folder (XDG)."""
    chosen = options.library or os.environ.get(LIBRARY_VARIABLE)
    if chosen:
        return Path(chosen)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tabwise" / "library.db"


def made_library_file(options: argparse.Namespace) -> Path:
    """The same, its folder made and the file known to be one that can be written; raises OSError."""
    path = library_file(options)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.open("ab").close()
    return path


def embedder_of(options: argparse.Namespace) -> Embedder:
    """The embedding model that the options name, else the packaged one; words alone, told, without any."""
    folder = options.model or find_model()
    if folder is None:
        print("tabwise: no embedding model is installed; searching by words only", file=sys.stderr)
        return NoEmbedder()
    return OnnxEmbedder(folder)


@dataclass(frozen=True, slots=True)
class Session:
    """One command over an open library; `mirror` is the vector store it named, None for none."""

    library: Library
    embedder: Embedder
    mirror: Mirror | None
    as_json: bool

    @property
    def asker(self) -> Asker:
        """What searches the library."""
        return Asker(self.library, embedder=self.embedder, clock=SystemClock(), mirror=always(self.mirror))

    def indexer(self, paths: Mapping[int, Path]) -> Indexer:
        """What adds files, known by their numbers."""
        return Indexer(
            self.library,
            pages=FileSource(paths),
            content=TrafilaturaContent(),
            embedder=self.embedder,
            clock=SystemClock(),
        )

    def job(self) -> Job:
        """A job that shows its progress to a person at a terminal."""
        return Job(_show_progress) if sys.stderr.isatty() else silent_job()

    async def add(self, files: Sequence[Path]) -> list[RowOutcome]:
        """Add files to the library; those that cannot be read are named on the error stream."""
        paths = {number: file.resolve() for number, file in enumerate(files)}
        indexer, job = self.indexer(paths), self.job()
        tabs = [TabRef(number, path.as_uri()) for number, path in paths.items()]
        outcomes = await indexer.read(tabs, job, lambda _: None)
        for file, outcome in zip(files, outcomes, strict=True):
            if outcome.error:
                print(f"tabwise: {file}: {_why_unread(file, outcome.error.code)}", file=sys.stderr)
        if not isinstance(self.embedder, NoEmbedder):
            await indexer.embed_missing(job)
        return outcomes

    async def added(self, files: Sequence[Path]) -> frozenset[SourceId]:
        """Add files and return their sources; empty when none could be read."""
        outcomes = await self.add(files) if files else []
        return frozenset(outcome.page.source for outcome in outcomes if outcome.page)

    async def follow(self) -> bool:
        """Bring the mirror in step; False with a line about it when that failed."""
        try:
            if self.mirror is not None:
                await self.mirror.sync(self.job())
        except ProviderError as error:
            print(f"tabwise: {error_sentence(error.code)} ({error.subject})", file=sys.stderr)
            return False
        return True

    def warn_of_another_model(self) -> None:
        """Say that the vectors are of another model than the one in use."""
        if self.library.is_of_another_model and not isinstance(self.embedder, NoEmbedder):
            print(f"tabwise: {error_sentence('model_mismatch')} (tabwise reembed)", file=sys.stderr)


@asynccontextmanager
async def opened_session(options: argparse.Namespace) -> AsyncIterator[Session]:
    """Open the library that the options name; raises StoreError, OSError, ProviderError: address_invalid."""
    path, embedder = made_library_file(options), embedder_of(options)
    store = SqliteStore(path)
    try:
        library = library_of(embedder.descriptor, store)
        await library.load(silent_job())
        async with opened_mirror(getattr(options, "qdrant", ""), library, embedder.descriptor) as mirror:
            yield Session(library, embedder, mirror, options.json)
    finally:
        store.close()


def make_printable(*streams: TextIO) -> None:
    """Let a terminal that lacks a character, or a file name that is no text, show "?" in its place."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_json(value: object) -> None:
    """Print a JSON value for people and programs; escaped where the stream is not Unicode."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, ensure_ascii=not is_unicode, indent=2))


def _why_unread(file: Path, code: str) -> str:
    return "This is a folder; name its files." if file.is_dir() else file_sentence(code)


def _show_progress(progress: Progress) -> None:
    count = f"{progress.done} of {progress.total} {progress.unit}" if progress.total else ""
    end = "\n" if progress.total and progress.done == progress.total else "\r"
    print(f"\x1b[K{progress.stage} {count}", end=end, file=sys.stderr, flush=True)
