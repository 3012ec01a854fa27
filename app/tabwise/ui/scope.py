"""Which pages a question is asked of: the scopes that hold pages, the sites and days it is kept to."""

from tabwise.protocol.addresses import host_of
from tabwise.ui.dates import DAY_MS, start_of_date, start_of_day
from tabwise.ui.memo import Memo
from tabwise.ui.order import ordered
from tabwise.ui.tabs import active_tab, open_sources, page_of
from tabwise.ui.text import site_of
from tabwise.ui.words import say

MAX_HOSTS = 24

# what follows from parts of the state is kept until one of them changes
_derived = Memo()


def scope_sources(state: dict) -> list | None:
    """Return what an `ask` carries as sources: [] for all, None when the scope holds no page."""
    if not state["library"]:
        return None
    scope = effective_scope(state)
    if scope == "all":
        return []
    if scope == "open":
        return open_sources(state)
    if scope == "ticked":
        return ticked_sources(state)
    tab = active_tab(state)
    page = page_of(state, tab["url"]) if tab else None
    return [page["source"]] if page else None


def effective_scope(state: dict) -> str:
    """Return the chosen scope, or "all" when the chosen one holds no page any more."""
    return state["scope"] if state["scope"] in [value for value, _ in scope_choices(state)] else "all"


def scope_choices(state: dict) -> list:
    """Return the scopes that hold pages as (value, label) pairs.

    While the first saved pages alone are known, that of all is the only one: the others would lack pages.
    """
    if state["listing"]["is_begun"]:
        return _derived("scopes", _scope_choices, state["stats"]["n_pages"], 0, 0, False)
    tab = active_tab(state)
    here = page_of(state, tab["url"]) if tab else None
    counts = (len(state["library"]), len(open_sources(state)), len(ticked_sources(state)))
    return _derived("scopes", _scope_choices, *(counts + (here is not None,)))


def ticked_sources(state: dict) -> list:
    """Return the sources of the saved pages whose tabs are ticked, each once."""
    found: list = []
    for url in state["ticked"]:
        page = page_of(state, url)
        if page is not None and page["source"] not in found:
            found.append(page["source"])
    return found


def asked_filter(state: dict, event: dict) -> dict:
    """Return the Filter of a question that is asked with `event`."""
    narrowed = state["narrowed"]
    after, before = 0, 0
    if narrowed["days"] > 0:
        after = start_of_day(event["now"], event["offset_min"], narrowed["days"] - 1)
    elif narrowed["days"] < 0:
        after = start_of_date(narrowed["from"], event["offset_min"])
        end = start_of_date(narrowed["to"], event["offset_min"])
        before = end + DAY_MS if end else 0
    return {
        "sites": narrowed["sites"],
        "after": after,
        "before": before,
        "prefer_recent": narrowed["recent"],
    }


def hosts(state: dict) -> list:
    """Return the sites of the library, those with most pages first, at most MAX_HOSTS."""
    return _derived("hosts", _hosts, state["library"])


def forget() -> None:
    """Drop what was kept: the words it is said in have changed."""
    _derived.forget()


def _scope_choices(n_saved: int, n_open: int, n_ticked: int, here: bool) -> list:
    choices = [("all", say("scope_all", n=n_saved))] if n_saved else []
    if 0 < n_open < n_saved:
        choices.append(("open", say("scope_open", n=n_open)))
    if n_ticked:
        choices.append(("ticked", say("scope_ticked", n=n_ticked)))
    if n_saved > 1 and here:
        choices.append(("this", say("scope_this")))
    return choices


def _hosts(library: list) -> list:
    counts: dict = {}
    for page in library:
        if host_of(page["url"]):
            host = site_of(page["url"])
            counts[host] = counts.get(host, 0) + 1
    return ordered(list(counts), lambda host: (-counts[host], host))[:MAX_HOSTS]
