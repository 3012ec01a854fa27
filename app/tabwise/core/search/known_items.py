"""Questions with known answers, made from one's own pages: does the search find what is there?

A known item is a sentence of a chunk; the question is what a reader may remember of it. The rarest word is
left out, since it alone would find the page, and what is kept is one of two in turn:

    keywords   the next MAX_KEYWORDS rarest words, in their order
    cloze      the sentence without that word
    (half      the second half of it, where a script writes no spaces)

Chunks are drawn by lot, and no more of them are looked at than are drawn. A lot is the chunk's id mixed by
the finaliser of SplitMix64 (Steele, Lea & Flood, 2014), so the same pages give the same items. A search has
found the item when a hit covers the sentence, or repeats it on another page.
A citation is at the place of an answer when it lies in the block the answer begins in, a paragraph or an
item of a list.
The figures compare modes on the same pages; they are higher than for questions in a reader's own words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from tabwise.core.model import Chunk, Hit, Page, PageHead, SourceId, chunk_id_prefix
from tabwise.core.search.postings import runs
from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms

MIN_WORDS = 6
MAX_WORDS = 60
MAX_KEYWORDS = 5
_MIN_UNSPACED_CHARS = 16
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
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
    heads: Sequence[PageHead],
    chunk_of: Callable[[SourceId, int], Chunk | None],
    idf: Callable[[str], float],
    *,
    limit: int,
) -> Iterator[KnownItem]:
    """Yield at most `limit` items, at most one a chunk; fewer when sentences are short.

    `chunk_of` gives a page's chunk by its ordinal, None when it is gone.
    """
    chunks = ((head.language, chunk_of(head.source, ordinal)) for head, ordinal in _drawn(heads))
    return islice(_items(((language, chunk) for language, chunk in chunks if chunk), idf), limit)


def rank_of(item: KnownItem, hits: Sequence[Hit]) -> int | None:
    """Return the place, from 1, of the first hit that has the item, None when none does."""
    for rank, hit in enumerate(hits, start=1):
        chunk = hit.chunk
        covers = chunk.source == item.source and chunk.start <= item.start and item.end <= chunk.end
        if covers or item.text in chunk.text:
            return rank
    return None


def is_at_the_place(page: Page, answer_start: int, span: tuple[SourceId, int, int]) -> bool:
    """Whether a cited span (source, start, end) lies in the block of `page` that has `answer_start`."""
    source, start, end = span
    return source == page.source and any(
        block.start <= answer_start < block.end and block.start <= start and end <= block.end
        for block in page.blocks
    )


def _drawn(heads: Sequence[PageHead]) -> Iterator[tuple[PageHead, int]]:
    """Every page and ordinal once, in the order of their lots."""
    counts = np.array([head.n_chunks for head in heads], np.intp)
    pages = np.repeat(np.arange(len(heads), dtype=np.int64), counts)
    ordinals = runs(np.zeros(len(heads), np.int64), counts)
    prefixes = np.array([int(chunk_id_prefix(head.source), 16) for head in heads], np.uint64)
    order = np.argsort(_mixed(prefixes[pages] + ordinals.astype(np.uint64) * _GOLDEN))
    for at in order.tolist():
        yield heads[pages[at]], int(ordinals[at])


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _items(chunks: Iterable[tuple[str, Chunk]], idf: Callable[[str], float]) -> Iterator[KnownItem]:
    n_items = 0
    for language, chunk in chunks:
        sentences = [(start, end) for start, end in split(chunk.text) if _is_usable(chunk.text[start:end])]
        if not sentences:
            continue
        start, end = sentences[int(chunk.content_hash[:8], 16) % len(sentences)]
        text = chunk.text[start:end]
        query = _query(text, language, idf, is_cloze=n_items % 2 == 1)
        yield KnownItem(query, chunk.source, chunk.start + start, chunk.start + end, text)
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
