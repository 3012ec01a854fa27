"""The keyboard: Enter asks, Esc stops, Ctrl+K or / goes to the question, Ctrl+F finds, arrows move."""

from tabwise.ui.conversation import working_block
from tabwise.ui.events import access, chat, find, history, interest, pages, quick
from tabwise.ui.state import VIEWS, put


def key(state: dict, event: dict) -> tuple:
    """A key went down.

    `field`: "question", "rule", "interest", "filter", "found" (a row under the filter), "past-filter",
    "past-name" and "past" (a row) of the saved conversations, "text" (another text field), "view"
    (its tab) or ""; `target`: the id of its element.
    """
    pressed = event["key"]
    if pressed == "Enter" and event["field"] == "question" and not event["shift"] and not event["composing"]:
        ask = quick.ask if state["page"] == "popup" else chat.ask
        state, effects = ask(state, event)
        return state, effects + [("prevent",)]
    if pressed == "Enter" and event["field"] == "rule" and not event["composing"]:
        state, effects = access.add_rule(state, put(event, effect="deny"))
        return state, effects + [("prevent",)]
    if pressed == "Enter" and event["field"] == "interest" and not event["composing"]:
        state, effects = interest.interest_add(state, event)
        return state, effects + [("prevent",)]
    if event["field"] in ("filter", "found") and not event["composing"]:
        state, effects = _in_found(state, event)
        if effects:
            return state, effects
    if event["field"].startswith("past") and not event["composing"]:
        state, effects = history.key(state, event)
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
    if state["editing"]:
        state, effects = chat.edit_cancel(state, event)
        return state, effects + [("prevent",)]
    if state["toast"]:
        return put(state, toast=None), [("prevent",)]
    return state, []


def _to_question(state: dict) -> tuple:
    return put(state, view="chat"), [("prevent",), ("focus", "question")]


def _switch(state: dict, event: dict) -> tuple:
    places = {"ArrowLeft": VIEWS.index(state["view"]) - 1, "ArrowRight": VIEWS.index(state["view"]) + 1}
    places.update({"Home": 0, "End": -1})
    target = VIEWS[places[event["key"]] % len(VIEWS)]
    state, effects = pages.view(
        state,
        put(event, type="view", value=target),
    )
    return state, effects + [("prevent",), ("focus", "view-" + target)]


TABLE = {"key": key}
