"""Stage 5: the answer in sentences, each with its verdict and its way back to the text."""

from tabwise.demo.ui.view.parts import duration, stage, tile, tiles
from tabwise.demo.ui.words import STAGE_NAMES
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.sentences import VERDICT_ICONS
from tabwise.ui.words import say, verdict_text


def answer_view(state: dict) -> tuple:
    """Return the stage."""
    answer = state["answer"]
    controls = [tiles(*[_timing(timing) for timing in answer["timings"]])] if answer else []
    return stage("answer", state, controls, [_body(state)])


def _timing(timing: dict) -> tuple:
    return tile(duration(timing["ms"]), STAGE_NAMES[timing["stage"]], "ms-" + timing["stage"])


def _body(state: dict) -> tuple:
    answer = state["answer"]
    attrs = {
        "class": "answer-card",
        "aria-live": "polite",
        "aria-busy": "true" if state["asking"] else "false",
        "data-test": "answer",
    }
    if answer is None:
        return h("div", attrs, h("p", {"class": "waiting"}, "The answer appears here."))
    asked = h("h3", {"class": "asked"}, answer["question"])
    if not answer["found"]:
        nothing = h("p", {"class": "nothing-text"}, "Nothing in these texts answers this.")
        return h("div", attrs, asked, h("div", {"class": "nothing", "data-test": "nothing"}, nothing))
    sentences = [_sentence(answer, place, sentence) for place, sentence in enumerate(answer["sentences"])]
    sources = [_source(citation) for citation in answer["citations"]]
    cited = h("ol", {"class": "cited"}, sources)
    return h("div", attrs, asked, h("div", {"class": "answer"}, sentences), cited)


def _sentence(answer: dict, place: int, sentence: dict) -> tuple:
    verdict = sentence["verdict"]
    said = verdict_text(verdict, sentence["reasons"])
    chips = []
    for citation in answer["citations"]:
        number = citation["number"]
        if number not in sentence["citations"]:
            continue
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
        h("span", {"class": "verdict", "aria-hidden": "true"}, icon(VERDICT_ICONS[verdict])),
        h(
            "div",
            {"class": "said"},
            h("p", {}, h("span", {}, sentence["text"]), chips),
            h("p", {"class": "verdict-text"}, said),
        ),
    )


def _source(citation: dict) -> tuple:
    return h(
        "li",
        {"key": str(citation["number"])},
        h("span", {"class": "number"}, str(citation["number"])),
        h("span", {}, citation["title"]),
        button("Show in the text", _show(citation), "quiet small"),
    )


def _show(citation: dict) -> dict:
    quote = {"source": citation["source"], "start": citation["start"], "end": citation["end"]}
    return {"type": "show", "quote": quote}
