"""The list of saved pages, asked for in parts: to read five thousand at once would hold the panel up.

What is listed stays as it was until the last part is there. Pages that were added or removed in the meantime,
which a part may tell of or not, are then as the panel knows them.
"""

from tabwise.protocol.schema import TERMINAL
from tabwise.ui import client
from tabwise.ui.state import NO_LISTING, put

PART = 200


def ask(state: dict, event: dict) -> tuple:
    """Ask for the saved pages anew."""
    is_begun = state["listing"]["is_begun"]
    state = put(state, listing=put(NO_LISTING, before=state["library"], is_begun=is_begun))
    return _ask_part(state, event["id"] + "-library-%d", 0)


def go_on(state: dict, event: dict, pages: list) -> tuple:
    """Ask for what comes after the first pages, which are there; nothing where they are all."""
    if len(pages) < PART:
        return state, []
    state = put(state, listing=put(NO_LISTING, pages=pages, before=state["library"], is_begun=True))
    return _ask_part(state, event["id"] + "-library-%d", len(pages))


def on_library(state: dict, message: dict, event: dict) -> tuple:
    """A part arrived, or none will; only the list that was asked for last is followed."""
    listing = state["listing"]
    if message["re"] != listing["request"]:
        return state, []
    if message["type"] != "done":
        return (put(state, listing=NO_LISTING) if message["type"] in TERMINAL else state), []
    listing = put(listing, pages=listing["pages"] + message["result"])
    state = put(state, listing=listing)
    if len(message["result"]) == PART:
        return _ask_part(state, event["id"] + "-library-%d", len(listing["pages"]))
    return put(state, library=_listed(listing, state["library"]), known=True, listing=NO_LISTING), []


def _ask_part(state: dict, name: str, start: int) -> tuple:
    request_id = name % start
    state = put(state, listing=put(state["listing"], request=request_id))
    return client.send(state, request_id, "library", start=start, count=PART)


def _listed(listing: dict, now: list) -> list:
    """What was listed, without what was removed since, after what was added; each page once."""
    before = listing["before"]
    known = {id(page) for page in before}
    here = {page["source"] for page in now}
    gone = {page["source"] for page in before if page["source"] not in here}
    listed = []
    for page in [page for page in now if id(page) not in known] + listing["pages"]:
        if page["source"] not in gone:
            gone.add(page["source"])
            listed.append(page)
    return listed
