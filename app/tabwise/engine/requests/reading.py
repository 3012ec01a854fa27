"""Requests that look at what was read: saved text, passages of a PDF, questions to begin with."""

from dataclasses import asdict
from typing import Any

from tabwise.core.answers.starters import Starter, StarterKind, chosen, starters_of
from tabwise.core.model import SourceId
from tabwise.core.page.pdf.capture import decode_pdf_pages
from tabwise.core.page.pdf.passages import Sought, find_passages
from tabwise.core.page.saved_text import pieces, saved_text
from tabwise.engine import wire
from tabwise.engine.jobs import Progress
from tabwise.engine.reply import Handler, Reply, Request
from tabwise.engine.workroom import Workroom

MAX_STARTERS = 12
N_PAGES_READ = 8
"""The pages added last; reading every page of a large library for three questions would take seconds."""


class ReadingRequests:
    """Gives saved text out."""

    def __init__(self, room: Workroom) -> None:
        self._room = room

    def handlers(self) -> dict[str, Handler]:
        """The handler of each request type."""
        return {
            "saved_text": self._saved_text,
            "pdf_passages": self._pdf_passages,
            "starters": self._starters,
        }

    async def _saved_text(self, request: Request, reply: Reply) -> Any:
        library = self._room.library
        page = library.page(SourceId(request["source"]))
        shown = saved_text(page, request["quote"], request["start"], first=request["first"])
        blocks = []
        for block in page.blocks[shown.first : shown.last]:
            before, passage, after = pieces(block, page.text, shown.passage)
            blocks.append(
                {
                    "kind": str(block.kind),
                    "level": block.level,
                    "before": before,
                    "passage": passage,
                    "after": after,
                }
            )
        (head,) = [head for head in library.heads() if head.source == page.source]
        return {
            "page": wire.page_row(head),
            "first": shown.first,
            "n_blocks": len(page.blocks),
            "blocks": blocks,
            "found": shown.passage is not None,
        }

    async def _pdf_passages(self, request: Request, reply: Reply) -> Any:
        pages = decode_pdf_pages(request["pages"])
        sought = [
            Sought(passage["quote"], passage["before"], passage["after"]) for passage in request["passages"]
        ]
        found = await reply.job().drive(find_passages(pages, sought))
        return [[asdict(span) for span in spans] for spans in found]

    async def _starters(self, request: Request, reply: Reply) -> Any:
        library, job = self._room.library, reply.job()
        newest = list(reversed(library.heads()))[:N_PAGES_READ]
        by_page = []
        for number, head in enumerate(newest):
            await job.checkpoint(Progress("read", number, len(newest), unit="pages"))
            page = library.page(head.source)
            by_page.append([starter for starter in starters_of(page) if self._is_answered(starter)])
        titles = {head.source: head.title for head in newest}
        return [
            {
                "kind": str(starter.kind),
                "text": starter.text,
                "source": starter.source,
                "title": titles[starter.source],
            }
            for starter in chosen(by_page, min(max(request["n"], 0), MAX_STARTERS))
        ]

    def _is_answered(self, starter: Starter) -> bool:
        """Whether the words alone find the place the question was made from."""
        if starter.kind is not StarterKind.QUESTION:
            return True
        hits = self._room.library.index.search(starter.text, None, sources=frozenset({starter.source}), k=3)
        return any(hit.chunk.start < starter.end and starter.start < hit.chunk.end for hit in hits)
