"""Reading whole pages: which ones, what of them fits, and the summary with or without a model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tabwise.core.answers.answer import Dropped, Given, Reason
from tabwise.core.answers.plan import Plan
from tabwise.core.answers.reading import Part, allot, parts_of, take
from tabwise.core.model import AnswerSentence, Chunk, ChunkId, Citation, Page, PageHead, SourceId
from tabwise.core.page.sections import estimate_tokens
from tabwise.core.summaries.summary import summarise
from tabwise.core.verdicts.verify import judge
from tabwise.engine.answering.question import Question
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.errors import InputError

MAX_PAGES = 8
"""Pages that one reading may take in; of more, the newest are read and the others named."""
EXTRACTIVE_TOKENS = 60_000
"""What is looked through without a model, about 40,000 words."""
_QUOTED = re.compile(r"[“\"„«](.+?)[”\"“»]")


@dataclass(frozen=True, slots=True)
class Reading:
    """Parts of pages in reading order, each with the chunk it begins in, and what was left out."""

    pages: dict[SourceId, Page]
    parts: tuple[tuple[Part, ChunkId], ...]
    dropped: tuple[Dropped, ...]

    @property
    def given(self) -> tuple[Given, ...]:
        """The parts as an answer lists them."""
        return tuple(
            Given(i + 1, part.source, part.start, part.end, part.n_tokens)
            for i, (part, _) in enumerate(self.parts)
        )


class Reader:
    """Reads pages of a library within a budget."""

    def __init__(self, library: Library, job: Job) -> None:
        self._library = library
        self._job = job

    async def read(self, plan: Plan, asked: Question, budget_tokens: int) -> Reading:
        """Read the pages that are meant; sizes are estimates, good enough to share a budget by.

        Raises InputError library_empty.
        """
        heads = self._meant(plan, asked)
        if not heads:
            raise InputError("library_empty")
        chosen, too_many = heads[-MAX_PAGES:], heads[:-MAX_PAGES]
        pages, parts_by_page = {}, []
        for done, head in enumerate(chosen):
            await self._job.checkpoint(Progress("retrieve", done, len(chosen), "pages"))
            page = self._library.page(head.source)
            pages[page.source] = page
            parts_by_page.append(parts_of(page, _size))
        await self._job.checkpoint(Progress("retrieve", len(chosen), len(chosen), "pages"))
        sizes = [sum(part.n_tokens for part in parts) for parts in parts_by_page]
        dropped = [Dropped("source", head.title, 0, Reason.NO_ROOM, head.source) for head in too_many]
        kept: list[tuple[Part, ChunkId]] = []
        for page, parts, share in zip(
            pages.values(), parts_by_page, allot(sizes, budget_tokens), strict=True
        ):
            taken, left_out = take(page, parts, share, _size)
            chunks = self._library.index.chunks(page.source)
            kept += [(part, _chunk_at(chunks, part.start)) for part in taken]
            dropped += [
                Dropped("section", part.heading or page.title, part.n_tokens, Reason.TOO_LONG, page.source)
                for part in left_out
            ]
            await self._job.checkpoint()
        return Reading(pages, tuple(kept), tuple(dropped))

    async def extract(self, reading: Reading) -> tuple[tuple[AnswerSentence, Citation], ...]:
        """Return the most central sentences of every page that was read, in reading order."""
        found: list[tuple[AnswerSentence, Citation]] = []
        index = self._library.index
        for source, page in reading.pages.items():
            spans = [(part.start, part.end) for part, _ in reading.parts if part.source == source]
            blocks = tuple(
                block
                for block in page.blocks
                if any(start <= block.start and block.end <= end for start, end in spans)
            )
            chunks = index.chunks(source)
            steps = summarise(replace(page, blocks=blocks), index.idf, {}, chunks)
            _, sentences = await self._job.drive(steps)
            for sentence in sentences:
                number = len(found) + 1
                chunk_id = _chunk_at(chunks, sentence.start)
                citation = Citation(number, source, chunk_id, sentence.start, sentence.end, sentence.text)
                verdict = judge(sentence.text, [sentence.text])
                found.append((AnswerSentence(sentence.text, (number,), verdict), citation))
        return tuple(found)

    def _meant(self, plan: Plan, asked: Question) -> Sequence[PageHead]:
        """The pages in scope, oldest first; those whose title the question quotes when there are such."""
        heads = asked.scope.heads(self._library)
        titles = [title.strip().lower() for title in _QUOTED.findall(plan.question)]
        named = [head for head in heads if head.title.strip().lower() in titles]
        return named or heads


def _size(text: str) -> int:
    return int(estimate_tokens(text)) + 1


def _chunk_at(chunks: Sequence[Chunk], position: int) -> ChunkId:
    """The last chunk that begins at a position or before it."""
    before = [chunk for chunk in chunks if chunk.start <= position]
    return (before or chunks)[-1].id
