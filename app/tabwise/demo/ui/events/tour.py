"""The guided tour: the whole path in under a minute, each stop with what it shows and what it does.

It uses nothing but the page's own controls, so it needs nothing that is not there already.
"""

from tabwise.demo.ui.state import QUERY
from tabwise.demo.ui.words import TASKS
from tabwise.ui.state import put

STOP_MS = 6000

# where it stops: a selector, what is said, what makes the event of a control from the state, if one is used
STOPS = (
    (
        "#chunk",
        "Seventeen texts are cut into chunks at sentence borders. Stripes mark words that two chunks share.",
        lambda state: {"type": "read", "value": state["cut"]["documents"][0]["source"]},
    ),
    (
        "#embed",
        "Each chunk becomes 384 numbers, drawn as colours. Below the strip: the tokens the model reads.",
        lambda state: {"type": "inspect", "chunk_id": state["cut"]["chunks"][-1]["id"]},
    ),
    ("#store", "Everything lies in one SQLite file of this browser: a square for each chunk.", None),
    (
        "#retrieve",
        "By words alone the right passage leads, but behind it stand texts that merely share a word.",
        lambda state: {"type": "setting", "name": "mode", "value": "lexical"},
    ),
    (
        "#retrieve",
        "With meaning added, texts about vectors move up. Watch the fused list change places.",
        lambda state: {"type": "setting", "name": "mode", "value": "convex"},
    ),
    (
        "#budget",
        "A model reads only so much. What does not fit is left out, and the reason is kept.",
        lambda state: {"type": "lab", "name": "budget_tokens", "value": "512"},
    ),
    ("#answer", "The best sentences answer, each checked against the words it cites.", None),
    (
        "#tools",
        "Tools in a loop: a search, then the calculator, then an answer that both bear out.",
        lambda state: {"type": "take", "value": TASKS[0]},
    ),
    (
        "#receipt",
        "All of it stands in the receipt, which the extension saves too. Now try your own texts.",
        lambda state: {"type": "receipt_own", "of": "answer"},
    ),
)


def tour(state: dict, event: dict) -> tuple:
    """Begin at the first stop, with the question that shows the difference."""
    asked = put(state["ask"], query=QUERY, k=5)
    return _at(put(state, ask=asked), 0)


def tour_next(state: dict, event: dict) -> tuple:
    """Go on; `from` says from which stop, so that a pause that ran out late does nothing."""
    place = state["tour"]
    if place is None or ("from" in event and event["from"] != place):
        return state, []
    return _at(state, place + 1)


def tour_end(state: dict, event: dict) -> tuple:
    """Leave the tour."""
    return put(state, tour=None), []


def _at(state: dict, place: int) -> tuple:
    if place == len(STOPS):
        return put(state, tour=None), []
    selector, _, act = STOPS[place]
    effects: list = [("scroll", selector)]
    if act is not None:
        effects.append(("dispatch", act(state)))
    effects.append(("later", "tour", STOP_MS, {"type": "tour_next", "from": place}))
    return put(state, tour=place), effects


ACTIONS = {"tour": tour, "tour_next": tour_next, "tour_end": tour_end}
