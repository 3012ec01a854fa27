"""The texts of the page: read, cut, embedded, stored; given by the reader, removed, reset.

A request changes the texts in its turn and is never cut short; cutting and embedding follow, and only the
last of them runs: new chunk sizes stop the embedding of the old. A library kept from an earlier visit is
opened as it is: texts the reader removed stay removed, and the page's own texts that a newer version words
differently are read again. Chunks always have the sizes of the sliders.
"""

import asyncio
import json
import logging
import platform
from collections.abc import AsyncIterator, Awaitable, Sequence
from functools import partial

from tabwise import __version__
from tabwise.core.agent.tools import SMALL_TOOLS
from tabwise.core.model import Chunk, FloatMatrix, Page, SourceId
from tabwise.core.page.chunking import iter_chunks
from tabwise.core.search.vectors import quantize
from tabwise.core.text.urls import is_given_file
from tabwise.demo.corpus import NAMES, Corpus, corpus_url
from tabwise.demo.strips import strip
from tabwise.demo.surroundings import Fields, Handler, Surroundings, Tell
from tabwise.demo.watched import WatchedEmbedder
from tabwise.engine.given_files import GivenFile
from tabwise.engine.indexing import Indexer, RowOutcome, TabRef
from tabwise.engine.jobs import Job, Progress, silent_job
from tabwise.errors import ModelError
from tabwise.ports import MainContent, PageSource

log = logging.getLogger(__name__)

N_COMPARED = 40
"""A long text is cut in seconds: whether it is cut with other sizes shows in its beginning."""
N_CELLS = 32
"""Cells of the strip of a chunk in the overview; the inspected chunk shows all its dimensions."""


class Texts:
    """The requests about texts and their chunks."""

    def __init__(self, around: Surroundings, tell: Tell) -> None:
        self._around = around
        self._tell = tell
        self._library = around.library
        self._embedder = around.embedder
        self._watched = WatchedEmbedder(around.embedder, around.clock, self._on_embedded)
        self._sizes: dict[str, int] = {}
        self._chunk_of_text: dict[str, Chunk] = {}
        self._n_waiting = 0
        self.is_model_ready = False
        """Whether the embedder has answered once; until then a call of it waits for its loading."""
        self._corpus = Corpus()
        self._turn = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None

    def handlers(self) -> dict[str, tuple[str, Handler]]:
        """Lane and handler of each request; all look after themselves."""
        return {
            "open": ("", self._open),
            "cut": ("", self._cut),
            "add": ("", self._add),
            "leave": ("", self._leave),
            "remove": ("", self._remove),
            "restore": ("", self._restore),
            "reset": ("", self._reset),
            "save": ("save", self._save),
        }

    async def _change(self, change: Awaitable[object] | None = None) -> None:
        """Change the texts, then cut and embed what is new; returns early when a newer change takes over."""
        async with self._turn:
            if self._following is not None:
                self._following.cancel()
                await asyncio.wait([self._following])
            started = self._now()
            try:
                if change is not None:
                    await change
            finally:
                following = self._following = asyncio.ensure_future(self._follow(started))
        await asyncio.wait([following])
        if not following.cancelled():
            following.result()

    async def _follow(self, started: float) -> None:
        await self._cut_all(silent_job())
        self._tell_chunks(self._now() - started)
        await self._embed()

    # -- requests --------------------------------------------------------------------------------------

    async def _open(self, fields: Fields) -> None:
        """Open the library, read the page's own texts as the extension reads tabs, then embed."""
        self._sizes = dict(fields)
        model = self._embedder.descriptor
        writer = await self._around.writer()
        self._tell(
            "opened",
            version=__version__,
            python=platform.python_version(),
            model=model.id,
            dimensions=model.dimensions,
            vector_bytes=model.dimensions + 4,  # int8 codes and one float32 scale
            max_tokens=model.max_tokens,
            licence=model.licence,
            lasting=self._around.lasting,
            writer={"label": writer.label, "licence": writer.licence, "size_bytes": writer.size_bytes}
            if writer
            else None,
            tools=[
                {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": json.dumps(tool.parameters, indent=2),
                }
                for tool in SMALL_TOOLS
            ],
        )
        await self._change(self._load())

    async def _load(self) -> None:
        await self._library.load(silent_job())
        kept = {head.source for head in self._library.heads()}
        await self._read_corpus([name for name in NAMES if not kept or corpus_url(name) in kept])

    async def _cut(self, fields: Fields) -> None:
        """Cut every text anew; chunks whose text stays the same keep their vectors."""
        self._sizes = dict(fields)
        await self._change()

    async def _add(self, fields: Fields) -> None:
        """Read files that the reader gave; one that cannot be read is told and the others go on."""
        await self._change(self._read_files(fields["files"]))

    async def _read_files(self, files: Sequence[Fields]) -> None:
        """Read the files one after the other; those that `leave` finds unread are told as left."""
        left = [file["name"] for file in files]
        self._reading = asyncio.ensure_future(self._read_each(files, left))
        await asyncio.wait([self._reading])
        if not self._reading.cancelled():
            self._reading.result()
        for name in left:
            self._tell("row", name=name, source="", state="left", code="")

    async def _read_each(self, files: Sequence[Fields], left: list[str]) -> None:
        for file in files:
            name = file["name"]
            given = GivenFile(
                self._around.files, name=name, url=file["url"], on_page=partial(self._tell_pages, name)
            )
            indexer = self._indexer(given, self._around.content)
            outcomes = await indexer.read([given.tab], Job(partial(self._tell_cut, name)), _unwatched)
            self._tell_row(name, outcomes[0])
            left.remove(name)

    def _tell_pages(self, name: str, done: int, total: int) -> None:
        self._tell("reading", name=name, stage="layout" if done == total else "pages", done=done, total=total)

    def _tell_cut(self, name: str, progress: Progress) -> None:
        if progress.stage == "chunk":
            self._tell("reading", name=name, stage="chunks", done=progress.done, total=progress.total)

    async def _leave(self, fields: Fields) -> None:
        """Stop reading files; a file is stored whole or not at all."""
        if self._reading is not None:
            self._reading.cancel()

    async def _remove(self, fields: Fields) -> None:
        await self._change(self._take_out(SourceId(fields["source"])))

    async def _take_out(self, source: SourceId) -> None:
        self._library.remove(source)

    async def _restore(self, fields: Fields) -> None:
        await self._change(self._library.restore(SourceId(fields["source"]), silent_job()))

    async def _reset(self, fields: Fields) -> None:
        """Back to the page's own texts; what the reader gave is forgotten."""
        await self._change(self._start_over())

    async def _start_over(self) -> None:
        self._library.remove_all()
        await self._read_corpus(NAMES)

    async def _save(self, fields: Fields) -> None:
        self._tell("file", name="tabwise-library.db", url=self._around.save())

    # -- chunks ----------------------------------------------------------------------------------------

    async def _read_corpus(self, names: Sequence[str]) -> None:
        tabs = [TabRef(NAMES.index(name), corpus_url(name)) for name in names]
        await self._indexer(self._corpus, self._corpus).read(tabs, silent_job(), _unwatched)

    def _indexer(self, pages: PageSource, content: MainContent) -> Indexer:
        return Indexer(
            self._library,
            pages=pages,
            content=content,
            embedder=self._watched,
            clock=self._around.clock,
            sizes=self._sizes,
        )

    async def _cut_all(self, job: Job) -> None:
        """Cut every text with the sizes in force; texts whose chunks are those already stay untouched."""
        for page in self._library.pages():
            if not await self._is_cut_so(page, job):
                chunks = [chunk async for chunk in self._chunks(page, job)]
                await self._library.put(page, chunks, job)

    async def _is_cut_so(self, page: Page, job: Job) -> bool:
        """Whether the first N_COMPARED chunks of a page are those of the sizes in force, and so the rest."""
        before = self._library.index.chunks(page.source)
        n = 0
        async for chunk in self._chunks(page, job):
            if n == len(before) or (chunk.start, chunk.end) != (before[n].start, before[n].end):
                return False
            n += 1
            if n == N_COMPARED:
                return True
        return n == len(before)

    async def _chunks(self, page: Page, job: Job) -> AsyncIterator[Chunk]:
        limit = self._embedder.descriptor.max_tokens
        for chunk in iter_chunks(page, self._embedder.count, max_tokens=limit, **self._sizes):
            await job.checkpoint()
            yield chunk

    # -- vectors ---------------------------------------------------------------------------------------

    async def _embed(self) -> None:
        """Give every chunk its vector; without a model the texts are still found by their words."""
        waiting = [
            chunk for head in self._library.heads() for chunk in self._library.missing_vectors(head.source)
        ]
        self._chunk_of_text = {chunk.embedding_text: chunk for chunk in waiting}
        self._n_waiting = len(waiting)
        self._tell_stored()
        try:
            if not self.is_model_ready:
                await self._start_model()
            await self._indexer(self._corpus, self._corpus).embed_missing(silent_job())
        except ModelError as error:
            log.warning("embedding failed: %s", error.message)
            self._tell("model", state="failed", ms=0.0)
            return
        self._tell_stored()
        self._tell("model", state="complete", ms=0.0)

    async def _start_model(self) -> None:
        """Load the model with a first call, so that its loading is not counted as embedding."""
        self._tell("model", state="loading", ms=0.0)
        started = self._now()
        await self._embedder.embed(["ready"])
        self.is_model_ready = True
        self._tell("model", state="ready", ms=self._now() - started)

    def _on_embedded(self, texts: Sequence[str], rows: FloatMatrix, n_ms: float) -> None:
        chunks = [self._chunk_of_text[text] for text in texts]
        codes = quantize(rows).codes
        self._n_waiting -= len(chunks)
        strips = [
            {"id": chunk.id, "strip": strip(row, N_CELLS)} for chunk, row in zip(chunks, codes, strict=True)
        ]
        n_tokens = sum(chunk.n_tokens for chunk in chunks)
        self._tell("embedded", strips=strips, n_tokens=n_tokens, ms=n_ms, n_waiting=self._n_waiting)

    # -- telling ---------------------------------------------------------------------------------------

    def _now(self) -> float:
        return self._around.clock.monotonic_ms()

    def _tell_row(self, name: str, outcome: RowOutcome) -> None:
        code = outcome.error.code if outcome.error else ""
        source = outcome.page.source if outcome.page else ""
        self._tell("row", name=name, source=source, state=outcome.state, code=code)

    def _tell_chunks(self, n_ms: float) -> None:
        heads = self._library.heads()
        self._tell(
            "chunks",
            **self._sizes,
            ms=n_ms,
            documents=[
                {
                    "source": head.source,
                    "title": head.title,
                    "n_words": head.n_words,
                    "is_own": is_given_file(head.url),
                }
                for head in heads
            ],
            chunks=[record for head in heads for record in self._chunk_records(head.source)],
        )

    def _chunk_records(self, source: SourceId) -> list[Fields]:
        chunks = self._library.index.chunks(source)
        known, vectors = self._library.store.load_vectors([chunk.content_hash for chunk in chunks])
        rows = iter(vectors.codes)
        return [
            {
                "id": chunk.id,
                "source": chunk.source,
                "number": chunk.ordinal + 1,
                "start": chunk.start,
                "end": chunk.end,
                "n_words": len(chunk.text.split()),
                "n_tokens": chunk.n_tokens,
                "strip": strip(next(rows), N_CELLS) if is_known else "",
            }
            for chunk, is_known in zip(chunks, known, strict=True)
        ]

    def _tell_stored(self) -> None:
        stats = self._library.stats()
        self._tell(
            "stored",
            n_pages=stats.n_pages,
            n_chunks=stats.n_chunks,
            n_vectors=stats.n_vectors,
            size_bytes=stats.size_bytes,
        )


def _unwatched(outcome: RowOutcome) -> None:
    """What became of a text is read from the list that is returned."""
