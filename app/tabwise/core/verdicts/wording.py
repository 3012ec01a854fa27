"""A sentence read word by word beside the one it was made from.

Words with their terms are what the finer rules work on: order and neighbourhood are lost in a set. Where a
sentence repeats most of a source sentence in order, each place where it does not is a change someone made:

    source     Geordie before becoming the lead vocalist of AC/DC
    sentence   AC/DC before becoming the lead vocalist of Geordie
    changed    AC/DC for Geordie, Geordie for AC/DC

A word left out is shortening, and so is a word moved from one place to another; a word put in the place of
another is a change, though the text may have it elsewhere. A negation put in or taken out, alone or with
little words, turns the sentence around.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from tabwise.core.text.terms import terms
from tabwise.core.verdicts.facts import Facts
from tabwise.core.verdicts.negation import is_negation

MIN_KEPT_SHARE = 0.7
MIN_KEPT_WORDS = 5
MIN_MERGED_WORDS = 3

_REFERRING_TEXT = """
it he she they this that these those its his her their them him here there
es er sie ihn ihm ihr ihre ihren seine dies dort hier il elle ils elles lui leur ce cela cette y ici là
él ella ello ellos ellas le lo su sus esto aquí allí он она оно они его её их это там здесь
"""
_REFERRING = frozenset(_REFERRING_TEXT.split())
_WORD = re.compile(r"[^\W_]+(?:[.,'’:/–-][^\W_]+)*")

Same = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text; `term` is "" where it carries none (a stop word, a single letter)."""

    start: int
    end: int
    text: str
    term: str


@lru_cache(maxsize=512)
def words_in(text: str, language: str) -> tuple[Word, ...]:
    """Return the words of a text in order but its numbers and dates; a compound has its own term."""
    found = []
    for match in _WORD.finditer(Facts.of(text).remainder):
        of_word = terms(match.group(), language)
        found.append(
            Word(match.start(), match.end(), match.group().lower(), max(of_word, key=len, default=""))
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a sentence has in the place of something else, and whether a negation came or went."""

    words: tuple[Word, ...]
    is_turned: bool


NO_CHANGES = Changes((), False)


def find_changes(
    sentence: Sequence[Word],
    source: Sequence[Word],
    elsewhere: Sequence[Sequence[Word]],
    *,
    light: Collection[str],
    language: str,
    is_same: Same,
) -> Changes:
    """Compare a sentence with one it may have been made from; no changes when it was clearly not.

    elsewhere: the other sentences of the text; a longer piece of one of them is no change but a merger.
    """
    said, given = [word.text for word in sentence], [word.text for word in source]
    matcher = SequenceMatcher(None, given, said, autojunk=False)
    blocks = matcher.get_matching_blocks()
    n_kept = sum(block.size for block in blocks)
    if n_kept < MIN_KEPT_WORDS or n_kept < MIN_KEPT_SHARE * len(said):
        return NO_CHANGES

    def content(words: Sequence[Word]) -> list[Word]:
        return [word for word in words if word.term and word.term not in light]

    def is_merged(words: Sequence[Word]) -> bool:
        piece = [word.term for word in content(words)]
        return len(piece) >= MIN_MERGED_WORDS and any(
            piece == whole[at : at + len(piece)]
            for whole in ([word.term for word in content(other)] for other in elsewhere)
            for at in range(len(whole) - len(piece) + 1)
        )

    def negates(words: Sequence[Word]) -> bool:
        return sum(is_negation(word.text, language) for word in words) % 2 == 1

    changed: list[Word] = []
    is_turned = False
    opcodes = matcher.get_opcodes()
    removed = [word for tag, i1, i2, _, _ in opcodes if tag != "equal" for word in source[i1:i2]]
    for tag, i1, i2, j1, j2 in opcodes:
        if tag == "equal":
            continue
        old, new = source[i1:i2], sentence[j1:j2]
        is_turned |= negates(old) != negates(new) and all(_has(word, new, is_same) for word in content(old))
        refers_back = tag == "replace" and not content(old) and any(word.text in _REFERRING for word in old)
        if not refers_back and not is_merged(new):
            kept = old if tag == "replace" and content(old) else removed
            changed += [word for word in content(new) if not _has(word, kept, is_same)]
    return Changes(tuple(changed), is_turned)


def _has(word: Word, others: Sequence[Word], is_same: Same) -> bool:
    return any(other.term and is_same(word.term, other.term) for other in others)
