"""Stage 1: a text with the borders and overlaps of its chunks, and the sliders that move them."""

from tabwise.demo.ui.segments import segments
from tabwise.demo.ui.view.parts import duration, files_button, slider, stage
from tabwise.demo.ui.words import FILE_FAULTS, READING, ROWS
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.text import number
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.words import error_sentence

WORDS_BOUNDS = (30, 200, 10, "words")
ACCEPTED = ".pdf,.html,.htm,.txt,.md"
# a book's worth of text would take seconds to draw anew on every movement of the pointer
MAX_DRAWN_CHARS = 40000
OVERLAP_BOUNDS = (0, 60, 5, "words")


def chunk_view(state: dict, memo: Memo) -> tuple:
    """Return the stage."""
    sizes = state["sizes"]
    off = state["cut"] is None or state["adding"]
    words = {"type": "size", "name": "target_words"}
    overlap = {"type": "size", "name": "overlap_words"}
    controls = [
        slider("target_words", "Target size", sizes["target_words"], WORDS_BOUNDS, words, off),
        slider("overlap_words", "Overlap, at most", sizes["overlap_words"], OVERLAP_BOUNDS, overlap, off),
        h("p", {"class": "measured", "role": "status", "data-test": "cut"}, _measured(state)),
        _giving(state),
    ]
    shown = [state[name] for name in ("page", "cut", "quote", "lit")]
    text = memo("text", lambda *_: _text(state), *shown)
    return stage("chunk", state, controls, [_picker(state), text])


def _giving(state: dict) -> tuple:
    """Texts of the reader's own: add, bring back, reset, and what became of the files given last."""
    off = state["cut"] is None or state["adding"]
    acts = [
        files_button("Add files", ACCEPTED, "add", off),
        button("Reset", {"type": "reset"}, "quiet small", icon="again", test="reset", disabled=off),
    ]
    asked = None
    if state["sure"]:
        yes = button("Remove them", {"type": "reset"}, "secondary small", test="reset-sure")
        no = button("Keep them", {"type": "keep"}, "quiet small", test="reset-keep")
        asked = h(
            "div", {"class": "sure", "role": "alert"}, h("p", {}, "Your own texts would be gone."), yes, no
        )
    elif state["removed"]:
        undo = button("Undo", {"type": "restore"}, "secondary small", test="restore")
        asked = h(
            "div", {"class": "sure"}, h("p", {"dir": "auto"}, "Removed: " + state["removed"]["title"]), undo
        )
    return h(
        "div",
        {"class": "giving"},
        h(
            "p",
            {"class": "hint"},
            "PDF, HTML, Markdown or text. Drop files anywhere on this page; they stay here.",
        ),
        h("div", {"class": "acts"}, acts),
        _reading(state) if state["adding"] else None,
        asked,
        h("ul", {"class": "given"}, [_row(row, place) for place, row in enumerate(state["rows"])]),
    )


def _reading(state: dict) -> tuple:
    """How far the file at hand is, and a button that stops it."""
    told = state["reading"]
    said = "Reading…" if told is None else READING[told["stage"]] % tuple(map(number, _counts(told)))
    name = h("b", {"dir": "auto"}, told["name"]) if told else None
    bar = None
    if told is not None and told["total"]:
        attrs = {"max": str(told["total"]), "value": str(told["done"]), "aria-label": "How far it is"}
        bar = h("progress", attrs)
    return h(
        "div",
        {"class": "reading", "data-test": "reading"},
        h("p", {"class": "hidden", "role": "status"}, "Reading files"),
        h("p", {"class": "measured"}, spinner(), name, said),
        bar,
        button("Stop", {"type": "leave"}, "secondary small", icon="stop", test="leave"),
    )


def _counts(told: dict) -> tuple:
    return (told["total"],) if told["stage"] == "layout" else (told["done"], told["total"])


def _row(row: dict, place: int) -> tuple:
    said = ROWS.get(row["state"]) or _fault(row["code"])
    attrs = {"key": str(place), "data-test": "given", "data-state": row["state"]}
    return h("li", attrs, h("b", {"dir": "auto"}, row["name"]), " " + said)


def _fault(code: str) -> str:
    return FILE_FAULTS.get(code) or error_sentence(code)


def _measured(state: dict) -> str:
    cut = state["cut"]
    if cut is None:
        return "Waiting for Python"
    if state["cutting"]:
        return "Cutting…"
    counts = (number(len(cut["documents"])), number(len(cut["chunks"])), duration(cut["ms"]))
    return "%s texts, %s chunks, cut in %s" % counts


def _picker(state: dict) -> tuple:
    cut, page = state["cut"], state["page"]
    documents = cut["documents"] if cut else []
    options = [_option(document) for document in documents] or h("option", {}, "No text yet")
    attrs = {
        "class": "picker",
        "aria-label": "Text shown",
        "data-test": "document",
        "on-change": {"type": "read"},
        "value": page["source"] if page and documents else None,
        "disabled": not documents,
    }
    removable = page is not None and bool(documents) and not state["adding"]
    remove = button(
        "Remove", {"type": "remove"}, "quiet small", icon="trash", test="remove", disabled=not removable
    )
    picked = h("div", {"class": "picked"}, h("select", attrs, options), remove)
    return h("div", {"class": "picker-row"}, picked, _legend())


def _option(document: dict) -> tuple:
    own = "yours: " if document["is_own"] else ""
    said = "%s%s · %s words" % (own, document["title"], number(document["n_words"]))
    return h("option", {"key": document["source"], "value": document["source"]}, said)


def _legend() -> tuple:
    return h(
        "p",
        {"class": "legend"},
        h("span", {"class": "in-even"}, "chunk"),
        h("span", {"class": "in-odd"}, "next one"),
        h("span", {"class": "in-both"}, "overlap"),
    )


def _text(state: dict) -> tuple:
    page, cut = state["page"], state["cut"]
    attrs = {
        "class": "text",
        "id": "text",
        "tabindex": "0",
        "role": "region",
        "aria-label": "Text with its chunks",
        "data-test": "text",
    }
    if page is None or cut is None:
        return h(
            "div",
            attrs,
            h(
                "p",
                {"class": "waiting"},
                "The text appears here." if cut else "The first text appears when Python is there.",
            ),
        )
    quote = state["quote"]
    at = quote["start"] if quote and quote["source"] == page["source"] else 0
    left, right = _part(len(page["text"]), at)
    chunks = [chunk for chunk in cut["chunks"] if chunk["source"] == page["source"]]
    chunks = [chunk for chunk in chunks if chunk["start"] < right and chunk["end"] > left]
    lines = [line for line in _lines(page) if line[0] < right and line[1] > left]
    blocks = [_block(state, page, chunks, line) for line in lines]
    partly = "Characters %s to %s of %s. A citation or a found chunk leads to other parts."
    said = partly % (number(left + 1), number(right), number(len(page["text"])))
    is_whole = right - left == len(page["text"])
    told = None if is_whole else h("p", {"class": "measured", "data-test": "part"}, said)
    return h("div", attrs, h("h3", {"dir": "auto"}, page["title"]), told, blocks)


def _part(n_chars: int, at: int) -> tuple:
    """Return [start, end) of what is drawn of a text: all of it, or of a long one the part around `at`."""
    if n_chars <= MAX_DRAWN_CHARS:
        return 0, n_chars
    left = min(max(at - MAX_DRAWN_CHARS // 2, 0), n_chars - MAX_DRAWN_CHARS)
    return left, left + MAX_DRAWN_CHARS


def _lines(page: dict) -> list:
    """Return (start, end, whether it is a heading) of every line but the title."""
    headings = [span[0] for span in page["headings"]]
    lines = []
    start = 0
    for line in page["text"].split("\n"):
        end = start + len(line)
        if line and not (start == 0 and line == page["title"]):
            lines.append((start, end, start in headings))
        start = end + 1
    return lines


def _block(state: dict, page: dict, chunks: list, block: tuple) -> tuple:
    start, end, is_heading = block
    quote = state["quote"]
    spans = [(chunk["start"], chunk["end"]) for chunk in chunks]
    if quote and quote["source"] == page["source"]:
        spans.append((quote["start"], quote["end"]))
    parts = []
    for left, right, covering in segments(spans, (start, end)):
        quoted = len(chunks) in covering
        covering = [i for i in covering if i < len(chunks)]
        for i in covering:
            if left == _first_shown(chunks[i], page, block):
                parts.append(_flag(chunks[i]))
        parts.append(_piece(state, chunks, covering, page["text"][left:right], quoted))
    return h("h4" if is_heading else "p", {"dir": "auto"}, parts)


def _first_shown(chunk: dict, page: dict, block: tuple) -> int:
    """Where the flag of a chunk stands: its start, or the first line after the title when it starts there."""
    title = page["title"]
    if chunk["start"] == 0 and page["text"].startswith(title + "\n"):
        return len(title) + 1
    return chunk["start"]


def _flag(chunk: dict) -> tuple:
    attrs = {
        "type": "button",
        "class": "flag",
        "dir": "ltr",
        "key": "flag-%d" % chunk["number"],
        "on-click": {"type": "inspect", "chunk_id": chunk["id"]},
        "title": "%d words. Look at its vector" % chunk["n_words"],
    }
    hidden = h("span", {"class": "hidden"}, "Chunk ")
    return h("button", attrs, hidden, "%d " % chunk["number"], h("i", {}, "· %d tokens" % chunk["n_tokens"]))


def _piece(state: dict, chunks: list, covering: list, text: str, quoted: bool) -> tuple:
    style = "in-none"
    if len(covering) > 1:
        style = "in-both"
    elif covering:
        style = "in-even" if chunks[covering[0]]["number"] % 2 else "in-odd"
    if any([chunks[i]["id"] == state["lit"] for i in covering]):
        style += " lit"
    return h("mark" if quoted else "span", {"class": style}, text)
