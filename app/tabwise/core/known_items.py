"""Questions with known answers, made from one's own pages: does the search find what is there?

A known item is a sentence of a chunk; the question is what a reader may remember of it. The rarest word is
left out, since it alone would find the page, and what is kept is one of two in turn:

    keywords   the next MAX_KEYWORDS rarest words, in their order
    cloze      the sentence without that word
    (half      the second half of it, where a script writes no spaces)

Chunks are taken by the order of their content hash, which is as good as drawn by lot and the same for the
same pages. A search has found the item when a hit covers the sentence, or repeats it on another page.
The figures compare modes on the same pages; they are higher than for questions in a reader's own words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tabwise.core.model import Chunk, Hit, Page, SourceId
from tabwise.core.sentences import split
from tabwise.core.terms import terms

MIN_WORDS = 6
MAX_WORDS = 60
MAX_KEYWORDS = 5
_MIN_UNSPACED_CHARS = 16
_WORD = re.compile(r"\w+(?:[.\-'’]\w+)*")


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query and the span of `source` it was made from."""

    query: str
    source: SourceId
    start: int
    end: int
    text: str


def known_items(
    chunked: Iterable[tuple[Page, Sequence[Chunk]]], idf: Callable[[str], float], *, limit: int
) -> list[KnownItem]:
    """Return at most `limit` items, at most one a chunk; fewer when sentences are short."""
    drawn = sorted(
        ((chunk.content_hash, chunk.id, page, chunk) for page, chunks in chunked for chunk in chunks),
        key=lambda row: row[:2],
    )
    return list(islice(_items(((page, chunk) for _, _, page, chunk in drawn), idf), limit))


def rank_of(item: KnownItem, hits: Sequence[Hit]) -> int | None:
    """Return the place, from 1, of the first hit that has the item, None when none does."""
    for rank, hit in enumerate(hits, start=1):
        chunk = hit.chunk
        covers = chunk.source == item.source and chunk.start <= item.start and item.end <= chunk.end
        if covers or item.text in chunk.text:
            return rank
    return None


def _items(chunks: Iterable[tuple[Page, Chunk]], idf: Callable[[str], float]) -> Iterator[KnownItem]:
    n_items = 0
    for page, chunk in chunks:
        sentences = [(start, end) for start, end in split(chunk.text) if _is_usable(chunk.text[start:end])]
        if not sentences:
            continue
        start, end = sentences[int(chunk.content_hash[:8], 16) % len(sentences)]
        text = chunk.text[start:end]
        query = _query(text, page.language, idf, is_cloze=n_items % 2 == 1)
        yield KnownItem(query, page.source, chunk.start + start, chunk.start + end, text)
        n_items += 1


def _is_usable(sentence: str) -> bool:
    n_words = len(_WORD.findall(sentence))
    return MIN_WORDS <= n_words <= MAX_WORDS or _is_unspaced(sentence)


def _is_unspaced(sentence: str) -> bool:
    return len(sentence) >= _MIN_UNSPACED_CHARS * max(1, len(sentence.split()))


def _query(sentence: str, language: str, idf: Callable[[str], float], *, is_cloze: bool) -> str:
    if _is_unspaced(sentence):
        return sentence[len(sentence) // 2 :]
    words = [(match.start(), match.group()) for match in _WORD.finditer(sentence)]
    rarity = {word: max(map(idf, terms(word, language)), default=0.0) for _, word in words}
    by_rarity = sorted(words, key=lambda word: (-rarity[word[1]], word[0]))
    left_out = by_rarity[0][1]
    if is_cloze:
        return " ".join(word for _, word in words if word != left_out)
    kept = dict.fromkeys(word for _, word in by_rarity if word != left_out and rarity[word] > 0.0)
    chosen = set(islice(kept, MAX_KEYWORDS))
    return " ".join(dict.fromkeys(word for _, word in words if word in chosen))
