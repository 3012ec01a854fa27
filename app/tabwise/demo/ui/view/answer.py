"""Stage 5: the answer in sentences, each with its verdict and its way back to the text."""

from tabwise.demo.ui.view.parts import stage, tile, tiles
from tabwise.demo.ui.words import STAGE_NAMES
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import find
from tabwise.ui.text import seconds
from tabwise.ui.view.answer import VERDICT_ICONS
from tabwise.ui.words import say, verdict_text


def answer_view(state: dict) -> tuple:
    """Return the stage."""
    answer = state["answer"]
    timings = answer["timings"] if answer else []
    controls = [tiles(*[tile(seconds(t["ms"]), STAGE_NAMES.get(t["stage"], t["stage"]), "ms-" + t["stage"]) for t in timings])]
    return stage("answer", state, controls if timings else [], [_body(state)])


def _body(state: dict) -> tuple:
    answer = state["answer"]
    attrs = {"class": "answer-card", "aria-live": "polite", "aria-busy": "true" if state["asking"] else "false", "data-test": "answer"}
    if answer is None:
        return h("div", attrs, h("p", {"class": "waiting"}, "The answer appears here."))
    asked = h("h3", {"class": "asked"}, answer["question"])
    if not answer["found"]:
        nothing = h("p", {"class": "nothing-text"}, "Nothing in these texts answers this.")
        return h("div", attrs, asked, h("div", {"class": "nothing", "data-test": "nothing"}, nothing))
    sentences = [_sentence(answer, place, sentence) for place, sentence in enumerate(answer["sentences"])]
    sources = [_source(citation) for citation in answer["citations"]]
    return h("div", attrs, asked, h("div", {"class": "answer"}, sentences), h("ol", {"class": "cited"}, sources))


def _sentence(answer: dict, place: int, sentence: dict) -> tuple:
    verdict = sentence["verdict"]
    said = verdict_text(verdict, sentence["reasons"])
    chips = []
    for number in sentence["citations"]:
        citation = find(answer["citations"], "number", number)
        attrs = {
            "type": "button",
            "class": "chip",
            "key": str(number),
            "data-test": "chip",
            "aria-label": say("source_chip", number=number, title=citation["title"]),
            "on-click": _show(citation),
        }
        chips += [" ", h("button", attrs, str(number))]
    return h(
        "div",
        {"class": "sentence", "key": str(place), "data-test": "sentence", "data-verdict": verdict},
        h("span", {"class": "verdict", "role": "img", "aria-label": said, "title": said}, icon(VERDICT_ICONS[verdict])),
        h("div", {"class": "said"}, h("p", {}, h("span", {}, sentence["text"]), chips), h("p", {"class": "verdict-text"}, said)),
    )


def _source(citation: dict) -> tuple:
    return h(
        "li",
        {"key": str(citation["number"])},
        h("span", {"class": "number"}, str(citation["number"])),
        h("span", {}, citation["title"]),
        h("button", {"type": "button", "class": "button quiet small", "on-click": _show(citation)}, "Show in the text"),
    )


def _show(citation: dict) -> dict:
    quote = {"source": citation["source"], "start": citation["start"], "end": citation["end"]}
    return {"type": "show", "quote": quote}
