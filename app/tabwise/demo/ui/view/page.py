"""The page: what it is, how its engine is doing, the stages, receipts, and the tour above them."""

from tabwise.demo.messages import STAGES
from tabwise.demo.ui.events.tour import STOPS
from tabwise.demo.ui.state import LOST
from tabwise.demo.ui.view.answer import answer_view
from tabwise.demo.ui.view.budget import budget_view
from tabwise.demo.ui.view.chunk import chunk_view
from tabwise.demo.ui.view.embed import embed_view
from tabwise.demo.ui.view.receipt import receipt_view
from tabwise.demo.ui.view.retrieve import retrieve_view
from tabwise.demo.ui.view.store import store_view
from tabwise.demo.ui.view.tools import tools_view
from tabwise.demo.ui.words import FOOT, LEAD, NOT_STARTED, SLOW, STARTING, STOPPED, TITLE
from tabwise.demo.ui.words import STAGES as TEXTS
from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.words import error_sentence

CHUNK_PARTS = ("sizes", "cutting", "cut", "page", "quote", "lit")
GIVING_PARTS = ("adding", "reading", "rows", "removed", "sure")
ANSWER_PARTS = ("answer", "asking", "writing", "live", "cut", "own_receipt", "device", "ask")
# stage: its view and the parts of the state it is made from
VIEWS: dict = {
    "chunk": (chunk_view, CHUNK_PARTS + GIVING_PARTS),
    "embed": (embed_view, ("cut", "strips", "embedded", "model", "chunk")),
    "store": (store_view, ("cut", "strips", "stored", "lit")),
    "retrieve": (retrieve_view, ("ask", "results", "words", "model", "lit", "refused", "cut")),
    "budget": (budget_view, ("lab", "line", "budget", "cut")),
    "answer": (answer_view, ANSWER_PARTS),
    "tools": (tools_view, ("run", "cut")),
}
# stages that draw something for every chunk, and so in parts
IN_PARTS = ("chunk", "embed", "store")
COMMON = ("engine", "code", "shown")


def page_view(state: dict, memo: Memo) -> tuple:
    """Return everything; a stage whose part of the state did not change is the node drawn before."""
    stages = []
    for name in STAGES:
        view, parts = VIEWS[name]
        inputs = [state[part] for part in parts + COMMON]
        given = (state, memo) if name in IN_PARTS else (state,)
        stages.append(memo(name, lambda *_: view(*given), *inputs))
    receipt = [state[part] for part in ("receipt", "receipt_fault", "engine")]
    stages.append(memo("receipt", lambda *_: receipt_view(state), *receipt))
    main = h("main", {"class": "stages-list"}, stages)
    return h("div", {"class": "page"}, _head(state), _tour(state), main, _foot())


def _head(state: dict) -> tuple:
    links = [
        h("li", {"key": name}, h("a", {"href": state["here"] + "#" + name}, TEXTS[name][0]))
        for name in STAGES
    ]
    return h(
        "header",
        {"class": "head"},
        h("p", {"class": "brand"}, mark(), h("span", {}, "Tabwise")),
        h("h1", {}, TITLE),
        h("p", {"class": "lead"}, LEAD),
        _engine(state),
        _start_tour(state),
        h("nav", {"aria-label": "Stages"}, h("ol", {"class": "jumps"}, links)),
    )


def _engine(state: dict) -> tuple:
    engine = state["engine"]
    attrs = {"class": "engine-line", "role": "status", "data-test": "engine"}
    if state["fault"]:
        told = {"class": "engine-line failed", "role": "alert", "data-test": "fault"}
        again = button("Start again", {"type": "restart"}, "secondary small", icon="again", test="restart")
        return h("p", told, icon("alert"), h("span", {}, _fault(state)), again)
    if engine is None:
        return h("p", attrs, spinner(), SLOW if state["is_slow"] else STARTING)
    said = "Python %s and Tabwise %s in this tab. Model %s, %d numbers, at most %d tokens, %s." % (
        engine["python"],
        engine["version"],
        engine["model"],
        engine["dimensions"],
        engine["max_tokens"],
        engine["licence"],
    )
    return h("p", attrs, icon("check"), said)


def _fault(state: dict) -> str:
    if state["fault"] != LOST:
        return error_sentence(state["fault"])
    return NOT_STARTED if state["engine"] is None else STOPPED


def _start_tour(state: dict) -> tuple:
    off = state["cut"] is None or state["tour"] is not None
    tour = button(
        "Take the tour, 54 seconds", {"type": "tour"}, "primary", icon="moved", test="tour", disabled=off
    )
    offline = h("span", {"class": "measured", "data-test": "kept"}, icon("check"), "Works offline now")
    return h("div", {"class": "acts", "key": "tour"}, tour, offline if state["kept"] else None)


def _tour(state: dict) -> tuple | None:
    place = state["tour"]
    if place is None:
        return None
    last = place == len(STOPS) - 1
    return h(
        "aside",
        {"class": "tour", "key": "touring", "aria-label": "Tour", "data-test": "touring"},
        h("p", {"class": "tour-place"}, "%d of %d" % (place + 1, len(STOPS))),
        h("p", {"class": "tour-said", "aria-live": "polite"}, STOPS[place][1]),
        h("progress", {"max": str(len(STOPS)), "value": str(place + 1), "aria-label": "Tour"}),
        h(
            "div",
            {"class": "acts"},
            button("Done" if last else "Next", {"type": "tour_next"}, "secondary small", test="tour-next"),
            button("End the tour", {"type": "tour_end"}, "quiet small", test="tour-end"),
        ),
    )


def _foot() -> tuple:
    return h("footer", {"class": "page-foot"}, h("p", {}, FOOT))
