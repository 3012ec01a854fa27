"""The answer run: does an extractive answer show the sentence that holds the known answer?

The whole path of the product but capture: chunks along the page, the index, candidates, composition, with
the engine's own limits. A question is a hit when one of the shown sentences contains the answer's span.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabwise.core.extract import Candidate, candidates, compose
from tabwise.core.index import SearchIndex
from tabwise.core.model import Page
from tabwise.engine.asking import MAX_SENTENCES, N_CANDIDATES, N_HITS
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.indexing import CountTokens, index_pages
from tabwise.eval.xquad import AnsweredQuestion


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """Shares over the questions, 0–1, and the mean number of sentences shown."""

    n_questions: int
    hit_rate: float
    answered_rate: float
    mean_sentences: float


def run_answers(
    pages: Sequence[Page],
    questions: Sequence[AnsweredQuestion],
    *,
    count_tokens: CountTokens,
    embed: Embed | None,
) -> AnswerRow:
    """Index the pages, answer every question, and count; without `embed` by words alone.

    Raises ValueError without questions.
    """
    if not questions:
        raise ValueError("no questions")
    index = index_pages(pages, count_tokens, embed)
    shown = [_answer(question.text, index, embed) for question in questions]
    hits = [
        any(
            one.source == question.source and one.start <= question.start and question.end <= one.end
            for one in answer
        )
        for question, answer in zip(questions, shown, strict=True)
    ]
    return AnswerRow(
        n_questions=len(questions),
        hit_rate=float(np.mean(hits)),
        answered_rate=float(np.mean([bool(answer) for answer in shown])),
        mean_sentences=float(np.mean([len(answer) for answer in shown])),
    )


def _answer(question: str, index: SearchIndex, embed: Embed | None) -> tuple[Candidate, ...]:
    vector = embed([question])[0] if embed is not None else None
    hits = index.search(question, vector, k=N_HITS)
    pages = {hit.chunk.source: page for hit in hits if (page := index.page(hit.chunk.source)) is not None}
    options = candidates(question, hits, pages, index.idf, limit=N_CANDIDATES)
    similarities = None
    if embed is not None and vector is not None and options:
        similarities = np.asarray(embed([option.text for option in options]) @ vector, np.float32)
    return compose(question, options, similarities, max_sentences=MAX_SENTENCES)
