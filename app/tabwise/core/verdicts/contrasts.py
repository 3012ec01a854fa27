"""Ways a sentence can turn its source around with nearly the same words.

- Negation: two texts clash over a term they share when every occurrence is negated in one and none is
  in the other, unless they agree in negating another.
- Opposites: one says higher where the other says lower. Neither may have both words, and an
  opposite under a negation is no clash.
- Comparisons: both say "A … than B" with the same comparative, but the sides are exchanged.

Opposites and comparisons are English, negations those of `negation`. What is not recognised is left to the
coverage of terms.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

from tabwise.core.text.terms import terms
from tabwise.core.verdicts.negation import polarities

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
success successful succeeded succeed | failure failed fails fail unsuccessful
together | separately apart
strong | weak
fast quick rapid | slow
encourage encourages encouraged | discourage discourages discouraged
absorb absorbs absorbed | emit emits emitted
raise raises raised | lower lowers lowered
beat beats defeat defeats defeated | lost
affluent rich wealthy | poor
often frequently | rarely seldom
like | unlike
hot warm | cold cool
easy simple | difficult hard complicated
present | absent
public | private
expensive | cheap
accelerate accelerates accelerated | slows slowed
connect connects connected | disconnect disconnects disconnected
confirm confirms confirmed | refute refutes refuted
agree agrees agreed | disagree disagrees disagreed
upper | lower
old | new young
support supports supported | oppose opposes opposed
profit profits | loss losses
"""


@dataclass(frozen=True, slots=True)
class Clash:
    """A contrast found: `kind` is "negation", "opposite" or "comparison", `subject` the word it hangs on."""

    kind: str
    subject: str


def find_clash(
    sentence: str, source: str, *, ignored: Collection[str] = (), language: str = "en"
) -> Clash | None:
    """Return how `sentence` turns `source`, one sentence of the cited text, around; None when it does not.

    A negation on one of the `ignored` terms alone is none: they carry no content.
    """
    said, given = polarities(sentence, language), polarities(source, language)
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


def opposite_terms(term: str) -> frozenset[str]:
    """Return the terms of the words that say the opposite of a term, none for most."""
    return _OPPOSITE_TERMS.get(term, frozenset())


def _plain_words(text: str, polarity_of: Mapping[str, set[bool]]) -> set[str]:
    """The words of a text but those that are only ever negated."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return {word for word in words if not any(polarity_of.get(term) == {True} for term in terms(word))}


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
