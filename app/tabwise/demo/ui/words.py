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
            "Texts, chunks and vectors go into one SQLite file in this browser, each vector as bytes and one "
            "scale. A search compares the query with every one of them, so nothing is lost to approximation."
        ),
    ),
    "retrieve": (
        "Retrieve",
        (
            "Two searches run: one counts shared words, the other measures the angle between meanings. "
            "Each misses what the other finds, so their scores are fused into one list."
        ),
    ),
    "budget": (
        "Fit the budget",
        (
            "A language model reads a limited number of tokens: instructions, question, conversation and "
            "passages share them. The oldest turns and the weakest passages go first, each with its reason."
        ),
    ),
    "answer": (
        "Answer and check",
        (
            "The best sentences are quoted and cited; a small language model in this tab can choose them. "
            "Each sentence is then checked against its source, and when nothing fits, the answer says so."
        ),
    ),
    "tools": (
        "Call tools",
        (
            "Each call is checked against the tool's schema and carried out, and the result goes to the "
            "planner, which calls again or answers. The loop ends with an answer, or at a limit."
        ),
    ),
}
RECEIPT = (
    "Open a receipt",
    (
        "Every answer keeps how it came about: plan, rankings, budget, prompts, checks, times. "
        "A receipt saved by the Tabwise extension is drawn here with the same views."
    ),
)

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

NOTHING_NEAR = "Nothing here is near the question."
# why a search was by words alone, by the state of the model
NO_MEANING = {
    "waiting": "The model is not there yet.",
    "loading": "The model is not there yet.",
    "ready": "Meaning joins when all chunks are embedded.",
    "complete": "The model reads English only, so this question goes by words.",
    "failed": "The model could not be started, so the search goes by words.",
}
# what the panel says of pages, said of files
FILE_FAULTS = {
    "page_empty": "holds no text.",
    "page_too_short": "holds too little text to ask about.",
    "page_has_no_text": "holds no text; pictures of text are not read.",
    "page_unreadable": "cannot be read as text: it is damaged or of another kind.",
    "page_locked": "is locked with a password.",
}

# how far a file is
READING = {
    "pages": "page %s of %s",
    "layout": "%s pages are laid out",
    "chunks": "chunk %s of about %s",
}
ROWS = {"added": "added", "unchanged": "is there already", "left": "was not read on: stopped"}

STARTING = "Starting Python in a worker…"
SLOW = "Still starting Python. It comes with 20 MB; if nothing moves, load the page again."
NOT_STARTED = "Python could not start here. Start it again, or try a current Chrome, Edge or Firefox."
STOPPED = "The engine stopped at something unexpected. Started again, it goes on with what is stored."

STAGE_NAMES = {"plan": "plan", "retrieve": "search", "extract": "choose sentences", "verify": "check"}

KINDS = {
    "reserve": "kept free for the answer",
    "system": "instructions",
    "question": "question",
    "turn": "conversation",
    "source": "passages",
    "free": "left over",
}

# a conversation that fills the window, turn by turn
TURNS = (
    (
        "What is an embedding?",
        "A list of numbers that stands for the meaning of a text. Similar texts have similar lists.",
    ),
    (
        "Why 384 numbers and not more?",
        "The model was trained with that width. More would take more room, and search would be slower.",
    ),
    (
        "And what does BM25 do that an embedding cannot?",
        "It finds exact words: names, part numbers, rare terms. An embedding blurs these.",
    ),
    (
        "How are the two brought together?",
        "By a weighted sum of both scores, each brought to the same range, or by the ranks in both lists.",
    ),
    (
        "Does that cost a lot of time?",
        "A few milliseconds for a hundred thousand vectors on one core, with a small kernel of SIMD code.",
    ),
    (
        "Can all of it run without a server?",
        "Yes. Text, index, model and search are in this tab, and nothing is sent anywhere.",
    ),
    (
        "What happens when the window is full?",
        "The oldest turns are left out first, then the weakest passages. The reasons are kept.",
    ),
)

# tasks that need a search and a calculation
TASKS = (
    "What is 1536 / 388: how much smaller is a vector of 384 bytes and one scale than one of 384 floats?",
    "What is 384 / 8, the number of SIMD steps for the similarity of two vectors of 384 numbers?",
    "Who presented BM25, and when?",
)
PLANNERS = (("rules", "Scripted rules"), ("bundled", "Language model"))
