"""Requests that ask and search, and the one that shows a passage."""

from collections.abc import Sequence
from typing import Any

from tabwise.core.model import FusionMode
from tabwise.core.search.find import FoundPage
from tabwise.core.text.urls import is_given_file, moment_url
from tabwise.engine import wire
from tabwise.engine.answering import records
from tabwise.engine.answering.each import ask_each
from tabwise.engine.answering.question import Question, Style
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.requests.writing import answerer_of, asker_of, at_most, telling, writing
from tabwise.engine.summarising.finding import with_summaries
from tabwise.engine.workroom import Workroom
from tabwise.errors import InputError
from tabwise.ports import ShownPassage

MAX_HITS = 100
"""Hits a request can ask for; each carries its passage."""


class AnswerRequests:
    """Asks the library."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "ask": self._ask,
            "ask_each": self._ask_each,
            "search": self._search,
            "find": self._find,
            "show": self._show,
        }

    async def _ask(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        settings = await self._room.settings()
        answerer = answerer_of(self._room, settings)
        answered = await answerer.ask(
            Question(
                text=request["question"],
                history=records.turns(request["history"]),
                scope=wire.scope(request),
                k=at_most(request["k"], MAX_HITS),
                mode=FusionMode(request["mode"]),
                style=Style(request["style"]),
                **writing(request, settings),
            ),
            job=reply.job(),
            on_sentence=telling(reply, library),
        )
        self._room.receipts.keep(answered.answer.id, answered.receipt)
        return records.answer(answered.answer, library.page)

    async def _ask_each(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        settings = await self._room.settings()
        answerer = answerer_of(self._room, settings)
        answers = await ask_each(
            Question(
                text=request["question"],
                history=records.turns(request["history"]),
                scope=wire.scope(request),
                mode=FusionMode(request["mode"]),
                **writing(request, settings),
            ),
            library=library,
            asker=asker_of(self._room),
            answerer=answerer,
            job=reply.job(),
            on_page=lambda one: reply.send("page_answer", page=records.page_answer(one, library.page)),
            on_receipt=lambda answer, text: self._room.receipts.keep(answer.id, text),
        )
        return [records.page_answer(one, library.page) for one in answers]

    async def _search(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        found = await asker_of(self._room).search(
            request["query"],
            scope=wire.scope(request),
            k=at_most(request["k"], MAX_HITS),
            mode=FusionMode(request["mode"]),
        )
        return [wire.hit(hit, library.page(hit.chunk.source)) for hit in found.hits]

    async def _find(self, request: Request, reply: Reply) -> Any:
        library, text = self._room.library, request["text"]

        k, summaries = at_most(request["k"], MAX_HITS), self._room.summaries

        def records(found: Sequence[FoundPage]) -> list[wire.Record]:
            found = with_summaries(found, text, summaries=summaries, library=library, k=k)
            return [wire.found_page(match, library.page(match.source), text) for match in found]

        found = await asker_of(self._room).find(
            text,
            k=k,
            on_words=lambda pages: reply.send("found", pages=records(pages)),
        )
        return records(found)

    async def _show(self, request: Request, reply: Reply) -> Any:
        citation = request["citation"]
        if is_given_file(citation["url"]):
            raise InputError("file_not_kept", subject=citation["title"])
        found, tab_id = await self._room.ports.viewer.show(
            citation["url"],
            [
                ShownPassage(cited["quote"], cited["before"], cited["after"], cited["page_number"])
                for cited in (citation, *request["others"])
            ],
            source=citation["source"],
            title=citation["title"],
            start=citation["start"],
            moment_url=moment_url(citation["url"], citation["seconds"]),
        )
        return {"found": found, "tab_id": tab_id}
