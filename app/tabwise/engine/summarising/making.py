"""One page's summary: in its own words, or written part by part and checked against the page.

What was written of a part is kept under the hash of its text, so that work goes on where it ended and a page
that changed in one place is not read anew. More parts than the writer reads at once are told run by run, and
the runs likewise, until one text is left. What follows the first MAX_PARTS parts is not read, and the summary
says so. Sentences that the page contradicts or does not bear out are left out; a summary of which nothing is
left, or whose writer fails, is told in the page's own words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tabwise.core.answers.answer import EXTRACTIVE
from tabwise.core.answers.cited import parse
from tabwise.core.answers.support import find_support
from tabwise.core.model import Page, Verdict
from tabwise.core.search.vectors import dequantize
from tabwise.core.summaries.summary import (
    Summary,
    SummarySentence,
    centralities,
    n_sentences,
    shortened,
    summarise,
)
from tabwise.core.summaries.summary_prompts import MAX_PARTS, SummaryPart, parts_of, runs_of
from tabwise.core.text.terms import terms
from tabwise.engine.jobs import Job, Progress
from tabwise.engine.library import Library
from tabwise.engine.quiet import Quiet
from tabwise.engine.summarising.writers import Writer
from tabwise.ports import Clock

STAGE = "summarise"
SAME_SHARE = 0.7
"""Two sentences that share so many of their terms say the same."""
N_TRIED = 3
"""Parts in which the support of a sentence is looked for: those with most of its words."""
_KEPT = (Verdict.SUPPORTED, Verdict.PARTLY)

TELL_EVERY_MS = 200.0

Lines = tuple[SummarySentence, tuple[SummarySentence, ...]]
"""The line for a card, the sentences."""
OnPart = Callable[[str, int, int], None]
"""Told what has been written so far of a part, its number and how many there are; of all, the last number."""


class Maker:
    """Makes summaries of the pages of a library."""

    def __init__(self, library: Library, *, quiet: Quiet, clock: Clock) -> None:
        self._library = library
        self._quiet = quiet
        self._clock = clock

    async def extract(self, page: Page, asked: str, job: Job) -> Summary:
        """Summarise a page in its own words; `asked` is the engine that was wanted."""
        library = self._library
        chunks = library.index.chunks(page.source)
        known, vectors = library.store.load_vectors([chunk.content_hash for chunk in chunks])
        await job.checkpoint()
        is_near = centralities(chunks, dequantize(vectors)) if len(chunks) and known.all() else {}
        lines = await job.drive(summarise(page, library.index.idf, is_near, chunks))
        return self._summary(page, asked, EXTRACTIVE, lines)

    async def write(self, page: Page, writer: Writer, job: Job, on_part: OnPart) -> Summary:
        """Let a writer summarise a page.

        Raises ModelError, ProviderError when the writer fails; what was written of parts is kept.
        """
        parts: list[SummaryPart] = []
        read_share = 1.0
        for part in parts_of(page, writer.count, writer.max_part_tokens):
            if len(parts) == MAX_PARTS:
                read_share = parts[-1].end / len(page.text)
                break
            parts.append(part)
            await job.checkpoint()
        writing = _Writing(page, writer, on_part, self._clock, n_parts=len(parts))
        texts = []
        for number, part in enumerate(parts, start=1):
            await job.checkpoint(Progress(STAGE, number - 1, len(parts), "parts"))
            texts.append(await self._kept(writing, writing.of_part(part), number))
        while len(texts) > 1:
            runs = runs_of([writer.count(text) for text in texts], writer.max_merge_tokens)
            texts = [await self._told_as_one(writing, texts[run], is_whole=len(runs) == 1) for run in runs]
        await job.checkpoint(Progress(STAGE, len(parts), len(parts), "parts"))
        sentences = await self._checked(page, "".join(texts), parts, job)
        self._library.store.summaries.keep_parts(page.source, writing.hashes)
        if not sentences:
            return await self.extract(page, writer.engine, job)
        first = sentences[0]
        line = SummarySentence(shortened(first.text), first.start, first.end, first.verdict)
        summary = self._summary(page, writer.engine, writer.engine, (line, sentences))
        return replace(summary, read_share=read_share)

    async def _told_as_one(self, writing: "_Writing", texts: Sequence[str], *, is_whole: bool) -> str:
        if len(texts) == 1:
            return texts[0]
        return await self._kept(writing, writing.of_run(texts, is_whole=is_whole), writing.n_parts)

    async def _kept(self, writing: "_Writing", piece: "_Piece", number: int) -> str:
        """What was written of a piece before, else what is written of it now."""
        source, kept = writing.page.source, self._library.store.summaries
        part_hash = writing.hash_of(piece)
        text = kept.load_part(source, part_hash)
        if text is None:

            async def work() -> str:
                return await writing.write(piece, number)

            text = await self._quiet.undisturbed(work) if writing.writer.is_here else await work()
            kept.put_part(source, part_hash, text)
        writing.on_part(text, number, writing.n_parts)
        return text

    async def _checked(
        self, page: Page, text: str, parts: Sequence[SummaryPart], job: Job
    ) -> tuple[SummarySentence, ...]:
        """The sentences that the page bears out, each with the span that does it best."""
        kept: list[SummarySentence] = []
        said_before: list[frozenset[str]] = []
        of_parts: list[frozenset[str]] = []
        for part in parts:
            of_parts.append(frozenset(terms(page.text[part.start : part.end], page.language)))
            await job.checkpoint()
        for said in parse(text)[: 2 * n_sentences(page.n_words)]:
            wanted = frozenset(terms(said.text, page.language))
            if any(len(wanted & other) >= SAME_SHARE * len(wanted | other) for other in said_before):
                continue
            said_before.append(wanted)
            nearest = sorted(range(len(parts)), key=lambda i: (-len(wanted & of_parts[i]), i))[:N_TRIED]
            for part in [parts[i] for i in nearest]:
                support = await job.drive(find_support(said.text, page, part.start, part.end))
                if support is not None and support.judgement.verdict in _KEPT:
                    verdict = support.judgement.verdict
                    kept.append(SummarySentence(said.text, support.start, support.end, verdict))
                    break
        return tuple(kept[: n_sentences(page.n_words)])

    def _summary(self, page: Page, asked: str, engine: str, lines: Lines) -> Summary:
        headline, sentences = lines
        return Summary(page.content_hash, asked, engine, headline, sentences, self._clock.now_ms())


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is read at once: text of the page, or what was written of several parts; of all of it or not."""

    texts: tuple[str, ...]
    is_page: bool
    is_whole: bool


@dataclass(slots=True)
class _Writing:
    """One writer's work on one page, and the hashes of all pieces it was about."""

    page: Page
    writer: Writer
    on_part: OnPart
    clock: Clock
    n_parts: int
    hashes: list[str] = field(default_factory=list)

    def of_part(self, part: SummaryPart) -> _Piece:
        return _Piece((self.page.text[part.start : part.end],), is_page=True, is_whole=self.n_parts == 1)

    def of_run(self, texts: Sequence[str], *, is_whole: bool) -> _Piece:
        return _Piece(tuple(texts), is_page=False, is_whole=is_whole)

    def hash_of(self, piece: _Piece) -> str:
        asked = f"{self.writer.engine}\n{piece.is_page}\n{piece.is_whole}"
        said = "\n".join([asked, self.page.language, self.page.title, *piece.texts])
        self.hashes.append(sha256(said.encode("utf-8", "surrogatepass")).hexdigest())
        return self.hashes[-1]

    async def write(self, piece: _Piece, number: int) -> str:
        """Let the writer write about a piece, and tell every TELL_EVERY_MS what there is of it."""
        told_at = self.clock.now_ms()

        def on_text(text: str) -> None:
            nonlocal told_at
            if self.clock.now_ms() - told_at >= TELL_EVERY_MS:
                told_at = self.clock.now_ms()
                self.on_part(text, number, self.n_parts)

        page, is_whole = self.page, piece.is_whole
        if piece.is_page:
            return await self.writer.write(page, piece.texts[0], is_whole=is_whole, on_text=on_text)
        return await self.writer.merge(page, piece.texts, is_whole=is_whole, on_text=on_text)
