"""The nouns of one HTTP exchange, as far as a provider or a vector store needs them."""

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """Why something leaves this machine; the reader agrees to each destination and purpose once."""

    ANSWER = "answer"  # a prompt with passages of pages, to a language model
    STORE = "store"  # whole pages and their vectors, to a vector store
    CHECK = "check"  # no text of a page: is the service there, what does it offer
    DOWNLOAD = "download"  # nothing but the address: a model file


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request with its whole body; header names in lower case.

    `secrets` are values inside url, headers or body that no log, error or receipt may show.
    `sources` are the canonical URLs of the pages whose text the body carries.
    """

    method: str
    url: str
    purpose: Purpose
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    secrets: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()
