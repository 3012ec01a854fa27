"""The excerpt of a citation, beside the chip the pointer or the focus is on, and whether it still stands."""

from tabwise.ui.conversation import cited_block
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import INSIDE, find
from tabwise.ui.text import clock_time
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, site, title
from tabwise.ui.view.sentences import FRESH_ICONS, freshness_of
from tabwise.ui.words import say

_PIECES = {"removed": "del", "added": "ins"}


def card_view(state: dict) -> tuple | None:
    """Return the card, None when no citation is pointed at."""
    card = state["card"]
    block = cited_block(state, card["block"]) if card else None
    citation = find(block["citations"], "number", card["number"]) if block else None
    if card is None or block is None or citation is None:
        return None
    attrs = {
        "class": "card",
        "id": "card",
        "role": "tooltip",
        "key": "card-" + card["chip"],
        "data-test": "card",
        "on-enter": {"type": "card_enter"},
        "on-leave": {"type": "card_leave"},
    }
    fresh = freshness_of(state["inside"].get(card["block"], INSIDE), card["number"])
    return h(
        "div",
        attrs,
        h(
            "p",
            {"class": "card-head"},
            favicon(citation["url"]),
            title(title_of(citation)),
            site(citation["url"]),
        ),
        h(
            "blockquote",
            {"dir": "auto"},
            citation["before"],
            h("mark", {"dir": "auto"}, citation["quote"]),
            citation["after"],
        ),
        _warning(block["answer"], card["number"]),
        _badge(fresh) if fresh else None,
        _difference(fresh["difference"]) if fresh and fresh["state"] == "reworded" else None,
        h("p", {"class": "card-hint"}, _hint(citation)),
    )


def _hint(citation: dict) -> str:
    if citation["page_number"] is not None:
        return say("card_hint_page", n=citation["page_number"])
    if citation["seconds"] is not None:
        return say("card_hint_time", time=clock_time(citation["seconds"]))
    return say("card_hint")


def _warning(answer: dict | None, number: int) -> tuple | None:
    """That the passage holds text which looks like instructions: it was read as text and not followed."""
    for notice in answer["notices"] if answer else []:
        if notice["kind"] == "instructions" and notice["citation"] == number:
            attrs = {"class": "card-warning", "key": "warning", "data-test": "instructions"}
            return h("p", attrs, icon("alert"), h("span", {}, say("card_instructions")))
    return None


def _badge(fresh: dict) -> tuple:
    said = say("fresh_" + fresh["state"])
    basis = "" if fresh["basis"] == "tab" else " · " + say("fresh_saved")
    attrs = {"class": "fresh", "key": "fresh", "data-test": "fresh", "data-state": fresh["state"]}
    return h("p", attrs, icon(FRESH_ICONS[fresh["state"]]), h("span", {}, said + basis))


def _difference(pieces: list) -> tuple:
    shown = [
        h(_PIECES[piece["edit"]], {}, piece["text"]) if piece["edit"] in _PIECES else piece["text"]
        for piece in pieces
    ]
    return h(
        "p", {"class": "difference", "key": "difference", "dir": "auto", "data-test": "difference"}, shown
    )
