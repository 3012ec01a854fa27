"""Hints on open tabs: likely of interest, or safe to close. Words on a card, never an action.

They are asked for when the Pages view is looked at and the reader has interests; changes of the tabs that
come together are one question.
"""

from tabwise.protocol.addresses import host_of
from tabwise.ui import client
from tabwise.ui.state import NO_HINTS, put

SETTLE_MS = 1500


def describe(state: dict, event: dict) -> tuple:
    """Ask about the tabs in a moment, once however often this is called until then."""
    if not state["settings"]["interests"]:
        return put(state, hints=NO_HINTS), []
    if state["view"] != "pages" or state["hints"]["due"]:
        return state, []
    return put(state, hints=put(state["hints"], due=True)), [("timer", SETTLE_MS, {"type": "hints_look"})]


def hints_look(state: dict, event: dict) -> tuple:
    """The tabs have settled."""
    if not state["hints"]["due"]:
        return state, []
    state = put(state, hints=put(state["hints"], due=False))
    last_accessed = {tab["url"]: tab["last_accessed"] for tab in state["tabs"] if host_of(tab["url"])}
    tabs = [{"url": url, "last_accessed": last_accessed[url]} for url in last_accessed]
    if not tabs:
        return state, []
    return client.send(state, event["id"], "interest", tabs=tabs)


def on_interest(state: dict, message: dict, event: dict) -> tuple:
    """The hints arrived; what cannot be told now is not worth a word."""
    if message["type"] != "done" or not state["settings"]["interests"]:
        return state, []
    before = state["hints"]["by_url"]
    by_url = {}
    for found in message["result"]:
        if found["flag"] == "neither":
            continue
        hint = {name: found[name] for name in ("flag", "reasons", "interest")}
        hint["days"] = int(found["days_unused"])
        kept = before.get(found["url"])
        by_url[found["url"]] = kept if kept == hint else hint
    return put(state, hints=put(state["hints"], by_url=by_url)), []


TABLE = {"hints_look": hints_look}
