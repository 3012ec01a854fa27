"""The popup: a question to the page the reader is on, which is added first when it is not saved yet.

`quick` is None, or {"url", "question"}: the question that waits for its page. What stops the page from being
added is told in the popup; the question waits for the reader's word, and is asked once the page is there.
"""

from tabwise.ui.conversation import working_block
from tabwise.ui.events import adding, chat
from tabwise.ui.state import MAX_QUESTION_CHARS, find, put
from tabwise.ui.tabs import active_tab, page_of, why_blocked
from tabwise.ui.words import say


def ask(state: dict, event: dict) -> tuple:
    """Ask the page of the active tab what stands in the box."""
    question, tab = state["draft"].strip(), active_tab(state)
    if not question or tab is None or working_block(state):
        return state, [("focus", "question")]
    if page_of(state, tab["url"]) is not None or len(question) > MAX_QUESTION_CHARS:
        return chat.ask(put(state, scope="this"), event)
    quick = {"url": tab["url"], "question": question}
    return _add(put(state, quick=quick, draft_error=""), event)


def go_on(state: dict, event: dict) -> tuple:
    """The reader gave the word that was missing: add the page and ask."""
    return _add(state, event) if state["quick"] is not None else (state, [])


def give_up(state: dict, event: dict) -> tuple:
    """Leave the page out; the question stays in the box."""
    quick = state["quick"]
    if quick is None:
        return state, []
    rows = {url: row for url, row in state["rows"].items() if url != quick["url"]}
    return put(state, quick=None, rows=rows), [("focus", "question")]


def open_panel(state: dict, event: dict) -> tuple:
    """Open the side panel of this window, where everything else is; the popup closes."""
    tab = active_tab(state)
    return state, [("open_panel", tab["window_id"])] if tab is not None else []


def on_index(state: dict, message: dict, event: dict) -> tuple:
    """Pages were added: ask the question that waited for one of them."""
    state, effects = adding.on_index(state, message, event)
    quick = state["quick"]
    if quick is None or message["type"] != "done" or page_of(state, quick["url"]) is None:
        return state, effects
    state, more = chat.ask(put(state, quick=None, scope="this"), put(event, id=event["id"] + "-ask"))
    return state, effects + more


def failure_of(state: dict) -> str:
    """Return the error code that keeps the page of the waiting question from being added, "" for none."""
    quick = state["quick"]
    row = state["rows"].get(quick["url"]) if quick is not None else None
    if row is not None and row["state"] == "failed":
        return row["failure"]["code"]
    tab = find(state["tabs"], "url", quick["url"]) if quick is not None else None
    return why_blocked(state, tab) if tab is not None and row is None else ""


def _add(state: dict, event: dict) -> tuple:
    url = state["quick"]["url"]
    tab = find(state["tabs"], "url", url)
    if tab is None:
        return put(state, quick=None), []
    said = event.get("allowed", False)
    if why_blocked(state, tab) not in ("", "tab_asleep") and not said:
        return state, [("announce", say("quick_blocked"))]
    state, effects = adding.add_one(state, put(event, url=url))
    return state, effects


TABLE = {"quick_ask": ask, "quick_go_on": go_on, "quick_give_up": give_up, "open_panel": open_panel}
