"""An answer in sentences, each with its verdict and its way back to the text, and what it cites."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.sentences import VERDICT_ICONS
from tabwise.ui.words import say, verdict_text


def sentences_view(pairs: list, show: bool) -> tuple:
    """Return sentences; `pairs` are (sentence, citations), `show` whether the citations lead to the text."""
    rows = [_sentence(place, pair[0], pair[1], show) for place, pair in enumerate(pairs)]
    return h("div", {"class": "answer"}, rows)


def cited_view(citations: list) -> tuple:
    """Return the list of what is cited."""
    rows = [
        h(
            "li",
            {"key": str(citation["number"])},
            h("span", {"class": "number"}, str(citation["number"])),
            h("span", {}, citation["title"]),
            button("Show in the text", _show(citation), "quiet small"),
        )
        for citation in citations
    ]
    return h("ol", {"class": "cited"}, rows)


def _sentence(place: int, sentence: dict, citations: list, show: bool) -> tuple:
    verdict = sentence["verdict"]
    chips = []
    for citation in citations:
        number = citation["number"]
        if number not in sentence["citations"]:
            continue
        label = say("source_chip", number=number, title=citation.get("title") or citation["source"])
        attrs: dict = {"class": "chip", "key": str(number), "data-test": "chip"}
        if show:
            attrs["type"] = "button"
            attrs["aria-label"] = label
            attrs["on-click"] = _show(citation)
        else:
            attrs["title"] = label
        chips += [" ", h("button" if show else "span", attrs, str(number))]
    return h(
        "div",
        {"class": "sentence", "key": str(place), "data-test": "sentence", "data-verdict": verdict},
        h("span", {"class": "verdict", "aria-hidden": "true"}, icon(VERDICT_ICONS[verdict])),
        h(
            "div",
            {"class": "said"},
            h("p", {}, h("span", {}, sentence["text"]), chips),
            h("p", {"class": "verdict-text"}, verdict_text(verdict, sentence["reasons"])),
        ),
    )


def _show(citation: dict) -> dict:
    quote = {"source": citation["source"], "start": citation["start"], "end": citation["end"]}
    return {"type": "show", "quote": quote}
