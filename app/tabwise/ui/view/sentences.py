"""Sentences of an answer with quiet verdicts and citation chips; the cited words beneath on demand, and
always where they are in another language.
"""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import find
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, site
from tabwise.ui.words import say, verdict_text

VERDICT_ICONS = {
    "supported": "check",
    "partly": "partly",
    "contradicted": "cross",
    "not_found": "unknown",
    "uncited": "dash",
}
FRESH_ICONS = {"unchanged": "check", "moved": "moved", "reworded": "reworded", "gone": "cross"}
_STALE = ("reworded", "gone")


def sentences_view(block: dict, inside: dict, chip: str) -> tuple | None:
    """Return the sentences of a block, None before the first; `chip` names the citation that is shown."""
    if not block["sentences"]:
        return None
    shown = [
        sentence_view(block, inside, str(index), sentence, chip)
        for index, sentence in enumerate(block["sentences"])
    ]
    return h("div", {"class": "answer"}, shown)


def sentence_view(block: dict, inside: dict, place: str, sentence: dict, shown_chip: str) -> tuple:
    """Return one sentence; `place` tells it from the other sentences of its block."""
    chips = chips_view(block, inside, place, sentence["citations"], shown_chip)
    below = _originals(block, sentence) if inside["quotes"] or "language" in sentence["reasons"] else None
    return judged_view(place, sentence, chips, sentence["verdict"] != "supported", below)


def judged_view(place: str, sentence: dict, chips: list, told: bool, below: list | None) -> tuple:
    """Return a sentence behind the mark of its verdict; `told`: the verdict also stands there in words."""
    verdict = sentence["verdict"]
    said = verdict_text(verdict, sentence["reasons"])
    attrs = {"class": "sentence", "key": place, "data-test": "sentence", "data-verdict": verdict}
    mark = {"class": "verdict", "role": "img", "aria-label": said, "title": said}
    return h(
        "div",
        attrs,
        h("span", mark, icon(VERDICT_ICONS[verdict])),
        h(
            "div",
            {"class": "said"},
            h("p", {}, h("span", {"dir": "auto"}, sentence["text"]), chips),
            h("p", {"class": "verdict-text", "aria-hidden": "true"}, said) if told else None,
            below,
        ),
    )


def chips_view(block: dict, inside: dict, place: str, numbers: list, shown_chip: str) -> list:
    """Return the chips of the citations of a sentence, each behind a space; the first never begins a line."""
    chips = [_chip(block, inside, place, number, shown_chip) for number in numbers]
    shown = [chip for chip in chips if chip]
    return [["\u00a0" if chip is shown[0] else " ", chip] for chip in shown]


def freshness_of(inside: dict, number: int) -> dict | None:
    """Return what is known of a citation's passage as it is now."""
    known = inside["fresh"].get(str(number))
    return known["freshness"] if known else None


def _chip(block: dict, inside: dict, place: str, number: int, shown_chip: str) -> tuple | None:
    citation = find(block["citations"], "number", number)
    if citation is None:
        return None
    name = "%s-%s-%d" % (block["id"], place, number)
    shown = name == shown_chip
    fresh = freshness_of(inside, number)
    stale = fresh["state"] if fresh and fresh["state"] in _STALE else None
    label = say("source_chip", number=number, title=title_of(citation))
    attrs = {
        "type": "button",
        "class": "chip shown" if shown else "chip",
        "key": str(number),
        "data-test": "chip",
        "data-fresh": stale,
        "aria-label": label + ". " + say("fresh_" + stale) if stale else label,
        "aria-describedby": "card" if shown else None,
        "on-click": {"type": "show", "block": block["id"], "number": number},
        "on-enter": {"type": "chip_enter", "block": block["id"], "number": number, "chip": name},
        "on-leave": {"type": "chip_leave"},
    }
    return h("button", attrs, str(number), icon(FRESH_ICONS[stale]) if stale else None)


def _originals(block: dict, sentence: dict) -> list:
    """The cited words themselves, in the language of their page."""
    cited = [find(block["citations"], "number", number) for number in sentence["citations"]]
    return [
        h(
            "blockquote",
            {"class": "original", "key": str(citation["number"]), "data-test": "original"},
            h("p", {"dir": "auto"}, citation["quote"]),
            h("p", {"class": "original-place"}, favicon(citation["url"]), site(citation["url"])),
        )
        for citation in cited
        if citation is not None
    ]
