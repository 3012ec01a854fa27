"""The saved text of a page, shown by itself: what a citation saw, when the live page has other words.

`saved` is None, or {"asked": what the address says, "shown": the SavedText on show, "error": its code or "",
"offset_min": the reader's, for the date}.
"""

import json

from tabwise.ui import client
from tabwise.ui.state import put
from tabwise.ui.text import quote

PAGE = "viewer.html"
MAX_QUOTE_CHARS = 2000


def address_of(source: str, words: str = "", start: int = 0) -> str:
    """Return the address, within the extension, that shows the saved text around a passage."""
    return (
        PAGE + "#" + quote(json.dumps({"source": source, "quote": words[:MAX_QUOTE_CHARS], "start": start}))
    )


def open_saved(state: dict, event: dict) -> tuple:
    """Show the saved text in a tab."""
    return put(state, toast=None), [("open", address_of(event["source"], event["quote"], event["start"]))]


def saved_open(state: dict, event: dict) -> tuple:
    """The page of saved text was opened with an address; one that is broken shows that nothing is there."""
    try:
        asked = json.loads(event["text"])
        asked = {"source": str(asked["source"]), "quote": str(asked["quote"]), "start": int(asked["start"])}
    except (ValueError, KeyError, TypeError):
        return put(state, saved=_of(None, "source_unknown", event)), []
    state = put(state, saved=_of(asked, "", event))
    return client.send(state, event["id"] + "-saved", "saved_text", **asked)


def saved_from(state: dict, event: dict) -> tuple:
    """Show another part of the page: from a block on."""
    asked = state["saved"]["asked"]
    return client.send(state, event["id"], "saved_text", first=event["first"], **asked)


def on_saved_text(state: dict, message: dict, event: dict) -> tuple:
    """The saved text arrived."""
    if state["saved"] is None:
        return state, []
    if message["type"] == "error":
        return put(state, saved=put(state["saved"], error=message["code"])), []
    if message["type"] != "done":
        return state, []
    is_first = state["saved"]["shown"] is None
    state = put(state, saved=put(state["saved"], shown=message["result"], error=""))
    if is_first and message["result"]["found"]:
        return state, [("scroll", "passage"), ("focus", "passage")]
    return state, [] if is_first else [("scroll", "saved-text"), ("focus", "saved-text")]


def _of(asked: dict | None, error: str, event: dict) -> dict:
    return {"asked": asked, "shown": None, "error": error, "offset_min": event["offset_min"]}


TABLE = {"open_saved": open_saved, "saved_open": saved_open, "saved_from": saved_from}
