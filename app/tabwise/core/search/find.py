"""Find as you type: pages by their title, address and text, before the question is finished.

Each finished word stands for its term; the last word, unless a space follows, for every term it may become
(`vocabulary`); a word nothing begins with for the terms one slip away. The terms of one word count as one
term, each occurrence by how sure it is (as Lucene's synonym query):

    tf(word, d) = Σ sureness(t) · tf(t, d)          idf from the documents that have any of them
    score(page) = words found + s / (1 + s),        s = TITLE_WEIGHT · title + best chunk, both by BM25

so a page with all words comes before one with some. With a vector, pages that are near in meaning follow,
best first, down to MIN_COSINE.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Chunk, SourceId
from tabwise.core.search.bm25 import BM25Index
from tabwise.core.search.postings import Postings
from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.vocabulary import Vocabulary

TITLE_WEIGHT = 3.0
MIN_COSINE = 0.3
COMPLETED, FORGIVEN = 0.8, 0.5
"""How sure a completion and a slip are; the word as typed is 1."""
MAX_WORDS = 16
MAX_FOUND = 50

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that was found; `chunk` is the one to quote from, None when only title or address matched.

    `by_meaning`: no word of it was found. `score` orders pages of one kind.
    """

    source: SourceId
    score: float
    by_meaning: bool
    chunk: Chunk | None


def read_words(text: str, languages: Sequence[str], vocabulary: Vocabulary) -> list[Mapping[str, float]]:
    """Return for each word of a text, at most MAX_WORDS, the terms it may stand for and how sure each is.

    `languages` are those whose stems may have been stored. A word of which nothing is known stands for
    nothing and counts as not found.
    """
    words = [match.group() for match in _WORD.finditer(text)][:MAX_WORDS]
    is_open = not text[-1:].isspace()
    found: list[Mapping[str, float]] = []
    for i, word in enumerate(words):
        own = list(dict.fromkeys(term for language in languages for term in terms(word, language)))
        is_last = is_open and i == len(words) - 1
        if not own and not is_last:
            continue  # a stop word
        sure = dict.fromkeys(own, 1.0)
        for term in [word.casefold(), *own] if is_last else own:
            for completion in vocabulary.completions(term) if is_last else ():
                sure.setdefault(completion, COMPLETED)
        if not any(term in vocabulary for term in sure):
            for term in own:
                sure |= dict.fromkeys(vocabulary.near(term), FORGIVEN)
        found.append(sure)
    return found


def excerpt(text: str, passage: str) -> tuple[int, int]:
    """Return start and end of the sentence of a passage with most words of `text`, the first of equals."""
    wanted = [match.group().casefold() for match in _WORD.finditer(text)]
    spans = split(passage) or [(0, len(passage))]
    return max(
        spans, key=lambda span: (sum(word in passage[slice(*span)].casefold() for word in wanted), -span[0])
    )


@dataclass(frozen=True, slots=True)
class Match:
    """A page that was found, with the slot of its best chunk, None when only title or address matched."""

    source: SourceId
    score: float
    by_meaning: bool
    slot: int | None


class PageFinder:
    """Titles and addresses of the pages, and every term of the library.

    Pages are numbered in the order they were added; a number is never given again.
    """

    def __init__(self) -> None:
        self._titles = BM25Index()  # a document a page: its slot is its number
        self._sources: list[SourceId] = []
        self._vocabulary = Vocabulary()

    def add(self, sources: Sequence[SourceId], titles: Postings, of_texts: Iterable[str]) -> None:
        """Take pages in under the next numbers; `of_texts` are the new terms of their chunks."""
        n_known = self._titles.n_terms
        self._titles.put([(source, 1) for source in sources], titles)
        self._sources.extend(sources)
        self._vocabulary.add(self._titles.newest_terms(self._titles.n_terms - n_known))
        self._vocabulary.add(of_texts)

    def remove(self, source: SourceId) -> None:
        """Take a page out. Raises KeyError."""
        self._titles.remove(source)

    def forget_terms_but(self, of_texts: Iterable[str]) -> None:
        """Keep `of_texts` and the terms of titles and addresses."""
        self._vocabulary = Vocabulary([*of_texts, *self._titles.vocabulary()])

    def by_words(
        self, text: str, languages: Sequence[str], chunks: BM25Index, numbers: npt.NDArray[np.int32]
    ) -> list[Match]:
        """Return the pages with a word of the text, best first; `numbers` (n_slots,): page of each slot."""
        words = read_words(text, languages, self._vocabulary)
        if not words:
            return []
        titles = np.stack([self._titles.scores_of_any(word) for word in words])
        by_chunk = np.stack([chunks.scores_of_any(word) for word in words])
        bodies = np.zeros_like(titles)
        for of_pages, of_chunks in zip(bodies, by_chunk, strict=True):
            found = np.flatnonzero(of_chunks)
            np.maximum.at(of_pages, numbers[found], of_chunks[found])
        n_found = np.count_nonzero((titles > 0.0) | (bodies > 0.0), axis=0).astype(np.float32)
        strength = TITLE_WEIGHT * titles.sum(axis=0) + bodies.sum(axis=0)
        scores = np.asarray(n_found + strength / (1.0 + strength), np.float32)
        return self._best(scores, by_chunk.sum(axis=0), chunks.slots, floor=0.0, by_meaning=False)

    def by_meaning(
        self, cosines: npt.NDArray[np.float32], chunks: BM25Index, numbers: npt.NDArray[np.int32]
    ) -> list[Match]:
        """Return the pages with a chunk at MIN_COSINE or nearer, nearest first; cosines (n_slots,)."""
        scores = np.zeros(len(self._sources), np.float32)
        near = np.flatnonzero(cosines > MIN_COSINE)
        np.maximum.at(scores, numbers[near], cosines[near])
        return self._best(scores, cosines, chunks.slots, floor=MIN_COSINE, by_meaning=True)

    def _best(
        self,
        scores: npt.NDArray[np.float32],
        of_chunks: npt.NDArray[np.float32],
        slots_of: Callable[[str], range],
        *,
        floor: float,
        by_meaning: bool,
    ) -> list[Match]:
        found = np.flatnonzero(scores > floor)
        found = found[np.argsort(-scores[found], kind="stable")][:MAX_FOUND]
        matches = []
        for number in found.tolist():
            slots = slots_of(self._sources[number])
            of_page = of_chunks[slots.start : slots.stop]
            best = int(of_page.argmax()) if len(slots) else 0
            slot = slots[best] if len(slots) and of_page[best] > 0.0 else None
            matches.append(Match(self._sources[number], float(scores[number]), by_meaning, slot))
        return sorted(matches, key=lambda match: (-match.score, match.source))
