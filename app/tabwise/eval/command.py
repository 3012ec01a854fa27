"""`tabwise eval`: measure retrieval and answers on public collections, and print a table.

    tabwise eval retrieval --data DIR [--set NAME ...]
    tabwise eval answers --data DIR [--engine KIND:MODEL[@ADDRESS]]
    tabwise eval uses --data DIR [-n N]      starters, follow-ups and titles by the bundled model
    tabwise eval verdicts [--mistakes]
    tabwise eval self                        known-item questions over the library itself

Embeddings are kept in `$TABWISE_CACHE/evaluation` (or the user's cache folder) by model and text. In a
checkout the rows also go into docs/measurements.json. A set that is not below DIR is skipped, by name.
"""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tabwise.core.verdicts.verify import judge
from tabwise.eval.answers import run_answers, written
from tabwise.eval.baseline import run_baseline
from tabwise.eval.embedding_cache import CachedEmbed, Embed
from tabwise.eval.long_documents import load_long_documents, run_long_documents
from tabwise.eval.measurements import Measurement, save, table
from tabwise.eval.ordering import ordered
from tabwise.eval.report import (
    answer_rows,
    long_document_rows,
    overlap_row,
    retrieval_rows,
    small_use_rows,
    verdict_rows,
)
from tabwise.eval.retrieval import run_retrieval, share_of_equal_top_k
from tabwise.eval.sets import LONG_DOCUMENTS, RETRIEVAL_SETS
from tabwise.eval.small_uses import run_small_uses
from tabwise.eval.verdicts import is_mistaken, load_cases, run_verdicts
from tabwise.eval.xquad import load_xquad
from tabwise.ports import LanguageModel, ScoringModel

OK, NOTHING = 0, 1
VERDICT_SET = Path(__file__).resolve().parents[3] / "tests" / "golden" / "verdicts"
ANSWER_SETS = {"xquad-en": "en", "xquad-ru": "ru", "xquad-zh": "zh"}


@dataclass(frozen=True, slots=True)
class Model:
    """The models of a run: `embed` is None for words alone, `fingerprint` changes with the embedder's file.

    writer: writes the answers; None for sentences of the pages. scorer: helps to order those sentences.
    """

    embed: Embed | None
    count_tokens: Callable[[str], int]
    fingerprint: str
    writer: LanguageModel | None = None
    scorer: ScoringModel | None = None


def add_parsers(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", library: argparse.ArgumentParser
) -> None:
    """Add `eval` and its subcommands; `library` has the options of commands that open one.

    `self` is such a command and not run here: the rest needs no library.
    """
    parser = commands.add_parser("eval", help="measure retrieval and answers")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    for kind, names, about in (
        ("retrieval", [*RETRIEVAL_SETS, LONG_DOCUMENTS], "rank documents of public collections"),
        ("answers", list(ANSWER_SETS), "answer questions with known answers"),
        ("uses", ["xquad-en"], "small uses of the bundled model against rules"),
    ):
        one = kinds.add_parser(kind, help=about)
        one.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the collections")
        one.add_argument(
            "--set", action="append", choices=names, dest="sets", help="only this one; may be repeated"
        )
        one.add_argument(
            "--model", type=Path, default=None, metavar="DIR", help="folder of the embedding model"
        )
        one.set_defaults(all_sets=names, engine="")
        if kind == "answers":
            one.add_argument(
                "--engine",
                default="",
                metavar="KIND:MODEL[@ADDRESS]",
                help="a service that writes the answers, or `bundled`; `bundled-order` orders sentences",
            )
            one.add_argument("-n", type=_count, default=None, help="only the first n questions")
        if kind == "uses":
            one.set_defaults(engine="bundled")
            one.add_argument("-n", type=_count, default=40, help="paragraphs for each use (default 40)")
    verdicts = kinds.add_parser("verdicts", help="judge sentences whose verdict is known")
    verdicts.add_argument("--mistakes", action="store_true", help="print those of the development half")
    own = kinds.add_parser("self", parents=[library], help="ask your own pages questions made from them")
    own.add_argument("-n", type=_count, default=100, help="number of questions (default 100)")


def run(options: argparse.Namespace, model: Model) -> int:
    """Run the chosen sets; return 0 when at least one was measured, else 1."""
    cached = _cached(model)
    measure = {"retrieval": _retrieval, "answers": _answers, "uses": _uses}[options.kind]
    n_measured = 0
    try:
        for name in options.sets or options.all_sets:
            try:
                rows = measure(name, options, cached, model)
            except FileNotFoundError as error:
                print(f"tabwise: {name} skipped: {error.filename} is not there", file=sys.stderr)
                continue
            n_measured += 1
            _publish(rows)
    finally:
        if cached is not None:
            cached.close()
    return OK if n_measured else NOTHING


def _publish(rows: list[Measurement]) -> None:
    print(f"{rows[0].command}\n{table(rows)}\n", flush=True)
    record = measurement_record()
    if record is not None:
        save(record, rows)


def run_verdict_set(*, shows_mistakes: bool) -> int:
    """Judge the committed sentences; return 0, or 1 when they are not there."""
    try:
        cases = load_cases(VERDICT_SET)
    except FileNotFoundError as error:
        print(f"tabwise: verdicts skipped: {error.filename} is not there", file=sys.stderr)
        return NOTHING
    judged = run_verdicts(cases, judge)
    _publish(verdict_rows(judged))
    if shows_mistakes:
        for one in judged:
            if one.case.half == "development" and is_mistaken(one):
                found = " ".join([one.judgement.verdict, *one.judgement.reasons])
                print(f"{one.case.id} {one.case.kind}: {found}\n  {one.case.sentence}")
    return OK


def measurement_record() -> Path | None:
    """docs/measurements.json of the checkout this program runs from, None when it is installed."""
    root = Path(__file__).resolve().parents[3]
    return root / "docs" / "measurements.json" if (root / "scripts" / "tables.py").is_file() else None


def _retrieval(
    name: str, options: argparse.Namespace, embed: Embed | None, model: Model
) -> list[Measurement]:
    data = options.data
    if name == LONG_DOCUMENTS:
        pages, questions = load_long_documents(data / "long_documents")
        return long_document_rows(
            name, run_long_documents(pages, questions, count_tokens=model.count_tokens, embed=embed)
        )
    chosen = RETRIEVAL_SETS[name]
    collection = chosen.load(data / chosen.folder)
    rows = run_retrieval(collection, embed)
    if embed is None:
        return retrieval_rows(name, rows, None)
    baseline = run_baseline(collection, embed) if collection.language == "en" else None
    return [*retrieval_rows(name, rows, baseline), overlap_row(name, share_of_equal_top_k(collection, embed))]


def _answers(name: str, options: argparse.Namespace, embed: Embed | None, model: Model) -> list[Measurement]:
    language = ANSWER_SETS[name]
    pages, questions = load_xquad(options.data / "xquad" / f"xquad.{language}.json", language=language)
    asked = [question for question in questions if question.is_held_out][: options.n]
    runs = {"words alone": None} if embed is None else {"words and meaning": embed, "words alone": None}
    if model.writer is not None:
        runs = {"written": embed}
    answer = written(model.writer, language) if model.writer is not None else None
    if model.scorer is not None:
        runs, answer = {"ordered": embed}, ordered(model.scorer)
    rows = {
        label: run_answers(pages, asked, count_tokens=model.count_tokens, embed=one, answer=answer)
        for label, one in runs.items()
    }
    return answer_rows(name, rows, engine=options.engine)


def _uses(name: str, options: argparse.Namespace, embed: Embed | None, model: Model) -> list[Measurement]:
    if model.writer is None:
        raise ValueError("no language model")
    pages, questions = load_xquad(options.data / "xquad" / "xquad.en.json", language="en")
    rows = run_small_uses(
        pages, questions, model.writer, count_tokens=model.count_tokens, embed=embed, n=options.n
    )
    return small_use_rows(name, rows)


def _cached(model: Model) -> CachedEmbed | None:
    if model.embed is None:
        return None
    return CachedEmbed(
        model.embed, _cache_folder(), fingerprint=model.fingerprint, on_progress=_show_progress
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


def _cache_folder() -> Path:
    named = os.environ.get("TABWISE_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (Path(named) if named else Path(home) / "tabwise") / "evaluation"


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\x1b[Kembedding {done} of {total}", end="\n" if done == total else "\r", file=sys.stderr)
