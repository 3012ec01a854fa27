"""The sentence of a chunk that shows best why it was found, with the words that matched."""

import re
from collections.abc import Collection

from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms

_WORD = re.compile(r"\w+(?:[.,:'’-]\w+)*")


def snippet(text: str, query_terms: Collection[str], language: str) -> tuple[str, list[list[int]]]:
    """Return the sentence of `text` with most query terms, the first of equals, and its [start, end] marks.

    Marks are code points of the sentence. Each word counts once however often it stands there.
    """
    best, best_marks, most = "", [], -1
    for start, end in split(text):
        sentence = text[start:end]
        marks, n_found = _marks(sentence, query_terms, language)
        # a heading has no stop; when nothing matches, say something of the text itself
        worth = 2 * n_found + (sentence[-1:] in ".!?:")
        if worth > most:
            best, best_marks, most = sentence, marks, worth
    return best, best_marks


def _marks(sentence: str, query_terms: Collection[str], language: str) -> tuple[list[list[int]], int]:
    marks = []
    found: set[str] = set()
    for word in _WORD.finditer(sentence):
        matched = set(query_terms).intersection(terms(word[0], language))
        if matched:
            marks.append([word.start(), word.end()])
            found |= matched
    return marks, len(found)
