"""Follow-up questions made to stand alone, by rules, from the question and answer before them.

    Who designed the Eiffel Tower?       When was it built?        → When was the Eiffel Tower built?
    How many people lived in Rome?       And in Paris?             → How many people lived in Paris?
    Who wrote Dracula? (Bram Stoker)     Where was he born?        → Where was Bram Stoker born?
    How do heat pumps work?              Why?                      → How do heat pumps work? Why?

A question is a follow-up when it begins like one ("and …", "what about …"), when a pronoun in it has nothing
to stand for, or when it has no content of its own. English, German and Spanish, some French; a question in
another language is left as it is. Rules guess: what they made is shown with the answer, and a model may do
better (see `planning`).
"""

import re
from dataclasses import dataclass

from tabwise.core.model import SourceId
from tabwise.core.text.terms import STOP_WORDS, terms
from tabwise.core.verdicts.dates import find_dates
from tabwise.core.verdicts.names import find_names

MAX_TOPIC_WORDS = 8


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation, the text of its answer and the pages that one is from."""

    question: str
    answer: str
    sources: tuple[SourceId, ...] = ()


_FRAGMENT = re.compile(
    r"^[¿¡\s]*(?:(?:and|but|ok(?:ay)?|so)\b[\s,]*)?(?:what|how)\s+about\s+|"
    r"^[¿¡\s]*(?:and|but|or|und|aber|oder|y|e|o|pero|et|mais)\b(?:\s+(?:was\s+ist\s+mit|what\s+about))?[\s,]+|"
    r"^[¿¡\s]*(?:was\s+ist\s+mit|wie\s+sieht\s+es\s+mit|wie\s+steht\s+es\s+(?:mit|um))\s+|"
    r"^[¿¡\s]*(?:y\s+)?(?:qué\s+(?:hay|pasa)\s+(?:de|con)|qu['’]en\s+est-il\s+de)\s+",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:he|him|his|she|her|hers|er|ihn|ihm|él|ella|lui)\b", re.IGNORECASE)
_THING = re.compile(
    r"\bit\b(?!\s+(?:true|possible|necessary|takes?)\b)|"
    r"\b(?:its|they|them|theirs?|this|that|these|those|es|sie|ihr|ihre[rnms]?|dies(?:e[rsnm]?)?|"
    r"dessen|deren|ello|eso|esto|ellos|ellas|cela|ça)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?i:its|theirs?|his|her|hers|ihr|ihre[rnms]?)\Z")
_LEAD = re.compile(
    r"^[¿¡\s]*(?:how\s+\w+|what|which|who|whom|whose|when|where|why|how|wie\s+viele?|wie|was|welche[rsnm]?|wer|"
    r"wen|wann|wo|warum|qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|por\s+qué)\b\s*"
    r"(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|ist|sind|war|waren|hat|haben|wird|"
    r"wurde|es|son|fue|fueron|era|eran|ha|han|hay)\b\s*)?",
    re.IGNORECASE,
)
_INTERROGATIVE_TEXT = """
    what which who whom whose when where why how wie was welche welcher welches wer wann wo warum wieso
    qué cuál quién cuándo dónde cómo cuánto cuántos por quoi quel quand où pourquoi comment
"""
_INTERROGATIVES = frozenset(_INTERROGATIVE_TEXT.split())
_PREPOSITIONS_TEXT = "in of at on for from by to von im zu für de del en du"
_PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
_ARTICLES_TEXT = "the a an der die das den dem ein eine el la los las un una le les une"
_ARTICLES = frozenset(_ARTICLES_TEXT.split())
_WITH_INFINITIVE = frozenset(("do", "does", "did", "can", "could", "will", "would"))
_WORD = re.compile(r"\w[\w’'-]*")


def is_follow_up(question: str) -> bool:
    """Whether a question leans on one before it."""
    if _FRAGMENT.match(question):
        return True
    own = _content(question)
    if not own:
        return True
    return not find_names(question) and bool(_PERSON.search(question) or _THING.search(question))


def stand_alone(question: str, history: tuple[Turn, ...]) -> str:
    """Return a question with what it leans on written in; as it is without history or need."""
    question = question.strip()
    if not history or not is_follow_up(question):
        return question
    before = history[-1]
    fragment = _FRAGMENT.match(question)
    if fragment:
        rest = question[fragment.end() :].strip(" ?!.¿¡")
        if not _is_whole(rest):
            return _put_in(rest, before.question)
        question = rest[:1].upper() + rest[1:] + "?"
    for pronoun, is_person in ((_PERSON, True), (_THING, False)):
        topic = _topic(before, is_person=is_person)
        found = pronoun.search(question)
        if found and topic:
            stands_for = topic + ("’s" if _POSSESSIVE.match(found.group()) else "")
            return question[: found.start()] + stands_for + question[found.end() :]
    return f"{before.question.strip()} {question}" if not _content(question) else question


def _is_whole(rest: str) -> bool:
    """Whether what follows "and" is a question of its own, with a question word or a verb in front."""
    first = rest.partition(" ")[0].lower()
    return first in _INTERROGATIVES or first in (
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "can",
        "ist",
    )


def _put_in(fragment: str, question: str) -> str:
    """The earlier question with the fragment in the place of its like: a date, else the last name."""
    places = [(date.start, date.end) for date in find_dates(question)[0]] if find_dates(fragment)[0] else []
    if not places and (names := find_names(fragment) or [fragment]) and find_names(question):
        name = find_names(question)[-1]
        at = question.rfind(name)
        preposition = fragment.partition(" ")[0].lower()
        is_of_same_kind = preposition not in _PREPOSITIONS or preposition in _words(question[:at])[-2:]
        if is_of_same_kind:
            places, fragment = [(at, at + len(name))], names[-1]
    if not places:
        return f"{question.rstrip(' ?')} {fragment}?"
    start, end = places[-1]
    bare = fragment
    before = _words(question[:start])
    if before and fragment.lower().startswith(before[-1] + " "):
        bare = fragment[len(before[-1]) + 1 :]
    return question[:start] + bare + question[end:]


def _topic(before: Turn, *, is_person: bool) -> str:
    """What a pronoun stands for: a person of the answer, else what the question was about."""
    if is_person and (people := find_names(before.answer)):
        return people[0]
    question = before.question.strip().rstrip("?!. ")
    names = find_names(question)
    if names:
        return _phrase(question, names[0])
    lead = _LEAD.match(question)
    words = question[lead.end() if lead else 0 :].split()
    if lead and lead.group().split()[-1].lower() in _WITH_INFINITIVE and 1 < len(words) <= 3:
        words.pop()
    return " ".join(words) if len(words) <= MAX_TOPIC_WORDS else ""


def _phrase(question: str, name: str) -> str:
    """A name with the nouns before it that it belongs to: the tidal range in the Bay of Fundy."""
    at = question.find(name)
    words = list(_WORD.finditer(question[:at]))
    start = at
    if words and words[-1].group().lower() in _ARTICLES:
        start = words.pop().start()
    if not words or words[-1].group().lower() not in _PREPOSITIONS:
        return question[start : at + len(name)]
    words.pop()
    n_nouns = 0
    while words and not _is_light(words[-1].group()):
        start, n_nouns = words.pop().start(), n_nouns + 1
    if not n_nouns:
        return question[start : at + len(name)]
    if words and words[-1].group().lower() in _ARTICLES:
        start = words[-1].start()
    return question[start : at + len(name)]


def _is_light(word: str) -> bool:
    lowered = word.lower()
    return lowered in STOP_WORDS or lowered in _ARTICLES or lowered in _INTERROGATIVES


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _content(question: str) -> list[str]:
    """The terms of a question without question words and pronouns."""
    bare = _THING.sub(" ", _PERSON.sub(" ", question))
    return [term for word in _words(bare) if not _is_light(word) for term in terms(word)]
