"""A question as the body of one `points/query/groups` call, and its answer as matches.

Hybrid modes fetch candidates by both vectors and fuse them there. Qdrant has no convex combination over the
whole scope; distribution-based score fusion, which keeps distances between scores, stands in for it. In the
fusion by ranks Qdrant counts from 0, so our constant 60 with ranks from 1 is its 61. A mode with one vector
is a plain query. What was fetched is fused, not everything: FETCHED bounds how much that can matter.
"""

from collections.abc import Mapping
from typing import Any

from tabwise.adapters.stores.qdrant.collection import DENSE, TERMS
from tabwise.adapters.stores.qdrant.points import sparse
from tabwise.adapters.stores.qdrant.rest import encode
from tabwise.core.model import ChunkId, FusionMode, SourceId
from tabwise.core.network.mirror import PageFilter, PassageMatch, PassageQuery
from tabwise.core.search.fusion import RRF_K
from tabwise.core.search.term_vectors import query_vector

FETCHED = 200
FETCHED_PER_PAGE = 20
HNSW_EF = 256
"""Twice Qdrant's usual breadth: nearer to the exact order for a fraction of a millisecond."""

Json = Mapping[str, Any]


def query_body(query: PassageQuery, library: str) -> bytes | None:
    """Return the body of the call, None for a query with nothing to search by."""
    where = filter_of(query.pages, library)
    searches: list[dict[str, Any]] = []
    if query.vector is not None and query.mode is not FusionMode.LEXICAL:
        values = [round(float(value), 6) for value in query.vector]
        searches.append({"query": values, "using": DENSE, "params": {"hnsw_ef": HNSW_EF}})
    if query.terms and (query.mode is not FusionMode.DENSE or query.vector is None):
        searches.append({"query": sparse(query_vector(query.terms)), "using": TERMS})
    if not searches:
        return None
    body: dict[str, Any] = {
        "group_by": "source",
        "limit": query.n_pages,
        "group_size": query.n_per_page,
        "with_payload": ["chunk", "source", "content_hash"],
    }
    if len(searches) == 1:
        return encode(body | searches[0] | {"filter": where})
    n_fetched = max(FETCHED, FETCHED_PER_PAGE * query.n_pages)
    fetches = [search | {"filter": where, "limit": n_fetched} for search in searches]
    return encode(body | {"prefetch": fetches, "query": _fusion(query.mode)})


def filter_of(pages: PageFilter, library: str) -> Json:
    """Return the filter for some pages of a library."""
    must: list[Json] = [{"key": "library", "match": {"value": library}}]
    if pages.sources:
        must.append({"key": "source", "match": {"any": sorted(pages.sources)}})
    if pages.hosts:
        must.append({"key": "sites", "match": {"any": list(pages.hosts)}})
    if pages.after_ms or pages.before_ms:
        limits = {"gte": pages.after_ms or None, "lt": pages.before_ms or None}
        must.append({"key": "captured_at", "range": {name: at for name, at in limits.items() if at}})
    return {"must": must}


def matches_of(result: Any) -> list[PassageMatch]:
    """Read the groups of an answer in order; raises KeyError, TypeError, ValueError for another form."""
    return [_match(point) for group in result["groups"] for point in group["hits"]]


def _fusion(mode: FusionMode) -> Json:
    return {"rrf": {"k": RRF_K + 1}} if mode is FusionMode.RRF else {"fusion": "dbsf"}


def _match(point: Json) -> PassageMatch:
    payload = point["payload"]
    return PassageMatch(
        chunk_id=ChunkId(str(payload["chunk"])),
        source=SourceId(str(payload["source"])),
        content_hash=str(payload["content_hash"]),
        score=float(point["score"]),
    )
