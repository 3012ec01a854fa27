"""What the page says about its stages: a heading and two sentences each, and the labels of its controls."""

TITLE = "RAG with nothing hidden"
LEAD = (
    "Retrieval-augmented answering, taken apart. Seventeen short texts about machine learning in the browser "
    "are cut, embedded, stored, searched and quoted by the engine of the Tabwise extension, in this tab. "
    "Pull the network cable: nothing changes."
)
FOOT = (
    "Drawn by MicroPython, computed by CPython on WebAssembly, vectors by ONNX Runtime. "
    "Nothing is sent anywhere."
)

STAGES = {
    "chunk": (
        "Ingest and chunk",
        (
            "A whole text is too blunt to search, so each is cut into chunks that end where sentences end. "
            "A little overlap keeps a thought whole that crosses a border."
        ),
    ),
    "embed": (
        "Embed",
        (
            "A small neural network reads each chunk and returns 384 numbers that stand for its meaning. "
            "Drawn as colours, chunks about similar things show similar patterns."
        ),
    ),
    "store": (
        "Store",
        (
            "Texts, chunks and vectors go into one SQLite file, each vector as bytes with a single scale. "
            "A search compares the query with every one of them, so nothing is lost to approximation."
        ),
    ),
    "retrieve": (
        "Retrieve",
        (
            "Two searches run: one counts shared words, the other measures the angle between meanings. "
            "Each misses what the other finds, so their scores are fused into one list."
        ),
    ),
    "answer": (
        "Answer and check",
        (
            "The best sentences are quoted and cited; no language model invents anything here. "
            "Each is then checked against its source, and when nothing fits, the answer says so."
        ),
    ),
}

MODES = (
    ("convex", "Weighted sum"),
    ("rrf", "Rank fusion"),
    ("dense", "Meaning only"),
    ("lexical", "Words only"),
)

MODEL = {
    "waiting": "waiting for the first chunks",
    "loading": "loading the model, 23 MB",
    "ready": "embedding",
    "complete": "complete",
    "failed": "the model could not be started; search goes by words",
}

STARTING = "Starting Python in a worker…"
SLOW = "Still starting Python. It comes with 20 MB; if nothing moves, load the page again."
NOT_STARTED = "Python could not start here. Load the page again, or try a current Chrome, Edge or Firefox."
STOPPED = "The engine stopped at something unexpected. Load the page again to go on."

STAGE_NAMES = {"plan": "plan", "retrieve": "search", "extract": "choose sentences", "verify": "check"}
