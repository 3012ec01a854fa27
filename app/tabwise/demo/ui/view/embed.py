"""Stage 2: every chunk as a strip of colour, and one of them under the glass with all its numbers."""

from tabwise.demo.ui.runs import chosen, n_ready, runs
from tabwise.demo.ui.view.parts import duration, stage, tile, tiles
from tabwise.demo.ui.words import MODEL
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.text import number


def embed_view(state: dict, memo: Memo) -> tuple:
    """Return the stage."""
    done = state["embedded"]
    n_chunks = len(state["cut"]["chunks"]) if state["cut"] else 0
    n_done = n_chunks - done["n_waiting"]
    each = duration(done["ms"] / done["n"]) if done["n"] else "–"
    model = state["model"]
    status = "%s of %s chunks, %s" % (number(n_done), number(n_chunks), MODEL[model["state"]])
    told = {"class": "measured", "role": "status", "data-test": "embedding", "data-state": model["state"]}
    bar = {"max": str(max(n_chunks, 1)), "value": str(n_done), "aria-label": "Chunks embedded"}
    controls = [
        h("progress", bar),
        h("p", told, status),
        tiles(
            tile(each, "a chunk", "ms-each"),
            tile(number(done["n_tokens"]), "tokens read", "tokens-read"),
            tile(duration(model["ms"]) if model["ms"] else "–", "to load the model", "model-ms"),
        ),
    ]
    return stage("embed", state, controls, [_glass(state), _strips(state, memo)])


def _glass(state: dict) -> tuple:
    chunk = state["chunk"]
    if chunk is None:
        return h(
            "div", {"class": "glass"}, h("p", {"class": "waiting"}, "One chunk with its tokens comes here.")
        )
    dimensions = state["engine"]["dimensions"]
    named = "%s, chunk %d, as %d numbers" % (chunk["title"], chunk["number"], dimensions)
    waiting = h("p", {"class": "waiting"}, "Its vector comes when the model is there.")
    strip = h("div", {"class": "strip wide", "style": chunk["gradient"], "role": "img", "aria-label": named})
    scale = h(
        "p",
        {"class": "scale"},
        h("span", {}, "below zero"),
        h("span", {"class": "scale-bar", "aria-hidden": "true"}),
        h("span", {}, "above zero"),
    )
    return h(
        "div",
        {"class": "glass", "data-test": "glass"},
        h("h3", {"dir": "auto"}, named),
        [strip, scale] if chunk["strip"] else waiting,
        _tokens(["[CLS]"] + chunk["tokens"] + ["[SEP]"]),
    )


def _tokens(tokens: list) -> list:
    pieces = [h("span", {"class": "tail" if token.startswith("##") else ""}, token) for token in tokens]
    return [
        h("p", {"class": "tokens-title"}, "%s tokens, as the model reads them" % number(len(tokens))),
        h("p", {"class": "tokens", "tabindex": "0", "role": "region", "aria-label": "Tokens"}, pieces),
    ]


def _strips(state: dict, memo: Memo) -> tuple:
    cut = state["cut"]
    chunks = cut["chunks"] if cut else []
    titles = {}
    for document in cut["documents"] if cut else []:
        titles[document["source"]] = document["title"]
    shown = state["chunk"]["id"] if state["chunk"] else ""
    strips = state["strips"]

    def drawn(run: list, key: str) -> tuple:
        items = [_strip(chunk, titles[chunk["source"]], strips.get(chunk["id"], ""), shown) for chunk in run]
        return h("ul", {"key": key, "class": "run"}, items)

    def state_of(run: list) -> str:
        return "%d %s" % (n_ready(run, strips), chosen(run, shown))

    parts = runs(memo, "strips", chunks, drawn, cut, state_of) if cut else []
    return h("div", {"class": "strips", "role": "group", "aria-label": "All chunks"}, parts)


def _strip(chunk: dict, title: str, style: str, shown: str) -> tuple:
    chosen = chunk["id"] == shown
    named = "%s, chunk %d%s" % (title, chunk["number"], "" if style else ", waiting")
    attrs = {
        "type": "button",
        "class": "strip" if style else "strip empty",
        "style": style or None,
        "aria-label": named,
        "aria-pressed": "true" if chosen else "false",
        "title": "%s, chunk %d" % (title, chunk["number"]),
        "data-test": "strip",
        "on-click": {"type": "inspect", "chunk_id": chunk["id"]},
    }
    return h("li", {"key": chunk["id"]}, h("button", attrs))
