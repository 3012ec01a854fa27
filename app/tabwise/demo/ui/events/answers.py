"""The answer: written by the bundled model when the reader asks for it, streamed, stopped."""

from tabwise.demo.ui.events import budget
from tabwise.ui.state import put


def write(state: dict, event: dict) -> tuple:
    """Have the bundled language model answer the question that stands there."""
    if not state["ask"]["query"].strip() or state["cut"] is None:
        return state, []
    state = put(state, asking=True, writing=True, refused="", live=[], answer=None)
    return state, [("send", "ask", put(state["ask"], engine="bundled"))]


def stop(state: dict, event: dict) -> tuple:
    """Stop the answer in hand."""
    return state, [("send", "stop", {})]


def on_sentence(state: dict, fields: dict) -> tuple:
    """A sentence of the answer in hand was checked."""
    live = list(state["live"])
    one = {"sentence": fields["sentence"], "citations": fields["citations"]}
    if fields["index"] < len(live):
        live[fields["index"]] = one
    else:
        live.append(one)
    return put(state, live=live), []


def on_answer(state: dict, fields: dict) -> tuple:
    """The answer is whole; what was found for it is weighed against the budget."""
    receipt = fields["receipt"]
    state = put(state, answer=fields["answer"], own_receipt=receipt, device=fields["device"])
    state = put(state, asking=False, writing=False, live=[])
    return budget.weigh(state, {})


def on_stopped(state: dict, fields: dict) -> tuple:
    """What was in hand has been stopped."""
    if fields["request"] == "act":
        return put(state, run=put(state["run"], working=False, stopped=True)), []
    return put(state, asking=False, writing=False), []


ACTIONS = {"write": write, "stop": stop}
TOLD = {"sentence": on_sentence, "answer": on_answer, "stopped": on_stopped}
