"""The excerpt of a citation, beside the chip that the pointer or the focus is on."""

from tabwise.ui.nodes import h
from tabwise.ui.selectors import title_of
from tabwise.ui.state import find
from tabwise.ui.text import clock_time
from tabwise.ui.view.parts import favicon, site, title
from tabwise.ui.words import say


def _hint(citation: dict) -> str:
    if citation["page_number"] is not None:
        return say("card_hint_page", n=citation["page_number"])
    if citation["seconds"] is not None:
        return say("card_hint_time", time=clock_time(citation["seconds"]))
    return say("card_hint")


def card_view(state: dict) -> tuple | None:
    """Return the card, None when no citation is pointed at."""
    card = state["card"]
    block = find(state["blocks"], "id", card["block"]) if card else None
    citation = find(block["citations"], "number", card["number"]) if block else None
    if citation is None:
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
            h("mark", {}, citation["quote"]),
            citation["after"],
        ),
        h("p", {"class": "card-hint"}, _hint(citation)),
    )
