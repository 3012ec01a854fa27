"""A model's text becomes an answer: streamed, checked, repaired once, and in strict mode cut to what holds.

A sentence is handed over as soon as it is complete and checked. One that its source does not bear out is
rewritten once with that evidence alone, after the rest is there. Strict mode holds such sentences back and
leaves out those that stay so. Citations are numbered by first use when all is done.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from tabwise.core.answers.answer import (
    REPLY_DECLINED,
    REPLY_EMPTY,
    REPLY_UNSUPPORTED,
    Fallback,
    Notice,
    NoticeKind,
)
from tabwise.core.answers.cited import Said, Sentences, parse
from tabwise.core.answers.prompts import is_declined, repair_prompt
from tabwise.core.model import AnswerSentence, Citation, Verdict
from tabwise.core.verdicts.verify import OTHER_LANGUAGE
from tabwise.engine.answering.calling import FAILURES, Calls, Piece
from tabwise.engine.answering.checking import Checked, Checker, Numbering
from tabwise.engine.answering.prompting import Prepared, new_key
from tabwise.engine.answering.trace import Trace
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library

OnSentence = Callable[[int, AnswerSentence, Sequence[Citation]], None]

MAX_REPAIRS = 3
REPAIR_TOKENS = 120
_REPAIRABLE = (Verdict.CONTRADICTED, Verdict.NOT_FOUND)
_ENDS = tuple('.!?…。！？।"”»)')


class Unusable(Exception):
    """What a model wrote is no answer; `fallback` says why."""

    def __init__(self, fallback: Fallback) -> None:
        super().__init__(fallback.code)
        self.fallback = fallback


@dataclass(frozen=True, slots=True)
class Written:
    """The sentences of an answer and their citations by number."""

    sentences: tuple[AnswerSentence, ...]
    citations: tuple[Citation, ...]

    def behind(self, before: "Written") -> "Written":
        """Return the sentences of `before` and then these, their citations numbered on."""
        n = len(before.citations)
        sentences = (
            replace(one, citations=tuple(number + n for number in one.citations)) for one in self.sentences
        )
        citations = (replace(one, number=one.number + n) for one in self.citations)
        return Written((*before.sentences, *sentences), (*before.citations, *citations))


NOTHING = Written((), ())


class Writer:
    """Writes one answer with a model."""

    def __init__(self, library: Library, calls: Calls, job: Job, trace: Trace) -> None:
        self._library = library
        self._calls = calls
        self._job = job
        self._trace = trace
        self._checker = Checker(library, job)

    async def write(
        self, purpose: str, prepared: Prepared, *, language: str, strict: bool, on_sentence: OnSentence
    ) -> Written:
        """Call the model and check what it writes, see `read`."""
        async with aclosing(self._calls.stream(purpose, prepared.prompt)) as pieces:
            return await self.read(
                pieces, prepared, language=language, strict=strict, on_sentence=on_sentence
            )

    async def read(
        self,
        pieces: AsyncIterator[Piece],
        prepared: Prepared,
        *,
        language: str,
        strict: bool,
        on_sentence: OnSentence,
    ) -> Written:
        """Check what a model writes from the passages it was given.

        Raises Unusable when nothing of it can be shown, FAILURES. A model that fails after
        sentences were checked has written those. What it was given is noted whenever it replied.
        """
        await self._job.checkpoint(Progress("write", 0, 0, "sentences"))
        checked: list[Checked] = []
        numbering = Numbering(self._library)
        n_shown = 0
        try:
            async with aclosing(_said(pieces)) as sentences:
                async for said in sentences:
                    one = await self._checker.check(said, prepared.passages, prepared.calculations)
                    checked.append(one)
                    if one.is_borne_out or not strict:
                        on_sentence(n_shown, *numbering.number(one))
                        n_shown += 1
                    await self._job.checkpoint(Progress("write", len(checked), 0, "sentences"))
        except FAILURES as error:
            if not any(one.has_ground for one in checked):
                raise
            self._trace.notices.append(Notice(NoticeKind.STOPPED_EARLY, error.code))
        except Unusable:
            self._trace.was_given(prepared.given, prepared.dropped)
            raise
        self._trace.was_given(prepared.given, prepared.dropped)
        self._trace.lap("write")
        await self._repair(checked, language, numbering, None if strict else on_sentence)
        self._trace.lap("verify")
        return self._finished(checked, strict=strict)

    async def _repair(
        self, checked: list[Checked], language: str, numbering: Numbering, on_sentence: OnSentence | None
    ) -> None:
        """Rewrite sentences that their source does not bear out, each once; put what holds in their place."""
        failing = [i for i, one in enumerate(checked) if _is_repairable(one)][:MAX_REPAIRS]
        for done, i in enumerate(failing):
            await self._job.checkpoint(Progress("verify", done, len(failing), "sentences"))
            try:
                better = await self._rewritten(checked[i], language)
            except FAILURES:
                return  # what was written stands, with its verdicts
            if better is not None:
                checked[i] = better
                if on_sentence is not None:
                    on_sentence(i, *numbering.number(better))

    async def _rewritten(self, one: Checked, language: str) -> Checked | None:
        passage = one.passages[0]
        prompt = repair_prompt(
            sentence=one.text,
            language=language,
            evidence=self._library.page(passage.source).text[passage.start : passage.end],
            key=new_key(),
            max_output_tokens=REPAIR_TOKENS,
            pages=(passage.source,),
        )
        said = parse(await self._calls.text("repair", prompt))
        if not said or is_declined(said[0].text):
            return None
        again = await self._checker.check(Said(said[0].text, (1,)), {1: passage})
        return replace(again, removed=one.removed) if again.has_ground else None

    def _finished(self, checked: Sequence[Checked], *, strict: bool) -> Written:
        """Leave out what must be, number by first use, and tell the reader what was noticed."""
        kept = [one for one in checked if one.is_borne_out or not strict]
        if not any(one.has_ground for one in kept):
            raise Unusable(Fallback(REPLY_UNSUPPORTED))
        notices = self._trace.notices
        if len(kept) < len(checked):
            notices.append(Notice(NoticeKind.SENTENCES_LEFT_OUT, str(len(checked) - len(kept))))
        removed = sorted({number for one in checked for number in one.removed})
        if removed:
            notices.append(Notice(NoticeKind.MARKS_REMOVED, ", ".join(map(str, removed))))
        numbering = Numbering(self._library)
        sentences = tuple(numbering.number(one)[0] for one in kept)
        return Written(sentences, numbering.citations)


async def _said(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Said, None]:
    """The sentences as they are completed, each once; raises Unusable when there is none."""
    reader, is_declining = Sentences(), False
    known: set[str] = set()
    async for piece in pieces:
        found = reader.feed(piece.text, is_whole=piece.is_whole)
        if piece.is_cut and found and not found[-1].text.endswith(_ENDS):
            found = found[:-1]
        for said in found:
            if is_declined(said.text):
                is_declining = True
            elif said.text not in known:
                known.add(said.text)
                yield said
    if not known:
        raise Unusable(Fallback(REPLY_DECLINED if is_declining else REPLY_EMPTY))


def _is_repairable(one: Checked) -> bool:
    """Whether its evidence may tell what is wrong; of a translation that shares nothing with it none can."""
    is_untold = one.judgement.reasons == (OTHER_LANGUAGE,)
    return bool(one.passages) and one.judgement.verdict in _REPAIRABLE and not is_untold
