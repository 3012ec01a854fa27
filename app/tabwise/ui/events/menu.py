"""What was chosen in a menu, by a shortcut or in the address bar, brought here by the service worker."""

from tabwise.ui.events import adding, chat, find
from tabwise.ui.state import find as find_in
from tabwise.ui.state import put
from tabwise.ui.tabs import why_blocked
from tabwise.ui.words import question

MAX_QUOTE_CHARS = 2000


def chosen(state: dict, event: dict) -> tuple:
    """A menu item was pressed over a tab; pressing it let us read that tab."""
    return _ITEMS[event["item"]](state, event)


def _add_page(state: dict, event: dict) -> tuple:
    return _add(state, event, selection=False)


def _add_selection(state: dict, event: dict) -> tuple:
    return _add(state, event, selection=True)


def _add(state: dict, event: dict, selection: bool) -> tuple:
    tab = find_in(state["tabs"], "tab_id", event["tab_id"])
    if tab is None:
        return state, [("badge", "!")]
    state = put(state, view="pages", card=None)
    if why_blocked(state, tab) not in ("", "tab_asleep"):
        # its row says why, and offers what can be done
        return state, [("badge", "!"), ("scroll", "tab-%d" % tab["tab_id"])]
    return adding.add_one(state, put(event, url=tab["url"], badge=True, selection=selection))


def _ask_selection(state: dict, event: dict) -> tuple:
    words = event["text"].strip()[:MAX_QUOTE_CHARS]
    quoted = question("quoted", text=words) if words else ""
    return put(state, view="chat", draft=quoted, draft_error="", card=None), [("focus", "question")]


def _ask_text(state: dict, event: dict) -> tuple:
    return chat.ask_text(put(state, view="chat"), event)


def _find(state: dict, event: dict) -> tuple:
    return find.search_pages(state, event)


_ITEMS = {
    "add_page": _add_page,
    "add_selection": _add_selection,
    "ask_selection": _ask_selection,
    "ask_text": _ask_text,  # typed into the address bar after our keyword
    "find": _find,  # the shortcut
}
TABLE = {"menu": chosen}
