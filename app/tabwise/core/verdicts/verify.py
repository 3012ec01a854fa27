"""Does the cited text bear the sentence out? Rules, before anything is shown as fact.

| finding, first that applies                                                        | verdict      |
|------------------------------------------------------------------------------------|--------------|
| no cited text                                                                      | uncited      |
| the whole sentence stands in it                                                    | supported    |
| it is in another language: a number, date or quotation is missing, or nothing is   | not_found    |
| shared, not even a name or a word written alike                                    |              |
| it is in another language otherwise                                                | partly       |
| the nearest source sentence has another number, unit or date for the same thing    | contradicted |
| it denies what the sentence says, says the opposite, or compares the other way, and| contradicted |
| 80 % of the content words are there                                                |              |
| a quotation of 12 characters or more is not in one piece in the text               | not_found    |
| a name is missing where the nearest source sentence has another name               | not_found    |
| a name is missing, another name or value and 60 % of the words are there           | partly       |
| a number or date is missing, no name, 20 % of the words are there                  | partly       |
| a number, date or name is missing otherwise                                        | not_found    |
| every content word is there, half in one sentence, and nothing is linked otherwise | supported    |
| 20 % of the content words, numbers and dates are there                             | partly       |
| fewer                                                                              | not_found    |

Across languages no word can be looked up, so a true translation is never more than partly supported, and the
reader is shown the words it rests on. Names are often translated too: one that is missing tells nothing.

"Nearest" is the source sentence with the largest share of the sentence's content words, words that only
its neighbours have counting half ("It is not made of steel"); below 60 % none is near enough to contradict.
"Linked otherwise": a value, a name or a role that belongs to something else there (`links`), a word in the
place of another in a sentence otherwise repeated (`wording`). Such a doubt makes partly, not contradicted.

One content word that is not there is enough for partly: "a strong link" and "a weak link" share all the
others. So a paraphrase in other words comes out as partly: the rules would rather doubt a true sentence
than vouch for a false one. Measured by `tabwise eval verdicts`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tabwise.core.model import Judgement, Verdict
from tabwise.core.text.language import is_other_language, language_of
from tabwise.core.text.sentences import split
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.contrasts import find_clash, opposite_terms
from tabwise.core.verdicts.facts import Facts, is_met
from tabwise.core.verdicts.light_words import light_terms, same_terms
from tabwise.core.verdicts.links import borrowed_names, borrowed_values, has_turned_roles
from tabwise.core.verdicts.names import find_names, has_other_name, name_is_in, words_of
from tabwise.core.verdicts.negation import denying_terms, n_negations
from tabwise.core.verdicts.quotes import fold, quotations, quote_is_in, stands_in
from tabwise.core.verdicts.wording import Word, find_changes, words_in

OTHER_LANGUAGE = "language"
"""The reason of a sentence that is in another language than what it cites."""
CLASH_COVERAGE = 0.8
PARTLY_COVERAGE = 0.2
CLOSEST_COVERAGE = 0.5
ALIGNED_COVERAGE = 0.6
SAME_COVERAGE = 0.9
MAX_LINKED_SENTENCES = 32

_CITATION_MARK = re.compile(r"\s?\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")

_CONTEXT_SHARE = 0.5
_CONTRACTED_NOT = re.compile(r"n['’]t\b")
# "Most do not" turns "some do" around in words only.
_QUANTIFIER = re.compile(r"^\W*(?:most|few|some|many|several|not all|not every)\b", re.IGNORECASE)
# What would be, or is only planned, is not denied by what was not.
_HYPOTHETICAL = re.compile(
    r"\b(?:would|could|might|if|unless|provided that|würden?|könnten?|falls|sofern|serait|pourrait|podría)\b",
    re.IGNORECASE,
)
_LANGUAGE_CHARS = 300
# Every noun has a capital there, so capitals tell no name.
_CAPITAL_NOUNS = "de"

# Pairs of characters cross the borders of words; these little words may stand at such a border.
_FIRST_UNSPACED = "\u3000"
_JOINING = frozenset("于自起以为被把对向由等其他她它们这那个名也并而后前中上下从到人")

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

    language: str
    folded_texts: tuple[str, ...]
    sentences: tuple[_Sentence, ...]
    terms: frozenset[str]
    words: frozenset[str]
    names: tuple[str, ...]

    @property
    def light(self) -> frozenset[str]:
        """Terms that carry no claim."""
        return light_terms(self.language)


def judge(sentence: str, cited: Sequence[str]) -> Judgement:
    """Judge a sentence against the texts it cites. Citation marks like [1] in it are ignored.

    Reasons name what decided, as `code:subject` or a code alone: verbatim, number, date, negation, opposite,
    comparison, quote, name, link, language, missing. Supported sentences found by coverage have none.
    """
    if not any(text.strip() for text in cited):
        return Judgement(Verdict.UNCITED)
    bare = _CITATION_MARK.sub("", sentence)
    if any(stands_in(form, text) for form in (sentence, bare) for text in cited):
        return Judgement(Verdict.SUPPORTED, ("verbatim",))
    source = _read(tuple(cited))
    return (_across_languages if is_other_language(bare, source.language) else _by_rules)(bare, source)


def _across_languages(sentence: str, source: _Source) -> Judgement:
    """Judge a sentence by what needs no translation."""
    facts = Facts.of(sentence)
    missing, _ = facts.check([other.facts for other in source.sentences], [], is_near_whole=False)
    torn = [f"quote:{quote}" for quote in quotations(sentence) if not quote_is_in(quote, source.folded_texts)]
    if missing or torn:
        return Judgement(Verdict.NOT_FOUND, (*missing, *torn, OTHER_LANGUAGE))
    has_name = any(name_is_in(name, source.names, source.words) for name in find_names(facts.remainder))
    alike = [term for term in terms(facts.remainder, source.language) if term not in source.light]
    is_partly = facts.n_facts or has_name or any(_is_in(term, source.terms) for term in alike)
    return Judgement(Verdict.PARTLY if is_partly else Verdict.NOT_FOUND, (OTHER_LANGUAGE,))


def _by_rules(sentence: str, source: _Source) -> Judgement:
    facts = Facts.of(sentence)
    said = terms(_CONTRACTED_NOT.sub(" not", facts.remainder), source.language)
    content = [term for term in dict.fromkeys(said) if term not in source.light]
    near = _nearest(content, facts, source)
    missing, denied = facts.check(
        [other.facts for other in source.sentences],
        [other.facts for other, _ in near],
        is_near_whole=any(share >= SAME_COVERAGE for _, share in near),
    )
    clashes = _clashes(sentence, content, near, source)
    if denied or (clashes and _is_certain(sentence, content, near, source)):
        return Judgement(Verdict.CONTRADICTED, (*denied, *clashes))
    torn = [quote for quote in quotations(sentence) if not quote_is_in(quote, source.folded_texts)]
    if torn:
        return Judgement(Verdict.NOT_FOUND, tuple(f"quote:{quote}" for quote in torn))
    named = _by_names(facts, content, missing, near, sentence, source)
    if named is not None:
        return named
    if not content and not facts.n_facts:
        return Judgement(Verdict.NOT_FOUND)
    lacking = tuple(f"missing:{term}" for term in _lacking(content, source.terms))
    closest = max((_share(content, other.terms) for other in source.sentences), default=0.0)
    n_found = len(content) - len(lacking) + facts.n_facts
    if n_found < PARTLY_COVERAGE * (len(content) + facts.n_facts):
        return Judgement(Verdict.NOT_FOUND, lacking)
    doubts = (*clashes, *_links(sentence, facts, content, near, source), *lacking)
    is_borne_out = not doubts and closest >= CLOSEST_COVERAGE
    return Judgement(Verdict.SUPPORTED if is_borne_out else Verdict.PARTLY, tuple(dict.fromkeys(doubts)))


def _is_certain(
    sentence: str, content: Sequence[str], near: Sequence[tuple[_Sentence, float]], source: _Source
) -> bool:
    """Whether a clash with the near sentences contradicts: both speak of the same, and of what is."""
    if _QUANTIFIER.search(sentence):
        return False
    if not _HYPOTHETICAL.search(sentence) and all(_HYPOTHETICAL.search(other.text) for other, _ in near):
        return False
    denying = denying_terms(sentence, source.language)
    n_known = sum(
        term in denying or _is_in(term, source.terms) or not opposite_terms(term).isdisjoint(source.terms)
        for term in content
    )
    return n_known >= CLASH_COVERAGE * len(content)


def _by_names(
    facts: Facts,
    content: Sequence[str],
    missing: Sequence[str],
    near: Sequence[tuple[_Sentence, float]],
    sentence: str,
    source: _Source,
) -> Judgement | None:
    """The verdict when a fact or a name is not in the text, None when all are."""
    names = [] if source.language in _CAPITAL_NOUNS else find_names(facts.remainder)
    absent = [
        name
        for name in names
        if not name_is_in(name, source.names, source.words)
        and not all(
            term in source.light or _is_in(term, source.terms) for term in terms(name, source.language)
        )
    ]
    reasons = (*missing, *(f"name:{name}" for name in absent))
    if not reasons:
        return None
    of_names = {term for name in absent for term in terms(name, source.language)}
    coverage = _share([term for term in content if term not in of_names], source.terms)
    is_swap = absent and any(has_other_name(other.text, sentence) for other, _ in near)
    n_borne_out = facts.n_facts + len(names) - len(reasons)
    is_partly = (
        not is_swap and n_borne_out > 0 and coverage >= ALIGNED_COVERAGE
        if absent
        else coverage >= PARTLY_COVERAGE
    )
    return Judgement(Verdict.PARTLY if is_partly else Verdict.NOT_FOUND, reasons)


def _links(
    sentence: str,
    facts: Facts,
    content: Sequence[str],
    near: Sequence[tuple[_Sentence, float]],
    source: _Source,
) -> Iterator[str]:
    """What the text links otherwise than the sentence."""
    texts = _closest_texts(facts, content, source)
    for value in borrowed_values(sentence, texts, language=source.language, light=source.light):
        yield f"link:{value}"
    if source.language not in _CAPITAL_NOUNS:
        for name in borrowed_names(sentence, texts, language=source.language, light=source.light):
            yield f"link:{name}"
    said = words_in(sentence, source.language)
    found: list[list[str]] = []
    for other, _ in near:
        given = words_in(other.text, source.language)
        rest = [words_in(text, source.language) for text in texts if text != other.text]
        changes = find_changes(
            said, given, rest, light=source.light, language=source.language, is_same=_is_same
        )
        own = [f"link:{word.text}" for word in changes.words if _is_in(word.term, source.terms)]
        own += ["negation"] if changes.is_turned else []
        if has_turned_roles(sentence, _contentful(said, source), other.text, _contentful(given, source)):
            own.append(f"link:{said[0].text}")
        found.append(own)
    # One source sentence that speaks for the whole is enough.
    yield from min(found, key=len, default=[])


def _closest_texts(facts: Facts, content: Sequence[str], source: _Source) -> list[str]:
    """The sentences that share most with this one, in order of the text; all of them when they are few."""
    if len(source.sentences) <= MAX_LINKED_SENTENCES:
        return [other.text for other in source.sentences]
    own = frozenset(content)

    def shared(number: int) -> int:
        other = source.sentences[number]
        return len(own & other.terms) + 2 * sum(is_met(fact, other.facts) for fact in facts.all)

    ranked = sorted(range(len(source.sentences)), key=lambda number: (-shared(number), number))
    return [source.sentences[number].text for number in sorted(ranked[:MAX_LINKED_SENTENCES])]


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


def _clashes(
    sentence: str, content: Sequence[str], near: Sequence[tuple[_Sentence, float]], source: _Source
) -> list[str]:
    """How the near sentences are turned around; nothing when one of them says the whole thing as it is."""
    found: list[str] = []
    for other, share in near:
        clash = find_clash(sentence, other.text, ignored=source.light, language=source.language)
        if clash is not None:
            found.append(f"{clash.kind}:{clash.subject}")
        elif share >= SAME_COVERAGE and _is_denial(sentence, content, other, source):
            found.append("negation")
        elif share >= CLASH_COVERAGE:
            return []
    return found


def _is_denial(sentence: str, content: Sequence[str], other: _Sentence, source: _Source) -> bool:
    """Whether a sentence of the same words as another has one negation more or less."""
    own = frozenset(content)
    given = [term for term in other.terms if term not in source.light]
    is_same = _share(given, own) >= SAME_COVERAGE
    return (
        is_same
        and (n_negations(sentence, source.language) - n_negations(other.text, source.language)) % 2 == 1
    )


@lru_cache(maxsize=64)
def _read(cited: tuple[str, ...]) -> _Source:
    """Read the cited texts; an answer's sentences often cite the same."""
    language = language_of(" ".join(cited)[:_LANGUAGE_CHARS])
    sentences = tuple(
        _Sentence(text[start:end], frozenset(terms(text[start:end], language)), Facts.of(text[start:end]))
        for text in cited
        for start, end in split(text)
    )
    return _Source(
        language=language,
        folded_texts=tuple(fold(text) for text in cited),
        sentences=sentences,
        terms=frozenset(term for sentence in sentences for term in sentence.terms),
        words=frozenset(word for text in cited for word in words_of(text)),
        names=tuple(name for sentence in sentences for name in find_names(sentence.text)),
    )


def _contentful(words: Sequence[Word], source: _Source) -> list[Word]:
    return [word for word in words if word.term and word.term not in source.light]


def _lacking(content: Sequence[str], given: Collection[str]) -> list[str]:
    """The terms that are not given, without those that only join two that are in Chinese or Japanese."""
    lacking = [term for term in content if not _is_in(term, given)]
    if not any(term[0] >= _FIRST_UNSPACED for term in lacking):
        return lacking
    known = _JOINING.union(char for term in content if term not in lacking for char in term)
    return [term for term in lacking if term[0] < _FIRST_UNSPACED or not known.issuperset(term)]


def _share(content: Sequence[str], given: Collection[str]) -> float:
    """The share of the terms that are given; 1 when there are none."""
    return sum(_is_in(term, given) for term in content) / len(content) if content else 1.0


def _is_in(term: str, given: Collection[str]) -> bool:
    """Whether a term is given, or the same in other letters (german, germani; beat, defeat)."""
    if term in given or not same_terms(term).isdisjoint(given):
        return True
    if len(term) < _MIN_PREFIX:
        return False
    prefix = term[:_MIN_PREFIX]
    return any(other.startswith(prefix) and _differ_by_ending(term, other) for other in given)


def _is_same(term: str, other: str) -> bool:
    return _is_in(term, (other,))


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
