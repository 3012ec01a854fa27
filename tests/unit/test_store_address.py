"""Where else a Qdrant may be."""

import pytest

from tabwise.core.network.store_address import Difference, neighbours

PATH, SCHEME = Difference.PATH, Difference.SCHEME


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://localhost:6333", [(SCHEME, "https://localhost:6333")]),
        (
            "https://host.example:6334/dashboard",
            [
                (PATH, "https://host.example:6334"),
                (PATH, "https://host.example:6333"),
                (SCHEME, "http://host.example:6334/dashboard"),
            ],
        ),
        ("http://[::1]:6334", [(PATH, "http://[::1]:6333"), (SCHEME, "https://[::1]:6334")]),
        (
            "https://cluster.example/vectors",
            [(PATH, "https://cluster.example"), (SCHEME, "http://cluster.example/vectors")],
        ),
        ("no address", []),
    ],
)
def test_neighbours(url: str, found: list[tuple[Difference, str]]) -> None:
    assert list(neighbours(url)) == found
