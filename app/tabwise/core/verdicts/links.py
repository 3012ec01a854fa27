"""Does the text connect what the sentence connects? For sentences whose every part stands somewhere in it.

    text       Robert Watson in 1997; and Bert Bolin in 1988
    sentence   Bert Bolin was elected in 1997.                both are there, but not together

Three ways to borrow from elsewhere, each only a doubt, since a true sentence may be put together freely:

- Value: a clause of the text that has another value of the same kind speaks more of what the sentence says
  than any clause that has the sentence's own value.
- Name: the sentence nearest in content names others in the place of a name of the sentence, and it does not
  refer back with a pronoun.
- Roles: around the same word, what the text has before it stands after it in the sentence, and the other
  way round, without a passive.

A clause ends at punctuation that is not inside brackets or numbers, and at words like "and" that do not join
two numbers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tabwise.core.text.terms import terms
from tabwise.core.verdicts.facts import Fact, Facts, is_met, is_of_same_kind
from tabwise.core.verdicts.names import find_names, name_is_in, words_of
from tabwise.core.verdicts.wording import Word

_CONTEXT_SHARE = 0.5
_MARGIN = 0.5

_CLAUSE_END = re.compile(
    r"(?<!\d)[,、，](?!\d)|(?<=\d),(?=\s(?!\d{4}\b))|[;；:：](?!\d)|\s[–—]\s|—"
    r"|\b(?:and|but|while|whereas|although|und|aber|während|et|mais|tandis|y|pero|mientras|и|а|но)\b"
)
_JOINED = re.compile(r"\W*(?:and|und|et|y|и)\b")
_BRACKETED = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(
    r"\b(?:between|from|zwischen|von|entre|de|между)\s\S{0,20}\d\S{0,20}(?:\s\w+)?\s(?:and|und|et|y|и)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\W*(?:(?:\w+\W+)?(?:he|she|it|they|er|sie|es|il|elle|ils|elles|on|él|ella|ellos|ellas|он|она|оно|они)"
    r"|this|that|these|those|both|his|her|its|their|diese[rs]?|seine?|ihre?|ces?|cette|ses?|leurs?|este|esta"
    r"|su|sus|это|эт[аи]|его|её|их)\b",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"\W*((?!\d)[A-Za-zÀ-ɏЀ-ӿ][\w’'-]*)")
_BY = re.compile(r"\b(?:by|von|durch|par|por)\W+(?:\w+\W+){0,3}$", re.IGNORECASE)
_BE = re.compile(r"\b(?:is|are|was|were|be|been|being)\W+(?:\w+\W+)?$", re.IGNORECASE)


def borrowed_values(
    sentence: str, cited: Sequence[str], *, language: str, light: frozenset[str]
) -> Iterator[str]:
    """The numbers and dates of a sentence that belong to something else in the cited sentences."""
    given = [(_parts(text, language, light), frozenset(terms(text, language))) for text in cited]
    for facts, about in _parts(sentence, language, light):
        for fact in facts.all:
            others = [other for other in facts.all if other is not fact]
            own, rival = 0.0, 0.0
            for parts, of_sentence in given:
                for read, of_part in parts:
                    score = sum(1.0 if t in of_part else _CONTEXT_SHARE * (t in of_sentence) for t in about)
                    score += sum(is_met(other, read) for other in others)
                    if is_met(fact, read):
                        own = max(own, score)
                    elif any(_rivals(fact, other, facts) for other in read.all):
                        rival = max(rival, score)
            if rival >= own + _MARGIN and rival > 1.0:
                yield fact.text


def borrowed_names(
    sentence: str, cited: Sequence[str], *, language: str, light: frozenset[str]
) -> Iterator[str]:
    """The names of a clause that the nearest cited sentence has others in the place of."""
    names = [*_opening(sentence, language, light), *find_names(Facts.of(sentence).remainder)]
    own = set(words_of(sentence))
    for clause in clauses(sentence):
        in_clause = [name for name in names if name in clause]
        if not in_clause:
            continue
        facts, about = _read(clause, language, light)
        read = [_read(text, language, light) for text in cited]
        shared = [
            (sum(is_met(fact, given) for fact in facts.all), len(about & of_sentence))
            for given, of_sentence in read
        ]
        nearest = [text for text, key in zip(cited, shared, strict=True) if key == max(shared)]
        yield from (
            name
            for name in in_clause
            if all(_is_replaced(name, own, text, language, light) for text in nearest)
        )


def _opening(text: str, language: str, light: frozenset[str]) -> list[str]:
    """The first word, which may be a name though capitals do not tell there."""
    match = _FIRST_WORD.match(text)
    carries = match is not None and any(term not in light for term in terms(match[1], language))
    return [match[1]] if match is not None and carries else []


def _is_replaced(name: str, own: set[str], text: str, language: str, light: frozenset[str]) -> bool:
    """Whether a sentence has other names instead of this one; a pronoun may stand for it."""
    if _PRONOUN.match(text):
        return False
    names, words = [*_opening(text, language, light), *find_names(text)], set(words_of(text))
    return not name_is_in(name, names, words) and any(own.isdisjoint(words_of(other)) for other in names)


def has_turned_roles(sentence: str, said: Sequence[Word], source: str, given: Sequence[Word]) -> bool:
    """Whether what begins the sentence follows, in the source, the word that it precedes here."""
    n_given = Counter(word.term for word in given)
    n_said = Counter(word.term for word in said)
    places = {word.term: place for place, word in enumerate(given) if n_given[word.term] == 1}
    shared = [word for word in said if word.term in places and n_said[word.term] == 1]
    for i, subject in enumerate(shared[:2]):
        for j in range(i + 1, len(shared) - 1):
            if places[shared[j].term] >= places[subject.term]:
                continue
            for behind in shared[j + 1 :]:
                if places[behind.term] < places[shared[j].term] and not _is_passive_change(
                    (sentence, shared[j].start, behind.start),
                    (source, given[places[shared[j].term]].start, given[places[subject.term]].start),
                ):
                    return True
    return False


@lru_cache(maxsize=512)
def clauses(text: str) -> tuple[str, ...]:
    """Cut a text into clauses."""
    masked = text
    for whole in (_BRACKETED, _BETWEEN):  # what is in brackets stays with what it explains
        masked = whole.sub(lambda match: "x" * len(match.group()), masked)
    found: list[str] = []
    begin = 0
    for end in [*(match.start() for match in _CLAUSE_END.finditer(masked)), len(text)]:
        if any(char.isalnum() for char in text[begin:end]) or (end == len(text) and begin < end):
            found.append(text[begin:end])
            begin = end
    return tuple(found)


Part = tuple[Facts, frozenset[str]]


@lru_cache(maxsize=512)
def _parts(text: str, language: str, light: frozenset[str]) -> tuple[Part, ...]:
    """Facts and content of each clause.

    One of facts alone belongs to the next ("In 1901, welding was shown"); behind "and", or at the end, it
    repeats what the one before is about ("They carried 210,000 in 2014 and 340,000 in 2019").
    """
    parts: list[Part] = []
    waiting = ""
    for clause in clauses(text):
        facts, about = _read(waiting + clause, language, light)
        if about or not facts.n_facts:
            parts.append((facts, about))
            waiting = ""
        elif parts and not waiting and _JOINED.match(clause):
            parts.append((facts, parts[-1][1]))
        else:
            waiting += clause
    if waiting:
        parts.append((_read(waiting, language, light)[0], parts[-1][1] if parts else frozenset()))
    return tuple(parts)


@lru_cache(maxsize=1024)
def _read(clause: str, language: str, light: frozenset[str]) -> Part:
    facts = Facts.of(clause)
    return facts, frozenset(term for term in terms(facts.remainder, language) if term not in light)


def _rivals(fact: Fact, other: Fact, own: Facts) -> bool:
    return is_of_same_kind(fact, other) and not is_met(other, own)


def _is_passive_change(said: tuple[str, int, int], given: tuple[str, int, int]) -> bool:
    """Whether one of the two names the doer with "by" and the other does not speak in the passive."""
    voices = []
    for text, verb, behind in (said, given):
        voices.append((bool(_BY.search(text[:behind])), bool(_BE.search(text[:verb]))))
    (said_by, said_be), (given_by, given_be) = voices
    return (said_by and not given_be) or (given_by and not said_be)
