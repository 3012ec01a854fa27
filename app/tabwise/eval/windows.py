"""Documents as windows of 180 words with 30 overlap, the title in front of each: the published protocol.

The product's own chunking follows headings, which these collections do not have.
"""

from tabwise.core.model import Chunk, ChunkId, SourceId
from tabwise.eval.collection import Document, hex_sha256

WINDOW_WORDS = 180
OVERLAP_WORDS = 30


def window_chunks(document: Document) -> list[Chunk]:
    """Return windows of `WINDOW_WORDS` with `OVERLAP_WORDS` shared; the title alone for an empty text."""
    words = document.text.split()
    step = WINDOW_WORDS - OVERLAP_WORDS
    starts = range(0, max(1, len(words) - OVERLAP_WORDS), step)
    return [
        _window(document, ordinal, " ".join(words[start : start + WINDOW_WORDS]))
        for ordinal, start in enumerate(starts)
    ]


def _window(document: Document, ordinal: int, text: str) -> Chunk:
    embedding_text = f"{document.title}. {text}" if document.title else text
    return Chunk(
        id=ChunkId(f"{hex_sha256(document.id)[:12]}-{ordinal:05d}"),
        source=SourceId(document.id),
        ordinal=ordinal,
        start=0,
        end=0,
        heading_path=(),
        text=text,
        embedding_text=embedding_text,
        content_hash=hex_sha256(embedding_text),
        n_tokens=0,
    )
