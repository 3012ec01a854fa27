"""One page's summary: in its own words, or written part by part and checked against the page.

What was written of a part is kept under the hash of its text, so that work goes on where it ended and a page
that changed in one place is not read anew. Sentences that the page contradicts or does not bear out are left
out; a summary of which nothing is left, or whose writer fails, is told in the page's own words.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import accumulate

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
from tabwise.core.summaries.summary_prompts import MAX_PARTS, SummaryPart, parts_of
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

Lines = tuple[SummarySentence, tuple[SummarySentence, ...]]
"""The line for a card, the sentences."""


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

    async def write(
        self, page: Page, writer: Writer, job: Job, on_part: Callable[[str, int, int], None]
    ) -> Summary:
        """Let a writer summarise a page; `on_part` is given each part's text, its number and how many there
        are.

        Raises ModelError, ProviderError when the writer fails; what was written of parts is kept.
        """
        parts: list[SummaryPart] = []
        for part in parts_of(page, writer.count, writer.max_part_tokens):
            parts.append(part)
            await job.checkpoint()
            if len(parts) == MAX_PARTS:
                break
        texts: list[str] = []
        hashes = [_hash(page, part, writer, is_whole=len(parts) == 1) for part in parts]
        for number, (part, part_hash) in enumerate(zip(parts, hashes, strict=True), start=1):
            await job.checkpoint(Progress(STAGE, number - 1, len(parts), "parts"))
            texts.append(await self._text_of(page, part, part_hash, writer, is_whole=len(parts) == 1))
            on_part(texts[-1], number, len(parts))
        whole = texts[0] if len(texts) == 1 else await self._merged(page, texts, writer) if texts else ""
        await job.checkpoint(Progress(STAGE, len(parts), len(parts), "parts"))
        sentences = await self._checked(page, whole, parts, job)
        self._library.store.summaries.keep_parts(page.source, hashes)
        if not sentences:
            return await self.extract(page, writer.engine, job)
        first = sentences[0]
        line = SummarySentence(shortened(first.text), first.start, first.end, first.verdict)
        return self._summary(page, writer.engine, writer.engine, (line, sentences))

    async def _text_of(
        self, page: Page, part: SummaryPart, part_hash: str, writer: Writer, *, is_whole: bool
    ) -> str:
        kept = self._library.store.summaries.load_part(page.source, part_hash)
        if kept is not None:
            return kept
        text = page.text[part.start : part.end]

        async def work() -> str:
            return await writer.write(page, text, is_whole=is_whole)

        written = await self._quiet.undisturbed(work) if writer.is_here else await work()
        self._library.store.summaries.put_part(page.source, part_hash, written)
        return written

    async def _merged(self, page: Page, texts: Sequence[str], writer: Writer) -> str:
        """One text about those of the parts, from the first on as many as the writer reads at once."""
        sizes = accumulate(writer.count(text) for text in texts)
        n_read = sum(size <= writer.max_merge_tokens for size in sizes)

        async def work() -> str:
            return await writer.merge(page, texts[: max(n_read, 1)])

        return await self._quiet.undisturbed(work) if writer.is_here else await work()

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


def _hash(page: Page, part: SummaryPart, writer: Writer, *, is_whole: bool) -> str:
    text = page.text[part.start : part.end]
    said = "\n".join([writer.engine, page.language, page.title, str(is_whole), text])
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
