"""The Library view: its filters, its window, and reading saved pages again one by one.

`refreshing` is None, or {"left": sources still to read, "n_done", "n_total", "n_failed", "page": in hand or
None, "url", "tab_id": of the tab that was opened for it, else 0}. A page that is open is read where it is;
another one is opened in a tab behind the others, read once it is loaded, and closed.
"""

from tabwise.ui.access import missing_origins
from tabwise.ui.events import adding, data, find, pages, quick, summaries, toast
from tabwise.ui.shelf import is_refreshable, listed_pages
from tabwise.ui.state import find as record_of
from tabwise.ui.state import put, put_at
from tabwise.ui.tabs import page_of
from tabwise.ui.words import say

LOAD_MS = adding.WAKE_MS
MAX_FOUND = 50


def shelf_filter(state: dict, event: dict) -> tuple:
    """Change a filter."""
    name, value = event["name"], event["value"]
    shelf = put(put_at(state["shelf"], name, int(value) if name == "days" else value), start=0)
    state = put(state, shelf=put(shelf, now=event["now"], offset_min=event["offset_min"]))
    effects: list = []
    if name == "text":
        state, effects = find.look_for(state, "shelf_found", value, MAX_FOUND, event)
        if not state["shelf_found"]["complete"]:  # the list is whole, and looked at, when the search is over
            return state, effects
    state, more = summaries.look_further(state, event)
    return state, effects + more


def on_find(state: dict, message: dict, event: dict) -> tuple:
    """Pages came for a text of one of the boxes; at its end what this view lists is looked at."""
    is_ours = message["re"] == state["shelf_found"]["request"]
    state, effects = find.on_find(state, message, event)
    if not is_ours or not state["shelf_found"]["complete"]:
        return state, effects
    state, more = summaries.look_further(state, event)
    return state, effects + more


def shelf_turn(state: dict, event: dict) -> tuple:
    """Show another window of the list."""
    state = put(state, shelf=put(state["shelf"], start=event["start"]))
    state, effects = summaries.look_further(state, event)
    return state, effects + [("scroll", "shelf"), ("focus", "shelf")]


def shelf_remove(state: dict, event: dict) -> tuple:
    """Remove a page; the next one of the list gets the focus."""
    sources = [page["source"] for page in listed_pages(state)]
    place = sources.index(event["source"]) if event["source"] in sources else 0
    near = sources[place + 1 :] + list(reversed(sources[:place]))
    state, effects = pages.remove(state, event)
    kept = [effect for effect in effects if effect[0] != "focus"]
    return state, kept + [("focus", "saved-" + near[0] if near else "shelf-text")]


def refresh_one(state: dict, event: dict) -> tuple:
    """Read a page again."""
    return _ask(state, [event["source"]])


def refresh_listed(state: dict, event: dict) -> tuple:
    """Read every listed page again."""
    return _ask(state, [page["source"] for page in listed_pages(state) if is_refreshable(page)])


def refresh_go(state: dict, event: dict) -> tuple:
    """The browser gave access, or not: then what can be read is read."""
    if state["refreshing"] is not None:
        return state, []
    sources = [page["source"] for page in state["library"] if _is_readable(state, page, event)]
    if not sources:
        return state, []
    work = {"left": sources, "n_done": 0, "n_total": len(sources), "n_failed": 0}
    return _next(put(state, refreshing=put(work, page=None, url="", tab_id=0)), event)


def refresh_stop(state: dict, event: dict) -> tuple:
    """Read no more pages after the one in hand."""
    work = state["refreshing"]
    return (state if work is None else put(state, refreshing=put(work, left=[]))), []


def visited(state: dict, event: dict) -> tuple:
    """A tab was opened for a page, or could not be."""
    work, url = state["refreshing"], event["url"]
    if work is None or work["url"] != url:
        return state, [("close_tab", event["tab_id"])] if event["tab_id"] else []
    if not event["tab_id"]:
        return _end(state, event, False)
    waking = put(state["waking"].get(url, {"said": {}, "token": event["id"]}), tab_id=event["tab_id"])
    state = put(
        state, refreshing=put(work, tab_id=event["tab_id"]), waking=put_at(state["waking"], url, waking)
    )
    return adding.woken(state, event)


def refresh_late(state: dict, event: dict) -> tuple:
    """A page was to be loaded by now."""
    work = state["refreshing"]
    if work is None or work["url"] != event["url"] or event["url"] not in state["waking"]:
        return state, []
    waking = put(state["waking"])
    waking.pop(event["url"])
    return _end(put(state, waking=waking), event, False)


def on_index(state: dict, message: dict, event: dict) -> tuple:
    """An event of an index request: what it is about is told as ever, and the next page is read again."""
    job = record_of(state["jobs"], "id", message["re"])
    urls = [tab["url"] for tab in job["tabs"]] if job is not None else []
    state, effects = quick.on_index(state, message, event)
    if message["type"] not in ("done", "error", "cancelled"):
        return state, effects
    state, counted = data.describe(state, event)
    effects = effects + counted
    work = state["refreshing"]
    if work is None or not urls:
        return state, effects
    tabs = [tab["tab_id"] for tab in job["tabs"]] if job is not None else []
    if work["url"] not in urls and work["tab_id"] not in tabs:
        return state, effects
    rows = message["result"] if message["type"] == "done" else []
    is_read = bool(rows) and rows[0]["failure"] is None
    state, more = _end(state, event, is_read)
    return state, effects + more


def _ask(state: dict, sources: list) -> tuple:
    if state["refreshing"] is not None or not sources:
        return state, []
    urls = [page["url"] for page in state["library"] if page["source"] in sources]
    missing = missing_origins(urls, state["tabs"], state["access"])
    go = {"type": "refresh_go", "sources": sources}
    return state, [("grant", missing, go) if missing else ("timer", 0, go)]


def _is_readable(state: dict, page: dict, event: dict) -> bool:
    if page["source"] not in event["sources"]:
        return False
    return event.get("granted", True) or not missing_origins([page["url"]], state["tabs"], state["access"])


def _next(state: dict, event: dict) -> tuple:
    work = state["refreshing"]
    while work["left"]:
        page = record_of(state["library"], "source", work["left"][0])
        work = put(work, left=work["left"][1:], page=page, url="", tab_id=0)
        if page is None:
            work = put(work, n_done=work["n_done"] + 1)
            continue
        tab = _tab_of(state, page)
        url = tab["url"] if tab is not None else page["url"]
        state = put(state, refreshing=put(work, url=url))
        go = {"id": event["id"] + "-" + str(work["n_done"]), "now": event["now"], "urls": [url]}
        if tab is not None:
            return adding.index(state, go)
        waking = {"tab_id": 0, "said": {}, "token": go["id"]}
        state = put(state, waking=put_at(state["waking"], url, waking))
        return state, [("visit", url), ("timer", LOAD_MS, {"type": "refresh_late", "url": url})]
    return _over(put(state, refreshing=None), event, work)


def _end(state: dict, event: dict, is_read: bool) -> tuple:
    work = state["refreshing"]
    close = [("close_tab", work["tab_id"])] if work["tab_id"] else []
    work = put(work, n_done=work["n_done"] + 1, n_failed=work["n_failed"] + (0 if is_read else 1))
    state, effects = _next(put(state, refreshing=work), event)
    return state, close + effects


def _over(state: dict, event: dict, work: dict) -> tuple:
    n_read = work["n_done"] - work["n_failed"]
    said = say("refreshed", n=n_read)
    if work["n_failed"]:
        said = said + " " + say("not_refreshed", n=work["n_failed"])
    return toast.show(state, said, event)


def _tab_of(state: dict, page: dict) -> dict | None:
    for tab in state["tabs"]:
        if page_of(state, tab["url"]) is page and not tab["asleep"]:
            return tab
    return None


TABLE = {
    "shelf_filter": shelf_filter,
    "shelf_turn": shelf_turn,
    "shelf_remove": shelf_remove,
    "refresh_one": refresh_one,
    "refresh_listed": refresh_listed,
    "refresh_go": refresh_go,
    "refresh_stop": refresh_stop,
    "visited": visited,
    "refresh_late": refresh_late,
}
