"""Pages and chunks as rows of the library file, and back. Column order is that of the statements."""

import json
from dataclasses import astuple

from tabwise.core.model import Block, BlockKind, Chunk, ChunkId, EntryLink, Moment, Page, Place, SourceId

PAGE_COLUMNS = (
    "source, url, title, language, text, blocks, content_hash, captured_at,"
    " n_removed, n_total_chars, n_read_chars, n_pages, has_video, places, moments, links"
)
PageRow = tuple[str, str, str, str, str, str, str, float, int, int, int, int, int, str, str, str]


def page_row(page: Page) -> tuple[object, ...]:
    blocks = json.dumps([[block.kind, block.start, block.end, block.level] for block in page.blocks])
    places = json.dumps([astuple(place) for place in page.places], separators=(",", ":"))
    moments = json.dumps([astuple(moment) for moment in page.moments], separators=(",", ":"))
    links = json.dumps([astuple(link) for link in page.links], separators=(",", ":"))
    return (
        page.source, page.url, page.title, page.language, page.text, blocks, page.content_hash,
        page.captured_at, page.n_removed, page.n_total_chars, page.n_read_chars, page.n_pages, page.has_video,
        places, moments, links,
    )  # fmt: skip


def page_of(row: PageRow) -> Page:
    source, url, title, language, text, blocks, content_hash, captured_at = row[:8]
    n_removed, n_total, n_read, n_pages, has_video, places, moments, links = row[8:]
    return Page(
        source=SourceId(source),
        url=url,
        title=title,
        language=language,
        text=text,
        blocks=tuple(
            Block(BlockKind(kind), start, end, level) for kind, start, end, level in json.loads(blocks)
        ),
        content_hash=content_hash,
        captured_at=captured_at,
        n_removed=n_removed,
        n_total_chars=n_total,
        n_read_chars=n_read,
        n_pages=n_pages,
        places=tuple(Place(*place) for place in json.loads(places)),
        moments=tuple(Moment(*moment) for moment in json.loads(moments)),
        has_video=bool(has_video),
        links=tuple(EntryLink(*link) for link in json.loads(links)),
    )


def chunk_row(chunk: Chunk) -> tuple[object, ...]:
    return (
        chunk.id, chunk.source, chunk.ordinal, chunk.start, chunk.end,
        json.dumps(chunk.heading_path, ensure_ascii=False), chunk.embedding_text, chunk.content_hash,
        chunk.n_tokens,
    )  # fmt: skip


def chunk_of(row: tuple[str, int, int, int, str, str, str, int], source: SourceId, page_text: str) -> Chunk:
    chunk_id, ordinal, start, end, heading_path, embedding_text, content_hash, n_tokens = row
    return Chunk(
        id=ChunkId(chunk_id),
        source=source,
        ordinal=ordinal,
        start=start,
        end=end,
        heading_path=tuple(json.loads(heading_path)),
        text=page_text[start:end],
        embedding_text=embedding_text,
        content_hash=content_hash,
        n_tokens=n_tokens,
    )
