"""A page in a few of its own sentences: the most central ones, in reading order, and one line for a card.

A sentence is central when it is near the middle of what the page says (Radev et al., Centroid-based
summarization, 2004): the cosine of its tf-idf vector and the sum of all of them. Where the page has vectors,
a sentence also counts by how near its chunk is to the mean of the chunks. Beginnings count more, of the page
and of its sections, where writers say what they are about.

    central = CENTROID_WEIGHT · cosine to the tf-idf centroid + CHUNK_WEIGHT · cosine of its chunk to the mean
            + LEAD_WEIGHT · 1 / (1 + place in the page) + SECTION_WEIGHT for the first of its section

Without vectors CHUNK_WEIGHT falls away. Sentences are picked one by one; likeness to one already picked
(Jaccard overlap of terms) takes REDUNDANCY_WEIGHT times as much. Only prose and list items of a readable
length are candidates, unless a page has nothing else. Every line is a span of the page.

The line for a card is the most central sentence of the first LEAD_SENTENCES candidates, cut at a border when
it is long.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from tabwise.core.model import BlockKind, Chunk, ChunkId, Page, Verdict
from tabwise.core.page.sections import PROSE, Unit, sections_of, units_of
from tabwise.core.text.characters import cut_point
from tabwise.core.text.terms import terms

CENTROID_WEIGHT = 1.0
CHUNK_WEIGHT = 0.5
LEAD_WEIGHT = 0.4
SECTION_WEIGHT = 0.1
REDUNDANCY_WEIGHT = 0.7
LEAD_SENTENCES = 5
MIN_WORDS, MAX_WORDS = 5, 50
MAX_HEADLINE_CHARS = 110

_READABLE = PROSE | {BlockKind.ITEM}
_BORDERS = ("; ", " – ", " — ", ": ", ", ")


class SummarizerState(StrEnum):
    """Whether the browser's own summariser can be used."""

    UNAVAILABLE = "unavailable"
    DOWNLOADABLE = "downloadable"
    DOWNLOADING = "downloading"
    AVAILABLE = "available"


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary and the span it rests on: `page.text[start:end]`."""

    text: str
    start: int
    end: int
    verdict: Verdict = Verdict.SUPPORTED


@dataclass(frozen=True, slots=True)
class Summary:
    """What a page says in short.

    content_hash: of the page as it was read. asked: the engine that was wanted, engine: the one that wrote
    it, "extractive" without a model. made_at: ms since the epoch. read_share: of the page's text that was
    read for it, from its beginning; 1.0 for all of it.
    """

    content_hash: str
    asked: str
    engine: str
    headline: SummarySentence
    sentences: tuple[SummarySentence, ...]
    made_at: float
    read_share: float = 1.0

    @property
    def text(self) -> str:
        """Headline and sentences as one text, for searching."""
        return " ".join([self.headline.text, *(sentence.text for sentence in self.sentences)])


@dataclass(frozen=True, slots=True)
class _Candidate:
    unit: Unit
    is_first: bool  # of its section
    vector: Mapping[str, float]


def summarise(
    page: Page,
    idf: Callable[[str], float],
    centralities: Mapping[ChunkId, float],
    chunks: Sequence[Chunk],
) -> Generator[None, None, tuple[SummarySentence, tuple[SummarySentence, ...]]]:
    """Return the line for a card and the sentences of the summary; yields between small steps.

    `centralities`: cosine of each chunk to the mean of the page's chunks, empty without vectors; `chunks` of
    the page by ordinal. A page always has a line; it has no sentences when it has no text.
    """
    units: list[tuple[Unit, bool]] = []
    for one in _units(page):
        units.append(one)
        yield
    candidates: list[_Candidate] = []
    for unit, is_first in _readable(units):
        candidates.append(_candidate(page, unit, is_first, idf))
        yield
    if not candidates:
        return _whole(page), ()
    scores = yield from _scores(candidates, centralities, chunks)
    picked = yield from _pick(candidates, scores, n_sentences(page.n_words))
    lead = max(range(min(LEAD_SENTENCES, len(candidates))), key=lambda i: (scores[i], -i))
    sentences = tuple(_sentence(page, candidates[i].unit) for i in sorted(picked))
    return headline_of(page, candidates[lead].unit.start, candidates[lead].unit.end), sentences


def n_sentences(n_words: int) -> int:
    """How many sentences a page of so many words is told in: 3 to 5."""
    return 3 if n_words < 400 else 4 if n_words < 1500 else 5


def headline_of(page: Page, start: int, end: int) -> SummarySentence:
    """The line for a card from a sentence of the page: cut where it is long, with an ellipsis."""
    text = page.text[start:end]
    if len(text) <= MAX_HEADLINE_CHARS:
        return SummarySentence(text, start, end)
    cut = _shortened(text)
    return SummarySentence(text[:cut] + "…", start, start + cut)


def shortened(text: str) -> str:
    """A text as long as a card's line may be, with an ellipsis where it was cut."""
    return text if len(text) <= MAX_HEADLINE_CHARS else text[: _shortened(text)] + "…"


def centralities(chunks: Sequence[Chunk], vectors: npt.NDArray[np.float32]) -> Mapping[ChunkId, float]:
    """Cosine of each chunk to the mean of all; vectors (n, d) of unit rows in the order of `chunks`."""
    mean = vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    cosines = vectors @ mean / np.float32(length) if length > 0.0 else np.zeros(len(chunks), np.float32)
    return {chunk.id: float(cosine) for chunk, cosine in zip(chunks, cosines, strict=True)}


def _units(page: Page) -> Iterator[tuple[Unit, bool]]:
    """What stays whole, in reading order without headings, and whether it is the first of its section."""
    for section in sections_of(page):
        is_first = True
        for unit in units_of(page.text, section.blocks):
            if unit.kind is not BlockKind.HEADING:
                yield unit, is_first
                is_first = False


def _readable(units: Sequence[tuple[Unit, bool]]) -> Sequence[tuple[Unit, bool]]:
    """Sentences worth showing; whatever there is when none are."""
    return [
        (unit, is_first)
        for unit, is_first in units
        if unit.kind in _READABLE and MIN_WORDS <= unit.n_words <= MAX_WORDS
    ] or units


def _candidate(page: Page, unit: Unit, is_first: bool, idf: Callable[[str], float]) -> _Candidate:
    counts = Counter(terms(page.text[unit.start : unit.end], page.language))
    vector = {term: n * idf(term) for term, n in counts.items()}
    return _Candidate(unit, is_first, vector)


def _scores(
    candidates: Sequence[_Candidate], of_chunks: Mapping[ChunkId, float], chunks: Sequence[Chunk]
) -> Generator[None, None, list[float]]:
    centroid: dict[str, float] = {}
    for candidate in candidates:
        for term, weight in candidate.vector.items():
            centroid[term] = centroid.get(term, 0.0) + weight
        yield
    length = _length(centroid)
    starts = [chunk.start for chunk in chunks]
    scores = []
    for place, candidate in enumerate(candidates):
        product = sum(weight * centroid[term] for term, weight in candidate.vector.items())
        own = _length(candidate.vector) * length
        score = CENTROID_WEIGHT * (product / own if own > 0.0 else 0.0)
        score += LEAD_WEIGHT / (1.0 + place) + SECTION_WEIGHT * candidate.is_first
        at = bisect_right(starts, candidate.unit.start) - 1
        if of_chunks and at >= 0:
            score += CHUNK_WEIGHT * of_chunks.get(chunks[at].id, 0.0)
        scores.append(score)
        yield
    return scores


def _pick(
    candidates: Sequence[_Candidate], scores: Sequence[float], n: int
) -> Generator[None, None, list[int]]:
    """The `n` best that say different things; equal ones by place."""
    picked: list[int] = []
    likeness = [0.0] * len(candidates)
    while len(picked) < min(n, len(candidates)):
        left = [i for i in range(len(candidates)) if i not in picked]
        best = max(left, key=lambda i: (scores[i] - REDUNDANCY_WEIGHT * likeness[i], -i))
        picked.append(best)
        chosen = candidates[best].vector.keys()
        for i, candidate in enumerate(candidates):
            likeness[i] = max(likeness[i], _overlap(candidate.vector.keys(), chosen))
            yield
    return picked


def _overlap(a: KeysView[str], b: KeysView[str]) -> float:
    n_both = len(a & b)
    union = len(a) + len(b) - n_both
    return n_both / union if union else 0.0


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in vector.values()))


def _sentence(page: Page, unit: Unit) -> SummarySentence:
    return SummarySentence(page.text[unit.start : unit.end], unit.start, unit.end)


def _whole(page: Page) -> SummarySentence:
    """The line of a page of headings alone, or of nothing."""
    text = page.text.partition("\n")[0]
    return headline_of(page, 0, len(text))


def _shortened(text: str) -> int:
    """Where a long line is cut: before a border between clauses, else between words."""
    limit = MAX_HEADLINE_CHARS - 1
    for border in _BORDERS:
        at = text.rfind(border, limit // 2, limit)
        if at > 0:
            return at
    at = text.rfind(" ", limit // 2, limit)
    return at if at > 0 else cut_point(text, 0, limit)
