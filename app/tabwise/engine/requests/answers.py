"""Requests that ask and search, and the one that shows a passage."""

from collections.abc import Sequence
from typing import Any

from tabwise.core.find import FoundPage
from tabwise.core.model import FusionMode
from tabwise.core.urls import is_given_file, moment_url
from tabwise.engine import wire
from tabwise.engine.asking import Asker
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom
from tabwise.errors import InputError

MAX_HITS = 100
"""Hits a request can ask for; each carries its passage."""


class AnswerRequests:
    """Asks the library."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {"ask": self._ask, "search": self._search, "find": self._find, "show": self._show}

    def _asker(self) -> Asker:
        return Asker(self._room.library, embedder=self._room.ports.embedder, clock=self._room.ports.clock)

    async def _ask(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        answer = await self._asker().ask(
            request["question"],
            scope=wire.scope(request),
            k=_sound_k(request["k"]),
            mode=FusionMode(request["mode"]),
            job=reply.job(),
            on_sentence=lambda i, sentence, citations: reply.send(
                "sentence",
                index=i,
                sentence=wire.sentence(sentence),
                citations=[wire.citation(item, library.page(item.source)) for item in citations],
            ),
        )
        return wire.answer(answer, library.page)

    async def _search(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        found = await self._asker().search(
            request["query"],
            scope=wire.scope(request),
            k=_sound_k(request["k"]),
            mode=FusionMode(request["mode"]),
        )
        return [wire.hit(hit, library.page(hit.chunk.source)) for hit in found.hits]

    async def _find(self, request: Request, reply: Reply) -> Any:
        library, text = self._room.library, request["text"]

        def records(found: Sequence[FoundPage]) -> list[wire.Record]:
            return [wire.found_page(match, library.page(match.source), text) for match in found]

        found = await self._asker().find(
            text,
            k=_sound_k(request["k"]),
            on_words=lambda pages: reply.send("found", pages=records(pages)),
        )
        return records(found)

    async def _show(self, request: Request, reply: Reply) -> Any:
        citation = request["citation"]
        if is_given_file(citation["url"]):
            raise InputError("file_not_kept", subject=citation["title"])
        found, tab_id = await self._room.ports.viewer.show(
            citation["url"],
            citation["quote"],
            citation["before"],
            citation["after"],
            page_number=citation["page_number"],
            moment_url=moment_url(citation["url"], citation["seconds"]),
        )
        return {"found": found, "tab_id": tab_id}


def _sound_k(k: int) -> int:
    return min(max(k, 1), MAX_HITS)
