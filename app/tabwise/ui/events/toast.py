"""The passing line at the foot of the panel, with at most one action; it leaves by itself."""

from tabwise.ui.state import put
from tabwise.ui.words import say

UNDO_MS = 10000
NOTE_MS = 4000


def show(state: dict, text: str, event: dict, action: dict | None = None, label: str = "undo") -> tuple:
    """Show a line; `action` is the event of its button, "Undo" unless `label` names other words."""
    token = event["id"]
    state = put(state, toast={"text": text, "action": action, "label": label, "token": token})
    wait_ms = UNDO_MS if action else NOTE_MS
    return state, [("announce", text), ("timer", wait_ms, {"type": "toast_expire", "token": token})]


def hold(state: dict, event: dict) -> tuple:
    """The pointer or the focus is on the line: it stays."""
    return put(state, toast=put(state["toast"], token=event["id"])) if state["toast"] else state, []


def leave(state: dict, event: dict) -> tuple:
    """The pointer or the focus left the line: its time starts again."""
    toast = state["toast"]
    if toast is None:
        return state, []
    wait_ms = UNDO_MS if toast["action"] else NOTE_MS
    return state, [("timer", wait_ms, {"type": "toast_expire", "token": toast["token"]})]


def expire(state: dict, event: dict) -> tuple:
    """The line has been there long enough."""
    if state["toast"] and state["toast"]["token"] == event["token"]:
        return put(state, toast=None), []
    return state, []


def close(state: dict, event: dict) -> tuple:
    """The reader closed the line."""
    return put(state, toast=None), []


def copied(state: dict, event: dict) -> tuple:
    """The clipboard took the text, or not."""
    return show(state, say("copied" if event["ok"] else "copy_failed"), event)


TABLE = {
    "toast_hold": hold,
    "toast_leave": leave,
    "toast_expire": expire,
    "toast_close": close,
    "copied": copied,
}
