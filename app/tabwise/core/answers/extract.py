"""The answer without a model: the sentences of the found chunks that answer best, cited by construction.

Two phases, so that the engine can embed in between:

    candidates(question, hits, …)                   sentences with a lexical score, best first
    compose(question, candidates, similarities, …)  the few to show

A candidate is an exact span of its page: a sentence of prose, a whole table row, the lines of a code
block that lie in the chunk. Headings are no answers. A span is taken once however many chunks share it,
and so is a text that several pages repeat.

    coverage   idf-weighted share of the question's terms in the sentence; a term that only the title, the
               headings or the sentence before it has counts CONTEXT_SHARE
    cue        1 when the question asks for a number, a date, a person or a place and the sentence has one
               that the question did not name
    lexical  = (coverage + CUE_WEIGHT · cue + HIT_WEIGHT · score of the hit / best hit) / their sum

With cosine similarities of question and sentence, the final score is SIMILARITY_WEIGHT · cosine +
(1 − SIMILARITY_WEIGHT) · lexical. Sentences are then picked by maximal marginal relevance (Carbonell &
Goldstein, 1998) with the overlap of their terms as likeness; terms of the question that no sentence yet
has speak for one, so that both halves of a double question are answered (79 instead of 75 % of the
answers to two questions put in one). The best one is shown first, then the others, those of its page in
reading order before those of other pages.
Nothing is shown below MIN_SCORE (MIN_LEXICAL_SCORE without similarities), nor below RELATIVE_FLOOR of
the best.

Measured on XQuAD (48 articles as pages, 1,190 questions): the gold answer lies inside one of at most three
shown sentences, 2.3 on average, for 95 % of the questions with MiniLM and 93 % without, in the half the
weights were not chosen on (90 and 88 % in the other). The floors keep an answer for 98.7 and 98 % of the
questions the pages answer, and turn away 86 and 62 % of those that other articles answer, nearly all of
those from another field. The gap is the price: without the floors 1 and 2 % more would be answered.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.answers.cues import Cues
from tabwise.core.model import Block, BlockKind, Chunk, ChunkId, Hit, Page, SourceId
from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms

CONTEXT_SHARE = 0.5
CUE_WEIGHT = 0.15
HIT_WEIGHT = 0.4
SIMILARITY_WEIGHT = 0.45
DIVERSITY_WEIGHT = 0.15
NOVELTY_WEIGHT = 0.2
RELATIVE_FLOOR = 0.6
MIN_SCORE = 0.41
MIN_LEXICAL_SCORE = 0.43
NEAR_DUPLICATE = 0.9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span of a page that may answer: text is `page.text[start:end]`.

    `lexical` (0–1) is the score the module describes; `term_set` its distinct terms in the page's language.
    """

    source: SourceId
    chunk_id: ChunkId
    start: int
    end: int
    text: str
    lexical: float
    language: str
    term_set: frozenset[str]


def candidates(
    question: str,
    hits: Sequence[Hit],
    pages: Mapping[SourceId, Page],
    idf: Callable[[str], float],
    limit: int,
) -> tuple[Candidate, ...]:
    """Return at most `limit` spans of the hits' chunks, best first, ties by hit, then position.

    `hits` best first; `pages` holds the page of every hit; `idf` > 0 for any term.
    Spans that share nothing with the question are kept too: similarity may tell better.
    """
    best_hit = max((hit.score for hit in hits), default=0.0)
    cues = Cues.of(question)
    found: list[Candidate] = []
    for hit in hits:
        page = pages[hit.chunk.source]
        weights = {term: idf(term) for term in terms(question, page.language)}
        total = sum(weights.values())
        background = _term_set(" ".join([page.title, *hit.chunk.heading_path]), page)
        hit_share = hit.score / best_hit if best_hit > 0.0 else 0.0
        for start, end, before in _units(page, hit.chunk):
            text = page.text[start:end]
            own = _term_set(text, page)
            context = (background | _term_set(before, page)) - own
            covered = sum(
                weight * (1.0 if term in own else CONTEXT_SHARE if term in context else 0.0)
                for term, weight in weights.items()
            )
            coverage = covered / total if total > 0.0 else 0.0
            points = coverage + CUE_WEIGHT * cues.answered_by(text) + HIT_WEIGHT * hit_share
            lexical = points / (1.0 + CUE_WEIGHT + HIT_WEIGHT)
            found.append(Candidate(page.source, hit.chunk.id, start, end, text, lexical, page.language, own))
    found.sort(key=lambda candidate: -candidate.lexical)
    return tuple(_distinct(found, limit))


def compose(
    question: str,
    candidates: Sequence[Candidate],
    similarities: npt.NDArray[np.float32] | None,
    max_sentences: int = 3,
) -> tuple[Candidate, ...]:
    """Return the candidates to show: the best first, then by source, in reading order within each.

    `similarities` (n,) float32: cosine of the question and each candidate, None without a model.
    Empty when no candidate is good enough.
    """
    scores = _scores(candidates, similarities)
    floor = MIN_LEXICAL_SCORE if similarities is None else MIN_SCORE
    best = max(scores, default=0.0)
    eligible = [i for i, score in enumerate(scores) if score >= max(floor, RELATIVE_FLOOR * best)]
    picked = _pick(question, candidates, scores, eligible, max_sentences)
    source_ranks: dict[SourceId, int] = {}
    for i in sorted(picked, key=lambda i: (-scores[i], i)):
        source_ranks.setdefault(candidates[i].source, len(source_ranks))
    first, rest = picked[:1], picked[1:]
    rest.sort(key=lambda i: (source_ranks[candidates[i].source], candidates[i].start))
    return tuple(candidates[i] for i in first + rest)


def _pick(
    question: str, candidates: Sequence[Candidate], scores: Sequence[float], eligible: Sequence[int], n: int
) -> list[int]:
    """At most `n` of the eligible, the best first, then those that add most to what is picked."""
    asked = [candidate.term_set.intersection(terms(question, candidate.language)) for candidate in candidates]
    n_asked = max(1, len(frozenset().union(*asked)))
    left = sorted(eligible, key=lambda i: (-scores[i], i))
    picked = left[: min(n, 1)]
    while len(picked) < min(n, len(left)):
        covered = frozenset().union(*(asked[i] for i in picked))
        value = {
            i: (1.0 - DIVERSITY_WEIGHT) * scores[i]
            - DIVERSITY_WEIGHT * max(_overlap(candidates[i].term_set, candidates[j].term_set) for j in picked)
            + NOVELTY_WEIGHT * len(asked[i] - covered) / n_asked
            for i in left
            if i not in picked
        }
        picked.append(max(value, key=lambda i: (value[i], -i)))
    return picked


def _scores(candidates: Sequence[Candidate], similarities: npt.NDArray[np.float32] | None) -> list[float]:
    lexical = [candidate.lexical for candidate in candidates]
    if similarities is None:
        return lexical
    if len(similarities) != len(candidates):
        raise ValueError(f"{len(similarities)} similarities for {len(candidates)} candidates")
    return [
        SIMILARITY_WEIGHT * float(cosine) + (1.0 - SIMILARITY_WEIGHT) * score
        for cosine, score in zip(similarities, lexical, strict=True)
    ]


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard similarity of two term sets, 0 when both are empty."""
    union = len(a | b)
    return len(a & b) / union if union else 0.0


def _distinct(ordered: Sequence[Candidate], limit: int) -> Iterator[Candidate]:
    kept: list[Candidate] = []
    for candidate in ordered:
        if len(kept) == limit:
            return
        if any(_is_repeat(candidate, other) for other in kept):
            continue
        kept.append(candidate)
        yield candidate


def _is_repeat(a: Candidate, b: Candidate) -> bool:
    if a.source == b.source and a.start < b.end and b.start < a.end:
        return True
    return a.text == b.text or _overlap(a.term_set, b.term_set) >= NEAR_DUPLICATE


def _term_set(text: str, page: Page) -> frozenset[str]:
    return frozenset(terms(text, page.language))


def _units(page: Page, chunk: Chunk) -> Iterator[tuple[int, int, str]]:
    """Spans of a chunk that can be shown alone, each with the sentence before it in the same block."""
    first = bisect_right(page.blocks, chunk.start, key=lambda block: block.end)
    for block in page.blocks[first:]:
        if block.start >= chunk.end:
            return
        if block.kind is BlockKind.HEADING:
            continue
        before = ""
        for start, end in _spans(page.text, block):
            start, end = max(start, chunk.start), min(end, chunk.end)
            if start < end:
                yield start, end, before
                before = page.text[start:end]


def _spans(text: str, block: Block) -> list[tuple[int, int]]:
    if block.kind in (BlockKind.ROW, BlockKind.CODE):
        return [(block.start, block.end)]
    return [(block.start + start, block.start + end) for start, end in split(text[block.start : block.end])]
