"""Names in a sentence: runs of capitalised words, as far as capitals tell.

The first word of a sentence is capitalised anyway, so alone it is no name, and neither is a run of stop
words. Names are compared word by word without case and possessive; an acronym is met by the initials of
a name, and a name by its acronym.
"""

import re
from collections.abc import Collection, Sequence

from tabwise.core.text.terms import STOP_WORDS, terms

_WORD = re.compile(r"[^\W\d_][\w’'&-]*(?:\.[^\W\d_][\w’'&-]*)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:;\n]|[.!?]['\"”’»)])\s*[\"'“‘«(\[•*–—-]*\s*$")
_JOINING = frozenset(("of", "the", "de", "von", "van", "der", "den", "la", "du", "da", "di", "and", "&"))


def find_names(text: str) -> list[str]:
    """Return the names of a text in order, as written."""
    runs: list[list[re.Match[str]]] = []
    for match in _WORD.finditer(text):
        if not match.group()[0].isupper():
            continue
        if runs and _joins(text[runs[-1][-1].end() : match.start()]):
            runs[-1].append(match)
        else:
            runs.append([match])
    names = []
    for run in runs:
        words = _trimmed(text, run)
        if words:
            names.append(text[words[0].start() : words[-1].end()])
    return names


def words_of(text: str) -> list[str]:
    """Return the words of a text without case and possessive."""
    return [_plain(match.group()) for match in _WORD.finditer(text)]


def name_is_in(name: str, source_names: Sequence[str], source_words: Collection[str]) -> bool:
    """Whether every word of the name is among the words, or the name is an acronym, or has one, there."""
    words = [word for word in words_of(name) if word not in _JOINING]
    if all(_word_is_in(word, source_words) for word in words):
        return True
    if len(words) > 1:
        return "".join(word[0] for word in words).upper() in source_names
    return name.isupper() and any(_initials(other) == name.lower() for other in source_names)


def has_other_name(source_sentence: str, sentence: str) -> bool:
    """Whether the source sentence has a name of which the sentence has no word."""
    words = set(words_of(sentence))
    return any(words.isdisjoint(words_of(name)) for name in find_names(source_sentence))


def _joins(gap: str) -> bool:
    words = gap.split()
    return gap.strip() == gap.strip(" ") and len(words) <= 2 and all(word in _JOINING for word in words)


def _trimmed(text: str, run: list[re.Match[str]]) -> list[re.Match[str]]:
    words = list(run)
    while words and _is_stop_word(words[0].group()):
        words.pop(0)
    while words and _is_stop_word(words[-1].group()):
        words.pop()
    if not words or _SENTENCE_START.search(text[: words[0].start()]) is None:
        return [word for word in words if len(word.group()) > 1 or len(words) > 1]
    # A first word is part of a name only when the next one follows at once, or when it is an acronym.
    first = words[0].group()
    is_name = (len(first) > 1 and first.isupper()) or (
        len(words) > 1 and not text[words[0].end() : words[1].start()].strip()
    )
    return words if is_name else words[1:]


def _is_stop_word(word: str) -> bool:
    # US, IT and WHO are names; I is not.
    return word.lower() in STOP_WORDS and (len(word) == 1 or not word.isupper())


def _word_is_in(word: str, source_words: Collection[str]) -> bool:
    if word in source_words:
        return True
    parts = [part for part in re.split(r"[-’']", word) if part]
    if len(parts) > 1 and all(part in source_words for part in parts):
        return True
    stems = set(terms(word))
    return bool(stems) and any(stems == set(terms(other)) for other in source_words if other[0] == word[0])


def _plain(word: str) -> str:
    return re.sub(r"[’']s?$", "", word).lower()


def _initials(name: str) -> str:
    return "".join(word[0] for word in words_of(name) if word not in _JOINING)
