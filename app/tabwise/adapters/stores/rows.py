"""Pages and chunks as rows of the library file, and back. Column order is that of the statements."""

import json
from dataclasses import astuple
from zlib import crc32

import numpy as np

from tabwise.core.model import (
    Block,
    BlockKind,
    Chunk,
    ChunkId,
    EntryLink,
    Moment,
    Page,
    PageHead,
    Place,
    QuantizedVectors,
    SourceId,
)
from tabwise.core.text.bounded_json import read_json

HEAD_COLUMNS = (
    "source, url, title, language, content_hash, captured_at, n_removed, n_total_chars, n_read_chars,"
    " n_pages, n_moments, has_video, n_words, n_chunks, stamp"
)
BODY_COLUMNS = "text, blocks, moments, links, places"
CHUNK_COLUMNS = 'ordinal, id, start, "end", heading_path, embedding_text, content_hash, n_tokens'

HeadRow = tuple[str, str, str, str, str, float, int, int, int, int, int, int, int, int, int]
BodyRow = tuple[str, str, str, str, str]
ChunkRow = tuple[int, str, int, int, str, str, str, int]


def head_row(head: PageHead) -> tuple[object, ...]:
    return astuple(head)


def head_of_row(row: HeadRow) -> PageHead:
    source, url, title, language, content_hash, captured_at = row[:6]
    n_removed, n_total, n_read, n_pages, n_moments, has_video, n_words, n_chunks, stamp = row[6:]
    return PageHead(
        SourceId(source), url, title, language, content_hash, captured_at,
        n_removed, n_total, n_read, n_pages, n_moments, bool(has_video), n_words, n_chunks, stamp,
    )  # fmt: skip


def body_row(page: Page) -> tuple[object, ...]:
    blocks = json.dumps([[block.kind, block.start, block.end, block.level] for block in page.blocks])
    lists = (page.moments, page.links, page.places)
    return (
        page.text, blocks, *(json.dumps([astuple(one) for one in of], separators=(",", ":")) for of in lists)
    )  # fmt: skip


def page_of(head: PageHead, body: BodyRow) -> Page:
    text, blocks, moments, links, places = body
    return Page(
        source=head.source,
        url=head.url,
        title=head.title,
        language=head.language,
        text=text,
        blocks=tuple(
            Block(BlockKind(kind), start, end, level) for kind, start, end, level in read_json(blocks)
        ),
        content_hash=head.content_hash,
        captured_at=head.captured_at,
        n_removed=head.n_removed,
        n_total_chars=head.n_total_chars,
        n_read_chars=head.n_read_chars,
        n_pages=head.n_pages,
        places=tuple(Place(*place) for place in read_json(places)),
        moments=tuple(Moment(*moment) for moment in read_json(moments)),
        has_video=head.has_video,
        links=tuple(EntryLink(*link) for link in read_json(links)),
    )


def chunk_row(chunk: Chunk) -> tuple[object, ...]:
    return (
        chunk.ordinal, chunk.id, chunk.start, chunk.end, json.dumps(chunk.heading_path, ensure_ascii=False),
        chunk.embedding_text, chunk.content_hash, chunk.n_tokens,
    )  # fmt: skip


def chunk_of(row: ChunkRow, source: SourceId, text: str) -> Chunk:
    """`text` is the chunk's own."""
    ordinal, chunk_id, start, end, heading_path, embedding_text, content_hash, n_tokens = row
    return Chunk(
        id=ChunkId(chunk_id),
        source=source,
        ordinal=ordinal,
        start=start,
        end=end,
        heading_path=tuple(read_json(heading_path)),
        text=text,
        embedding_text=embedding_text,
        content_hash=content_hash,
        n_tokens=n_tokens,
    )


def vectors_row(vectors: QuantizedVectors) -> tuple[bytes, bytes, int]:
    codes, scales = vectors.codes.tobytes(), vectors.scales.astype("<f4").tobytes()
    return codes, scales, crc32(scales, crc32(codes))


def vectors_of(codes: bytes, scales: bytes, checksum: int) -> QuantizedVectors | None:
    """The vectors of a page, None when the row is damaged."""
    n_rows = len(scales) // 4
    if not n_rows or len(codes) % n_rows or crc32(scales, crc32(codes)) != checksum:
        return None
    return QuantizedVectors(
        np.frombuffer(codes, np.int8).reshape(n_rows, -1), np.frombuffer(scales, "<f4").astype(np.float32)
    )
