"""Small uses of a language model against the rules that do the same without one.

For a paragraph each, with searches over the whole collection as the judge:

    starter     a question made from the paragraph: does it find its paragraph first?
    follow-up   a question whose name became "it", behind another one about the paragraph that has the name:
                does the question made to stand alone find the paragraph first?
    title       of a conversation that begins with a question: does it find the question's paragraph first,
                and are all its words those of the question?

As it was asked is the least, the whole question the most that can be had. Titles and starters of the rules
are those of the product; a paragraph alone has no heading, so of its starters definitions are left.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from tabwise.core.answers.followup import Turn, stand_alone
from tabwise.core.answers.plan import plan_by_rules
from tabwise.core.answers.planning import plan_from_reply, planning_prompt
from tabwise.core.answers.starters import starters_of
from tabwise.core.chat import Message, Prompt, Role
from tabwise.core.model import Page
from tabwise.core.search.index import SearchIndex
from tabwise.core.text.terms import terms
from tabwise.core.threads import title_of
from tabwise.core.verdicts.names import find_names
from tabwise.eval.embedding_cache import Embed
from tabwise.eval.indexing import CountTokens, index_pages
from tabwise.eval.xquad import AnsweredQuestion
from tabwise.ports import LanguageModel

MAX_TOKENS = 40
_KEY = "evaluation"
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class UseRow:
    """How many of `n` paragraphs came first (`found`), and in how many no word was made up (`grounded`).

    Of starters the second is not counted, None: a question needs words that its text does not have.
    """

    use: str
    form: str
    n: int
    found: int
    grounded: int | None


class _Finder:
    """Searches, and tells whether a paragraph came first."""

    def __init__(self, index: SearchIndex, pages: Sequence[Page], embed: Embed | None) -> None:
        self._index = index
        self._pages = {page.source: page for page in pages}
        self._embed = embed

    def paragraph(self, question: AnsweredQuestion) -> tuple[int, int]:
        """The span of the paragraph that a question is about."""
        blocks = self._pages[question.source].blocks
        return next((one.start, one.end) for one in blocks if one.start <= question.start < one.end)

    def text(self, question: AnsweredQuestion) -> str:
        """Its text."""
        start, end = self.paragraph(question)
        return self._pages[question.source].text[start:end]

    def page(self, question: AnsweredQuestion) -> Page:
        """The page it stands in."""
        return self._pages[question.source]

    def finds(self, query: str, question: AnsweredQuestion) -> bool:
        """Whether the first passage found lies in the question's paragraph, in part at least."""
        if not terms(query):
            return False
        vector = self._embed([query])[0] if self._embed is not None else None
        hits = self._index.search(query, vector, k=1)
        start, end = self.paragraph(question)
        return any(
            hit.chunk.source == question.source and hit.chunk.start < end and start < hit.chunk.end
            for hit in hits
        )


def run_small_uses(
    pages: Sequence[Page],
    questions: Sequence[AnsweredQuestion],
    model: LanguageModel,
    *,
    count_tokens: CountTokens,
    embed: Embed | None,
    n: int,
) -> list[UseRow]:
    """Measure each use on at most `n` paragraphs, spread over the collection."""
    finder = _Finder(index_pages(pages, count_tokens, embed), pages, embed)
    groups = _by_paragraph(questions, finder)
    firsts = [group[0] for group in _spread(groups, n)]
    pairs = _spread([pair for group in groups for pair in _follow_ups(group)[:1]], n)
    return [
        *_starters(firsts, finder, model),
        *_followed(pairs, finder, model),
        *_titles(firsts, finder, model),
    ]


def _starters(questions: Sequence[AnsweredQuestion], finder: _Finder, model: LanguageModel) -> list[UseRow]:
    def by_rules(question: AnsweredQuestion) -> str:
        start, end = finder.paragraph(question)
        found = [one for one in starters_of(finder.page(question)) if start <= one.start < end]
        return found[0].text if found else ""

    def by_model(question: AnsweredQuestion) -> str:
        text = f"{finder.text(question)}\n\nWrite one short question that the text above answers."
        return _written(model, text)

    return [
        _row("starter", form, questions, make, finder, None)
        for form, make in (("rules", by_rules), ("bundled model", by_model))
    ]


def _followed(
    pairs: Sequence[tuple[AnsweredQuestion, AnsweredQuestion, str]], finder: _Finder, model: LanguageModel
) -> list[UseRow]:
    before = {second: first for first, second, _ in pairs}
    asked = {second: text for _, second, text in pairs}

    def turns(question: AnsweredQuestion) -> tuple[Turn, ...]:
        first = before[question]
        return (Turn(first.text, finder.page(first).text[first.start : first.end]),)

    def by_model(question: AnsweredQuestion) -> str:
        text = asked[question]
        done = asyncio.run(
            model.complete(planning_prompt(text, turns(question), _KEY), on_text=lambda piece: None)
        )
        return plan_from_reply(done.text, plan_by_rules(text, turns(question))).question

    forms: tuple[tuple[str, Callable[[AnsweredQuestion], str]], ...] = (
        ("as it was asked", lambda question: asked[question]),
        ("rules", lambda question: stand_alone(asked[question], turns(question))),
        ("bundled model", by_model),
        ("whole question", lambda question: question.text),
    )
    return [
        _row(
            "follow-up",
            form,
            [second for _, second, _ in pairs],
            make,
            finder,
            lambda question: f"{question.text} {before[question].text}",
        )
        for form, make in forms
    ]


def _titles(questions: Sequence[AnsweredQuestion], finder: _Finder, model: LanguageModel) -> list[UseRow]:
    def by_model(question: AnsweredQuestion) -> str:
        text = f'Write a title of at most six words for a conversation about: "{question.text}"'
        return title_of(_written(model, text).strip('"'))

    return [
        _row("title", form, questions, make, finder, lambda question: question.text)
        for form, make in (("rules", lambda question: title_of(question.text)), ("bundled model", by_model))
    ]


def _row(
    use: str,
    form: str,
    questions: Sequence[AnsweredQuestion],
    make: Callable[[AnsweredQuestion], str],
    finder: _Finder,
    ground: Callable[[AnsweredQuestion], str] | None,
) -> UseRow:
    made = [(question, make(question)) for question in questions]
    found = sum(finder.finds(text, question) for question, text in made)
    if ground is None:
        return UseRow(use, form, len(made), found, None)
    grounded = sum(bool(text) and set(terms(text)) <= set(terms(ground(question))) for question, text in made)
    return UseRow(use, form, len(made), found, grounded)


def _written(model: LanguageModel, text: str) -> str:
    prompt = Prompt((Message(Role.USER, text),), MAX_TOKENS, stops=("\n",))
    return asyncio.run(model.complete(prompt, on_text=lambda piece: None)).text.strip()


def _by_paragraph(questions: Sequence[AnsweredQuestion], finder: _Finder) -> list[list[AnsweredQuestion]]:
    groups: dict[tuple[str, int], list[AnsweredQuestion]] = {}
    for question in questions:
        groups.setdefault((question.source, finder.paragraph(question)[0]), []).append(question)
    return list(groups.values())


def _follow_ups(
    group: Sequence[AnsweredQuestion],
) -> list[tuple[AnsweredQuestion, AnsweredQuestion, str]]:
    """Pairs of questions that share a name, with the second one's name as a pronoun."""
    pairs = []
    for first, second in pairwise(group):
        for name in find_names(second.text):
            pattern = re.compile(rf"(?:\bthe )?{re.escape(name)}(['’]s)?", re.IGNORECASE)
            text = pattern.sub(lambda match: "its" if match[1] else "it", second.text, count=1)
            if name in first.text and not find_names(text):
                pairs.append((first, second, text))
                break
    return pairs


def _spread(items: Sequence[Item], n: int) -> list[Item]:
    """At most `n` of the items, at equal distances."""
    chosen = np.unique(np.linspace(0, len(items) - 1, min(n, len(items))).round().astype(np.int64))
    return [items[i] for i in chosen]
