"""What to search for a question, by rules: one to three queries, and whether to answer, read or compare.

    Compare wind and solar power by cost         wind by cost · solar power by cost         (compare)
    Who built it and how much did it cost?       Who built it? · how much did it cost?      (answer)
    Summarise this page                          -                                          (read)

First a follow-up is made to stand alone (`followup`), then the first of these that applies: a wish for a
summary, a comparison, two questions in one, a single question. Patterns are English, German and Spanish, some
French; what they do not know is a single question, which is never wrong, only less thorough.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.answers.followup import Turn, stand_alone
from tabwise.core.text.language import language_of
from tabwise.core.text.terms import terms

MAX_QUERIES = 3
MAX_TOPIC_CHARS = 80
MAX_COMPARISON_CHARS = 300
"""A longer text is no comparison, and the patterns would take polynomial time on it."""


class Kind(StrEnum):
    """How a question is worked on."""

    ANSWER = "answer"
    READ = "read"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done about a question.

    question: as it was understood, standing alone. queries: what is searched, one to MAX_QUERIES. topics:
    what is compared, one query each and in their order; none unless `kind` is COMPARE. language: of the
    question, BCP 47. by_model: a language model made it, not the rules.
    """

    kind: Kind
    question: str
    queries: tuple[str, ...]
    topics: tuple[str, ...]
    language: str
    is_follow_up: bool = False
    by_model: bool = False


_SUMMARY = re.compile(
    r"""^\W*(?:(?:please|could\ you|can\ you|bitte|kannst\ du|por\ favor|peux-tu)\W+)*(?:
        summari[sz]e\b(?!\s+how) | sum\ up\b | tl;?dr\b
        | (?:give|write)\ (?:me\ )?(?:a|an|the)\ (?:\w+\ )?(?:summary|overview)\b
        | (?:a\ )?(?:short\ |brief\ )?(?:summary|overview|outline)\ (?:of|please)\b
        | what\ (?:is|are|does)\ (?:this|these|the|it)\ (?:page|article|document|tab|text|site)s?
          \ (?:about|all\ about|say)\b
        | what(?:['’]s|\ is)\ this\ (?:\w+\ )?about\b
        | (?:what\ are\ |list\ |give\ me\ )?(?:the\ )?(?:main|key)\ (?:point|takeaway|idea|finding)s?\b
        | what\ should\ i\ know\ about\ [“"„] | which\ numbers\ and\ dates\ does\ [“"„]
        | fasse?\b.*\bzusammen\b | (?:eine\ |kurze\ )*zusammenfassung\b | worum\ geht\b | wovon\ handelt\b
        | (?:was\ sind\ )?(?:die\ )?(?:wichtigsten|zentralen)\ (?:punkte|aussagen)\b | hauptpunkte\b
        | resum(?:e|en|[ií]r?)\b | de\ qué\ (?:trata|va|se\ trata)\b
        | (?:cuáles\ son\ )?(?:los\ )?puntos\ (?:principales|clave)\b
        | résume[rz]?\b | (?:un\ )?résumé\b | de\ quoi\ (?:parle|s['’]agit)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_AND = r"\s+(?:and|und|y|e|et|&|or|oder|o|u|ou)\s+"
_WITH = rf"(?:{_AND}|\s+(?:with|to|against|mit|con|avec)\s+|\s*,\s*)"
_ASPECT = r"""
    (?: \s*:\s*(?P<after>.+?)
      | \s*,?\s*(?P<aspect>(?:in\s+terms\s+of|regarding|concerning|by|for|in\s+Bezug\s+auf|hinsichtlich|beim
        |bei|bezüglich|en\s+cuanto\s+a|por|en\s+termes\s+de)\s+.+?)
    )?\s*[?.!]*\s*\Z
"""
_NOUN = r"""(?:differences?|similarit(?:y|ies)|comparison|unterschiede?n?|vergleich|diferencias?|comparación
    |différences?)"""
_VERB = r"(?:compare|contrast|vergleiche?|compara|comparar|comparez?|comparer)"
_DIFFER = r"(?:differ(?:ent)?\s+from|compare(?:d)?\s+(?:to|with))"
_VERSUS = r"(?:vs\.?|versus|im\s+Vergleich\s+(?:zu|mit)|frente\s+a|contre)"
_BETTER = r"(?:better|worse|\w{3,}er|(?:more|less|más|menos)\s+\w+|mejor|peor)"
_COMPARISONS = tuple(
    re.compile(pattern + _ASPECT, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"(?:.*\b)?{_NOUN}\s+(?:between|of|zwischen|von|entre|de)\s+(?P<a>.+?){_AND}(?P<b>.+?)",
        rf"\W*(?:please\s+|bitte\s+)?{_VERB}\s+(?P<a>.+?){_WITH}(?P<b>.+?)",
        rf"how\s+(?:do|does|did|is|are)\s+(?P<a>.+?)\s+{_DIFFER}\s+(?P<b>.+?)",
        r"(?:wie|worin)\s+unterscheide[nt]\s+sich\s+(?P<a>.+?)\s+(?:von|und)\s+(?P<b>.+?)",
        rf"(?P<a>.+?)\s+{_VERSUS}\s+(?P<b>.+?)",
        rf"""(?:which|what|who|welche[rs]?|was|cuál|qué)\b[^,:]*?\b(?P<quality>{_BETTER})\s*[,:]
            \s*(?P<a>.+?)\s+(?:or|oder|o)\s+(?P<b>.+?)""",
        rf"""(?:is|are|was|were|ist|sind|¿?es|¿?son)\s+(?P<a>.+?)\s+(?P<quality>{_BETTER})
            \s+(?:than|als|que)\s+(?P<b>.+?)""",
    )
)
_LEADING = re.compile(
    r"^(?:what(?:['’]s|\s+(?:is|are))|which\s+is|was\s+ist|how\s+about|the|an?|both|die|der|das|el|la|los|las"
    r"|les?)\s+",
    re.IGNORECASE,
)
_QUESTION_WORD = (
    r"(?:what|who|whom|when|where|why|how|which|was|wer|wann|wo|warum|wie|welche[rs]?|"
    r"qué|quién|cuándo|dónde|cómo|cuánt[oa]s?|cuál|quand|où|comment|combien|pourquoi)"
)
_SECOND = re.compile(rf"[,;]?\s+(?:and|und|y|et)\s+(?:also\s+|auch\s+)?(?={_QUESTION_WORD}\b)", re.IGNORECASE)
_MARK = re.compile(r"(?<=\?)\s+(?=\S)")
_STARTS_AS_QUESTION = re.compile(rf"^[¿\s]*{_QUESTION_WORD}\b", re.IGNORECASE)


def plan_by_rules(question: str, history: Sequence[Turn] = ()) -> Plan:
    """Plan a question that is not empty; `history` is oldest first."""
    asked = question.strip()
    alone = stand_alone(asked, tuple(history))
    language = language_of(asked)
    kind, topics = Kind.ANSWER, _topics(alone)
    queries: tuple[str, ...] = (alone,)
    if _SUMMARY.match(alone):
        kind, topics = Kind.READ, ()
    elif topics:
        kind, queries = Kind.COMPARE, _of_topics(alone, topics)
    else:
        queries = _parts(alone)
    return Plan(kind, alone, queries, topics, language, is_follow_up=alone != asked)


def _topics(question: str) -> tuple[str, ...]:
    """What a comparison compares; none when it is no comparison."""
    if len(question) > MAX_COMPARISON_CHARS:
        return ()
    for pattern in _COMPARISONS:
        found = pattern.match(question)
        if not found:
            continue
        names = [*re.split(r"\s*,\s*", found["a"]), *re.split(rf"\s*,\s*|{_AND}", found["b"])]
        topics = tuple(dict.fromkeys(topic for name in names if (topic := _bare(name))))
        if 2 <= len(topics) <= MAX_QUERIES and all(map(_is_topic, topics)):
            return topics
    return ()


def _bare(name: str) -> str:
    name = name.strip(" \t?!.,;:¿¡“”\"'")
    while (shorter := _LEADING.sub("", name)) != name:
        name = shorter
    return name if len(name) <= MAX_TOPIC_CHARS else ""


def _is_topic(topic: str) -> bool:
    """Whether a topic has words; a measure, "100 km", is a fact to check."""
    return bool(terms(topic)) and not topic[0].isdigit()


def _of_topics(question: str, topics: Sequence[str]) -> tuple[str, ...]:
    """A query for each topic: its name and what they are compared by."""
    aspect = ""
    for pattern in _COMPARISONS:
        if found := pattern.match(question):
            groups = found.groupdict()
            aspect = groups.get("aspect") or groups.get("after") or groups.get("quality") or ""
            break
    return tuple(f"{topic} {aspect}".strip() for topic in topics)


def _parts(question: str) -> tuple[str, ...]:
    """Two or three questions in one, each made to stand alone by the one before it."""
    parts = [part.strip() for part in _MARK.split(question)]
    if len(parts) == 1:
        found = _SECOND.search(question)
        if found and _STARTS_AS_QUESTION.match(question) and _is_question(question[: found.start()]):
            parts = [question[: found.start()].rstrip(" ?") + "?", question[found.end() :].strip()]
    if not 2 <= len(parts) <= MAX_QUERIES or not all(_is_question(part) for part in parts):
        return (question,)
    whole = [parts[0]]
    for part in parts[1:]:
        whole.append(stand_alone(part, (Turn(whole[-1], ""),)))
    return tuple(whole)


def _is_question(part: str) -> bool:
    """Whether a part has something to search for: two terms, or a question word and one."""
    n_terms = len(terms(part))
    return n_terms >= 2 or (n_terms == 1 and bool(_STARTS_AS_QUESTION.match(part)))
