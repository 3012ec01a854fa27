"""Find as you type: pages with the words come at once, those near in meaning join when they are known.

There are two boxes: that of the Pages view (`found` of the state) and that of the library (`shelf_found`).
Only the reply to the text that stands in the box is shown; until it comes the list before stays.
"""

from tabwise.ui import client
from tabwise.ui.events import saved
from tabwise.ui.state import NOTHING, find, put, put_at
from tabwise.ui.tabs import tab_rows
from tabwise.ui.text import is_given_file, without_fragment
from tabwise.ui.words import say

MAX_FOUND = 20


def filter_list(state: dict, event: dict) -> tuple:
    """The text of the box changed: tabs are filtered here, saved pages are looked for by the engine."""
    return look_for(put(state, filter=event["value"]), "found", event["value"], MAX_FOUND, event)


def look_for(state: dict, box: str, value: str, k: int, event: dict) -> tuple:
    """Ask for at most `k` pages with the text of a box, "found" or "shelf_found"; end the search before."""
    before = state[box]
    effects: list = []
    if not before["complete"]:
        state, effects = client.send(state, event["id"] + "-stop", "cancel", target=before["request"])
    text = value.strip()
    if not text:
        return put_at(state, box, NOTHING), effects
    found = put(before, text=text, request=event["id"], complete=False, error="")
    state, more = client.send(put_at(state, box, found), event["id"], "find", text=text, k=k)
    return state, effects + more


def on_find(state: dict, message: dict, event: dict) -> tuple:
    """Pages came for a text; what is no longer in the box is left out."""
    for box in ("found", "shelf_found"):
        if message["re"] == state[box]["request"]:
            found = _taken(state[box], message)
            is_over = message["type"] == "done"
            return put_at(state, box, found), [("announce", _told(box, found))] if is_over else []
    return state, []


def open_found(state: dict, event: dict) -> tuple:
    """Go to a page that was found: to its passage where there is one, else to its tab or its address."""
    page = find(state[event["box"]]["pages"], "source", event["source"])
    return _open(state, page, event) if page else (state, [])


def open_first(state: dict, event: dict) -> tuple:
    """Go to the first page that was found, or to the first tab that is listed when none was."""
    if state["found"]["pages"]:
        return _open(state, state["found"]["pages"][0], event)
    for row in tab_rows(state)[:1]:
        return state, [("focus_tab", row["tab"]["tab_id"], row["tab"]["window_id"])]
    return state, []


def clear(state: dict, event: dict) -> tuple:
    """Empty the box."""
    return filter_list(state, put(event, value=""))


def search_pages(state: dict, event: dict) -> tuple:
    """Go to the box."""
    return put(state, view="pages", card=None), [("focus", "filter")]


def step(state: dict, place: int, by: int) -> tuple:
    """Move the focus by rows from the one at `place`; above the first is the box."""
    to = place + by
    if to < 0:
        return state, [("focus", "filter"), ("prevent",)]
    if to >= len(state["found"]["pages"]):
        return state, [("prevent",)]
    return state, [("focus", "found-%d" % to), ("prevent",)]


def _open(state: dict, page: dict, event: dict) -> tuple:
    if page["excerpt"] and not is_given_file(page["url"]):
        return client.send(state, event["id"], "show", citation=_citation(page))
    for tab in state["tabs"]:
        if without_fragment(tab["url"]) == without_fragment(page["url"]):
            return state, [("focus_tab", tab["tab_id"], tab["window_id"])]
    if is_given_file(page["url"]):
        return state, [("open", saved.address_of(page["source"], page["excerpt"], page["start"]))]
    return state, [("open", page["url"])]


def _citation(page: dict) -> dict:
    return {
        "number": 1,
        "source": page["source"],
        "url": page["url"],
        "title": page["title"],
        "chunk_id": "",
        "start": page["start"],
        "end": page["end"],
        "quote": page["excerpt"],
        "before": "",
        "after": "",
        "page_number": None,
        "seconds": None,
        "link": None,
    }


def _taken(found: dict, message: dict) -> dict:
    kind = message["type"]
    if kind == "found":
        return put(found, pages=_kept(found["pages"], message["pages"]))
    if kind == "done":
        return put(found, pages=_kept(found["pages"], message["result"]), complete=True)
    if kind == "error":  # what was found by words stays
        return put(found, complete=True, error=message["code"])
    return put(found, complete=True) if kind == "cancelled" else found


def _told(box: str, found: dict) -> str:
    """Say how many pages a box lists; the library lists none that are only near in meaning."""
    listed = [page for page in found["pages"] if box == "found" or not page["by_meaning"]]
    return say("announce_found", n=len(listed))


def _kept(before: list, now: list) -> list:
    """Keep the record of a page that did not change, so that its row is not drawn again."""
    known = {page["source"]: page for page in before}
    return [known[page["source"]] if known.get(page["source"]) == page else page for page in now]


TABLE = {
    "filter": filter_list,
    "open_found": open_found,
    "open_first": open_first,
    "clear_filter": clear,
    "search_pages": search_pages,
}
