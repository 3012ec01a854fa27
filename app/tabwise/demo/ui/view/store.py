"""Stage 3: what the library holds, as figures and as one square for each chunk."""

from tabwise.demo.ui.view.parts import amount, stage, tile, tiles
from tabwise.ui.nodes import h
from tabwise.ui.text import number

# what is counted, and its `data-test`
FIGURES = (
    ("texts", "n-pages"),
    ("chunks", "n-chunks"),
    ("vectors", "n-vectors"),
    ("of vectors", "vector-bytes"),
    ("SQLite file", "size-bytes"),
)


def store_view(state: dict) -> tuple:
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
    return stage("store", state, [], [figures, _shelf(state)])


def _shelf(state: dict) -> tuple:
    cut = state["cut"]
    rows = [_row(state, document) for document in cut["documents"]] if cut else []
    return h("ul", {"class": "shelf"}, rows)


def _row(state: dict, document: dict) -> tuple:
    chunks = [chunk for chunk in state["cut"]["chunks"] if chunk["source"] == document["source"]]
    n_ready = len([chunk for chunk in chunks if chunk["id"] in state["strips"]])
    squares = [_square(state, chunk) for chunk in chunks]
    said = "%s: %d chunks, %d with a vector" % (document["title"], len(chunks), n_ready)
    return h(
        "li",
        {"key": document["source"]},
        h("span", {"class": "shelf-title"}, document["title"]),
        h("span", {"class": "squares", "role": "img", "aria-label": said}, squares),
    )


def _square(state: dict, chunk: dict) -> tuple:
    styles = []
    if chunk["id"] in state["strips"]:
        styles.append("ready")
    if chunk["id"] == state["lit"]:
        styles.append("lit")
    return h("i", {"key": chunk["id"], "class": " ".join(styles), "style": "flex-grow:%d" % chunk["n_words"]})
