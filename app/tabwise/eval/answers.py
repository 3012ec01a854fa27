"""The answer run: is the known answer shown, and does what is cited bear out what is said?

The whole path of the product but capture: chunks along the page, the index, the engine's own limits. Answers
are made of sentences of the pages (`extractive`) or written by a language model from the same passages
(`written`), whose sentences are then cited and judged as the product does.

    hit          a shown sentence says the known answer and cites a span that holds it where it is known
    first        the first one does
    borne out    share of the citations that the sentence citing them is supported by
    at the place share of the citations that lie in the paragraph of the known answer
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.cited import parse
from tabwise.core.answers.extract import Candidate, candidates, compose
from tabwise.core.answers.model_text import visible
from tabwise.core.answers.prompts import Source, answer_prompt, is_declined, source_text
from tabwise.core.answers.support import find_support
from tabwise.core.chat import Prompt
from tabwise.core.model import Hit, Page, SourceId, Verdict
from tabwise.core.search.index import SearchIndex
from tabwise.core.search.known_items import is_at_the_place
from tabwise.core.verdicts.quotes import fold
from tabwise.core.verdicts.verify import judge
from tabwise.engine.asking import MAX_SENTENCES, N_CANDIDATES, N_HITS
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.indexing import CountTokens, index_pages
from tabwise.eval.xquad import AnsweredQuestion
from tabwise.ports import LanguageModel

MAX_OUTPUT_TOKENS = 256
Span = tuple[SourceId, int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence of an answer with the spans it cites and its verdict."""

    text: str
    cited: tuple[Span, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """Shares over questions or citations, 0–1; means over the questions; median time, embedding excluded."""

    n_questions: int
    hit_rate: float
    first_rate: float
    answered_rate: float
    mean_sentences: float
    borne_out_rate: float
    at_the_place_rate: float
    median_ms: float


class _Clock:
    """Time that passed but for what is told to be left out."""

    def __init__(self) -> None:
        self._since = perf_counter()
        self._left_out = 0.0

    def left_out(self, embed: Embed) -> Embed:
        def timed(texts: Sequence[str]) -> np.ndarray:
            began = perf_counter()
            rows = embed(texts)
            self._left_out += perf_counter() - began
            return rows

        return timed

    @property
    def ms(self) -> float:
        return 1_000.0 * (perf_counter() - self._since - self._left_out)


Answerer = Callable[[str, SearchIndex, Embed | None], tuple[Shown, ...]]


def run_answers(
    pages: Sequence[Page],
    questions: Sequence[AnsweredQuestion],
    *,
    count_tokens: CountTokens,
    embed: Embed | None,
    answer: Answerer | None = None,
) -> AnswerRow:
    """Index the pages, answer every question, and count; without `embed` by words alone.

    `answer` is `extractive` unless given. Raises ValueError without questions.
    """
    if not questions:
        raise ValueError("no questions")
    index = index_pages(pages, count_tokens, embed)
    by_source = {page.source: page for page in pages}
    answers: list[tuple[Shown, ...]] = []
    times: list[float] = []
    for question in questions:
        clock = _Clock()
        timed = clock.left_out(embed) if embed is not None else None
        answers.append((answer or extractive)(question.text, index, timed))
        times.append(clock.ms)
    pairs = list(zip(questions, answers, strict=True))
    cited = [
        (question, one.verdict, span) for question, shown in pairs for one in shown for span in one.cited
    ]
    return AnswerRow(
        n_questions=len(questions),
        hit_rate=float(np.mean([_is_hit(q, shown, by_source) for q, shown in pairs])),
        first_rate=float(np.mean([_is_hit(q, shown[:1], by_source) for q, shown in pairs])),
        answered_rate=float(np.mean([bool(shown) for shown in answers])),
        mean_sentences=float(np.mean([len(shown) for shown in answers])),
        borne_out_rate=_share([verdict is Verdict.SUPPORTED for _, verdict, _ in cited]),
        at_the_place_rate=_share(
            [q.source in by_source and is_at_the_place(by_source[q.source], q.start, s) for q, _, s in cited]
        ),
        median_ms=float(np.median(times)),
    )


def extractive(question: str, index: SearchIndex, embed: Embed | None) -> tuple[Shown, ...]:
    """The sentences of the pages that answer best, each cited by itself."""
    options, similarities, pages = sentences_of(question, index, embed)
    return as_shown(compose(question, options, similarities, max_sentences=MAX_SENTENCES), pages)


def sentences_of(
    question: str, index: SearchIndex, embed: Embed | None
) -> tuple[tuple[Candidate, ...], npt.NDArray[np.float32] | None, Mapping[SourceId, Page]]:
    """Sentences that may answer, their similarity to the question (None without a model), and their pages."""
    hits, pages, vector = retrieve(question, index, embed)
    options = candidates(question, hits, pages, index.idf, limit=N_CANDIDATES)
    if embed is None or vector is None or not options:
        return options, None, pages
    similarities = np.asarray(embed([option.text for option in options]) @ vector, np.float32)
    return options, similarities, pages


def as_shown(chosen: Sequence[Candidate], pages: Mapping[SourceId, Page]) -> tuple[Shown, ...]:
    """Sentences as the answer shows them, each cited by itself."""
    return tuple(
        Shown(
            one.text,
            ((one.source, one.start, one.end),),
            judge(one.text, [pages[one.source].text[one.start : one.end]]).verdict,
        )
        for one in chosen
    )


def written(model: LanguageModel, language: str) -> Answerer:
    """Answers of a language model from the passages found, its sentences cited by their smallest spans."""

    def answer(question: str, index: SearchIndex, embed: Embed | None) -> tuple[Shown, ...]:
        hits, pages, _ = retrieve(question, index, embed)
        key = secrets.token_hex(6)
        prompt = _prompt(question, language, hits, pages, key)
        done = asyncio.run(model.complete(prompt, on_text=lambda text: None))
        text = visible(done.text, is_whole=True)
        if is_declined(text):
            return ()
        return tuple(_checked(said.text, said.numbers, hits, pages) for said in parse(text))

    return answer


def _prompt(
    question: str, language: str, hits: Sequence[Hit], pages: dict[SourceId, Page], key: str
) -> Prompt:
    sources = [
        Source(number, pages[hit.chunk.source].title, hit.chunk.heading_path, _text(hit, pages))
        for number, hit in enumerate(hits, 1)
    ]
    return answer_prompt(
        question=question,
        language=language,
        sources=[source_text(source, key) for source in sources],
        turns=(),
        key=key,
        max_output_tokens=MAX_OUTPUT_TOKENS,
        pages=list(pages),
    )


def _checked(text: str, numbers: Sequence[int], hits: Sequence[Hit], pages: dict[SourceId, Page]) -> Shown:
    cited: list[Span] = []
    for number in numbers:
        if not 1 <= number <= len(hits):
            continue
        chunk = hits[number - 1].chunk
        search = find_support(text, pages[chunk.source], chunk.start, chunk.end)
        try:
            while True:
                next(search)
        except StopIteration as end:
            if end.value is not None:
                cited.append((end.value.source, end.value.start, end.value.end))
    quotes = [pages[source].text[start:end] for source, start, end in cited]
    return Shown(text, tuple(cited), judge(text, quotes).verdict)


def retrieve(
    question: str, index: SearchIndex, embed: Embed | None
) -> tuple[Sequence[Hit], dict[SourceId, Page], np.ndarray | None]:
    vector = embed([question])[0] if embed is not None else None
    hits = index.search(question, vector, k=N_HITS)
    pages = {hit.chunk.source: page for hit in hits if (page := index.page(hit.chunk.source)) is not None}
    return hits, pages, vector


def _text(hit: Hit, pages: dict[SourceId, Page]) -> str:
    return pages[hit.chunk.source].text[hit.chunk.start : hit.chunk.end]


def _is_hit(question: AnsweredQuestion, shown: Sequence[Shown], pages: dict[SourceId, Page]) -> bool:
    if question.source not in pages:
        return False
    wanted = fold(pages[question.source].text[question.start : question.end])
    return any(
        wanted in fold(one.text)
        and any(s == question.source and a <= question.start and question.end <= b for s, a, b in one.cited)
        for one in shown
    )


def _share(values: Sequence[bool]) -> float:
    """Share of the true ones, 0 without values."""
    return sum(values) / len(values) if values else 0.0
