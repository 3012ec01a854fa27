"""`tabwise` on the command line: the same engine and the same library file, over files instead of tabs.

    tabwise index page.html notes.txt        add files to the library
    tabwise search "tidal range"             rank passages
    tabwise ask "How large …?" page.html     answer, with each sentence checked against its source
    tabwise replay receipt.json              do its searches still come out the same?
    tabwise ask "…" --provider groq          let a service write the answer, or "bundled" help with it
    tabwise research "…" --provider groq     let a model look into a question by itself
    tabwise export tabwise.db                everything as one file, for another machine or browser
    tabwise import tabwise.db --dry-run      what would bringing it in change?
    tabwise doctor                           what works here and why not
    tabwise check library.db                 is a library file sound?
    tabwise eval retrieval --data DIR        measure on public collections

Exit status: 0 done, 1 nothing was found or some file could not be read, 2 the command could not be done.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from tabwise import __version__, cli_answer, cli_data
from tabwise.adapters.clock import SystemClock
from tabwise.adapters.content.main_text import TrafilaturaContent
from tabwise.adapters.lexical import NoEmbedder
from tabwise.adapters.native.embedder import MODEL_FOLDER, MODELS_VARIABLE, OnnxEmbedder, find_model
from tabwise.adapters.native.files import FileSource
from tabwise.adapters.native.messages import messages
from tabwise.adapters.native.writer import open_writer
from tabwise.adapters.no_models import NoModels
from tabwise.adapters.stores.sqlite import SqliteStore
from tabwise.cli_answer import print_answer, research_of
from tabwise.cli_check import findings_of, print_findings
from tabwise.cli_models import BUNDLED, BUNDLED_ORDER, open_bundled, opened_models
from tabwise.cli_services import doctor, print_lines, service_options, tell_fallback
from tabwise.cli_store import always, opened_mirror, store_options, tell_why_local
from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.model import FusionMode, SourceId
from tabwise.engine import wire
from tabwise.engine.answering import records
from tabwise.engine.answering.pipeline import Answerer
from tabwise.engine.answering.question import Question
from tabwise.engine.answering.replaying import replay
from tabwise.engine.asking import N_HITS, Asker
from tabwise.engine.indexing import Indexer, RowOutcome, TabRef
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.engine.library import Library, library_of
from tabwise.engine.mirror import Mirror
from tabwise.engine.scoping import Scope
from tabwise.engine.self_test import self_test
from tabwise.errors import AppError, InputError, ProviderError, StoreError
from tabwise.eval import command as evaluation
from tabwise.ports import Embedder, LanguageModel
from tabwise.ui import words
from tabwise.ui.words import error_sentence, say

LIBRARY_VARIABLE = "TABWISE_LIBRARY"
OK, NOTHING, FAILED = 0, 1, 2


def default_library() -> Path:
    """$TABWISE_LIBRARY, else library.db in the user's data folder (XDG)."""
    chosen = os.environ.get(LIBRARY_VARIABLE)
    if chosen:
        return Path(chosen)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tabwise" / "library.db"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    common = argparse.ArgumentParser(add_help=False)
    where = f"library file (default: ${LIBRARY_VARIABLE} or the user's data folder)"
    common.add_argument("--library", type=Path, default=None, help=where)
    model = f"folder of the embedding model (default: ${MODELS_VARIABLE}/{MODEL_FOLDER} or the packaged one)"
    common.add_argument("--model", type=Path, default=None, metavar="DIR", help=model)
    common.add_argument("--json", action="store_true", help="print one JSON value instead of text")
    top = argparse.ArgumentParser(prog="tabwise", description="Ask your pages; every sentence is checked.")
    top.add_argument("--version", action="version", version=f"tabwise {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    stored = store_options()
    index = commands.add_parser(
        "index", parents=[common, stored], help="add HTML, PDF and text files to the library"
    )
    index.add_argument("files", nargs="+", type=Path, metavar="FILE")

    ranked = _ranking_options()
    search = commands.add_parser(
        "search", parents=[common, ranked, stored], help="rank passages of the library"
    )
    search.add_argument("query")

    services = service_options()
    cli_answer.add_parsers(commands, [common, ranked, stored, services])
    about = "run the searches of a receipt again and tell what differs"
    again = commands.add_parser("replay", parents=[common], help=about)
    again.add_argument("receipt", type=Path, metavar="FILE")
    about = "make all vectors anew with the model in use"
    commands.add_parser("reembed", parents=[common], help=about)
    about = "say what works here and why not; asks a service only when one is named"
    commands.add_parser("doctor", parents=[common, services], help=about)
    about = "say whether a library file is sound, without changing it"
    check = commands.add_parser("check", parents=[common], help=about)
    check.add_argument("file", type=Path, metavar="FILE")
    cli_data.add_parsers(commands, common)
    evaluation.add_parsers(commands, common)
    return top


def _ranking_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("-k", type=_positive, default=N_HITS, help=f"number of passages (default {N_HITS})")
    modes = [str(mode) for mode in FusionMode]
    options.add_argument("--mode", choices=modes, default="convex", help="how words and meaning are combined")
    options.add_argument(
        "--site", action="append", default=[], metavar="HOST", help="only pages of this host; may be repeated"
    )
    for name, about in (("--after", "on this day or later"), ("--before", "before this day")):
        options.add_argument(
            name, type=_day_ms, default=0.0, metavar="YYYY-MM-DD", help=f"only pages added {about}"
        )
    options.add_argument("--recent", action="store_true", help="prefer pages added recently")
    return options


def _day_ms(text: str) -> float:
    return datetime.fromisoformat(text).timestamp() * 1_000


def _scope(options: argparse.Namespace, sources: frozenset[SourceId] = frozenset()) -> Scope:
    return Scope(sources, tuple(options.site), options.after, options.before, options.recent)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    options = parser().parse_args(arguments)
    words.load(messages())
    try:
        if options.command == "eval" and options.kind == "verdicts":
            return evaluation.run_verdict_set(shows_mistakes=options.mistakes)
        if options.command == "eval" and options.kind != "self":
            return evaluation.run(options, _model(options))
        return asyncio.run(_run(options))
    except AppError as error:
        _fail(options, error)
        return FAILED
    except KeyboardInterrupt:
        return 130


async def _run(options: argparse.Namespace) -> int:
    if options.command == "check":
        findings = await findings_of(options.file)
        print_findings(findings, as_json=options.json)
        return NOTHING if findings.faults else OK
    path = options.library or default_library()
    path.parent.mkdir(parents=True, exist_ok=True)
    embedder = _embedder(options.model)
    if options.command == "doctor":
        return await _doctor(options, path, embedder)
    store = SqliteStore(path)
    try:
        library = library_of(embedder.descriptor, store)
        await library.load(silent_job())
        address = getattr(options, "qdrant", "")
        async with opened_mirror(address, library, embedder.descriptor) as mirror:
            return await _command(_Session(library, embedder, options.json, mirror), options)
    finally:
        store.close()


async def _doctor(options: argparse.Namespace, path: Path, embedder: Embedder) -> int:
    """Say what works here; a library that cannot be opened is a finding like any other."""
    library: Library | StoreError
    try:
        library = library_of(embedder.descriptor, SqliteStore(path))
        await library.load(silent_job())
    except StoreError as error:
        library = error
    try:
        rows = await doctor(options, library, embedder, path.parent)
    finally:
        if isinstance(library, Library):
            library.store.close()
    if options.json:
        _print_json(rows)
        return OK if all(row["state"] != "broken" for row in rows) else NOTHING
    return OK if print_lines(rows) else NOTHING


async def _command(session: "_Session", options: argparse.Namespace) -> int:
    if options.command == "index":
        return await session.index(options.files)
    if options.command == "reembed":
        return await session.reembed()
    if options.command == "export":
        return await session.export(options.file)
    if options.command == "import":
        return await session.bring_in(options)
    session.warn_of_another_model()
    if options.command == "search":
        return await session.search(options)
    if options.command == "replay":
        return await session.replay(options.receipt)
    if options.command == "eval":
        return await session.self_test(options.n)
    return await session.ask(options)


def _embedder(chosen: Path | None) -> Embedder:
    folder = chosen or find_model()
    if folder is None:
        print("tabwise: no embedding model is installed; searching by words only", file=sys.stderr)
        return NoEmbedder()
    return OnnxEmbedder(folder)


def _model(options: argparse.Namespace) -> evaluation.Model:
    embedder, folder = _embedder(options.model), options.model or find_model()
    scorer = open_bundled() if options.engine == BUNDLED_ORDER else None
    writer = _writer(options.engine) if options.engine and scorer is None else None
    if folder is None:
        return evaluation.Model(None, embedder.count, "", writer, scorer)
    return evaluation.Model(
        lambda texts: asyncio.run(embedder.embed(texts)),
        embedder.count,
        (folder / "model.json").read_text("utf-8"),
        writer,
        scorer,
    )


def _writer(engine: str) -> LanguageModel:
    return open_bundled() if engine == BUNDLED else open_writer(engine)


class _Session:
    """One command over an open library."""

    def __init__(self, library: Library, embedder: Embedder, as_json: bool, mirror: Mirror | None) -> None:
        self._library = library
        self._embedder = embedder
        self._as_json = as_json
        self._mirror = mirror

    def warn_of_another_model(self) -> None:
        if self._library.is_of_another_model and not isinstance(self._embedder, NoEmbedder):
            print(f"tabwise: {error_sentence('model_mismatch')} (tabwise reembed)", file=sys.stderr)

    async def index(self, files: Sequence[Path]) -> int:
        outcomes = await self._add(files)
        is_mirrored = await self._follow()
        if self._as_json:
            rows = [wire.row_result(outcome) for outcome in outcomes]
            _print_json([{"file": str(file)} | row for file, row in zip(files, rows, strict=True)])
        else:
            for file, outcome in zip(files, outcomes, strict=True):
                if outcome.page:
                    print(f"{outcome.state:9}  {file}  {say('n_words', n=outcome.page.n_words)}")
        return NOTHING if any(outcome.error for outcome in outcomes) or not is_mirrored else OK

    async def _follow(self) -> bool:
        """Bring the mirror in step; False with a line about it when that failed."""
        try:
            if self._mirror is not None:
                await self._mirror.sync(self._job())
        except ProviderError as error:
            print(f"tabwise: {error_sentence(error.code)} ({error.subject})", file=sys.stderr)
            return False
        return True

    async def reembed(self) -> int:
        await self._indexer({}).reembed(self._job())
        stats = wire.stats(self._library.stats())
        if self._as_json:
            _print_json(stats)
        else:
            print(f"{stats['n_vectors']} passages by {stats['model']}")
        return OK

    async def export(self, file: Path) -> int:
        await cli_data.export_library(self._library, file, self._job(), as_json=self._as_json)
        return OK

    async def bring_in(self, options: argparse.Namespace) -> int:
        home, model_id = options.library or default_library(), self._embedder.descriptor.key
        await cli_data.import_library(self._library, home, options, model_id, self._job())
        if not isinstance(self._embedder, NoEmbedder) and not options.dry_run:
            await self._indexer({}).embed_missing(self._job())
        return OK

    async def search(self, options: argparse.Namespace) -> int:
        found = await self._asker().search(
            options.query, scope=_scope(options), k=options.k, mode=FusionMode(options.mode)
        )
        tell_why_local(found.why_local)
        rows = [wire.hit(hit, self._library.page(hit.chunk.source)) for hit in found.hits]
        if self._as_json:
            _print_json(rows)
        else:
            for row in rows:
                where = " › ".join([row["title"], *row["heading_path"]])
                print(f"{row['score']:.3f}  {where}\n       {row['url']}")
                print(f"       {' '.join(row['text'].split())[:300]}\n")
        return OK if rows else NOTHING

    async def ask(self, options: argparse.Namespace) -> int:
        outcomes = await self._add(options.files) if options.files else []
        added = frozenset(outcome.page.source for outcome in outcomes if outcome.page)
        if options.files and not added:
            return FAILED
        await self._follow()
        is_research = options.command == "research"
        async with opened_models(options) as named:
            models, engine = named or (NoModels(), EXTRACTIVE)
            asked = Question(
                text=options.question,
                scope=_scope(options, added),
                k=options.k,
                mode=FusionMode(options.mode),
                engine=engine,
                strict=options.strict,
            )
            answerer = Answerer(
                self._library,
                embedder=self._embedder,
                models=models,
                clock=SystemClock(),
                mirror=always(self._mirror),
            )
            answered = await answerer.ask(
                asked,
                job=self._job(),
                on_sentence=lambda *_: None,
                first=research_of(self._library, self._asker(), options) if is_research else None,
            )
        if options.receipt:
            options.receipt.write_text(answered.receipt + "\n", "utf-8")
        tell_why_local(answered.answer.why_local)
        record = records.answer(answered.answer, self._library.page)
        if record["fallback"]:
            tell_fallback(record["fallback"])
        if self._as_json:
            _print_json(record)
        else:
            print_answer(record)
        return OK if record["found"] else NOTHING

    async def replay(self, file: Path) -> int:
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError("receipt_unreadable", str(error), subject=str(file)) from error
        receipt, found = await replay(
            text, library=self._library, asker=self._asker(), embedder=self._embedder, job=self._job()
        )
        record = records.replay(receipt, found)
        if self._as_json:
            _print_json(record)
        elif record["same"]:
            print(f"the same: {record['n_searches']} searches")
        else:
            for item in record["differences"]:
                print(f"{item['change'].replace('_', ' '):12}  {item['subject']}")
        return OK if record["same"] else NOTHING

    async def self_test(self, n_questions: int) -> int:
        result = wire.self_test(
            await self_test(
                self._library,
                embedder=self._embedder,
                clock=SystemClock(),
                job=self._job(),
                max_questions=max(n_questions, 1),
            )
        )
        if self._as_json:
            _print_json(result)
        else:
            print(f"{result['n_questions']} questions over {result['n_chunks']} passages\n")
            print("mode      first  first 3  first 10    MRR      ms")
            for row in result["rows"]:
                shares = (
                    f"{row['recall_at_1']:5.3f}    {row['recall_at_3']:5.3f}     {row['recall_at_10']:5.3f}"
                )
                print(f"{row['mode']:8}  {shares}  {row['reciprocal_rank']:5.3f}  {row['query_ms']:6.2f}")
        return OK

    async def _add(self, files: Sequence[Path]) -> list[RowOutcome]:
        paths = {number: file.resolve() for number, file in enumerate(files)}
        indexer = self._indexer(paths)
        job = self._job()
        tabs = [TabRef(number, path.as_uri()) for number, path in paths.items()]
        outcomes = await indexer.read(tabs, job, lambda _: None)
        for file, outcome in zip(files, outcomes, strict=True):
            if outcome.error:
                print(f"tabwise: {file}: {error_sentence(outcome.error.code)}", file=sys.stderr)
        if not isinstance(self._embedder, NoEmbedder):
            await indexer.embed_missing(job)
        return outcomes

    def _indexer(self, paths: Mapping[int, Path]) -> Indexer:
        return Indexer(
            self._library,
            pages=FileSource(paths),
            content=TrafilaturaContent(),
            embedder=self._embedder,
            clock=SystemClock(),
        )

    def _asker(self) -> Asker:
        return Asker(self._library, embedder=self._embedder, clock=SystemClock(), mirror=always(self._mirror))

    def _job(self) -> Job:
        return Job(_show_progress) if sys.stderr.isatty() else silent_job()


def _show_progress(progress: Progress) -> None:
    count = f"{progress.done} of {progress.total} {progress.unit}" if progress.total else ""
    end = "\n" if progress.total and progress.done == progress.total else "\r"
    print(f"\x1b[K{progress.stage} {count}", end=end, file=sys.stderr, flush=True)


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _fail(options: argparse.Namespace, error: AppError) -> None:
    if options.json:
        _print_json({"error": wire.failure(error)})
    about = f" ({error.subject})" if error.subject else ""
    print(f"tabwise: {error_sentence(error.code)}{about}", file=sys.stderr)
    print(f"tabwise: {error.code}: {error.message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
