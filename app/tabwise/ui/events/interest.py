"""The reader's interests: short texts by which open tabs are flagged."""

from tabwise.protocol.settings import MAX_INTEREST_CHARS, MAX_INTERESTS
from tabwise.ui.events import access, toast
from tabwise.ui.state import put
from tabwise.ui.text import fold, shorten
from tabwise.ui.words import say

NAMED_CHARS = 40  # of an interest in a passing line


def interest_draft(state: dict, event: dict) -> tuple:
    """The text of the box for a new interest changed."""
    return put(state, interest_draft=event["value"], interest_fault=""), []


def interest_add(state: dict, event: dict) -> tuple:
    """Add what was typed; what cannot be added stays in the box with the reason."""
    interests = state["settings"]["interests"]
    text = " ".join(state["interest_draft"].split())
    fault = _fault(text, interests)
    if fault:
        said = [("announce", say("interest_" + fault)), ("focus", "interest")]
        return put(state, interest_fault=fault), said
    state = put(state, interest_draft="", interest_fault="")
    state, effects = access.save(state, put(state["settings"], interests=interests + [text]))
    return state, effects + [("announce", say("interest_added", name=_named(text))), ("focus", "interest")]


def interest_remove(state: dict, event: dict) -> tuple:
    """Remove an interest; it can be taken back for ten seconds."""
    before, text = state["settings"]["interests"], event["interest"]
    if text not in before:
        return state, []
    kept = [interest for interest in before if interest != text]
    undo = {"type": "interest_put", "interest": text, "place": before.index(text)}
    state, effects = access.save(state, put(state["settings"], interests=kept))
    state, more = toast.show(state, say("interest_removed", name=_named(text)), event, undo)
    return state, effects + more + [("focus", "interest")]


def interest_put(state: dict, event: dict) -> tuple:
    """Take a removal back."""
    state = put(state, toast=None)
    interests, text = list(state["settings"]["interests"]), event["interest"]
    if _fault(text, interests):
        return state, []
    interests.insert(event["place"], text)
    return access.save(state, put(state["settings"], interests=interests))


def _fault(text: str, interests: list) -> str:
    if not text:
        return "empty"
    if len(text) > MAX_INTEREST_CHARS:
        return "long"
    if fold(text) in [fold(interest) for interest in interests]:
        return "known"
    return "full" if len(interests) >= MAX_INTERESTS else ""


def _named(text: str) -> str:
    return shorten(text, NAMED_CHARS)


TABLE = {
    "interest_draft": interest_draft,
    "interest_add": interest_add,
    "interest_remove": interest_remove,
    "interest_put": interest_put,
}
