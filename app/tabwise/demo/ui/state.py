"""What the page knows: one plain dict, replaced and never changed in place.

here      address of the page, for links to its parts
is_slow   whether a minute has passed                fault     error code of what stopped the engine, ""
engine    what "opened" told, None before            model     state of the model and how long it loaded
sizes     where the two sliders stand                cut       the last "chunks" message, None before
strips    gradient of each embedded chunk, by id     embedded  totals of the embedding since the last cut
page      the text that is shown                     chunk     the chunk under the glass, None before
ask       query, mode and k as the controls stand    results   the last "results"; `words`: before meaning
answer    the last answer                            lit       the chunk the pointer is on, in every list
quote     the cited passage, lit up in the text      seeking   whether it is still to be scrolled to
wanted    source of the text to show once it is cut  adding    whether files are being read
reading   how far the file that is being read is, None before
queued    files given while others are read          rows      what became of the files given last
removed   the text taken out last, None for none
sure      whether a reset waits for its second word  kept      whether the page is there without a network
writing   whether a language model answers           live      its sentences so far
device    where the model that answered last runs, "" for none
lab       sliders of the context budget              turns     its conversation, oldest first
line      the turn the reader writes                 budget    what fitted, None before
run       the tool loop: its task, planner, steps    tour      the stop of the tour, None outside it
receipt   the receipt that is drawn, None for none   own_receipt  text of that of the last answer
code      listings by stage                          shown     which of them are open
"""

from tabwise.demo.ui.words import TASKS, TURNS

LOST = "engine_lost"
"""The fault of an engine that ended; any other is an error code that it told."""
QUERY = "Can someone reconstruct my notes from their vectors?"
EXAMPLES = (
    QUERY,
    "How much faster is a quantised model?",
    "What does the parameter k1 do?",
    "How is text hidden from people on a page?",
    "When did browsers get SIMD?",
    "How do I bake sourdough bread?",
)


def initial_state(here: str) -> dict:
    """Return the state before the engine has started; `here` is the page's address without fragment."""
    return {
        "here": here,
        "engine": None,
        "fault": "",
        "is_slow": False,
        "model": {"state": "waiting", "ms": 0.0},
        "sizes": {"target_words": 110, "overlap_words": 20},
        "cutting": False,
        "cut": None,
        "strips": {},
        "embedded": {"n": 0, "n_tokens": 0, "ms": 0.0, "n_waiting": 0},
        "stored": None,
        "page": None,
        "chunk": None,
        "ask": {"query": QUERY, "mode": "convex", "k": 5},
        "asking": False,
        "refused": "",
        "results": None,
        "words": None,
        "answer": None,
        "lit": "",
        "quote": None,
        "seeking": False,
        "wanted": "",
        "adding": False,
        "reading": None,
        "queued": [],
        "rows": [],
        "removed": None,
        "sure": False,
        "kept": False,
        "writing": False,
        "device": "",
        "live": [],
        "lab": {"budget_tokens": 768, "reserve_tokens": 128, "window_turns": 4},
        "turns": [{"question": question, "answer": answer} for question, answer in TURNS[:3]],
        "line": "",
        "budget": None,
        "run": {
            "question": TASKS[0],
            "engine": "rules",
            "working": False,
            "stopped": False,
            "refused": "",
            "steps": [],
            "answer": None,
            "receipt": "",
        },
        "tour": None,
        "receipt": None,
        "receipt_fault": "",
        "own_receipt": "",
        "code": {},
        "shown": [],
    }
