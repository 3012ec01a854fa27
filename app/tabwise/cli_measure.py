"""`tabwise eval`: with which models to measure, and the table of a library asked about itself."""

import argparse
import asyncio

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.native.embedder import find_model
from tabwise.adapters.native.writer import open_writer
from tabwise.cli_models import BUNDLED, BUNDLED_ORDER, open_bundled
from tabwise.cli_session import OK, Session, embedder_of, print_json
from tabwise.engine import wire
from tabwise.engine.self_test import self_test
from tabwise.eval import command
from tabwise.ports import LanguageModel


def measure(options: argparse.Namespace) -> int:
    """Measure on collections or on the committed set of verdicts; return the exit status."""
    if options.kind == "verdicts":
        return command.run_verdict_set(shows_mistakes=options.mistakes)
    return command.run(options, _model(options))


async def ask_itself(session: Session, options: argparse.Namespace) -> int:
    """Ask the library questions made from its own pages."""
    session.warn_of_another_model()
    result = wire.self_test(
        await self_test(
            session.library,
            embedder=session.embedder,
            clock=SystemClock(),
            job=session.job(),
            max_questions=options.n,
        )
    )
    if session.as_json:
        print_json(result)
        return OK
    print(f"{result['n_questions']} questions over {result['n_chunks']} passages\n")
    print("mode      first  first 3  first 10    MRR      ms")
    for row in result["rows"]:
        shares = f"{row['recall_at_1']:5.3f}    {row['recall_at_3']:5.3f}     {row['recall_at_10']:5.3f}"
        print(f"{row['mode']:8}  {shares}  {row['reciprocal_rank']:5.3f}  {row['query_ms']:6.2f}")
    print(
        f"\n{result['n_answered']} answered, {result['n_at_the_place']} of {result['n_citations']} citations"
        " in the paragraph the question was made from"
    )
    return OK


def _model(options: argparse.Namespace) -> command.Model:
    embedder, folder = embedder_of(options), options.model or find_model()
    scorer = open_bundled() if options.engine == BUNDLED_ORDER else None
    writer = _writer(options.engine) if options.engine and scorer is None else None
    if folder is None:
        return command.Model(None, embedder.count, "", writer, scorer)
    return command.Model(
        lambda texts: asyncio.run(embedder.embed(texts)),
        embedder.count,
        (folder / "model.json").read_text("utf-8"),
        writer,
        scorer,
    )


def _writer(engine: str) -> LanguageModel:
    return open_bundled() if engine == BUNDLED else open_writer(engine)
