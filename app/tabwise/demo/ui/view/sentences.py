"""An answer in sentences, each with its verdict and its way back to the text, and what it cites."""

from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.sentences import judged_view
from tabwise.ui.words import say


def sentences_view(pairs: list) -> tuple:
    """Return sentences; `pairs` are (sentence, citations)."""
    rows = [
        judged_view(str(place), sentence, _chips(sentence["citations"], citations), True, None)
        for place, (sentence, citations) in enumerate(pairs)
    ]
    return h("div", {"class": "answer"}, rows)


def cited_view(citations: list) -> tuple:
    """Return the list of what is cited."""
    rows = [
        h(
            "li",
            {"key": str(citation["number"])},
            h("span", {"class": "number"}, str(citation["number"])),
            h("span", {"dir": "auto"}, citation["title"]),
            button("Show in the text", _show(citation), "quiet small"),
        )
        for citation in citations
    ]
    return h("ol", {"class": "cited"}, rows)


def _chips(numbers: list, citations: list) -> list:
    chips = []
    for citation in citations:
        number = citation["number"]
        if number not in numbers:
            continue
        attrs = {
            "type": "button",
            "class": "chip",
            "key": str(number),
            "data-test": "chip",
            "aria-label": say("source_chip", number=number, title=citation["title"]),
            "on-click": _show(citation),
        }
        chips.append([" ", h("button", attrs, str(number))])
    return chips


def _show(citation: dict) -> dict:
    quote = {"source": citation["source"], "start": citation["start"], "end": citation["end"]}
    return {"type": "show", "quote": quote}
