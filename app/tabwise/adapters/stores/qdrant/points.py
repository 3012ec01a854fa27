"""Chunks as points, and points as bodies that stay below what a server takes.

The dense vector goes as its int8 codes: a cosine does not see their scale, they are exact, and in JSON they
take a third of the room of floats. No text goes: the payload says where a chunk is, not what it says.
"""

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from tabwise.adapters.stores.qdrant.collection import DENSE, TERMS
from tabwise.adapters.stores.qdrant.rest import encode
from tabwise.core.network.mirror import MirroredPage
from tabwise.core.search.term_vectors import TermVector, chunk_vector
from tabwise.protocol.addresses import host_of

MAX_BODY_BYTES = 4 * 1024 * 1024
"""A Qdrant takes 32 MB by default; much less is as fast, and passes most proxies."""
_NAMESPACE = uuid.UUID("a4a2a1f6-3f0e-5d7c-9a55-6a0f5c1f7f10")
_HEAD, _TAIL = b'{"points":[', b"]}"


def point_id(library: str, chunk_id: str) -> str:
    """Return the id of a chunk's point: the same at every sync, different in every library."""
    return str(uuid.uuid5(_NAMESPACE, f"{library}/{chunk_id}"))


def encoded_points(mirrored: MirroredPage, library: str) -> Iterator[bytes]:
    """Yield each chunk of a page as the JSON of a point, by ordinal."""
    page = mirrored.page
    sites = sites_of(page.url)
    for row, chunk in enumerate(mirrored.chunks):
        vectors: dict[str, Any] = {}
        if mirrored.vectors is not None:
            vectors[DENSE] = mirrored.vectors.codes[row].tolist()
        weights = chunk_vector(chunk.embedding_text, page.title, page.language)
        if weights.indices:
            vectors[TERMS] = sparse(weights)
        payload = {
            "library": library,
            "source": page.source,
            "chunk": chunk.id,
            "ordinal": chunk.ordinal,
            "start": chunk.start,
            "end": chunk.end,
            "sites": sites,
            "captured_at": page.captured_at,
            "content_hash": chunk.content_hash,
        }
        yield encode({"id": point_id(library, chunk.id), "vector": vectors, "payload": payload})


def sparse(vector: TermVector) -> Mapping[str, list[Any]]:
    """Return a term vector in Qdrant's form; four decimals are finer than any order depends on."""
    return {"indices": list(vector.indices), "values": [round(value, 4) for value in vector.values]}


def sites_of(url: str) -> list[str]:
    """Return the host of an address and every host above it, so that a filter by site is one match."""
    labels = host_of(url).split(".")
    return [".".join(labels[i:]) for i in range(len(labels)) if labels[i]]


def body_of(points: list[bytes]) -> bytes:
    """Return the body that stores these points."""
    return _HEAD + b",".join(points) + _TAIL


class Batch:
    """Points that go together: as many as fit into `limit` bytes, one at least."""

    def __init__(self, limit: int = MAX_BODY_BYTES) -> None:
        self._limit = limit
        self._n_bytes = len(_HEAD) + len(_TAIL)
        self.points: list[bytes] = []

    def takes(self, point: bytes) -> bool:
        """Whether the body stays within the limit with this point too."""
        return not self.points or self._n_bytes + 1 + len(point) <= self._limit

    def add(self, point: bytes) -> None:
        """Put a point in."""
        self._n_bytes += len(point) + (1 if self.points else 0)
        self.points.append(point)
