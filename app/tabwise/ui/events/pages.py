"""Tabs and saved pages: the live list, ticks, removing with undo."""

from tabwise.ui import client
from tabwise.ui.events import adding, hints, history, listing, saved, sources, summaries, toast
from tabwise.ui.order import ordered
from tabwise.ui.state import find, put
from tabwise.ui.tabs import row_after_removal, tab_rows
from tabwise.ui.text import is_given_file
from tabwise.ui.titles import title_of
from tabwise.ui.words import error_sentence, say


def tabs(state: dict, event: dict) -> tuple:
    """The tabs of the window changed; most recent first, ticks of closed tabs are dropped."""
    known = {tab["tab_id"]: tab for tab in state["tabs"]}
    # an unchanged record stays the same object, so that its row is not drawn again
    records = [tab if known.get(tab["tab_id"]) != tab else known[tab["tab_id"]] for tab in event["tabs"]]
    recent = ordered(records, lambda tab: (not tab["active"], -tab["last_accessed"], tab["index"]))
    urls = {tab["url"] for tab in recent}
    state = put(state, tabs=recent, ticked=[url for url in state["ticked"] if url in urls])
    state, effects = adding.woken(state, event)
    state, more = sources.locate(state, event)
    state, of_hints = hints.describe(state, event)
    return state, effects + more + of_hints


def view(state: dict, event: dict) -> tuple:
    """Switch between the views."""
    state = put(state, view=event["value"], card=None)
    if event["value"] == "history" and state["known"]:
        return history.show(state, event)
    if event["value"] == "shelf" and state["known"]:
        shelf = put(state["shelf"], now=event["now"], offset_min=event["offset_min"])
        return summaries.look(put(state, shelf=shelf), event)
    if event["value"] == "pages" and state["known"]:
        state, effects = listing.ask(state, event)
        state, more = describe(state, event)
        return state, effects + more
    return state, []


def describe(state: dict, event: dict) -> tuple:
    """Ask for what the cards tell of their pages: summaries and hints."""
    state, effects = summaries.look(state, event)
    state, more = hints.describe(state, event)
    return state, effects + more


def to_library(state: dict, event: dict) -> tuple:
    """Go to the saved pages."""
    state, effects = describe(put(state, view="pages", card=None), event)
    return state, effects + [("scroll", "library")]


def list_all(state: dict, event: dict) -> tuple:
    """List every saved page, not the newest only."""
    return summaries.look(put(state, all_saved=True), event)


def tick(state: dict, event: dict) -> tuple:
    """A tab was ticked or unticked; with Shift, so is every tab between it and the one before."""
    urls = _between(state, event["url"]) if event.get("shift") else [event["url"]]
    ticked = [url for url in state["ticked"] if url not in urls]
    state = put(state, tick_anchor=event["url"])
    return put(state, ticked=ticked + urls if event["checked"] else ticked), []


def remove(state: dict, event: dict) -> tuple:
    """Remove a saved page; it can be taken back for ten seconds."""
    page = find(state["library"], "source", event["source"])
    if page is None:
        return state, []
    focus = row_after_removal(state, page)
    library = [p for p in state["library"] if p["source"] != page["source"]]
    state = put(state, library=library)
    state, effects = client.send(state, event["id"], "remove", source=page["source"])
    effects.append(("focus", focus))
    undo = {"type": "restore", "page": page}
    state, more = toast.show(state, say("removed", title=title_of(page)), event, undo)
    return state, effects + more


def restore(state: dict, event: dict) -> tuple:
    """Take a removal back."""
    page = event["page"]
    library = [p for p in state["library"] if p["source"] != page["source"]]
    state = put(state, library=[page] + library, toast=None)
    return client.send(state, event["id"], "restore", source=page["source"])


def focus_tab(state: dict, event: dict) -> tuple:
    """Bring a tab and its window to the front."""
    return state, [("focus_tab", event["tab_id"], event["window_id"])]


def open_page(state: dict, event: dict) -> tuple:
    """Open an address in a new tab; of a given file the saved text, which is all that is kept."""
    if is_given_file(event["url"]):
        page = find(state["library"], "url", event["url"])
        if page is not None:
            return state, [("open", saved.address_of(page["source"]))]
        return toast.show(state, error_sentence("file_not_kept"), event)
    return state, [("open", event["url"])]


def reload_panel(state: dict, event: dict) -> tuple:
    """Start the panel afresh."""
    return state, [("reload",)]


def on_remove(state: dict, message: dict, event: dict) -> tuple:
    """A page was removed, or could not be: then the list is asked for again."""
    return _relist(state, message, event)


def on_restore(state: dict, message: dict, event: dict) -> tuple:
    """A removal was taken back, or could not be."""
    return _relist(state, message, event)


def _relist(state: dict, message: dict, event: dict) -> tuple:
    if message["type"] != "error":
        return state, []
    return listing.ask(state, event)


def _between(state: dict, url: str) -> list:
    """The URLs of the rows that can be ticked, from the one ticked last to this one, as they are listed."""
    urls = [row["tab"]["url"] for row in tab_rows(state) if not row["blocked"]]
    anchor = state["tick_anchor"]
    if anchor not in urls or url not in urls:
        return [url]
    first, last = sorted([urls.index(anchor), urls.index(url)])
    return urls[first : last + 1]


TABLE = {
    "tabs": tabs,
    "view": view,
    "to_library": to_library,
    "list_all": list_all,
    "tick_tab": tick,
    "remove": remove,
    "restore": restore,
    "focus_tab": focus_tab,
    "open_page": open_page,
    "reload": reload_panel,
}
