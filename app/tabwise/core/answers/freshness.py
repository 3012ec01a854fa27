"""Does a cited passage still stand on its page? Unchanged, moved, reworded or gone, with the difference.

    unchanged   the words stand there, with the same text before or after them
    moved       the words stand there, between other text
    reworded    the sentence nearest in words shares MIN_LIKENESS of them with the passage
    gone        none does

Typographic quotes, dashes and white space are not differences (`quotes.fold`). The likeness is
2 · common words / words of both, in order (Ratcliff & Obershelp, 1988, as difflib has it).
"""

import re
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from tabwise.core.text.sentences import split
from tabwise.core.verdicts.quotes import fold

MIN_LIKENESS = 0.5
N_COMPARED = 12
"""Sentences compared word by word, those with most words in common."""
_NEAR_CHARS = 24
_LOOSE = {
    r"\ ": r"\s+",
    '"': '[“”„‟«»"]',
    "'": "[‘’‚‛‹›']",
    r"\-": "[‐‑‒–—―−-]",
}
_PIECE = re.compile(r"\w+|[^\w\s]|\s+")


class State(StrEnum):
    """What became of a passage."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    REWORDED = "reworded"
    GONE = "gone"


class Edit(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Freshness:
    """What became of a passage: where it stands now, and old text against new in pieces.

    `start` and `end` are positions in the text now, both 0 when it is gone. The pieces that are not ADDED,
    joined, are the old passage; those that are not REMOVED are the new one.
    """

    state: State
    start: int
    end: int
    difference: tuple[tuple[Edit, str], ...]


def compare(quote: str, before: str, after: str, text: str) -> Generator[None, None, Freshness]:
    """Look for a quote, with some text that stood before and after it, in the text of its page now.

    Yields every few milliseconds: a page may be a book.
    """
    places = _places(quote, text)
    yield
    if places:
        n_same = [_n_neighbours(start, end, before, after, text) for start, end in places]
        best = max(range(len(places)), key=lambda i: (n_same[i], -i))
        start, end = places[best]
        return Freshness(State.UNCHANGED if n_same[best] else State.MOVED, start, end, ((Edit.SAME, quote),))
    nearest = yield from _nearest(quote, text)
    if nearest is None:
        return Freshness(State.GONE, 0, 0, ((Edit.REMOVED, quote),))
    start, end = nearest
    return Freshness(State.REWORDED, start, end, difference(quote, text[start:end]))


def difference(old: str, new: str) -> tuple[tuple[Edit, str], ...]:
    """Return old against new text in pieces of words, removed before added."""
    a, b = _PIECE.findall(old), _PIECE.findall(new)
    pieces: list[tuple[Edit, str]] = []
    for tag, a_start, a_end, b_start, b_end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append((Edit.SAME, "".join(a[a_start:a_end])))
            continue
        for edit, words in ((Edit.REMOVED, a[a_start:a_end]), (Edit.ADDED, b[b_start:b_end])):
            if words:
                pieces.append((edit, "".join(words)))
    return tuple(pieces)


def _places(quote: str, text: str) -> list[tuple[int, int]]:
    """Where a quote stands in a text, white space and typography aside."""
    words = [re.escape(char) for char in fold(quote)]
    if not words:
        return []
    pattern = "".join(_LOOSE.get(char, char) for char in words)
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _n_neighbours(start: int, end: int, before: str, after: str, text: str) -> int:
    """On how many sides the text next to a place is what it was; a border of the page is a side too."""
    was_before, was_after = fold(before)[-_NEAR_CHARS:], fold(after)[:_NEAR_CHARS]
    now_before = fold(text[max(0, start - 3 * _NEAR_CHARS) : start])
    now_after = fold(text[end : end + 3 * _NEAR_CHARS])
    same_before = now_before.endswith(was_before) if was_before else not now_before
    same_after = now_after.startswith(was_after) if was_after else not now_after
    return same_before + same_after


def _nearest(quote: str, text: str) -> Generator[None, None, tuple[int, int] | None]:
    """The run of as many sentences as the quote has that is most like it, if any is alike enough."""
    wanted, own, n_sentences = _bag(quote), _words(quote), max(len(split(quote)), 1)
    spans: list[tuple[int, int]] = []
    offset = 0
    for line in text.split("\n"):
        spans += [(offset + start, offset + end) for start, end in split(line)]
        offset += len(line) + 1
        yield
    runs = [(spans[i][0], spans[i + n_sentences - 1][1]) for i in range(max(len(spans) - n_sentences + 1, 0))]
    common = []
    for start, end in runs:
        common.append(sum((_bag(text[start:end]) & wanted).values()))
        yield
    nearest = sorted(range(len(runs)), key=lambda i: (-common[i], i))[:N_COMPARED]
    likeness = {}
    for i in nearest:
        likeness[i] = SequenceMatcher(None, own, _words(text[slice(*runs[i])]), autojunk=False).ratio()
        yield
    best = max(likeness, key=lambda i: likeness[i], default=None)
    return runs[best] if best is not None and likeness[best] >= MIN_LIKENESS else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _bag(text: str) -> Counter[str]:
    return Counter(_words(text))
