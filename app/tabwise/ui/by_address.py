"""The saved pages by their sources and addresses, kept up as the library changes.

A source names one page. An address names the newest page that was read from it, unless it is the source of
another. Sources of selections and given files have a fragment: they are not what their address shows.

Five thousand pages take a tenth of a second to look through, and pages come in by the dozen: what was added,
or read again, since the library before is put in; after any other change all is built anew.
"""

from tabwise.ui.text import without_fragment


class ByAddress:
    """The last library that was asked for, with its pages by source and address."""

    def __init__(self) -> None:
        self._library: list = []
        self._pages: dict = {}

    def __call__(self, library: list) -> dict:
        """Return {source or address: page}, good until the next call. A library is never changed in place."""
        if library is not self._library:
            if not self._put_in(library):
                self._pages = _pages_of(library)
            self._library = library
        return self._pages

    def _put_in(self, library: list) -> bool:
        """Take over the pages that were put at the head; False when that is not all that happened."""
        head = _head(self._library, library)
        if head is None:
            return False
        for page in reversed(head):
            address = _address(page)
            before = self._pages.get(page["source"])
            if before is not None and before["source"] == page["source"] and _address(before) != address:
                return False  # what it hid may show at its old address
            self._pages[page["source"]] = page
            there = self._pages.get(address)
            if address and (there is None or there["source"] != address):
                self._pages[address] = page
        return True


def _head(before: list, now: list) -> list | None:
    """The pages at the head of `now` that are new or took another's place, None where more has changed.

    The others have to be the same objects, in the same order.
    """
    ids_before, ids = [id(page) for page in before], [id(page) for page in now]
    n_more = len(now) - len(before)
    if before and n_more >= 0 and ids[n_more:] == ids_before:
        return now[:n_more]
    kept = set(ids_before)
    n_new = 0
    while n_new < len(now) and ids[n_new] not in kept:
        n_new += 1
    sources = {page["source"] for page in now[:n_new]}
    rest = [id(page) for page in before if page["source"] not in sources]
    return now[:n_new] if before and rest == ids[n_new:] else None


def _pages_of(library: list) -> dict:
    pages = {}
    for page in reversed(library):
        if page["url"] != page["source"]:  # of most they are the same
            pages[_address(page)] = page
    pages.pop("", None)
    for page in library:
        pages[page["source"]] = page
    return pages


def _address(page: dict) -> str:
    return "" if "#" in page["source"] else without_fragment(page["url"])
