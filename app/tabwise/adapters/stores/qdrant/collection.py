"""What a collection is called and made of.

Its name carries what its vectors depend on, the model and the version of this layout:

    <chosen name>-<layout>-<model id>         tabwise-1-all-MiniLM-L6-v2-int8

so another model or a later layout makes a collection of its own and the old one stays as it is.
"""

import hashlib
import re
from typing import Any

from tabwise.core.network.mirror import StorePlace

LAYOUT = 1
DENSE = "dense"
TERMS = "terms"
# payload field: the index it gets; a filter on a field without one reads every point
PAYLOAD_INDEXES: dict[str, object] = {
    "library": {"type": "keyword", "is_tenant": True},
    "source": "keyword",
    "sites": "keyword",
    "captured_at": "float",
    "ordinal": "integer",
}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_CHARS = 80


def collection_name(place: StorePlace) -> str:
    """Return the name of the collection for a place."""
    return f"{_prefix(place)}{LAYOUT}-{_plain(place.model_id or 'none')}"


def is_ours(name: str, place: StorePlace) -> bool:
    """Whether a collection was made under the chosen name, whatever its layout and model."""
    rest = name.removeprefix(_prefix(place))
    return rest != name and rest.partition("-")[0].isdigit()


def creation(place: StorePlace) -> dict[str, Any]:
    """Return the body that makes the collection."""
    return {
        "vectors": {DENSE: {"size": place.dimensions, "distance": "Cosine"}},
        "sparse_vectors": {TERMS: {"modifier": "idf"}},
        "metadata": {"made_by": "tabwise", "layout": LAYOUT, "model": place.model_id},
    }


def fits(info: Any, place: StorePlace) -> bool:
    """Whether a collection, as the store describes it, has the vectors we write and search."""
    try:
        params = info["config"]["params"]
        dense, sparse = params["vectors"][DENSE], params["sparse_vectors"][TERMS]
        return (
            dense["size"] == place.dimensions
            and dense["distance"] == "Cosine"
            and str(sparse.get("modifier")).lower() == "idf"
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _prefix(place: StorePlace) -> str:
    return f"{_plain(place.collection)}-"


def _plain(text: str) -> str:
    """The text in letters that collections and paths take; what had to be changed keeps a hash apart."""
    plain = _UNSAFE.sub("-", text)[:_MAX_CHARS]
    if plain == text:
        return plain
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain.strip('-')}-{digest[:8]}"
