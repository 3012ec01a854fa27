"""Does the cited text bear the sentence out? Rules, before anything is shown as fact.

| finding, first that applies                                                        | verdict      |
|------------------------------------------------------------------------------------|--------------|
| no cited text                                                                      | uncited      |
| the whole sentence stands in it                                                    | supported    |
| the nearest source sentence has another number, unit or date for the same thing    | contradicted |
| it denies what the sentence says, says the opposite, or compares the other way     | contradicted |
| a quotation of 12 characters or more is not in one piece in the text               | not_found    |
| a name is missing where the nearest source sentence has another name               | not_found    |
| a number, date or name is missing, another one and 60 % of the words are there     | partly       |
| a number, date or name is missing otherwise                                        | not_found    |
| 80 % of the content words are there, the first of them too, half in one sentence   | supported    |
| half of the content words, numbers and dates are there                             | partly       |
| fewer                                                                              | not_found    |

"Nearest" is the source sentence with the largest share of the sentence's content words, words that only
its neighbours have counting half ("It is not made of steel"); below 60 % none is near enough to contradict.
Rules about words are English; numbers, quotations
and coverage work in any language. A paraphrase in other words comes out as partly: the rules would
rather doubt a true sentence than vouch for a false one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabwise.core.contrasts import find_clash, n_negations, opposite_terms
from tabwise.core.facts import Facts
from tabwise.core.model import Judgement, Verdict
from tabwise.core.names import find_names, has_other_name, name_is_in, words_of
from tabwise.core.quotes import fold, quotations, quote_is_in, stands_in
from tabwise.core.sentences import split
from tabwise.core.terms import terms

SUPPORTED_COVERAGE = 0.8
PARTLY_COVERAGE = 0.5
ALIGNED_COVERAGE = 0.6
SAME_COVERAGE = 0.9

_LIGHT_TEXT = (
    "according accordingly actually additionally allow almost already approximately around based became"
    " become becomes began begin begins begun besides called came cause come comes consequently contain"
    " contains currently described due especially even eventually example finally find found furthermore"
    " gave generally get gets give given gives got hence however importantly include included includes"
    " including indeed initially known like likewise located made mainly make makes making many mean"
    " means meanwhile moreover much namely nearly nevertheless nonetheless notably now number numbered"
    " often overall page part particularly passage percent provide provided provides recently report"
    " reported reports roughly said say says several show showed shown shows similarly source"
    " specifically start started state stated states still text therefore thus together took total"
    " typically use used uses using usually various well went work works"
)
_LIGHT = frozenset(term for word in _LIGHT_TEXT.split() for term in terms(word))

_CITATION_MARK = re.compile(r"\s?\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")

_CONTEXT_SHARE = 0.5
_CONTRACTED_NOT = re.compile(r"n['’]t\b")

_MIN_PREFIX = 5
_PREFIX_SHARE = 0.8
_MAX_ENDING = 3


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the cited text, read once."""

    text: str
    terms: frozenset[str]
    facts: Facts


@dataclass(frozen=True, slots=True)
class _Source:
    """The cited texts, read once."""

    folded_texts: tuple[str, ...]
    sentences: tuple[_Sentence, ...]
    terms: frozenset[str]
    words: frozenset[str]
    names: tuple[str, ...]


def judge(sentence: str, cited: Sequence[str]) -> Judgement:
    """Judge a sentence against the texts it cites. Citation marks like [1] in it are ignored.

    Reasons name what decided, as `code:subject` or a code alone: verbatim, number, date, negation, opposite,
    comparison, quote, name, missing. Supported sentences found by coverage have none.
    """
    if not any(text.strip() for text in cited):
        return Judgement(Verdict.UNCITED)
    bare = _CITATION_MARK.sub("", sentence)
    if any(stands_in(form, text) for form in (sentence, bare) for text in cited):
        return Judgement(Verdict.SUPPORTED, ("verbatim",))
    return _by_rules(bare, _read(cited))


def _by_rules(sentence: str, source: _Source) -> Judgement:
    facts = Facts.of(sentence)
    said = terms(_CONTRACTED_NOT.sub(" not", facts.remainder))
    content = [term for term in dict.fromkeys(said) if term not in _LIGHT]
    near = _nearest(content, facts, source)
    missing, contradicting = facts.check(
        [other.facts for other in source.sentences],
        [other.facts for other, _ in near],
        is_near_whole=any(share >= SAME_COVERAGE for _, share in near),
    )
    contradicting += _clashes(sentence, content, near)
    if contradicting:
        return Judgement(Verdict.CONTRADICTED, tuple(contradicting))
    torn = [quote for quote in quotations(sentence) if not quote_is_in(quote, source.folded_texts)]
    if torn:
        return Judgement(Verdict.NOT_FOUND, tuple(f"quote:{quote}" for quote in torn))

    names = find_names(facts.remainder)
    absent = [name for name in names if not name_is_in(name, source.names, source.words)]
    of_names = {term for name in absent for term in terms(name)}
    others = [term for term in content if term not in of_names]
    coverage = _share(others, source.terms)
    reasons = (*missing, *(f"name:{name}" for name in absent))
    if reasons:
        is_swap = absent and any(has_other_name(other.text, sentence) for other, _ in near)
        n_borne_out = facts.n_facts + len(names) - len(reasons)
        is_partly = not is_swap and n_borne_out > 0 and coverage >= ALIGNED_COVERAGE
        return Judgement(Verdict.PARTLY if is_partly else Verdict.NOT_FOUND, reasons)
    if not content and not facts.n_facts:
        return Judgement(Verdict.NOT_FOUND)
    lacking = tuple(f"missing:{term}" for term in others if not _is_in(term, source.terms))
    closest = max((_share(content, other.terms) for other in source.sentences), default=0.0)
    has_subject = not others or _is_in(others[0], source.terms)
    if coverage >= SUPPORTED_COVERAGE and closest >= PARTLY_COVERAGE and has_subject:
        return Judgement(Verdict.SUPPORTED)
    n_found = len(others) - len(lacking) + facts.n_facts
    is_partly = n_found >= PARTLY_COVERAGE * (len(others) + facts.n_facts)
    return Judgement(Verdict.PARTLY if is_partly else Verdict.NOT_FOUND, lacking)


def _nearest(content: Sequence[str], facts: Facts, source: _Source) -> list[tuple[_Sentence, float]]:
    """The source sentences nearest in content, and the share of it that each has itself."""
    if not content:
        return [(other, 1.0) for other in source.sentences if facts.n_facts and other.facts.n_facts]
    elsewhere = [_CONTEXT_SHARE * _is_in(term, source.terms) for term in content]
    nearness = [
        sum(
            1.0 if _is_in(term, other.terms) or not opposite_terms(term).isdisjoint(other.terms) else share
            for term, share in zip(content, elsewhere, strict=True)
        )
        / len(content)
        for other in source.sentences
    ]
    best = max(nearness, default=0.0)
    if best < ALIGNED_COVERAGE:
        return []
    return [
        (other, _share(content, other.terms))
        for other, value in zip(source.sentences, nearness, strict=True)
        if value == best
    ]


def _clashes(sentence: str, content: Sequence[str], near: Sequence[tuple[_Sentence, float]]) -> list[str]:
    """How the near sentences are turned around; nothing when one of them says the whole thing as it is."""
    found: list[str] = []
    for other, share in near:
        clash = find_clash(sentence, other.text, ignored=_LIGHT)
        if clash is not None:
            found.append(f"{clash.kind}:{clash.subject}")
        elif share >= SAME_COVERAGE and _is_denial(sentence, content, other):
            found.append("negation")
        elif share >= SUPPORTED_COVERAGE:
            return []
    return found


def _is_denial(sentence: str, content: Sequence[str], other: _Sentence) -> bool:
    """Whether a sentence of the same words as another has one negation more or less."""
    own = frozenset(content)
    given = [term for term in other.terms if term not in _LIGHT]
    is_same = _share(given, own) >= SAME_COVERAGE
    return is_same and (n_negations(sentence) - n_negations(other.text)) % 2 == 1


def _read(cited: Sequence[str]) -> _Source:
    sentences = tuple(
        _Sentence(text[start:end], frozenset(terms(text[start:end])), Facts.of(text[start:end]))
        for text in cited
        for start, end in split(text)
    )
    return _Source(
        folded_texts=tuple(fold(text) for text in cited),
        sentences=sentences,
        terms=frozenset(term for sentence in sentences for term in sentence.terms),
        words=frozenset(word for text in cited for word in words_of(text)),
        names=tuple(name for sentence in sentences for name in find_names(sentence.text)),
    )


def _share(content: Sequence[str], given: frozenset[str]) -> float:
    """The share of the terms that are given; 1 when there are none."""
    return sum(_is_in(term, given) for term in content) / len(content) if content else 1.0


def _is_in(term: str, given: frozenset[str]) -> bool:
    """Whether a term is given, or one that only its ending tells apart (german, germani; visit, visitor)."""
    if term in given:
        return True
    if len(term) < _MIN_PREFIX:
        return False
    return any(
        other[:_MIN_PREFIX] == term[:_MIN_PREFIX] and _differ_by_ending(term, other) for other in given
    )


def _differ_by_ending(a: str, b: str) -> bool:
    shorter, longer = sorted((len(a), len(b)))
    n_common = _common_prefix(a, b)
    is_continued = n_common == shorter and longer - shorter <= _MAX_ENDING
    return is_continued or n_common >= _PREFIX_SHARE * longer


def _common_prefix(a: str, b: str) -> int:
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n
