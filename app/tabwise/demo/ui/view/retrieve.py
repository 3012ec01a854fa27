"""Stage 4: the query, both ranked lists, and how they become one."""

from tabwise.demo.ui.state import EXAMPLES
from tabwise.demo.ui.view.parts import choice, duration, slider, stage
from tabwise.demo.ui.words import MODES, NO_MEANING, NOTHING_NEAR
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.words import error_sentence

FORMULAS = {
    "convex": "0.6 meaning + 0.4 words, then spread over texts",
    "rrf": "1 / (60 + rank) from each list, then spread over texts",
    "dense": "meaning alone, then spread over texts",
    "lexical": "words alone, then spread over texts",
}
K_BOUNDS = (1, 10, 1, "chunks")


def retrieve_view(state: dict) -> tuple:
    """Return the stage."""
    ask = state["ask"]
    controls = [
        choice("mode", "Fusion", MODES, ask["mode"], {"type": "setting", "name": "mode"}),
        slider("k", "Top-k", ask["k"], K_BOUNDS, {"type": "setting", "name": "k"}, state["cut"] is None),
        _status(state),
    ]
    return stage("retrieve", state, controls, [_box(state), _lists(state)])


def _status(state: dict) -> tuple:
    results = state["results"]
    found_by = "waiting"
    text = "Search starts with the first chunks."
    more = ""
    if results and results["semantic"]:
        found_by = "meaning"
        if state["model"]["state"] == "ready":
            more = "Some chunks still wait for their vector."
        text = "Searched with meaning in %s" % duration(results["ms"])
    elif results:
        found_by = "words"
        text = "Searched by words in %s" % duration(results["ms"])
        if state["model"]["state"] in ("waiting", "loading", "ready"):
            more = "Meaning joins when all chunks are embedded."
    return h(
        "p",
        {"class": "measured found-by", "role": "status", "data-test": "found-by", "data-by": found_by},
        h("span", {"class": "dot", "aria-hidden": "true"}),
        h("span", {}, text),
        h("span", {"class": "more"}, more) if more else None,
    )


def _box(state: dict) -> tuple:
    ask = state["ask"]
    attrs = {
        "type": "search",
        "id": "query",
        "class": "query",
        "dir": "auto",
        "value": ask["query"],
        "aria-label": "Question",
        "autocomplete": "off",
        "spellcheck": "false",
        "maxlength": "500",
        "placeholder": "Ask the texts…",
        "data-test": "query",
        "on-input": {"type": "query"},
    }
    examples = [_example(text, ask["query"] == text) for text in EXAMPLES]
    return h(
        "div",
        {"class": "ask", "role": "search"},
        h("div", {"class": "query-row"}, icon("search"), h("input", attrs)),
        _refused(state["refused"]),
        h("ul", {"class": "examples", "aria-label": "Examples"}, examples),
    )


def _refused(code: str) -> tuple | None:
    if not code:
        return None
    return h("p", {"class": "refused", "role": "alert", "data-test": "refused"}, error_sentence(code))


def _example(text: str, chosen: bool) -> tuple:
    attrs = {
        "type": "button",
        "class": "example",
        "aria-pressed": "true" if chosen else "false",
        "data-test": "example",
        "on-click": {"type": "example", "value": text},
    }
    return h("li", {"key": text}, h("button", attrs, text))


def _lists(state: dict) -> tuple:
    results = state["results"]
    if results is None:
        return h("div", {"class": "lists"}, h("p", {"class": "waiting"}, "No results yet."))
    by_meaning = results["dense"] if results["semantic"] else []
    mode = results["mode"] if results["semantic"] else "lexical"
    return h(
        "div",
        {"class": "lists", "data-test": "lists", "data-mode": mode},
        _list(state, "lexical", "Words", "BM25", results["lexical"], NOTHING_NEAR),
        _list(state, "dense", "Meaning", "cosine", by_meaning, _no_meaning(state)),
        _list(state, "fused", "Fused", _formula(results), results["fused"], NOTHING_NEAR),
    )


def _no_meaning(state: dict) -> str:
    """Why the list by meaning is empty."""
    if state["results"]["semantic"]:
        return NOTHING_NEAR
    if state["results"]["mode"] == "lexical":
        return "Not asked: the fusion is set to words only."
    return NO_MEANING[state["model"]["state"]]


def _formula(results: dict) -> str:
    if not results["semantic"]:
        return FORMULAS["lexical"]
    return FORMULAS[results["mode"]]


def _list(state: dict, name: str, title: str, measure: str, hits: list, none: str) -> tuple:
    if not hits:
        body = h("p", {"class": "waiting"}, none)
    else:
        best = max([hit["score"] for hit in hits])
        body = h("ol", {}, [_hit(state, name, place, hit, best) for place, hit in enumerate(hits)])
    return h(
        "div",
        {"class": "list " + name, "key": name, "data-test": "list-" + name},
        h("h3", {}, title, " ", h("small", {}, measure)),
        body,
    )


def _hit(state: dict, name: str, place: int, hit: dict, best: float) -> tuple:
    lit = hit["chunk_id"] == state["lit"]
    to_text = {
        "type": "button",
        "class": "hit-title",
        "on-click": _show(state, hit),
        "title": "Show in the text",
    }
    attrs = {
        "key": hit["chunk_id"],
        "class": "hit lit" if lit else "hit",
        "data-test": "hit",
        "data-chunk": hit["chunk_id"],
        "on-enter": {"type": "light", "chunk_id": hit["chunk_id"]},
        "on-leave": {"type": "light", "chunk_id": ""},
    }
    if name == "fused":
        # what has a name of its own is seen moving when the list is drawn anew
        attrs["style"] = "view-transition-name:" + _name(hit["chunk_id"])
    return h(
        "li",
        attrs,
        h(
            "p",
            {"class": "hit-head"},
            h("span", {"class": "hit-place"}, "%d" % (place + 1)),
            h(
                "button",
                to_text,
                h("bdi", {"dir": "auto"}, hit["title"]),
                h("span", {"class": "of"}, " · %d" % hit["number"]),
            ),
            _moved(state, place, hit) if name == "fused" else None,
            h("span", {"class": "score"}, _score(hit["score"])),
        ),
        _bar(hit, best),
        h("p", {"class": "snippet", "dir": "auto"}, _marked(hit)) if name == "fused" else None,
    )


def _show(state: dict, hit: dict) -> dict:
    """The event that goes to a chunk in the text."""
    for chunk in state["cut"]["chunks"]:
        if chunk["id"] == hit["chunk_id"]:
            quote = {"source": hit["source"], "start": chunk["start"], "end": chunk["end"]}
            return {"type": "show", "quote": quote}
    # the texts were cut anew since: its page is still the right one
    return {"type": "read", "value": hit["source"]}


def _name(chunk_id: str) -> str:
    """A name for CSS: letters, digits and dashes."""
    return "hit-" + "".join([char if char.isalpha() or char.isdigit() else "-" for char in chunk_id])


def _score(score: float) -> str:
    return "%.4f" % score if score < 0.1 else "%.2f" % score


def _bar(hit: dict, best: float) -> tuple:
    parts = []
    for share, style in ((hit["share_dense"], "of-meaning"), (hit["share_lexical"], "of-words")):
        if share > 0:
            parts.append(h("i", {"class": style, "style": "inline-size:%d%%" % round(100 * share / best)}))
    return h("span", {"class": "bar-track", "aria-hidden": "true"}, parts)


def _moved(state: dict, place: int, hit: dict) -> object:
    """How far meaning moved a hit against words alone; shown once meaning has joined."""
    words, results = state["words"], state["results"]
    if words is None or not results["semantic"] or results["mode"] == "lexical":
        return None
    before = [other["chunk_id"] for other in words["fused"]]
    if hit["chunk_id"] not in before:
        return h("span", {"class": "moved new"}, "new")
    steps = before.index(hit["chunk_id"]) - place
    if steps == 0:
        return None
    said = "up" if steps > 0 else "down"
    title = "against the list by words alone"
    return h("span", {"class": "moved " + said, "title": title}, "%s %d" % (said, abs(steps)))


def _marked(hit: dict) -> list:
    text, parts, at = hit["snippet"], [], 0
    for start, end in hit["marks"]:
        parts += [text[at:start], h("b", {}, text[start:end])]
        at = end
    return [part for part in parts + [text[at:]] if part]
