"""The lab of the context budget: its sliders, and the conversation that fills it."""

from tabwise.demo.ui.state import initial_state
from tabwise.demo.ui.words import TURNS
from tabwise.ui.state import put, put_at

PAUSE_MS = 80
MAX_LINE_CHARS = 500
FIRST = initial_state("")


def lab(state: dict, event: dict) -> tuple:
    """A slider moved."""
    state = put(state, lab=put_at(state["lab"], event["name"], int(event["value"])))
    return state, [("later", "weigh", PAUSE_MS, {"type": "weigh"})]


def line(state: dict, event: dict) -> tuple:
    """The reader writes a turn of their own."""
    return put(state, line=event["value"][:MAX_LINE_CHARS]), []


def add_turn(state: dict, event: dict) -> tuple:
    """One more turn: what the reader wrote, else the next of those that are ready."""
    turns = state["turns"]
    ready = TURNS[len(turns) % len(TURNS)]
    said = state["line"].strip()
    turn = {"question": said, "answer": ""} if said else {"question": ready[0], "answer": ready[1]}
    return weigh(put(state, turns=turns + [turn], line=""), event)


def reset_lab(state: dict, event: dict) -> tuple:
    """The lab as it was at first."""
    return weigh(put(state, lab=FIRST["lab"], turns=FIRST["turns"], line=""), event)


def weigh(state: dict, event: dict) -> tuple:
    """Have the engine decide anew what fits."""
    if state["cut"] is None:
        return state, []
    fields = put(state["lab"], question=state["ask"]["query"], turns=state["turns"])
    return state, [("send", "weigh", fields)]


def on_budget(state: dict, fields: dict) -> tuple:
    """What fits was decided."""
    return put(state, budget=fields), []


ACTIONS = {"lab": lab, "line": line, "add_turn": add_turn, "reset_lab": reset_lab, "weigh": weigh}
TOLD = {"budget": on_budget}
