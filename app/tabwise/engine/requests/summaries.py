"""Requests for summaries and for hints on open tabs."""

from typing import Any

from tabwise.core.model import ChunkId, Citation, PageHead, SourceId
from tabwise.core.summaries.summary import Summary, SummarySentence
from tabwise.engine import wire
from tabwise.engine.interests import OpenTab, TabHint, hints_of
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.summarising.queue import Told
from tabwise.engine.wire import Record
from tabwise.engine.workroom import Workroom


class SummaryRequests:
    """Tells pages in short."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "summarise": self._summarise,
            "summaries": self._summaries,
            "cite": self._cite,
            "interest": self._interest,
        }

    async def _summarise(self, request: Request, reply: Reply) -> Any:
        library, queue = self._room.library, self._room.summaries
        sources = [SourceId(source) for source in request["sources"]] or list(library.index.sources())
        n_summaries = 0

        def tell(told: Told) -> None:
            nonlocal n_summaries
            head = library.index.head(told.source)
            if told.summary is None:
                reply.send(
                    "summary_part",
                    source=told.source,
                    text=told.part,
                    number=told.number,
                    n_parts=told.n_parts,
                )
            elif head is not None:
                n_summaries += 1
                reply.send("summary", summary=summary_row(head, told.summary))

        await queue.run(sources, reply.job(), tell)
        return {"n_summaries": n_summaries, "n_missing": len(sources) - n_summaries}

    async def _summaries(self, request: Request, reply: Reply) -> Any:
        queue, index = self._room.summaries, self._room.library.index
        if not request["sources"]:
            return [summary_row(head, summary) for head, summary in queue.all()]
        asked = [SourceId(source) for source in request["sources"]]
        found = [(index.head(source), queue.of(source)) for source in asked]
        return [summary_row(head, summary) for head, summary in found if head and summary]

    async def _cite(self, request: Request, reply: Reply) -> Any:
        page = self._room.library.page(SourceId(request["source"]))
        start = min(max(request["start"], 0), len(page.text))
        end = min(max(request["end"], start), len(page.text))
        chunks = self._room.library.index.chunks(page.source)
        chunk_id = next((chunk.id for chunk in chunks if chunk.start <= start < chunk.end), ChunkId(""))
        return wire.citation(Citation(1, page.source, chunk_id, start, end, page.text[start:end]), page)

    async def _interest(self, request: Request, reply: Reply) -> Any:
        ports = self._room.ports
        settings = await self._room.settings()
        hints = await hints_of(
            [OpenTab(tab["url"], tab["last_accessed"]) for tab in request["tabs"]],
            settings["interests"],
            library=self._room.library,
            embedder=ports.embedder,
            clock=ports.clock,
            job=reply.job(),
        )
        return [_hint(hint) for hint in hints]


def summary_row(head: PageHead, value: Summary) -> Record:
    """Build a Summary record."""
    return {
        "source": head.source,
        "url": head.url,
        "title": head.title,
        "engine": value.engine,
        "headline": _sentence(value.headline),
        "sentences": [_sentence(sentence) for sentence in value.sentences],
        "made_at": value.made_at,
        "read_share": value.read_share,
    }


def _sentence(value: SummarySentence) -> Record:
    return {"text": value.text, "start": value.start, "end": value.end, "verdict": str(value.verdict)}


def _hint(value: TabHint) -> Record:
    return {
        "url": value.tab.url,
        "source": value.source,
        "flag": str(value.hint.flag),
        "reasons": [str(reason) for reason in value.hint.because],
        "interest": value.hint.interest,
        "similarity": value.hint.similarity,
        "days_unused": value.days_unused,
    }
