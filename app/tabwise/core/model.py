"""The nouns of the product, in the order data flows through them.

    Capture → Page(blocks) → Chunk → Hit → Evidence → Answer(sentences, citations) → Verdict

Every position is a code-point offset into `Page.text`: a block, a chunk, a citation are spans of
that one string. Highlighting, freshness, receipts and verification all stand on this.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, NewType

import numpy as np
import numpy.typing as npt

FloatMatrix = npt.NDArray[np.float32]
Int8Matrix = npt.NDArray[np.int8]
BoolVector = npt.NDArray[np.bool_]

SourceId = NewType("SourceId", str)
"""Canonical URL of a page (or `file:` path): what two tabs on one page share."""

ChunkId = NewType("ChunkId", str)
"""`<first 12 hex of sha256(source)>-<ordinal, 5 digits>`: unique, stable, sorts by page then order."""


def chunk_id_prefix(source: SourceId) -> str:
    """The part of a chunk's id that all chunks of a page share."""
    return sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:12]


class BlockKind(StrEnum):
    """What a block of a page is; decides how it may be cut."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"  # a list item
    ROW = "row"  # a table row, cells joined by tabs
    CODE = "code"
    QUOTE = "quote"
    CAPTION = "caption"


@dataclass(frozen=True, slots=True)
class Block:
    """A span of the page text in one role; `level`: heading 1–6, list depth from 0, header row 1, or 0."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    """An element of a captured page: what a person can see of it.

    `children` holds text (as rendered, white space collapsed outside `pre`) and further nodes in order.
    `attributes` keeps only class, id, role, href, lang, colspan and rowspan.
    """

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple["Node | str", ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """What was read from one tab or file, before clean-up. n_total_chars ≥ n_read_chars when capped.

    `has_password` and `has_payment` tell of a field for a password or a payment card that a person can see,
    `has_video` of a player. `is_selection`: only what was selected on the page was read.
    """

    url: str
    canonical_url: str
    title: str
    language: str
    root: Node
    n_total_chars: int
    n_read_chars: int
    has_password: bool = False
    has_payment: bool = False
    has_video: bool = False
    is_selection: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span of the text stands in a document with pages: page number from 1, and a box on it.

    x, y, width, height: whole points (1/72 inch) right and down from the page's top left corner.
    """

    start: int
    end: int
    page_number: int
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A span of the text that is said in a recording, and when: whole seconds from its start."""

    start: int
    end: int
    seconds: int


@dataclass(frozen=True, slots=True)
class EntryLink:
    """A span of the text that is one entry of a list or thread, and the web address the entry is about."""

    start: int
    end: int
    url: str


@dataclass(frozen=True, slots=True)
class Page:
    """A cleaned page: one text, its blocks in order, and where it came from.

    Blocks do not overlap and are separated by "\\n"; `n_removed` counts invisible characters stripped.
    `content_hash` is the hex sha256 of title and text. `captured_at` is ms since the epoch.
    `n_pages` and `places`, by start and without overlap, are for documents with pages; else 0 and none.
    `moments`, likewise, are the lines of a transcript, `links` the entries that lead somewhere;
    `has_video`: the page shows a player.
    """

    source: SourceId
    url: str
    title: str
    language: str
    text: str
    blocks: tuple[Block, ...]
    content_hash: str
    captured_at: float
    n_removed: int
    n_total_chars: int
    n_read_chars: int
    n_pages: int = 0
    places: tuple[Place, ...] = ()
    moments: tuple[Moment, ...] = ()
    has_video: bool = False
    links: tuple[EntryLink, ...] = ()

    @property
    def n_words(self) -> int:
        """Words of the text as white space separates them."""
        return len(self.text.split())

    def page_number(self, position: int) -> int | None:
        """Number of the page that a position of the text stands on; None in a document without pages."""
        after = bisect_right(self.places, position, key=lambda place: place.start)
        return self.places[max(after - 1, 0)].page_number if self.places else None

    def seconds(self, position: int) -> int | None:
        """When the text at a position is said; None where it is not part of a transcript."""
        after = bisect_right(self.moments, position, key=lambda moment: moment.start)
        moment = self.moments[after - 1] if after else None
        return moment.seconds if moment and position < moment.end else None

    def link(self, position: int) -> str | None:
        """Where the entry at a position leads; None outside of entries and in one without a link."""
        after = bisect_right(self.links, position, key=lambda link: link.start)
        link = self.links[after - 1] if after else None
        return link.url if link and position < link.end else None


@dataclass(frozen=True, slots=True)
class PageHead:
    """What lists and limits need of a page, without its text: a library is too large to be held in memory.

    `stamp` grows with every snapshot that is stored, 0 for a page that is not.
    """

    source: SourceId
    url: str
    title: str
    language: str
    content_hash: str
    captured_at: float
    n_removed: int
    n_total_chars: int
    n_read_chars: int
    n_pages: int
    n_moments: int
    has_video: bool
    n_words: int
    n_chunks: int
    stamp: int = 0


def head_of(page: Page, n_chunks: int, stamp: int = 0) -> PageHead:
    """Return the head of a page that was cut into `n_chunks`."""
    return PageHead(
        source=page.source,
        url=page.url,
        title=page.title,
        language=page.language,
        content_hash=page.content_hash,
        captured_at=page.captured_at,
        n_removed=page.n_removed,
        n_total_chars=page.n_total_chars,
        n_read_chars=page.n_read_chars,
        n_pages=page.n_pages,
        n_moments=len(page.moments),
        has_video=page.has_video,
        n_words=page.n_words,
        n_chunks=n_chunks,
        stamp=stamp,
    )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A searchable span of a page.

    `text` is `page.text[start:end]`. `content_hash` (hex sha256 of `embedding_text`) tells whether a
    stored vector can be kept. `embedding_text` is title, heading path and text, within the token limit.
    """

    id: ChunkId
    source: SourceId
    ordinal: int
    start: int
    end: int
    heading_path: tuple[str, ...]
    text: str
    embedding_text: str
    content_hash: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class QuantizedVectors:
    """Unit vectors as int8 rows with a float scale each: row ≈ codes · scale. codes (n, d), scales (n,)."""

    codes: Int8Matrix
    scales: npt.NDArray[np.float32]


class FusionMode(StrEnum):
    """How the two rankings become one."""

    CONVEX = "convex"
    RRF = "rrf"
    DENSE = "dense"
    LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. Scores are higher-better; ranks from 1; None where no vector was there.

    `rank_fused` is the place before hits were spread over pages; `word_order` is the part of the score that
    phrases and nearness gave, `recency` that of a newer page.
    """

    chunk: Chunk
    score: float
    dense: float | None
    lexical: float
    rank_dense: int | None
    rank_lexical: int | None
    rank_fused: int | None = None
    word_order: float = 0.0
    recency: float = 0.0


@dataclass(frozen=True, slots=True)
class Citation:
    """A span of a page that a sentence rests on; `number` is what the reader sees."""

    number: int
    source: SourceId
    chunk_id: ChunkId
    start: int
    end: int
    quote: str


class Verdict(StrEnum):
    """What checking a sentence against its cited text found."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons, each a short code with its subject: `number:1,200`, `negation`."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of an answer with the citation numbers it carries and how it was judged."""

    text: str
    citations: tuple[int, ...]
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class EmbedderDescriptor:
    """What the index must know about an embedding model; vectors of different `key` never mix.

    `query_prefix` is written before a question, `passage_prefix` before a text that is to be found. A model
    that does not read any script knows languages in Latin letters alone.
    """

    id: str
    dimensions: int
    max_tokens: int
    query_prefix: str
    licence: str
    reads_any_script: bool = False
    passage_prefix: str = ""

    @property
    def key(self) -> str:
        """What stored vectors are named by: the id, and what was written before every text."""
        return f"{self.id} ({self.passage_prefix.strip()})" if self.passage_prefix else self.id

    def passage(self, text: str) -> str:
        """Return a text that is to be found as the model wants it."""
        return self.passage_prefix + text

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "EmbedderDescriptor":
        """Read the fields of a model.json; raises KeyError."""
        return cls(
            id=fields["id"],
            dimensions=fields["dimensions"],
            max_tokens=fields["max_tokens"],
            query_prefix=fields["query_prefix"],
            licence=fields["licence"],
            reads_any_script=fields.get("reads_any_script", False),
            passage_prefix=fields.get("passage_prefix", ""),
        )


def concatenate(parts: Sequence[QuantizedVectors], dimensions: int) -> QuantizedVectors:
    """Stack quantized vectors in order; no parts gives an empty (0, dimensions) matrix."""
    if not parts:
        return QuantizedVectors(np.zeros((0, dimensions), np.int8), np.zeros(0, np.float32))
    return QuantizedVectors(
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.scales for part in parts]),
    )
