"""Which saved pages the Library view lists: those that pass its filters, a window of them at a time.

A text is looked for in titles and addresses here, at once; the engine finds the pages that hold it.
"""

from tabwise.protocol.addresses import host_of
from tabwise.ui.dates import start_of_day
from tabwise.ui.memo import Memo
from tabwise.ui.text import fold, site_of

WINDOW = 100  # rows that are drawn at once: more would be slow to draw and to walk through by keyboard

_derived = Memo()


def shelf_pages(state: dict) -> list:
    """Return the saved pages that pass the filters of the Library view, newest first."""
    shelf = state["shelf"]
    inputs = (state["library"], shelf["text"].strip(), shelf["site"], shelf["days"])
    found: list = _derived("pages", _pages, *inputs, shelf["now"], shelf["offset_min"])
    return found


def text_matches(state: dict) -> list:
    """Return (page, FoundPage) of the pages that have the text of the box in their text alone, best first.

    The other filters are passed too. Pages near in meaning only are left out: a filter keeps what has words
    of it.
    """
    shelf = state["shelf"]
    inputs = (
        state["library"],
        shelf_pages(state),
        state["shelf_found"]["pages"],
        shelf["site"],
        shelf["days"],
    )
    found: list = _derived("texts", _text_matches, *inputs, shelf["now"], shelf["offset_min"])
    return found


def listed_pages(state: dict) -> list:
    """Return every page the view lists, in order."""
    return shelf_pages(state) + [page for page, _ in text_matches(state)]


def shown_sources(state: dict) -> list:
    """Return the sources of the pages that are drawn: a window of the list, after its end those by text."""
    listed, start = shelf_pages(state), window_start(state)
    shown = [page["source"] for page in listed[start : start + WINDOW]]
    if start + WINDOW < len(listed):
        return shown
    return shown + [page["source"] for page, _ in text_matches(state)]


def window_start(state: dict) -> int:
    """Return the place of the first page that is drawn."""
    n_pages = len(shelf_pages(state))
    start = state["shelf"]["start"]
    return start if start < n_pages else max(0, (n_pages - 1) // WINDOW * WINDOW)


def is_refreshable(page: dict) -> bool:
    """Whether a page can be read again: it is whole, and has an address on the web."""
    return "#" not in page["source"] and host_of(page["url"]) != ""


def _pages(library: list, text: str, site: str, days: int, now: float, offset_min: int) -> list:
    shown = library
    if text:
        words = fold(text).split()
        hays = _derived("hays", _hays, library)
        shown = [page for page, hay in zip(library, hays) if _holds(hay, words)]
    return _filtered(shown, site, days, now, offset_min)


def _text_matches(
    library: list, listed: list, found: list, site: str, days: int, now: float, offset_min: int
) -> list:
    if not found:
        return []
    here = {page["source"] for page in listed}
    rest = {page["source"]: page for page in library if page["source"] not in here}
    by_words = [one for one in found if one["excerpt"] and not one["by_meaning"] and one["source"] in rest]
    kept = _filtered([rest[one["source"]] for one in by_words], site, days, now, offset_min)
    kept_sources = [page["source"] for page in kept]
    return [(rest[one["source"]], one) for one in by_words if one["source"] in kept_sources]


def _filtered(pages: list, site: str, days: int, now: float, offset_min: int) -> list:
    shown = pages
    if days:
        after = start_of_day(now, offset_min, days - 1)
        shown = [page for page in shown if page["captured_at"] >= after]
    return [page for page in shown if site_of(page["url"]) == site] if site else shown


def _hays(library: list) -> list:
    """What words are looked for in, folded once for all that is typed."""
    return [fold(page["title"] + " " + page["url"]) for page in library]


def _holds(hay: str, words: list) -> bool:
    for word in words:
        if word not in hay:
            return False
    return True
