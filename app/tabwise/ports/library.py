"""The library file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tabwise.core.model import BoolVector, Chunk, Page, PageHead, QuantizedVectors, SourceId
from tabwise.core.summaries.summary import Summary
from tabwise.ports.threads import ThreadStore


@dataclass(frozen=True, slots=True)
class PartRow:
    """What the index derived from pages, as `core.page_part` encodes it; `stamp` is that of the last."""

    n_postings: int
    data: bytes
    stamp: int = 0


class SummaryStore(Protocol):
    """Summaries in the library file. Every method is one transaction; all raise StoreError."""

    def load_all(self) -> Sequence[Summary]:
        """Every summary."""
        ...

    def put(self, summary: Summary) -> None:
        """Keep a summary in place of that of the same content; those of no page are dropped."""
        ...

    def put_many(self, summaries: Sequence[Summary]) -> None:
        """Keep summaries as `put` does, all at once."""
        ...

    def load_part(self, source: SourceId, part_hash: str) -> str | None:
        """What was written of a part of a page, None when nothing was."""
        ...

    def put_part(self, source: SourceId, part_hash: str, text: str) -> None:
        """Keep what was written of a part of a page, as long as the page is there."""
        ...

    def keep_parts(self, source: SourceId, part_hashes: Sequence[str]) -> None:
        """Drop what was written of a page's other parts."""
        ...


class Store(Protocol):
    """The library file. Every method is one transaction; all raise StoreError."""

    @property
    def schema_version(self) -> int:
        """Version of the file's schema."""
        ...

    @property
    def threads(self) -> ThreadStore:
        """The saved threads in the file."""
        ...

    @property
    def summaries(self) -> SummaryStore:
        """The summaries in the file."""
        ...

    def load_heads(self) -> Sequence[PageHead]:
        """What lists need of every page, oldest first."""
        ...

    def load_pages(self) -> Sequence[Page]:
        """Every page, oldest first."""
        ...

    def load_page(self, source: SourceId) -> Page | None:
        """A page, or None."""
        ...

    def load_chunks(self, source: SourceId) -> Sequence[Chunk]:
        """Chunks of a page by ordinal."""
        ...

    def load_chunk(self, source: SourceId, ordinal: int) -> Chunk | None:
        """One chunk of a page, or None."""
        ...

    def content_hashes(self, source: SourceId) -> Sequence[str]:
        """Content hashes of a page's chunks by ordinal."""
        ...

    def load_vectors(self, content_hashes: Sequence[str]) -> tuple[BoolVector, QuantizedVectors]:
        """Return which of the hashes have a vector, and those vectors in the same order."""
        ...

    def put_page(self, page: Page, chunks: Sequence[Chunk], part: PartRow | None = None) -> None:
        """Replace the page's snapshot and chunks at once; vectors of unchanged chunks stay.

        `part` is what the index derived from the page, under a stamp from `new_stamp`.
        """
        ...

    def new_stamp(self) -> int:
        """A number for the next snapshot that none before had."""
        ...

    def part_sizes(self) -> Mapping[int, int]:
        """Number of postings of every part by its id, oldest first."""
        ...

    def load_part(self, part_id: int) -> bytes:
        """The bytes of a part, none when it is gone."""
        ...

    def put_part(self, source: SourceId, part: PartRow) -> None:
        """Add the part of a stored page that has none."""
        ...

    def replace_parts(self, part_ids: Sequence[int], part: PartRow | None) -> None:
        """Drop parts, for one that has what is still needed of them or for none."""
        ...

    def pack_vectors(self, source: SourceId, vectors: QuantizedVectors) -> None:
        """Lay all vectors of a page, by ordinal, together."""
        ...

    def packed_vectors(self) -> Iterator[tuple[SourceId, QuantizedVectors]]:
        """The vectors of every page that has all of them; a damaged row is left out."""
        ...

    def put_vectors(self, content_hashes: Sequence[str], vectors: QuantizedVectors) -> None:
        """Add vectors, keyed by the content hash of their chunk."""
        ...

    def remove_page(self, source: SourceId) -> None:
        """Take a page out; it can be restored until another page is removed."""
        ...

    def restore_page(self, source: SourceId) -> Page | None:
        """Bring the last removed page back, or None when it is gone."""
        ...

    def remove_all(self) -> None:
        """Take every page out; they can be restored until the next removal."""
        ...

    def restore_all(self) -> Sequence[Page]:
        """Bring every page back that was taken out and is not gone, oldest first."""
        ...

    def model_id(self) -> str:
        """The embedder whose vectors are stored, "" before the first."""
        ...

    def set_model_id(self, model_id: str) -> None:
        """Record the embedder; raises ModelError when vectors of another one are there."""
        ...

    def next_vectors(self, model_id: str, content_hashes: Sequence[str]) -> BoolVector:
        """Return which of the hashes have a vector of the next model, `adopt_next` not yet called."""
        ...

    def put_next_vectors(
        self, model_id: str, content_hashes: Sequence[str], vectors: QuantizedVectors
    ) -> None:
        """Add vectors of the next model beside those in use; those of yet another one are dropped."""
        ...

    def adopt_next(self, model_id: str) -> None:
        """Replace all vectors and the model by the next ones."""
        ...

    def attempts(self, source: SourceId) -> int:
        """How many times work on this page began without an end."""
        ...

    def begin_attempt(self, source: SourceId) -> None:
        """Note that work on this page begins."""
        ...

    def end_attempt(self, source: SourceId) -> None:
        """Note that work on this page ended, well or with an error."""
        ...

    def library_id(self) -> str:
        """A name that no other library has; a copy of the file has the same."""
        ...

    def mirrored(self, destination: str) -> Mapping[SourceId, str]:
        """The fingerprint of each page that a vector store has acknowledged."""
        ...

    def put_mirrored(self, destination: str, fingerprints: Mapping[SourceId, str]) -> None:
        """Note pages as acknowledged."""
        ...

    def remove_mirrored(self, destination: str, sources: Sequence[SourceId]) -> None:
        """Note that nothing is known of these pages at a vector store."""
        ...

    @property
    def is_new(self) -> bool:
        """Whether there was no file before it was opened."""
        ...

    def note(self, key: str) -> str:
        """A text that travels with the file, "" when there is none."""
        ...

    def put_note(self, key: str, text: str) -> None:
        """Keep a text with the file, in place of the last of this key."""
        ...

    def size_bytes(self) -> int:
        """Size of the file."""
        ...

    def check(self) -> Sequence[str]:
        """Faults found in the file, empty when sound."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...
