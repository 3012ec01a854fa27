"""Stage 3: what the library holds, as figures and as one square for each chunk."""

from tabwise.demo.ui.view.parts import amount, stage, tile, tiles
from tabwise.ui.nodes import h
from tabwise.ui.text import number


def store_view(state: dict) -> tuple:
    """Return the stage."""
    stored = state["stored"]
    figures = tiles(
        tile(number(stored["n_pages"]) if stored else "–", "texts", "n-pages"),
        tile(number(stored["n_chunks"]) if stored else "–", "chunks", "n-chunks"),
        tile(_n_vectors(state), "vectors", "n-vectors"),
        tile(amount(stored["vector_bytes"]) if stored else "–", "of vectors", "vector-bytes"),
        tile(amount(stored["size_bytes"]) if stored else "–", "SQLite file", "size-bytes"),
    )
    return stage("store", state, [], [figures, _shelf(state)])


def _n_vectors(state: dict) -> str:
    return number(len(state["strips"])) if state["stored"] else "–"


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
