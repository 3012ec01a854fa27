"""Where else a Qdrant may be that does not answer at the address somebody gave.

https://host:6334/dashboard  →  https://host:6334      the dashboard lies on the same port as the interface
                                https://host:6333      6334 is its port for gRPC
                                http://host:6334/dashboard    the other scheme
"""

from enum import StrEnum
from urllib.parse import urlsplit, urlunsplit

from tabwise.core.network.http import origin_of

GRPC_PORT, REST_PORT = 6334, 6333
_OTHER_SCHEME = {"http": "https", "https": "http"}


class Difference(StrEnum):
    """What a neighbour differs in from the address."""

    PATH = "path"
    SCHEME = "scheme"


def neighbours(url: str) -> tuple[tuple[Difference, str], ...]:
    """Return the addresses to ask, likeliest first; none for what is no web address."""
    if not origin_of(url):
        return ()
    parts = urlsplit(url)
    found = []
    if parts.path.strip("/"):
        found.append((Difference.PATH, origin_of(url)))
    if parts.port == GRPC_PORT:
        host = parts.netloc.removesuffix(f":{GRPC_PORT}")
        found.append((Difference.PATH, f"{parts.scheme}://{host}:{REST_PORT}"))
    other = urlunsplit((_OTHER_SCHEME[parts.scheme.lower()], parts.netloc, parts.path, "", ""))
    return (*found, (Difference.SCHEME, other))
