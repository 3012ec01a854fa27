"""The keyboard: Enter asks, Esc stops, Ctrl+K or / goes to the question, Ctrl+F finds, arrows move."""

from tabwise.ui.events import access, chat, find, pages
from tabwise.ui.selectors import working_block
from tabwise.ui.state import put

_OTHER_VIEW = {"chat": "pages", "pages": "chat"}


def key(state: dict, event: dict) -> tuple:
    """A key went down.

    `field`: "question", "rule", "filter", "found" (a row under the filter), "text" (another text field),
    "view" (its tab) or ""; `target`: the id of its element.
    """
    pressed = event["key"]
    if pressed == "Enter" and event["field"] == "question" and not event["shift"] and not event["composing"]:
        state, effects = chat.ask(state, event)
        return state, effects + [("prevent",)]
    if pressed == "Enter" and event["field"] == "rule" and not event["composing"]:
        state, effects = access.add_rule(state, put(event, effect="deny"))
        return state, effects + [("prevent",)]
    if event["field"] in ("filter", "found") and not event["composing"]:
        state, effects = _in_found(state, event)
        if effects:
            return state, effects
    if pressed == "Escape" and not event["composing"]:
        return _escape(state, event)
    if pressed.lower() == "f" and event["command"]:
        state, effects = find.search_pages(state, event)
        return state, effects + [("prevent",)]
    if pressed.lower() == "k" and event["command"]:
        return _to_question(state)
    if pressed == "/" and event["field"] in ("", "view") and not event["command"]:
        return _to_question(state)
    if event["field"] == "view" and pressed in ("ArrowLeft", "ArrowRight", "Home", "End"):
        return _switch(state, event)
    return state, []


def _in_found(state: dict, event: dict) -> tuple:
    """Keys of the box that finds pages and of the rows under it."""
    pressed = event["key"]
    place = int(event["target"].rpartition("-")[2]) if event["field"] == "found" else -1
    if pressed == "ArrowDown":
        return find.step(state, place, 1)
    if pressed == "ArrowUp" and place >= 0:
        return find.step(state, place, -1)
    if pressed == "Enter" and place < 0 and state["filter"].strip():
        state, effects = find.open_first(state, event)
        return state, effects + [("prevent",)]
    if pressed == "Escape" and place >= 0:
        return state, [("focus", "filter"), ("prevent",)]
    if pressed == "Escape" and state["filter"]:
        state, effects = find.clear(state, event)
        return state, effects + [("prevent",)]
    return state, []


def _escape(state: dict, event: dict) -> tuple:
    if state["card"]:
        return put(state, card=None), [("prevent",)]
    if working_block(state):
        state, effects = chat.stop(state, event)
        return state, effects + [("prevent",)]
    if state["toast"]:
        return put(state, toast=None), [("prevent",)]
    return state, []


def _to_question(state: dict) -> tuple:
    return put(state, view="chat"), [("prevent",), ("focus", "question")]


def _switch(state: dict, event: dict) -> tuple:
    target = _OTHER_VIEW[state["view"]]
    if event["key"] == "Home":
        target = "chat"
    if event["key"] == "End":
        target = "pages"
    state, effects = pages.view(
        state, {"type": "view", "value": target, "id": event["id"], "now": event["now"]}
    )
    return state, effects + [("prevent",), ("focus", "view-" + target)]


TABLE = {"key": key}
