"""Which saved pages the Library view lists: those that pass its filters, a window of them at a time."""

from tabwise.protocol.addresses import host_of
from tabwise.ui.dates import start_of_day
from tabwise.ui.memo import Memo
from tabwise.ui.selectors import matches
from tabwise.ui.text import site_of

WINDOW = 100  # rows that are drawn at once: more would be slow to draw and to walk through by keyboard

_derived = Memo()


def shelf_pages(state: dict) -> list:
    """Return the saved pages that pass the filters of the Library view, newest first."""
    shelf = state["shelf"]
    inputs = (state["library"], shelf["text"].strip(), shelf["site"], shelf["days"])
    found: list = _derived("pages", _pages, *inputs, shelf["now"], shelf["offset_min"])
    return found


def window_start(state: dict) -> int:
    """Return the place of the first page that is drawn."""
    n_pages = len(shelf_pages(state))
    start = state["shelf"]["start"]
    return start if start < n_pages else max(0, (n_pages - 1) // WINDOW * WINDOW)


def refreshable(pages: list) -> list:
    """Return the pages that can be read again: those with an address on the web, whole."""
    return [page for page in pages if host_of(page["url"]) and "#" not in page["source"]]


def _pages(library: list, text: str, site: str, days: int, now: float, offset_min: int) -> list:
    after = start_of_day(now, offset_min, days - 1) if days else 0
    return [
        page
        for page in library
        if page["captured_at"] >= after
        and (not site or site_of(page["url"]) == site)
        and (not text or matches(text, page["title"], page["url"]))
    ]
