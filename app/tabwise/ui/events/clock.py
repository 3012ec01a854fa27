"""The half-second tick that shows how long work has been going on; it runs only while there is work."""

from tabwise.ui.conversation import working_block
from tabwise.ui.state import put

TICK_MS = 500


def start(state: dict) -> tuple:
    """Start ticking unless it ticks already."""
    if state["ticking"]:
        return state, []
    return put(state, ticking=True), [("timer", TICK_MS, {"type": "tick"})]


def tick(state: dict, event: dict) -> tuple:
    """Take the time and go on while something is worked on."""
    state = put(state, now=event["now"])
    if working_block(state) or state["jobs"]:
        return state, [("timer", TICK_MS, {"type": "tick"})]
    return put(state, ticking=False), []


TABLE = {"tick": tick}
