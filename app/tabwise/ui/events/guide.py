"""First steps, and questions to begin with: what follows from an event beside its own handler.

`follow` runs after every event. It notes a step that was taken (kept in the settings, once), and asks the
engine for starter questions whenever the library has changed and nothing is being added. Nothing waits for
either: everything works before the first step.
"""

from tabwise.ui import client
from tabwise.ui.access import EVERYWHERE
from tabwise.ui.events import access
from tabwise.ui.guide import CLOSED, guide_steps
from tabwise.ui.state import put

N_STARTERS = 3


def follow(state: dict, event: dict, effects: list) -> tuple:
    """Return (state, effects) with what follows from `event`."""
    if state["page"] != "panel":
        return state, effects
    if event["type"] == "settings" and not state["settings_known"]:
        state = put(state, settings_known=True)
    reached = _reached(state, event)
    if reached and state["settings_known"] and reached not in state["settings"]["preferences"]["guide"]:
        state, more = _note(state, reached)
        effects = effects + more
    if _wants_starters(state):
        state = put(state, starters=put(state["starters"], of=state["library"]))
        state, more = client.send(state, event["id"] + "-starters", "starters", n=N_STARTERS)
        effects = more + effects
    return state, effects


def on_starters(state: dict, message: dict, event: dict) -> tuple:
    """Questions to begin with arrived; without them others stand in their place."""
    if message["type"] != "done":
        return state, []
    return put(state, starters=put(state["starters"], shown=message["result"])), []


def skip(state: dict, event: dict) -> tuple:
    """Leave a step out."""
    focus = [step for step, done in guide_steps(state) if not done and step != event["step"]]
    state, effects = _note(state, event["step"])
    return state, effects + [("focus", "skip-" + focus[0] if focus else "question")]


def close(state: dict, event: dict) -> tuple:
    """Show the steps no more."""
    state, effects = _note(state, CLOSED)
    return state, effects + [("focus", "question")]


def to_question(state: dict, event: dict) -> tuple:
    """Go where a question is typed."""
    return state, [("focus", "question")]


def allow_sites(state: dict, event: dict) -> tuple:
    """Ask the browser for all sites, so that no page has to be asked for one by one."""
    return state, [("grant", [EVERYWHERE], {"type": "guide_granted"})]


def granted(state: dict, event: dict) -> tuple:
    """The browser's question was answered; what it granted it tells by itself."""
    return state, []


def _reached(state: dict, event: dict) -> str:
    if event["type"] in ("show", "open_saved"):
        return "open"
    return "ask" if state["blocks"] else ""


def _note(state: dict, step: str) -> tuple:
    preferences = state["settings"]["preferences"]
    preferences = put(preferences, guide=preferences["guide"] + [step])
    return access.save(state, put(state["settings"], preferences=preferences))


def _wants_starters(state: dict) -> bool:
    is_new = state["starters"]["of"] is not state["library"]
    return state["known"] and bool(state["library"]) and is_new and not state["jobs"] and not state["blocks"]


TABLE = {
    "guide_skip": skip,
    "guide_close": close,
    "guide_question": to_question,
    "guide_sites": allow_sites,
    "guide_granted": granted,
}
