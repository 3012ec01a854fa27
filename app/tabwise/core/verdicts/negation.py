"""Which words of a text are denied: negations and the words right behind them.

A term is negated when one of the two terms before it in its clause is a negation or a word that denies
(failed to, without). English, German, French, Spanish, Russian and Chinese. French counts the second half of
"ne … pas" alone, and "ne … que" denies nothing.
"""

import re
from collections.abc import Iterator

from tabwise.core.text.terms import terms

_REACH = 2

_ENGLISH = r"""
    \b(?:not|no|never|none|neither|nor|cannot|nobody|nothing|nowhere|without|hardly|barely|scarcely
        |fail(?:s|ed|ing)?\ to|lack(?:s|ed|ing)?|den(?:y|ies|ied)|refus(?:e|es|ed|ing)\ to|unable\ to)\b
    | \b\w+n['’]t\b
"""
_NEGATIONS = {
    "en": _ENGLISH,
    "de": r"\b(?:nicht|kein(?:e[mnrs]?)?|nie|niemals|niemand|nichts|ohne|weder)\b",
    "fr": r"\b(?:pas|jamais|aucune?|rien|personne\ ne|sans|ni|nullement)\b",
    "es": r"\b(?:no|nunca|jamás|ningún|ninguna|ninguno|nada|nadie|sin|tampoco|ni)\b",
    "ru": r"\b(?:не|нет|никогда|никто|ничего|без|ни|нельзя)\b",
    "zh": r"(?!非洲|非常|无线|未来|不同|不仅|不过|不断|不久|不少)[不没沒未非无無莫勿]",
}
_PATTERNS = {
    language: re.compile(pattern, re.IGNORECASE | re.VERBOSE) for language, pattern in _NEGATIONS.items()
}
# Look like negations but deny nothing.
_HARMLESS = re.compile(
    r"\bnot (?:only|just|merely|least)\b|\bno (?:more|less|fewer|later|earlier|sooner) than\b|\bno doubt\b"
    r"|\bno\. ?\d|\bwhether or not\b|\bnot to mention\b|\bnone the less\b|\bif not\b"
    r"|\bno (?:other )?\w+ (?=(?:\w+ ){1,8}(?:than|as)\b)"
    r"|\bnicht nur\b|\bpas seulement\b|\bno (?:solo|sólo)\b|\bне только\b|\bor not\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;:.!?()–—\n]|\b(?:but|although|though|while|whereas|which|who|because|and|or"
    r"|aber|sondern|und|oder|während|mais|et|ou|pero|sino|y|но|а|и|или)\b",
    re.IGNORECASE,
)


def n_negations(text: str, language: str = "en") -> int:
    """Return how often a text negates or denies something; 0 in a language without rules."""
    pattern = _PATTERNS.get(language)
    return len(pattern.findall(_HARMLESS.sub(" ", text))) if pattern is not None else 0


def is_negation(word: str, language: str = "en") -> bool:
    """Whether a single word negates."""
    pattern = _PATTERNS.get(language)
    return pattern is not None and pattern.fullmatch(word) is not None


def denying_terms(text: str, language: str = "en") -> frozenset[str]:
    """Return the terms of the words that negate or deny something in a text."""
    pattern = _PATTERNS.get(language)
    found = pattern.findall(text) if pattern is not None else []
    return frozenset(term for words in found for term in terms(words, language))


def polarities(text: str, language: str = "en") -> dict[str, set[bool]]:
    """For each term of a text, whether its occurrences are negated."""
    pattern = _PATTERNS.get(language)
    found: dict[str, set[bool]] = {}
    if pattern is None:
        return {term: {False} for term in terms(text, language)}
    for clause in _clauses(_HARMLESS.sub(" ", text)):
        left = 0
        end = 0
        for match in [*pattern.finditer(clause), None]:
            start = match.start() if match else len(clause)
            for term in terms(clause[end:start], language):
                found.setdefault(term, set()).add(left > 0)
                left -= 1
            if match:
                left, end = _REACH, match.end()
    return found


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSE_END.finditer(text):
        # A decimal point or a thousands comma ends no clause.
        if text[match.end() : match.end() + 1].isdigit() and text[: match.start()][-1:].isdigit():
            continue
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]
