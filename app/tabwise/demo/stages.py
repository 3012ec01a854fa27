"""The demo's requests, carried out by the engine's own use cases, each step reported as it happens.

Requests run in lanes: a newer one of a lane cancels the one in hand, which is safe at every point (see
`engine.jobs`). Those of no lane ("") run beside each other and see to their order themselves.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from tabwise.core.model import BlockKind, Chunk, SourceId
from tabwise.demo import messages
from tabwise.demo.listings import listings
from tabwise.demo.questions import Questions
from tabwise.demo.strips import strip
from tabwise.demo.surroundings import Fields, Handler, Surroundings
from tabwise.demo.texts import Texts
from tabwise.errors import AppError, InputError

log = logging.getLogger(__name__)


class Stages:
    """Takes request texts and hands event texts to `post`."""

    def __init__(self, around: Surroundings, post: Callable[[str], object]) -> None:
        self._library = around.library
        self._tokens = around.tokens
        self._post = post
        self._lanes: dict[str, asyncio.Task[None]] = {}
        self._laneless: set[asyncio.Task[None]] = set()
        texts = Texts(around, self._tell)
        questions = Questions(around, self._tell, has_model=lambda: texts.is_model_ready)
        self._handlers: dict[str, tuple[str, Handler]] = {
            **texts.handlers(),
            **questions.handlers(),
            "read": ("read", self._read),
            "inspect": ("inspect", self._inspect),
            "code": ("code", self._code),
        }

    def dispatch(self, text: str) -> None:
        """Take one request; must be called inside a running event loop."""
        kind, fields = messages.decode(messages.REQUESTS, text)
        lane, handler = self._handlers[kind]
        if not lane:
            task = asyncio.ensure_future(self._run(kind, handler, fields, None))
            self._laneless.add(task)
            task.add_done_callback(self._laneless.discard)
            return
        before = self._lanes.get(lane)
        if before:
            before.cancel()
        self._lanes[lane] = asyncio.ensure_future(self._run(kind, handler, fields, before))

    @property
    def is_busy(self) -> bool:
        """Whether any request is in hand."""
        return not all(task.done() for task in (*self._lanes.values(), *self._laneless))

    async def settle(self) -> None:
        """Wait until nothing is being worked on."""
        while self.is_busy:
            await asyncio.wait([*self._lanes.values(), *self._laneless])

    async def _run(
        self, kind: str, handler: Handler, fields: Fields, before: asyncio.Task[None] | None
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

    def _tell(self, event: str, /, **fields: Any) -> None:
        self._post(messages.encode(messages.EVENTS, event, fields))

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
        for head in self._library.heads():
            for chunk in self._library.index.chunks(head.source):
                if chunk.id == chunk_id:
                    return chunk
        raise InputError("source_unknown", subject=chunk_id)

    async def _code(self, fields: Fields) -> None:
        self._tell("code", stage=fields["stage"], listings=listings(fields["stage"]))
