"""The keyboard: Enter asks, Esc stops, Ctrl+K or / goes to the question, arrows switch the views."""

from tabwise.ui.events import access, chat, pages
from tabwise.ui.selectors import working_block
from tabwise.ui.state import put

_OTHER_VIEW = {"chat": "pages", "pages": "chat"}


def key(state: dict, event: dict) -> tuple:
    """A key went down. `field`: "question", "rule", "text" (another text field), "view" (its tab) or ""."""
    pressed = event["key"]
    if pressed == "Enter" and event["field"] == "question" and not event["shift"] and not event["composing"]:
        state, effects = chat.ask(state, event)
        return state, effects + [("prevent",)]
    if pressed == "Enter" and event["field"] == "rule" and not event["composing"]:
        state, effects = access.add_rule(state, put(event, effect="deny"))
        return state, effects + [("prevent",)]
    if pressed == "Escape" and not event["composing"]:
        return _escape(state, event)
    if pressed.lower() == "k" and event["command"]:
        return _to_question(state)
    if pressed == "/" and event["field"] in ("", "view") and not event["command"]:
        return _to_question(state)
    if event["field"] == "view" and pressed in ("ArrowLeft", "ArrowRight", "Home", "End"):
        return _switch(state, event)
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
