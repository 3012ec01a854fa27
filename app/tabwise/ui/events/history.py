"""The saved conversations: found by a text, renamed, pinned, deleted with Undo.

`history` of the state (HISTORY) holds the rows, the text that is looked for with what was found, and which
row is being renamed.
"""

from tabwise.ui import client
from tabwise.ui.conversation import listed_threads
from tabwise.ui.events import threads, toast
from tabwise.ui.state import find, put, replace_in
from tabwise.ui.words import error_sentence, say

MAX_FOUND = 60


def show(state: dict, event: dict) -> tuple:
    """The view is being looked at: get the list as it is now."""
    dated = {"now": event["now"], "offset_min": event["offset_min"]}
    state = _put(state, dated=dated, clearing=False, renaming="")
    state, effects = threads.refresh(state, event)
    text = state["history"]["text"]
    if not text.strip():
        return state, effects
    state, more = search(state, put(event, value=text))
    return state, effects + more


def search(state: dict, event: dict) -> tuple:
    """The text of the box changed."""
    text = event["value"]
    if not text.strip():
        return _put(state, text=text, request="", matches=None), []
    state = _put(state, text=text, request=event["id"])
    return client.send(state, event["id"], "find_threads", text=text.strip(), k=MAX_FOUND)


def on_found(state: dict, message: dict, event: dict) -> tuple:
    """Conversations were found; only for the text that stands in the box."""
    if message["re"] != state["history"]["request"]:
        return state, []
    if message["type"] == "error":
        return toast.show(_put(state, request=""), error_sentence(message["code"]), event)
    if message["type"] != "done":
        return state, []
    matches = message["result"]
    return _put(state, matches=matches, request=""), [("announce", say("past_found", n=len(matches)))]


def rename(state: dict, event: dict) -> tuple:
    """Begin to give a conversation another title."""
    row = find(state["history"]["rows"], "id", event["thread"])
    if row is None:
        return state, []
    return _put(state, renaming=row["id"], name=row["title"]), [("focus", "past-name")]


def rename_draft(state: dict, event: dict) -> tuple:
    """The new title is being typed."""
    return _put(state, name=event["value"]), []


def rename_save(state: dict, event: dict) -> tuple:
    """Keep the new title; an empty one leaves the old."""
    row = find(state["history"]["rows"], "id", state["history"]["renaming"])
    if row is None:
        return state, []
    title = " ".join(state["history"]["name"].split())
    state, effects = rename_cancel(state, event)
    if not title or title == row["title"]:
        return state, effects
    state = _put_row(state, put(row, title=title))
    state, more = client.send(state, event["id"], "rename_thread", thread=row["id"], title=title)
    return state, effects + more


def rename_cancel(state: dict, event: dict) -> tuple:
    """Leave the title as it was."""
    return _put(state, renaming=""), [("focus", row_id(state["history"]["renaming"]))]


def pin(state: dict, event: dict) -> tuple:
    """Keep a conversation at the top and whatever the limit, or no longer."""
    row = find(state["history"]["rows"], "id", event["thread"])
    if row is None:
        return state, []
    state = _put_row(state, put(row, pinned=event["pinned"]))
    effects: list = [("announce", say("pinned" if event["pinned"] else "unpinned", title=row["title"]))]
    state, more = client.send(state, event["id"], "pin_thread", thread=row["id"], pinned=event["pinned"])
    return state, effects + more


def on_row(state: dict, message: dict, event: dict) -> tuple:
    """A conversation was changed as it says now, or could not be."""
    if message["type"] == "done":
        return _put_row(state, message["result"]), []
    if message["type"] != "error":
        return state, []
    state, effects = toast.show(state, error_sentence(message["code"]), event)
    state, more = threads.refresh(state, event)
    return state, effects + more


def forget(state: dict, event: dict) -> tuple:
    """Delete a conversation; the focus goes to the next one."""
    ids = listed_threads(state)
    thread = event["thread"]
    row = find(state["history"]["rows"], "id", thread)
    if row is None:
        return state, []
    place = ids.index(thread) if thread in ids else 0
    others = ids[place + 1 :] + ids[:place][::-1]
    focus = row_id(others[0]) if others else "past-filter"
    state, effects = _remove(state, [thread], event)
    state, more = toast.show(state, say("thread_removed", title=row["title"]), event, {"type": "unforget"})
    return state, effects + more + [("refocus", focus)]


def forget_all_ask(state: dict, event: dict) -> tuple:
    """The reader wants all deleted: ask once."""
    return _put(state, clearing=True), [("focus", "past-keep")]


def forget_all_keep(state: dict, event: dict) -> tuple:
    """The reader keeps them."""
    return _put(state, clearing=False), [("focus", "past-clear")]


def forget_all(state: dict, event: dict) -> tuple:
    """Delete every conversation, pinned ones too."""
    ids = [row["id"] for row in state["history"]["rows"]]
    state, effects = _remove(_put(state, clearing=False), ids, event)
    state, more = toast.show(state, say("threads_removed", n=len(ids)), event, {"type": "unforget"})
    return state, effects + more + [("focus", "past-filter")]


def unforget(state: dict, event: dict) -> tuple:
    """Bring back what was deleted last."""
    return client.send(put(state, toast=None), event["id"], "restore_threads")


def on_rows(state: dict, message: dict, event: dict) -> tuple:
    """The conversations that are there after deleting or bringing back."""
    if message["type"] == "done":
        return _put(state, rows=message["result"], known=True), []
    if message["type"] != "error":
        return state, []
    state, effects = toast.show(state, error_sentence(message["code"]), event)
    state, more = threads.refresh(state, event)
    return state, effects + more


def dropped(state: dict, message: dict, event: dict) -> tuple:
    """A new conversation was one too many: say which went, with Undo."""
    titles = message["titles"]
    limit = state["settings"]["preferences"]["max_threads"]
    text = say("threads_dropped", n=len(titles), title=titles[0], limit=limit)
    state, effects = toast.show(state, text, event, {"type": "unforget"})
    state, more = threads.refresh(state, event)
    return state, effects + more


def key(state: dict, event: dict) -> tuple:
    """A key went down in the box, in a new title or on a row; no effects when it means nothing there."""
    pressed, field = event["key"], event["field"]
    ids = listed_threads(state)
    if field == "past-name":
        if pressed == "Enter":
            return _done(rename_save(state, event))
        return _done(rename_cancel(state, event)) if pressed == "Escape" else (state, [])
    if field == "past-filter":
        if pressed == "ArrowDown" and ids:
            return state, [("focus", row_id(ids[0])), ("prevent",)]
        if pressed == "Escape" and state["history"]["text"]:
            return _done(search(state, put(event, value="")))
        return state, []
    thread = event["target"][len(row_id("")) :]
    if thread not in ids:
        return state, []
    place = ids.index(thread)
    if pressed == "ArrowDown":
        to = row_id(ids[min(place + 1, len(ids) - 1)])
        return state, [("focus", to), ("prevent",)]
    if pressed == "ArrowUp":
        to = row_id(ids[place - 1]) if place else "past-filter"
        return state, [("focus", to), ("prevent",)]
    if pressed == "Escape":
        return state, [("focus", "past-filter"), ("prevent",)]
    if pressed == "F2":
        return _done(rename(state, put(event, thread=thread)))
    return _done(forget(state, put(event, thread=thread))) if pressed == "Delete" else (state, [])


def row_id(thread: str) -> str:
    """Return the id of the element that opens a conversation."""
    return "past-row-" + thread


def _done(result: tuple) -> tuple:
    state, effects = result
    return state, effects + [("prevent",)]


def _remove(state: dict, ids: list, event: dict) -> tuple:
    rows = [row for row in state["history"]["rows"] if row["id"] not in ids]
    state = _put(state, rows=rows)
    effects: list = []
    if state["thread"] in ids:
        for block in state["blocks"]:
            if block["state"] == "working":
                state, more = client.send(state, event["id"] + "-stop", "cancel", target=block["id"])
                effects = effects + more
        state = threads.leave(state)
    state, more = client.send(state, event["id"], "remove_threads", threads=ids)
    return state, effects + more


def _put_row(state: dict, row: dict) -> dict:
    return _put(state, rows=replace_in(state["history"]["rows"], "id", row["id"], row))


def _put(state: dict, **changes: object) -> dict:
    return put(state, history=put(state["history"], **changes))


TABLE = {
    "past_search": search,
    "rename_thread": rename,
    "rename_draft": rename_draft,
    "rename_save": rename_save,
    "rename_cancel": rename_cancel,
    "pin_thread": pin,
    "forget_thread": forget,
    "forget_all_ask": forget_all_ask,
    "forget_all_keep": forget_all_keep,
    "forget_all": forget_all,
    "unforget": unforget,
}
