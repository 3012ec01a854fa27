"""The page: what it is, how its engine is doing, and the five stages."""

from tabwise.demo.messages import STAGES
from tabwise.demo.ui.view.answer import answer_view
from tabwise.demo.ui.view.chunk import chunk_view
from tabwise.demo.ui.view.embed import embed_view
from tabwise.demo.ui.view.retrieve import retrieve_view
from tabwise.demo.ui.view.store import store_view
from tabwise.demo.ui.words import FOOT, LEAD, NOT_STARTED, SLOW, STARTING, STOPPED, TITLE
from tabwise.demo.ui.words import STAGES as TEXTS
from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import spinner

# stage: its view and the parts of the state it is made from
VIEWS = {
    "chunk": (chunk_view, ("sizes", "cutting", "cut", "page", "quote", "lit")),
    "embed": (embed_view, ("cut", "strips", "embedded", "model", "chunk")),
    "store": (store_view, ("cut", "strips", "stored", "lit")),
    "retrieve": (retrieve_view, ("ask", "results", "words", "model", "lit", "refused", "cut")),
    "answer": (answer_view, ("answer", "asking")),
}
COMMON = ("engine", "code", "shown")


def page_view(state: dict, memo: Memo) -> tuple:
    """Return everything; a stage whose part of the state did not change is the node drawn before."""
    stages = []
    for name in STAGES:
        view, parts = VIEWS[name]
        inputs = [state[part] for part in parts + COMMON]
        stages.append(memo(name, lambda *_: view(state), *inputs))
    return h("div", {"class": "page"}, _head(state), h("main", {"class": "stages-list"}, stages), _foot())


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
        h("nav", {"aria-label": "Stages"}, h("ol", {"class": "jumps"}, links)),
    )


def _engine(state: dict) -> tuple:
    engine = state["engine"]
    attrs = {"class": "engine-line", "role": "status", "data-test": "engine"}
    if state["fault"]:
        said = NOT_STARTED if state["engine"] is None else STOPPED
        told = {"class": "engine-line failed", "role": "alert", "data-test": "fault"}
        return h("p", told, icon("alert"), said)
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


def _foot() -> tuple:
    return h("footer", {"class": "page-foot"}, h("p", {}, FOOT))
