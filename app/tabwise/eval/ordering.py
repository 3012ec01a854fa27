"""Extractive answers whose sentences a small language model helps to order, to see whether it is worth it.

    score + GAIN_WEIGHT · (gain − mean gain of the candidates)

with the gain of core.llm.relevance, centred so that the floors below which nothing is shown keep their sense.
"""

import asyncio
from dataclasses import replace

from tabwise.core.answers.extract import SIMILARITY_WEIGHT, Candidate, compose
from tabwise.core.llm import relevance
from tabwise.core.search.index import SearchIndex
from tabwise.engine.asking import MAX_SENTENCES
from tabwise.eval.answers import Answerer, Shown, as_shown, sentences_of
from tabwise.eval.embedding_cache import Embed
from tabwise.ports import ScoringModel

GAIN_WEIGHT = 0.1
"""The best of 0.05 to 1 on 100 questions of the development half, by no more than chance would give."""


def ordered(model: ScoringModel) -> Answerer:
    """Answers whose candidates are ordered with the likelihood of the question."""

    def answer(question: str, index: SearchIndex, embed: Embed | None) -> tuple[Shown, ...]:
        options, similarities, pages = sentences_of(question, index, embed)
        lifted = asyncio.run(_lifted(model, question, options, 1.0 - SIMILARITY_WEIGHT if embed else 1.0))
        return as_shown(compose(question, lifted, similarities, max_sentences=MAX_SENTENCES), pages)

    return answer


async def _lifted(
    model: ScoringModel, question: str, options: tuple[Candidate, ...], share: float
) -> tuple[Candidate, ...]:
    """The candidates with the gain in their lexical score, which counts by `share`."""
    if not options:
        return options
    prior = await model.log_likelihood(relevance.anything(), question)
    rows = [await model.log_likelihood(relevance.about(option.text), question) for option in options]
    gains = relevance.gains(rows, prior)
    lifts = GAIN_WEIGHT * (gains - gains.mean()) / share
    return tuple(
        replace(option, lexical=option.lexical + float(lift))
        for option, lift in zip(options, lifts, strict=True)
    )
