"""The vector store a reader may set up: where it is and what its collections begin with."""

from tabwise.protocol.providers import read_address

KEY_NAME = "qdrant"  # under which its API key is kept
DEFAULT_ADDRESS = "http://127.0.0.1:6333"  # not localhost: where that is ::1 first, Docker does not answer
DEFAULT_COLLECTION = "tabwise"
MAX_COLLECTION_CHARS = 60


def default_qdrant() -> dict:
    """Return the Qdrant record before anyone changed it."""
    return {"enabled": False, "address": DEFAULT_ADDRESS, "collection": DEFAULT_COLLECTION}


def read_store_address(text: str) -> tuple:
    """Read what a reader typed or pasted as the store's address. Returns (address, "") or ("", fault).

    The faults are those of `read_address`; query and fragment of a pasted address are left out.
    """
    address, fault = read_address(text, KEY_NAME)
    return address.partition("?")[0].rstrip("/"), fault


def read_collection(text: str) -> tuple:
    """Read the name of a collection. Returns (name, "") or ("", fault): "empty", "long" or "letters".

    Letters, digits, dots, dashes and underscores are what every Qdrant takes.
    """
    name = text.strip()
    if not name:
        return "", "empty"
    if len(name) > MAX_COLLECTION_CHARS:
        return "", "long"
    for char in name:
        if not ("a" <= char <= "z" or "A" <= char <= "Z" or "0" <= char <= "9" or char in "._-"):
            return "", "letters"
    return name, ""


def is_sound_qdrant(value: dict) -> bool:
    """Whether a Qdrant record can be used."""
    address, collection = value["address"], value["collection"]
    return read_store_address(address) == (address, "") and read_collection(collection) == (collection, "")
