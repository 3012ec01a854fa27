"""The demo's requests, carried out by the engine's own use cases, each step reported as it happens.

Requests run in lanes: a newer one of a lane cancels the one in hand, which is safe at every point (see
`engine.jobs`). Cutting and embedding share a lane, so that new chunk sizes stop the embedding of the old.
"""

import asyncio
import logging
import platform
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tabwise import __version__
from tabwise.adapters.no_models import NoModels
from tabwise.core.chunking import iter_chunks
from tabwise.core.model import BlockKind, Chunk, FloatMatrix, FusionMode, Page, SourceId
from tabwise.core.vectors import quantize
from tabwise.demo import messages
from tabwise.demo.corpus import NAMES, Corpus, corpus_url
from tabwise.demo.listings import listings
from tabwise.demo.rankings import Ranking, rank
from tabwise.demo.strips import strip
from tabwise.demo.watched import WatchedEmbedder
from tabwise.engine.answering import records
from tabwise.engine.answering.pipeline import Answerer
from tabwise.engine.answering.question import Question
from tabwise.engine.asking import Asker
from tabwise.engine.indexing import Indexer, TabRef
from tabwise.engine.jobs import Job, silent_job
from tabwise.engine.library import Library
from tabwise.errors import AppError, InputError, ModelError
from tabwise.ports import Clock, Embedder

log = logging.getLogger(__name__)

N_CELLS = 32
"""Cells of the strip of a chunk in the overview; the inspected chunk shows all its dimensions."""
TARGET_WORDS = 110
OVERLAP_WORDS = 20

Fields = dict[str, Any]


class Stages:
    """Takes request texts and hands event texts to `post`."""

    def __init__(
        self,
        *,
        library: Library,
        embedder: Embedder,
        tokens: Callable[[str], list[str]],
        clock: Clock,
        post: Callable[[str], object],
    ) -> None:
        """`tokens` gives the word pieces of a text as the model reads them."""
        self._library = library
        self._tokens = tokens
        self._clock = clock
        self._post = post
        self._embedder = embedder
        self._asker = Asker(library, embedder=embedder, clock=clock)
        self._answerer = Answerer(library, embedder=embedder, models=NoModels(), clock=clock)
        corpus = Corpus()
        watched = WatchedEmbedder(embedder, clock, self._on_embedded)
        self._indexer = Indexer(library, pages=corpus, content=corpus, embedder=watched, clock=clock)
        self._chunk_of_text: dict[str, Chunk] = {}
        self._n_waiting = 0
        self._is_model_ready = False
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, tuple[str, Callable[[Fields], Awaitable[None]]]] = {
            "open": ("index", self._open),
            "cut": ("index", self._cut),
            "read": ("read", self._read),
            "inspect": ("inspect", self._inspect),
            "ask": ("ask", self._ask),
            "code": ("code", self._code),
        }

    def dispatch(self, text: str) -> None:
        """Take one request; must be called inside a running event loop."""
        kind, fields = messages.decode(messages.REQUESTS, text)
        lane, handler = self._handlers[kind]
        before = self._lanes.get(lane)
        if before:
            before.cancel()
        self._lanes[lane] = asyncio.ensure_future(self._run(kind, handler, fields, before))

    @property
    def is_busy(self) -> bool:
        """Whether any request is in hand."""
        return not all(task.done() for task in self._lanes.values())

    async def settle(self) -> None:
        """Wait until nothing is being worked on."""
        while self.is_busy:
            await asyncio.wait(self._lanes.values())

    async def _run(
        self,
        kind: str,
        handler: Callable[[Fields], Awaitable[None]],
        fields: Fields,
        before: asyncio.Task[None] | None,
    ) -> None:
        if before:
            await asyncio.wait([before])
        try:
            await handler(fields)
        except AppError as error:
            log.info("%s: %s", kind, error.message)
            self._tell("failed", request=kind, code=error.code)
        except Exception:
            log.exception("request %s failed", kind)
            self._tell("failed", request=kind, code="internal")

    def _tell(self, event: str, **fields: Any) -> None:
        self._post(messages.encode(messages.EVENTS, event, fields))

    # -- ingest, chunk, embed, store ---------------------------------------------------------------

    async def _open(self, fields: Fields) -> None:
        """Read the corpus as the extension reads tabs, then embed it."""
        model = self._embedder.descriptor
        self._tell(
            "opened",
            version=__version__,
            python=platform.python_version(),
            model=model.id,
            dimensions=model.dimensions,
            vector_bytes=model.dimensions + 4,  # int8 codes and one float32 scale
            max_tokens=model.max_tokens,
            licence=model.licence,
        )
        started = self._clock.monotonic_ms()
        tabs = [TabRef(number, corpus_url(name)) for number, name in enumerate(NAMES)]
        await self._indexer.read(tabs, silent_job(), lambda outcome: None)
        self._tell_chunks(TARGET_WORDS, OVERLAP_WORDS, self._clock.monotonic_ms() - started)
        await self._embed()

    async def _cut(self, fields: Fields) -> None:
        """Cut every text anew; chunks whose text stays the same keep their vectors."""
        started = self._clock.monotonic_ms()
        job = silent_job()
        for page in self._library.pages():
            await self._library.put(page, await self._chunks(page, fields, job), job)
        n_ms = self._clock.monotonic_ms() - started
        self._tell_chunks(fields["target_words"], fields["overlap_words"], n_ms)
        await self._embed()

    async def _chunks(self, page: Page, fields: Fields, job: Job) -> list[Chunk]:
        chunks = []
        for chunk in iter_chunks(
            page,
            self._embedder.count,
            target_words=fields["target_words"],
            overlap_words=fields["overlap_words"],
            max_tokens=self._embedder.descriptor.max_tokens,
        ):
            chunks.append(chunk)
            await job.checkpoint()
        return chunks

    async def _embed(self) -> None:
        """Give every chunk its vector; without a model the texts are still found by their words."""
        waiting = [
            chunk for page in self._library.pages() for chunk in self._library.missing_vectors(page.source)
        ]
        self._chunk_of_text = {chunk.embedding_text: chunk for chunk in waiting}
        self._n_waiting = len(waiting)
        self._tell_stored()
        try:
            if not self._is_model_ready:
                await self._start_model()
            await self._indexer.embed_missing(silent_job())
        except ModelError as error:
            log.warning("embedding failed: %s", error.message)
            self._tell("model", state="failed", ms=0.0)
            return
        self._tell_stored()
        self._tell("model", state="complete", ms=0.0)

    async def _start_model(self) -> None:
        """Load the model with a first call, so that its loading is not counted as embedding."""
        self._tell("model", state="loading", ms=0.0)
        started = self._clock.monotonic_ms()
        await self._embedder.embed(["ready"])
        self._is_model_ready = True
        self._tell("model", state="ready", ms=self._clock.monotonic_ms() - started)

    def _on_embedded(self, texts: Sequence[str], rows: FloatMatrix, n_ms: float) -> None:
        chunks = [self._chunk_of_text[text] for text in texts]
        codes = quantize(rows).codes
        self._n_waiting -= len(chunks)
        strips = [
            {"id": chunk.id, "strip": strip(row, N_CELLS)} for chunk, row in zip(chunks, codes, strict=True)
        ]
        n_tokens = sum(chunk.n_tokens for chunk in chunks)
        self._tell("embedded", strips=strips, n_tokens=n_tokens, ms=n_ms, n_waiting=self._n_waiting)

    def _tell_chunks(self, target_words: int, overlap_words: int, n_ms: float) -> None:
        pages = self._library.pages()
        self._tell(
            "chunks",
            target_words=target_words,
            overlap_words=overlap_words,
            ms=n_ms,
            documents=[
                {"source": page.source, "title": page.title, "n_words": page.n_words} for page in pages
            ],
            chunks=[record for page in pages for record in self._chunk_records(page.source)],
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

    # -- looking closer -----------------------------------------------------------------------------

    async def _read(self, fields: Fields) -> None:
        page = self._library.page(SourceId(fields["source"]))
        headings = [[block.start, block.end] for block in page.blocks if block.kind is BlockKind.HEADING]
        self._tell("page", source=page.source, title=page.title, text=page.text, headings=headings)

    async def _inspect(self, fields: Fields) -> None:
        chunk = self._find_chunk(fields["chunk_id"])
        known, vectors = self._library.store.load_vectors([chunk.content_hash])
        row = strip(vectors.codes[0], vectors.codes.shape[1]) if known.all() else ""
        self._tell(
            "chunk",
            id=chunk.id,
            source=chunk.source,
            title=self._library.page(chunk.source).title,
            number=chunk.ordinal + 1,
            tokens=self._tokens(chunk.embedding_text),
            strip=row,
        )

    def _find_chunk(self, chunk_id: str) -> Chunk:
        for page in self._library.pages():
            for chunk in self._library.index.chunks(page.source):
                if chunk.id == chunk_id:
                    return chunk
        raise InputError("source_unknown", subject=chunk_id)

    # -- retrieve, answer ---------------------------------------------------------------------------

    async def _ask(self, fields: Fields) -> None:
        query, mode, k = fields["query"], FusionMode(fields["mode"]), fields["k"]
        started = self._clock.monotonic_ms()
        found = await self._asker.search(query, k=k, mode=mode)
        ranking = Ranking(query, found.query_vector, mode if found.semantic else FusionMode.LEXICAL, k)
        lists = rank(self._library, ranking, found.hits)
        n_ms = self._clock.monotonic_ms() - started
        self._tell(
            "results", query=query, mode=fields["mode"], k=k, semantic=found.semantic, ms=n_ms, **lists
        )
        asked = Question(text=query, k=k, mode=mode)
        answered = await self._answerer.ask(asked, job=silent_job(), on_sentence=lambda *_: None)
        self._tell("answer", answer=records.answer(answered.answer, self._library.page))

    async def _code(self, fields: Fields) -> None:
        self._tell("code", stage=fields["stage"], listings=listings(fields["stage"]))
