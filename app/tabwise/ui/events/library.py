"""The library as a whole, on the settings page: removing everything, a question before and Undo after."""

from tabwise.ui import client
from tabwise.ui.events import listing, toast
from tabwise.ui.state import NO_LISTING, put
from tabwise.ui.words import error_sentence, say


def clear_ask(state: dict, event: dict) -> tuple:
    """The reader wants everything removed: ask once."""
    return put(state, clearing="asking"), [("focus", "keep")]


def clear_keep(state: dict, event: dict) -> tuple:
    """The reader keeps the pages."""
    return put(state, clearing=""), [("focus", "clear")]


def clear(state: dict, event: dict) -> tuple:
    """Remove every page."""
    return client.send(put(state, clearing=""), event["id"], "remove_all")


def unclear(state: dict, event: dict) -> tuple:
    """Bring every page back."""
    return client.send(put(state, toast=None), event["id"], "restore_all")


def on_remove_all(state: dict, message: dict, event: dict) -> tuple:
    """Everything was removed, or could not be."""
    if message["type"] == "done":
        state = put(state, library=[], listing=NO_LISTING, rows={}, stats=message["result"])
        return toast.show(state, say("cleared"), event, {"type": "unclear"})
    return _failed(state, message, event)


def on_restore_all(state: dict, message: dict, event: dict) -> tuple:
    """Everything is back, or could not be brought back."""
    if message["type"] == "done":
        return listing.ask(put(state, stats=message["result"]), event)
    return _failed(state, message, event)


def _failed(state: dict, message: dict, event: dict) -> tuple:
    if message["type"] != "error":
        return state, []
    return toast.show(state, error_sentence(message["code"]), event)


TABLE = {"clear_ask": clear_ask, "clear_keep": clear_keep, "clear": clear, "unclear": unclear}
