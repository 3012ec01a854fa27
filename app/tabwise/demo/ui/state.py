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
code      listings by stage                          shown     which of them are open
"""

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
        "code": {},
        "shown": [],
    }
