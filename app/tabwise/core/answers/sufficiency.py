"""Is what was found enough for the question, only for part of it, or for nothing?

The index already turns away searches that nothing is near to, by absolute scores (`index`), and the
extractive answer has a floor of its own (`extract`): an empty search or answer is "nothing". Between that and
"enough":

    part   one of several queries found nothing, or a thing that the question names by a proper name, a
           number, a date or in quotation marks is nowhere in the passages and titles found

A name counts as there when one page has all its words. German capitals name every noun, and a question in
another language than the pages, or one that tells none and that a model put in other words, spells names its
own way: names are looked for only where none of these is so. On XQuAD something is said to be missing for 2 %
of the questions the pages answer, and for 38 % of those that other articles answer and that get an answer all
the same.

A second search, at most one, is for what is missing. When nothing was found at all it is for the rarest words
that the library knows, and only for a question of MIN_REFINED_WORDS or more, which says much beside what it
asks. For shorter ones it was measured on XQuAD, by words: of the questions the pages answer it found none
more, of those that other articles answer it let 48 instead of 37 % through. It only adds passages: the answer
is still measured by the question.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tabwise.core.answers.plan import Plan
from tabwise.core.model import Hit, Page, SourceId
from tabwise.core.text.language import language_of, tells_language
from tabwise.core.text.stemming import language_key
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.facts import Facts
from tabwise.core.verdicts.names import find_names

MIN_REFINED_WORDS = 20
N_REFINED_TERMS = 4
_QUOTED = re.compile(r"[“\"„«]([^”\"“»]{2,80})[”\"“»]")


class Level(StrEnum):
    """How far the evidence goes."""

    ENOUGH = "enough"
    PART = "part"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """How far the evidence goes, and for which parts of the question there is none."""

    level: Level
    missing: tuple[str, ...] = ()


def assess(plan: Plan, found: Sequence[Sequence[Hit]], pages: Mapping[SourceId, Page]) -> Sufficiency:
    """Judge the hits of each query of a plan, in the order of its queries; `pages` holds their pages."""
    if not any(found):
        return Sufficiency(Level.NOTHING)
    labels = plan.topics or plan.queries
    missing = [label for label, hits in zip(labels, found, strict=True) if not hits]
    if not missing:
        missing = _absent(plan, [hit for hits in found for hit in hits], pages)
    return Sufficiency(Level.PART if missing else Level.ENOUGH, tuple(missing))


def refined_query(
    plan: Plan, missing: Sequence[str], idf: Callable[[str], float], known: Callable[[str], bool]
) -> str:
    """Return the query of a second search, "" when there is none to make.

    `known`: whether the library has a term at all.
    """
    if missing:
        return " ".join(missing)
    said = re.findall(r"[^\W_][\w’'-]*", plan.question)
    if len(said) < MIN_REFINED_WORDS:
        return ""
    words: dict[str, float] = {}
    for word in said:
        own = [term for term in terms(word) if known(term)]
        if own:
            words[word] = max(map(idf, own))
    rarest = sorted(words, key=lambda word: -words[word])[:N_REFINED_TERMS]
    return " ".join(word for word in words if word in rarest)


def _absent(plan: Plan, hits: Sequence[Hit], pages: Mapping[SourceId, Page]) -> list[str]:
    """What the question names and no page found has in its passages."""
    texts: dict[SourceId, list[str]] = {}
    for hit in hits:
        page = pages[hit.chunk.source]
        texts.setdefault(page.source, [page.title, *hit.chunk.heading_path]).append(hit.chunk.text)
    evidence = {source: "\n".join(parts) for source, parts in texts.items()}
    named = [*_QUOTED.findall(plan.question), *_numbers(plan.question)]
    languages = {language_key(pages[source].language) for source in texts}
    is_translated = plan.by_model and not tells_language(plan.question)
    if plan.language in languages and plan.language != "de" and not is_translated:
        named += find_names(plan.question)
    vocabulary = [_words_of(evidence[source], pages[source]) for source in texts]
    return [name for name in dict.fromkeys(named) if not _is_anywhere(name, vocabulary, evidence.values())]


def _numbers(question: str) -> list[str]:
    facts = Facts.of(question)
    texts = [*(date.text for date in facts.dates), *(quantity.text for quantity in facts.quantities)]
    return [text for text in texts if any(map(str.isdigit, text))]


def _words_of(text: str, page: Page) -> frozenset[str]:
    return frozenset(terms(text, page.language)) | frozenset(terms(text, language_of(text)))


def _is_anywhere(name: str, vocabularies: Iterable[frozenset[str]], texts: Iterable[str]) -> bool:
    own = frozenset(terms(name))
    lowered = name.lower()
    return any(own <= words for words in vocabularies) or any(lowered in text.lower() for text in texts)
