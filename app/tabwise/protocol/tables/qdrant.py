"""The mirror of the library in a Qdrant."""

RECORDS: dict = {
    # what answered at an address; `older` are collections of other models or layouts under the same name
    "QdrantFound": {
        "version": "str",
        "collection": "str",
        "exists": "bool",
        "n_passages": "int",  # of this library
        "older": ("list", "str"),
    },
    # how far the mirror is; kept_here: pages that a rule keeps on this machine
    "QdrantState": {
        "enabled": "bool",
        "destination": "str",  # the origin that pages go to
        "n_pages": "int",
        "n_mirrored": "int",
        "n_kept_here": "int",
    },
}

REQUESTS: dict = {
    # ask an address, as it was typed, with the key that is kept; an error names the cause
    "qdrant_test": {"address": "str", "collection": "str"},
    "qdrant_sync": {},  # bring the store of the settings in step; sends pages, so it has to be agreed to
    "qdrant_state": {},  # sends nothing
}

RESULTS: dict = {
    "qdrant_test": "QdrantFound",
    "qdrant_sync": "QdrantState",
    "qdrant_state": "QdrantState",
}
