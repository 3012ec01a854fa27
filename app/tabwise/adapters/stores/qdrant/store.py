"""`ports.VectorStore` over a Qdrant.

A write is answered once it is durable and searchable (`wait=true`), so what was acknowledged stays, whatever
happens next. Nothing here empties a collection: points leave one by one with their page.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import quote

from tabwise.adapters.stores.qdrant.collection import (
    PAYLOAD_INDEXES,
    collection_name,
    creation,
    fits,
    is_ours,
)
from tabwise.adapters.stores.qdrant.points import MAX_BODY_BYTES, Batch, body_of, encoded_points
from tabwise.adapters.stores.qdrant.probe import require_qdrant
from tabwise.adapters.stores.qdrant.query import filter_of, matches_of, query_body
from tabwise.adapters.stores.qdrant.rest import (
    CHECK_SILENCE_MS,
    SEARCH_SILENCE_MS,
    BodyTooLarge,
    Rest,
    encode,
)
from tabwise.core.model import SourceId
from tabwise.core.network.http import Purpose
from tabwise.core.network.mirror import (
    MirroredPage,
    PageFilter,
    PassageMatch,
    PassageQuery,
    StorePlace,
    StoreState,
)
from tabwise.errors import ProviderError
from tabwise.ports import Http

MAX_OLDER = 20
"""Collections of other models that are named; more would not be read."""


class QdrantStores:
    """`ports.VectorStores`; `key` gives the API key, "" for none."""

    def __init__(self, http: Http, key: Callable[[], Awaitable[str]]) -> None:
        self._http = http
        self._key = key

    def at(self, place: StorePlace) -> "QdrantStore":
        """Return the store; nothing is sent before its first method is called."""
        return QdrantStore(Rest(self._http, place.url, self._key), place)


class QdrantStore:
    """The collection of one library and model in one Qdrant."""

    def __init__(self, rest: Rest, place: StorePlace, *, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self._rest = rest
        self._place = place
        self._max_body_bytes = max_body_bytes
        self._name = collection_name(place)
        self._path = f"/collections/{quote(self._name, safe='')}"

    @property
    def destination(self) -> str:
        """The address and the collection."""
        return f"{self._rest.url}/{self._name}"

    async def state(self) -> StoreState:
        """Ask what is there; changes nothing, and sends no text of a page."""
        version = await require_qdrant(self._rest)
        listed = await self._rest.call(
            "GET", "/collections", purpose=Purpose.CHECK, silence_ms=CHECK_SILENCE_MS
        )
        names = sorted(str(each.get("name", "")) for each in _part(listed, "collections"))
        older = [name for name in names if name != self._name and is_ours(name, self._place)]
        exists = await self._info() is not None
        return StoreState(
            version=version,
            collection=self._name,
            exists=exists,
            n_passages=await self.count() if exists else 0,
            older=tuple(older[:MAX_OLDER]),
        )

    async def open(self) -> None:
        """Make the collection and its payload indexes unless they are there."""
        info = await self._info()
        if info is None:
            await self._rest.call("PUT", self._path, encode(creation(self._place)))
            info = {}
        known = info.get("payload_schema") or {}
        for field, schema in PAYLOAD_INDEXES.items():
            if field not in known:
                body = encode({"field_name": field, "field_schema": schema})
                await self._rest.call("PUT", f"{self._path}/index?wait=true", body)

    async def put_pages(
        self, pages: Sequence[MirroredPage], checkpoint: Callable[[], Awaitable[None]]
    ) -> None:
        """Replace pages, durable when it returns; after an error any of them may be there in part."""
        sources = frozenset(str(mirrored.page.source) for mirrored in pages)
        batch = Batch(self._max_body_bytes)
        for mirrored in pages:
            for point in encoded_points(mirrored, self._place.library):
                if not batch.takes(point):
                    await self._upsert(batch.points, sources)
                    batch = Batch(self._max_body_bytes)
                batch.add(point)
                await checkpoint()
        if batch.points:
            await self._upsert(batch.points, sources)
        # chunks beyond the last one of the new snapshot are of an earlier one
        tails = [
            {"must": [_is(mirrored.page.source), {"key": "ordinal", "range": {"gte": len(mirrored.chunks)}}]}
            for mirrored in pages
        ]
        await self._delete({**filter_of(PageFilter(), self._place.library), "should": tails})

    async def remove_pages(self, sources: Sequence[SourceId]) -> None:
        """Take pages out; unknown ones are ignored."""
        if sources:
            await self._delete(filter_of(PageFilter(frozenset(sources)), self._place.library))

    async def count(self) -> int:
        """Number of chunks of this library."""
        body = encode({"filter": filter_of(PageFilter(), self._place.library), "exact": True})
        result = await self._rest.call(
            "POST", f"{self._path}/points/count", body, purpose=Purpose.CHECK, silence_ms=CHECK_SILENCE_MS
        )
        return int(_part(result, "count"))

    async def search(self, query: PassageQuery) -> Sequence[PassageMatch]:
        """Return the matches, grouped by page, the pages by their best match, best first."""
        body = query_body(query, self._place.library)
        if body is None or query.n_pages < 1 or query.n_per_page < 1:
            return []
        result = await self._rest.call(
            "POST", f"{self._path}/points/query/groups", body, silence_ms=SEARCH_SILENCE_MS
        )
        try:
            return matches_of(result)
        except (KeyError, TypeError, ValueError) as error:
            raise ProviderError("qdrant_failed", f"an answer of another form: {error}") from error

    async def _info(self) -> Any:
        """How the store describes the collection, None when there is none; raises qdrant_schema."""
        try:
            info = await self._rest.call(
                "GET", self._path, purpose=Purpose.CHECK, silence_ms=CHECK_SILENCE_MS
            )
        except ProviderError as error:
            if error.code == "qdrant_collection":
                return None
            raise
        if not fits(info, self._place):
            raise ProviderError("qdrant_schema", "made of other vectors", subject=self._name)
        return info

    async def _upsert(self, points: list[bytes], sources: frozenset[str]) -> None:
        """Store points; a body that is refused for its size is halved."""
        try:
            await self._rest.call("PUT", f"{self._path}/points?wait=true", body_of(points), sources=sources)
        except BodyTooLarge:
            if len(points) == 1:
                raise ProviderError("qdrant_failed", "refuses a body of one passage") from None
            middle = len(points) // 2
            await self._upsert(points[:middle], sources)
            await self._upsert(points[middle:], sources)

    async def _delete(self, where: object) -> None:
        await self._rest.call("POST", f"{self._path}/points/delete?wait=true", encode({"filter": where}))


def _is(source: SourceId) -> dict[str, Any]:
    return {"key": "source", "match": {"value": source}}


def _part(result: Any, name: str) -> Any:
    try:
        return result[name]
    except (KeyError, TypeError) as error:
        raise ProviderError("qdrant_failed", f"an answer without {name}") from error
