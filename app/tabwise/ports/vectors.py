"""Passages kept and found by meaning outside the library file."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from tabwise.core.model import SourceId
from tabwise.core.network.mirror import MirroredPage, PassageMatch, PassageQuery, StorePlace, StoreState


class VectorStore(Protocol):
    """A store on the network that mirrors the vectors of a library and searches among them.

    Every method raises ProviderError: those of `Http`, address_invalid, network_portal, service_foreign,
    key_missing, key_refused, qdrant_path, qdrant_tls, qdrant_old, qdrant_schema, qdrant_collection,
    qdrant_failed.
    """

    @property
    def destination(self) -> str:
        """What the library's ledger of mirrored pages knows the store by: its address and collection."""
        ...

    async def state(self) -> StoreState:
        """Ask what is there; changes nothing, and sends no text of a page."""
        ...

    async def open(self) -> None:
        """Make the collection unless it is there; never changes or empties one."""
        ...

    async def put_pages(
        self, pages: Sequence[MirroredPage], checkpoint: Callable[[], Awaitable[None]]
    ) -> None:
        """Replace pages, durable when it returns; after an error any of them may be there in part.

        `checkpoint` is awaited between steps of at most a few milliseconds.
        """
        ...

    async def remove_pages(self, sources: Sequence[SourceId]) -> None:
        """Take pages out; unknown ones are ignored."""
        ...

    async def count(self) -> int:
        """Number of chunks of this library."""
        ...

    async def search(self, query: PassageQuery) -> Sequence[PassageMatch]:
        """Return the matches, grouped by page, the pages by their best match, best first."""
        ...


class VectorStores(Protocol):
    """Opens vector stores by where they are."""

    def at(self, place: StorePlace) -> VectorStore:
        """Return the store; nothing is sent before its first method is called."""
        ...
