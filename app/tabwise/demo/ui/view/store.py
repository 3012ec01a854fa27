"""Stage 3: what the library holds, as figures and as one square for each chunk."""

from tabwise.demo.ui.runs import chosen, n_ready, runs
from tabwise.demo.ui.view.parts import amount, stage, tile, tiles
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.text import number
from tabwise.ui.view.parts import button

# what is counted, and its `data-test`
FIGURES = (
    ("texts", "n-pages"),
    ("chunks", "n-chunks"),
    ("vectors", "n-vectors"),
    ("of vectors", "vector-bytes"),
    ("SQLite file", "size-bytes"),
)

LASTING = "It outlives the page: come back tomorrow and everything is still here."
PASSING = "This browser or another tab keeps the page from storing it: it is gone with the page."


def store_view(state: dict, memo: Memo) -> tuple:
    """Return the stage."""
    stored = state["stored"]
    values = ["–"] * 5
    if stored:
        n_vectors = len(state["strips"])
        values = [
            number(stored["n_pages"]),
            number(stored["n_chunks"]),
            number(n_vectors),
            amount(n_vectors * state["engine"]["vector_bytes"]),
            amount(stored["size_bytes"]),
        ]
    figures = tiles(*[tile(value, label, test) for value, (label, test) in zip(values, FIGURES)])
    save = button(
        "Save the SQLite file",
        {"type": "save_library"},
        "secondary small",
        icon="save",
        test="save-library",
        disabled=not stored,
    )
    kept = state["engine"] and (LASTING if state["engine"]["lasting"] else PASSING)
    told = h("p", {"class": "hint", "data-test": "lasting"}, kept) if kept else None
    return stage("store", state, [save, told], [figures, _shelf(state, memo)])


def _shelf(state: dict, memo: Memo) -> tuple:
    cut = state["cut"]
    documents = cut["documents"] if cut else []
    by_source: dict = {}
    for document in documents:
        by_source[document["source"]] = []
    for chunk in cut["chunks"] if cut else []:
        by_source[chunk["source"]].append(chunk)
    rows = [_row(state, memo, document, by_source[document["source"]]) for document in documents]
    return h("ul", {"class": "shelf"}, rows)


def _row(state: dict, memo: Memo, document: dict, chunks: list) -> tuple:
    def drawn(run: list, key: str) -> tuple:
        return h("span", {"key": key, "class": "run"}, [_square(state, chunk) for chunk in run])

    def state_of(run: list) -> str:
        return "%d %s" % (n_ready(run, state["strips"]), chosen(run, state["lit"]))

    squares = runs(memo, document["source"], chunks, drawn, state["cut"], state_of)
    style = "shelf-title own" if document["is_own"] else "shelf-title"
    ready = n_ready(chunks, state["strips"])
    said = "%s: %d chunks, %d with a vector" % (document["title"], len(chunks), ready)
    return h(
        "li",
        {"key": document["source"]},
        h("span", {"class": style, "dir": "auto"}, document["title"]),
        h("span", {"class": "squares", "role": "img", "aria-label": said}, squares),
    )


def _square(state: dict, chunk: dict) -> tuple:
    styles = []
    if chunk["id"] in state["strips"]:
        styles.append("ready")
    if chunk["id"] == state["lit"]:
        styles.append("lit")
    return h("i", {"key": chunk["id"], "class": " ".join(styles), "style": "flex-grow:%d" % chunk["n_words"]})
