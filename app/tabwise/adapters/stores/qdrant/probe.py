"""Whether a Qdrant that we can use is at an address, and if not, why not, by name.

What a browser tells of a failed request is "Failed to fetch"; so where the given address does not answer as a
Qdrant, its likely neighbours are asked, without the key: the other scheme, the port of the REST interface,
the root of the site.
"""

from tabwise.adapters.stores.qdrant.rest import Rest
from tabwise.core.network.http import origin_of
from tabwise.core.network.store_address import Difference, neighbours
from tabwise.errors import ProviderError

MINIMUM_VERSION = (1, 16)
"""The first with a constant for the fusion by ranks; queries grouped by a field are older."""
_CODES = {Difference.PATH: "qdrant_path", Difference.SCHEME: "qdrant_tls"}
_UNREACHED = ("network_refused", "network_lost", "network_timeout", "network_blocked")


async def require_qdrant(rest: Rest) -> str:
    """Return the version of the Qdrant at an address.

    Raises ProviderError: address_invalid, those of `Rest.greeting`, service_foreign; qdrant_tls, qdrant_path
    with the address that would do as subject, qdrant_old with the version as subject.
    """
    if not origin_of(rest.url):
        raise ProviderError("address_invalid", subject=rest.url[:200])
    try:
        version = await rest.greeting()
    except ProviderError as error:
        if error.code in _UNREACHED:
            await _look_around(rest)
        raise
    if version is None:
        await _look_around(rest)
        raise ProviderError("service_foreign", "no greeting of a Qdrant", subject=origin_of(rest.url))
    if _numbers(version) < MINIMUM_VERSION:
        raise ProviderError("qdrant_old", f"version {version}", subject=version)
    return version


async def _look_around(rest: Rest) -> None:
    """Raise with the address that would do, when there is one."""
    for difference, url in neighbours(rest.url):
        if await _is_qdrant(rest, url):
            raise ProviderError(_CODES[difference], f"a Qdrant answers at {url}", subject=url)


async def _is_qdrant(rest: Rest, url: str) -> bool:
    try:
        return await rest.greeting(url, with_key=False) is not None
    except ProviderError:
        return False


def _numbers(version: str) -> tuple[int, ...]:
    leading = version.removeprefix("v").split("-")[0].split(".")[:2]
    return tuple(int(part) if part.isdigit() else 0 for part in leading)
