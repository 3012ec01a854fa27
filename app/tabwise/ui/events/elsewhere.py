"""What another panel does to the conversation that is open here: a question, a new title, what is taken away.

Panels share one channel, so each hears the requests of the others. A question asked elsewhere is put in hand
here too, as if it had been asked here: its events come to both, either can stop it, and should the other
panel close, this one goes on asking for it.
"""

from tabwise.ui import client
from tabwise.ui.conversation import working_block
from tabwise.ui.events import clock, threads
from tabwise.ui.state import MANNERS, find, put, replace_in
from tabwise.ui.threads import new_block


def on_request(state: dict, message: dict, event: dict) -> tuple:
    """A request of another panel names the open conversation."""
    if state["page"] != "panel":
        return state, []
    kind = message["type"]
    if kind in MANNERS and message["thread"] == state["thread"]:
        return _ask(state, message, event)
    if kind == "remove_turn" and message["thread"] == state["thread"]:
        return threads.without_turn(state, message["turn"]), []
    taken = state["taken"]["blocks"]
    if kind == "restore_threads" and taken and message["thread"] == state["taken"]["thread"]:
        return threads.put_back(state, message["thread"], taken), []
    if kind == "remove_threads" and state["thread"] in message["threads"]:
        return threads.leave(state), []
    if kind == "rename_thread" and message["thread"] == state["thread"]:
        return _rename(state, message), []
    return state, []


def _ask(state: dict, message: dict, event: dict) -> tuple:
    name = message["id"]
    if find(state["blocks"], "id", name):
        return state, []
    asked_of = {"sources": message["sources"], "filter": message["filter"]}
    block = new_block(name, message["parent"], message["question"], asked_of, message["type"], event["now"])
    is_shown = working_block(state) is None  # else what is being answered here stays in sight
    state = put(state, blocks=state["blocks"] + [block], head=name if is_shown else state["head"])
    state, effects = client.follow(state, name, message["type"], event["text"])
    state, ticking = clock.start(put(state, now=event["now"]))
    return state, effects + ticking + ([("scroll", "block-" + name)] if is_shown else [])


def _rename(state: dict, message: dict) -> dict:
    history = state["history"]
    row = find(history["rows"], "id", message["thread"])
    if row is None:
        return state
    renamed = put(row, title=" ".join(message["title"].split()) or row["title"])
    return put(state, history=put(history, rows=replace_in(history["rows"], "id", row["id"], renamed)))
