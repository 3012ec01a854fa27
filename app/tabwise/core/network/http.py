"""The nouns of one HTTP exchange, as far as a provider or a vector store needs them."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Purpose(StrEnum):
    """Why something leaves this machine; the reader agrees to each destination and purpose once."""

    ANSWER = "answer"  # a prompt with passages of pages, to a language model
    SUMMARY = "summary"  # the text of whole pages, part by part, to a language model
    STORE = "store"  # whole pages and their vectors, to a vector store
    CHECK = "check"  # no text of a page: is the service there, what does it offer
    DOWNLOAD = "download"  # nothing but the address: a model file


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request with its whole body; header names in lower case.

    `secrets` are values inside url, headers or body that no log, error or receipt may show.
    `sources` are the canonical URLs of the pages whose text the body carries.
    `silence_ms` is how long the other side may say nothing: before its head, and between pieces of its body.
    """

    method: str
    url: str
    purpose: Purpose
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    secrets: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()
    silence_ms: int = 120_000


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, in lower case and without a default port; "" for no web address.

    >>> origin_of("HTTPS://API.Example:443/v1")
    'https://api.example'
    """
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError:
        return ""
    if scheme not in _DEFAULT_PORTS or not host:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{scheme}://{host}" if port in (None, _DEFAULT_PORTS[scheme]) else f"{scheme}://{host}:{port}"
