"""Ways a sentence can turn its source around with nearly the same words.

- Negation: a term is negated when one of the two terms before it in its clause is a negation or one
  of the words that deny (failed to, without). Two texts clash over a term they share when every
  occurrence is negated in one and none is in the other, unless they agree in negating another.
- Opposites: one says higher where the other says lower. Neither may have both words, and an
  opposite under a negation is no clash.
- Comparisons: both say "A … than B" with the same comparative, but the sides are exchanged.

English words. What is not recognised is left to the coverage of terms.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from tabwise.core.terms import terms

_REACH = 2

_NEGATION = re.compile(
    r"""\b(?:not|no|never|none|neither|nor|cannot|nobody|nothing|nowhere|without|hardly|barely|scarcely
        |fail(?:s|ed|ing)?\ to|lack(?:s|ed|ing)?|den(?:y|ies|ied)|refus(?:e|es|ed|ing)\ to|unable\ to)\b
    | \b\w+n['’]t\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Look like negations but deny nothing.
_HARMLESS = re.compile(
    r"\bnot (?:only|just|merely|least)\b|\bno (?:more|less|fewer|later|earlier|sooner) than\b|\bno doubt\b"
    r"|\bno\. ?\d|\bwhether or not\b|\bnot to mention\b|\bnone the less\b|\bif not\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;:.!?()–—\n]|\b(?:but|although|though|while|whereas|which|who|because|and|or)\b", re.IGNORECASE
)

_OPPOSITE_TABLE = """
more most greater | less least fewer fewest
higher highest above | lower lowest below
larger largest bigger biggest | smaller smallest
longer longest | shorter shortest
faster fastest quicker | slower slowest
stronger strongest | weaker weakest
older oldest | younger youngest newer newest
earlier earliest before | later latest after
better best | worse worst
cheaper cheapest | dearer costlier
warmer hotter warmest hottest | colder cooler coldest coolest
heavier heaviest | lighter lightest
deeper deepest | shallower shallowest
wider widest broader | narrower narrowest
first | last
maximum | minimum
increase increases increased increasing rise rises rose risen rising grow grows grew grown gained | \
decrease decreases decreased decreasing fall falls fell fallen falling decline declines declined \
drop dropped shrink shrinks shrank shrunk reduce reduces reduced reducing lost
always | never seldom rarely
all every | none
everyone everybody | nobody
win wins won winning | lose loses lost losing
accept accepts accepted approve approves approved | reject rejects rejected
allow allows allowed permit permits permitted | \
forbid forbids forbidden prohibit prohibits prohibited ban bans banned
open opens opened | close closes closed shut
start starts started begin begins began begun | end ends ended stop stops stopped
enable enables enabled | disable disables disabled
include includes included including | exclude excludes excluded excluding
true | false
safe | unsafe dangerous
legal lawful | illegal unlawful
possible | impossible
likely | unlikely
common | uncommon rare
positive | negative
buy buys bought | sell sells sold
import imports imported | export exports exported
north northern | south southern
east eastern | west western
left | right
inside | outside
success successful succeeded | failure failed unsuccessful
support supports supported | oppose opposes opposed
profit profits | loss losses
"""


@dataclass(frozen=True, slots=True)
class Clash:
    """A contrast found: `kind` is "negation", "opposite" or "comparison", `subject` the word it hangs on."""

    kind: str
    subject: str


def find_clash(sentence: str, source: str, *, ignored: Collection[str] = ()) -> Clash | None:
    """Return how `sentence` turns `source`, one sentence of the cited text, around; None when it does not.

    A negation on one of the `ignored` terms alone is none: they carry no content.
    """
    said, given = _polarities(sentence), _polarities(source)
    shared = [term for term in said if term in given and term not in ignored]
    keeps_negation = any(said[term] == given[term] == {True} for term in shared)
    denied = [] if keeps_negation else [term for term in shared if said[term].isdisjoint(given[term])]
    opposite = _opposite(_plain_words(sentence, said), _plain_words(source, given))
    # "not higher" for "lower" turns around twice.
    if denied and opposite is None:
        return Clash("negation", denied[0])
    if opposite is not None and not denied:
        return Clash("opposite", opposite)
    turned = _turned_comparison(sentence, source)
    return Clash("comparison", turned) if turned is not None else None


def n_negations(text: str) -> int:
    """Return how often a text negates or denies something."""
    return len(_NEGATION.findall(_HARMLESS.sub(" ", text)))


def opposite_terms(term: str) -> frozenset[str]:
    """Return the terms of the words that say the opposite of a term, none for most."""
    return _OPPOSITE_TERMS.get(term, frozenset())


def _polarities(text: str) -> dict[str, set[bool]]:
    """For each term of a text, whether its occurrences are negated."""
    polarities: dict[str, set[bool]] = {}
    for clause in _clauses(_HARMLESS.sub(" ", text)):
        left = 0
        end = 0
        for match in [*_NEGATION.finditer(clause), None]:
            start = match.start() if match else len(clause)
            for term in terms(clause[end:start]):
                polarities.setdefault(term, set()).add(left > 0)
                left -= 1
            if match:
                left, end = _REACH, match.end()
    return polarities


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for match in _CLAUSE_END.finditer(text):
        # A decimal point or a thousands comma ends no clause.
        if text[match.end() : match.end() + 1].isdigit() and text[: match.start()][-1:].isdigit():
            continue
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def _plain_words(text: str, polarities: Mapping[str, set[bool]]) -> set[str]:
    """The words of a text but those that are only ever negated."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return {word for word in words if not any(polarities.get(term) == {True} for term in terms(word))}


def _opposite(said: set[str], given: set[str]) -> str | None:
    for word in sorted(said):
        for own, other in _SIDES.get(word, ()):
            if given & other and not given & own and not said & other:
                return f"{word}/{min(given & other)}"
    return None


def _turned_comparison(sentence: str, source: str) -> str | None:
    said, given = _comparison(sentence), _comparison(source)
    if said is None or given is None or said[1] != given[1]:
        return None
    direct = len(said[0] & given[0]) + len(said[2] & given[2])
    crossed = len(said[0] & given[2]) + len(said[2] & given[0])
    return said[1] if crossed > direct else None


def _comparison(text: str) -> tuple[set[str], str, set[str]] | None:
    match = _THAN.search(text)
    if match is None:
        return None
    comparative = match.group("word").lower()
    return set(terms(text[: match.start()])), comparative, set(terms(text[match.end() :]))


_THAN = re.compile(r"\b(?P<word>\w+er|more|less|fewer|better|worse)\b(?: [\w-]+){0,2}? than\b", re.IGNORECASE)


def _sides() -> dict[str, list[tuple[frozenset[str], frozenset[str]]]]:
    table: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for line in _OPPOSITE_TABLE.strip().splitlines():
        pair = [frozenset(side.split()) for side in line.split("|")]
        for own, other in [*combinations(pair, 2), *combinations(reversed(pair), 2)]:
            for word in own:
                table.setdefault(word, []).append((own, other))
    return table


_SIDES = _sides()


def _opposite_terms() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for word, sides in _SIDES.items():
        others = frozenset(term for _, other in sides for opposite in other for term in terms(opposite))
        for term in terms(word):
            table[term] = table.get(term, frozenset()) | others
    return table


_OPPOSITE_TERMS = _opposite_terms()
