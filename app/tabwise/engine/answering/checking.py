"""Sentences that a model wrote, checked against the passages it was given.

For every sentence: which numbers it cites exist, which span of each cited passage bears it out, and what the
verdict is. A passage that adds nothing where another one supports the sentence is not cited. Models forget to
cite and mix numbers up: a sentence that no cited passage supports gets the span that does, when one of the
passages nearest in words has one, and the wrong numbers are told. The agent's answers go the same way as the
pipeline's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tabwise.core.agent.calculations import that_hold
from tabwise.core.agent.passages import Passage
from tabwise.core.answers.cited import Said
from tabwise.core.answers.support import VERDICT_ORDER, Support, find_support
from tabwise.core.model import AnswerSentence, ChunkId, Citation, Judgement, SourceId, Verdict
from tabwise.core.text.terms import terms
from tabwise.core.verdicts.verify import judge
from tabwise.engine.jobs import Job
from tabwise.engine.library import Library

N_TRIED = 3
"""Passages in which the support of a sentence is looked for that those it cites do not support."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence with the spans it rests on and its verdict.

    passages: those that `supports` lie in, one each. removed: the numbers it cited that point at nothing, or
    at passages that do not say it where another one does.
    """

    text: str
    supports: tuple[Support, ...]
    passages: tuple[Passage, ...]
    judgement: Judgement
    removed: tuple[int, ...] = ()

    @property
    def is_borne_out(self) -> bool:
        """Whether its sources support it."""
        return self.judgement.verdict is Verdict.SUPPORTED

    @property
    def has_ground(self) -> bool:
        """Whether its sources support at least part of it."""
        return self.judgement.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)


class Checker:
    """Checks sentences against the pages of a library."""

    def __init__(self, library: Library, job: Job) -> None:
        self._library = library
        self._job = job

    async def check(
        self, said: Said, passages: Mapping[int, Passage], calculations: Sequence[str] = ()
    ) -> Checked:
        """Check a sentence; `passages` are those the model was given, by the number it knows them by.

        `calculations` are evidence too, where they were made from what the cited passages say.
        """
        checked = await self._against_pages(said, passages)
        if checked.is_borne_out or not calculations:
            return checked
        texts = [self._library.page(one.source).text[one.start : one.end] for one in checked.passages]
        held = that_hold(calculations, said.text, texts)
        again = judge(said.text, [*texts, *held]) if held else checked.judgement
        is_better = VERDICT_ORDER.index(again.verdict) < VERDICT_ORDER.index(checked.judgement.verdict)
        return replace(checked, judgement=again) if is_better else checked

    async def _against_pages(self, said: Said, passages: Mapping[int, Passage]) -> Checked:
        cited = [passages[number] for number in said.numbers if number in passages]
        removed = tuple(number for number in said.numbers if number not in passages)
        found = [(await self._support(said.text, passage), passage) for passage in cited]
        pairs = [(support, passage) for support, passage in found if support is not None]
        if any(_supports(support) for support, _ in pairs):
            pairs = [
                pair for pair in pairs if pair[0].judgement.verdict in (Verdict.SUPPORTED, Verdict.PARTLY)
            ]
        else:
            others = {number: one for number, one in passages.items() if number not in said.numbers}
            elsewhere = await self._attributed(said.text, others)
            if elsewhere:
                pairs, removed = elsewhere, said.numbers
        supports = tuple(support for support, _ in pairs)
        return Checked(
            said.text,
            supports,
            tuple(passage for _, passage in pairs),
            self._verdict(said.text, supports),
            removed,
        )

    async def _attributed(self, text: str, passages: Mapping[int, Passage]) -> list[tuple[Support, Passage]]:
        """The first of the nearest passages that supports a sentence, if one does."""
        wanted = frozenset(terms(text))

        def shared(passage: Passage) -> int:
            own = self._library.page(passage.source).text[passage.start : passage.end]
            return len(wanted.intersection(terms(own)))

        for passage in sorted(passages.values(), key=lambda one: (-shared(one), one.number))[:N_TRIED]:
            support = await self._support(text, passage)
            if support is not None and _supports(support):
                return [(support, passage)]
        return []

    async def _support(self, text: str, passage: Passage) -> Support | None:
        page = self._library.page(passage.source)
        return await self._job.drive(find_support(text, page, passage.start, passage.end))

    def _verdict(self, text: str, supports: Sequence[Support]) -> Judgement:
        if len(supports) == 1:
            return supports[0].judgement
        quotes = [self._library.page(one.source).text[one.start : one.end] for one in supports]
        return judge(text, quotes)


def _supports(support: Support) -> bool:
    return support.judgement.verdict is Verdict.SUPPORTED


class Numbering:
    """Citation numbers by first use: one for each span."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._citations: dict[tuple[SourceId, int, int], Citation] = {}

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations so far, by number."""
        return tuple(self._citations.values())

    def number(self, checked: Checked) -> tuple[AnswerSentence, tuple[Citation, ...]]:
        """Return a sentence with its numbers, and the citations it has."""
        citations = [
            self._citation(support, passage.chunk_id)
            for support, passage in zip(checked.supports, checked.passages, strict=True)
        ]
        distinct = tuple({citation.number: citation for citation in citations}.values())
        numbers = tuple(citation.number for citation in distinct)
        return AnswerSentence(checked.text, numbers, checked.judgement), distinct

    def _citation(self, support: Support, chunk_id: ChunkId) -> Citation:
        key = (support.source, support.start, support.end)
        known = self._citations.get(key)
        if known is None:
            quote = self._library.page(support.source).text[support.start : support.end]
            number = len(self._citations) + 1
            known = self._citations[key] = Citation(number, support.source, chunk_id, *key[1:], quote)
        return known
