"""The bundled model chooses: which of the sentences found was the question asked about?

A model of 135 million parameters writes sentences that their sources seldom bear out: of twelve answers to
XQuAD questions nine had to be thrown away, after 3 to 20 seconds. What it can do is tell which of a few texts
a question belongs to (`core.llm.relevance`). So the sentences of the extractive answer are weighed by it and
shown as they stand, cited by construction:

    weight = gain + LEXICAL_WEIGHT · lexical score of the candidate

On 80 questions of XQuAD, pages found by words alone, the answer is in the first sentence for 59, as without
the model, and in the first two for 72 instead of 70: a little shorter, hardly better. With vectors, and for
larger models, the difference is not known.
"""

from typing import cast

import numpy as np

from tabwise.core.answers.extract import Candidate, compose
from tabwise.core.chat import Completion, Finish, Prompt
from tabwise.core.llm.relevance import about, anything, gains
from tabwise.engine.answering.calling import Calls
from tabwise.engine.answering.extracting import Extractor
from tabwise.engine.answering.retrieval import Found
from tabwise.engine.answering.trace import Trace
from tabwise.engine.jobs import Job, Progress
from tabwise.ports import LanguageModel, ScoringModel

N_WEIGHED = 5
"""Sentences to choose among, for each query; each takes the model some tenths of a second."""
N_SHOWN = 2
LEXICAL_WEIGHT = 3.0


def scoring(model: LanguageModel) -> ScoringModel | None:
    """The model as one that can weigh texts, None when it cannot."""
    return cast(ScoringModel, model) if hasattr(model, "log_likelihood") else None


async def choose(
    model: ScoringModel, found: Found, extractor: Extractor, calls: Calls, job: Job, trace: Trace
) -> tuple[Candidate, ...]:
    """Return the sentences to show, best first for each query; raises ModelError."""
    chosen: list[Candidate] = []
    for query, hits, vector in found.by_query:
        options, similarities = await extractor.options(query, hits, vector, found)
        eligible = compose(query, options, similarities, max_sentences=N_WEIGHED)
        if not eligible:
            continue
        prior = await model.log_likelihood(anything(), query)
        likelihoods = []
        for done, candidate in enumerate(eligible):
            await job.checkpoint(Progress("write", done, len(eligible), "sentences"))
            prompt = about(candidate.text)
            started = trace.clock.monotonic_ms()
            likelihood = await model.log_likelihood(prompt, query)
            likelihoods.append(likelihood)
            _note(trace, calls, prompt, float(np.mean(likelihood)), trace.clock.monotonic_ms() - started)
        lexical = np.array([candidate.lexical for candidate in eligible], np.float32)
        weights = gains(likelihoods, prior) + np.float32(LEXICAL_WEIGHT) * lexical
        order = np.argsort(-weights, kind="stable")[:N_SHOWN]
        chosen += [eligible[i] for i in order.tolist() if eligible[i] not in chosen]
    trace.lap("write")
    return tuple(chosen)


def _note(trace: Trace, calls: Calls, prompt: Prompt, likelihood: float, ms: float) -> None:
    completion = Completion(f"{likelihood:.4f} nats a token", Finish.STOP)
    trace.called("weigh", prompt, completion, n_counted=calls.count(prompt), ms=ms)
