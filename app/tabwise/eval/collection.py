"""A test collection: documents, queries and which documents answer each query."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tabwise.core.model import Block, BlockKind, Page, SourceId


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its title and text."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, queries by id in order, and for each query the grade of each relevant document."""

    documents: tuple[Document, ...]
    queries: Mapping[str, str]
    relevance: Mapping[str, Mapping[str, int]]
    language: str = "en"


def page_of(document: Document, language: str = "en") -> Page:
    """Return the document as a page of one paragraph."""
    return plain_page(document.id, document.title, document.text, language=language)


def plain_page(
    id: str, title: str, text: str, *, language: str, blocks: tuple[Block, ...] | None = None
) -> Page:
    """Return a page as the product would store it; without `blocks`, one paragraph."""
    return Page(
        source=SourceId(id),
        url=id,
        title=title,
        language=language,
        text=text,
        blocks=(Block(BlockKind.PARAGRAPH, 0, len(text)),) if blocks is None else blocks,
        content_hash=hex_sha256(f"{title}\0{text}"),
        captured_at=0.0,
        n_removed=0,
        n_total_chars=len(text),
        n_read_chars=len(text),
    )


def hex_sha256(text: str) -> str:
    """Hex digest of a text that may hold lone surrogates."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Read a file of one JSON object a line. Raises FileNotFoundError."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
