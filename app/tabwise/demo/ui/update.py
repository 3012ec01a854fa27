"""update(state, event) → (state, effects): the one door through which the page's state changes.

Events of the controls are {"type": ...} of ACTIONS, messages of the engine come as {"type": "engine",
"kind": one of messages.EVENTS, "fields": ...}. Effects, performed by the app:
    ("send", kind, fields)      a request to the engine
    ("later", name, ms, event)  dispatch the event after a pause; a newer one of that name replaces it
    ("scroll", selector)        once the state is drawn
"""

from tabwise.demo.ui.strips import gradient
from tabwise.ui.state import put, put_at

PAUSE_MS = 150
PATIENCE_MS = 60_000
MAX_QUERY_CHARS = 500


def update(state: dict, event: dict) -> tuple:
    """Return the next state and the effects of `event`; KeyError on an unknown type."""
    if event["type"] == "engine":
        return TOLD[event["kind"]](state, event["fields"])
    return ACTIONS[event["type"]](state, event)


def _send(kind: str, **fields) -> list:
    return [("send", kind, fields)]


# -- what the controls do ---------------------------------------------------------------------------


def wait(state: dict, event: dict) -> tuple:
    """Python is being loaded; PyScript does not tell when that fails, so after a while the page says more."""
    return state, [("later", "wait", PATIENCE_MS, {"type": "slow"})]


def slow(state: dict, event: dict) -> tuple:
    """A while has passed since the page began to load."""
    return put(state, is_slow=True), []


def start(state: dict, event: dict) -> tuple:
    """The worker is ready: read the corpus; it is searched by words as soon as it is cut."""
    return state, _send("open")


def lost(state: dict, event: dict) -> tuple:
    """The worker could not start."""
    return put(state, fault="engine_lost"), []


def size(state: dict, event: dict) -> tuple:
    """A slider of the chunk sizes moved; the texts are cut when it rests."""
    sizes = put_at(state["sizes"], event["name"], int(event["value"]))
    # more overlap than half a chunk would never get anywhere
    sizes["overlap_words"] = min(sizes["overlap_words"], sizes["target_words"] // 2)
    return put(state, sizes=sizes), [("later", "cut", PAUSE_MS, {"type": "cut"})]


def cut(state: dict, event: dict) -> tuple:
    """Cut the texts with the sizes of the sliders."""
    return put(state, cutting=True), _send("cut", **state["sizes"])


def read(state: dict, event: dict) -> tuple:
    """Show another text."""
    return put(state, quote=None), _send("read", source=event["value"])


def inspect(state: dict, event: dict) -> tuple:
    """Put a chunk under the glass."""
    return put(state, lit=event["chunk_id"]), _send("inspect", chunk_id=event["chunk_id"])


def light(state: dict, event: dict) -> tuple:
    """The pointer or the focus is on a chunk, or has left it ("")."""
    return put(state, lit=event["chunk_id"]), []


def query(state: dict, event: dict) -> tuple:
    """The query changed; search when the typing rests."""
    text = event["value"][:MAX_QUERY_CHARS]
    state = put(state, ask=put(state["ask"], query=text))
    return state, [("later", "ask", PAUSE_MS, {"type": "ask"})]


def example(state: dict, event: dict) -> tuple:
    """An example query was chosen."""
    return ask(put(state, ask=put(state["ask"], query=event["value"])), event)


def setting(state: dict, event: dict) -> tuple:
    """Fusion mode or top-k changed."""
    value = int(event["value"]) if event["name"] == "k" else event["value"]
    return ask(put(state, ask=put_at(state["ask"], event["name"], value)), event)


def ask(state: dict, event: dict) -> tuple:
    """Search and answer, once there is something to search."""
    if not state["ask"]["query"].strip():
        return put(state, refused="question_empty", results=None, answer=None, words=None), []
    if state["cut"] is None:
        return state, []
    return put(state, asking=True, refused=""), _send("ask", **state["ask"])


def show(state: dict, event: dict) -> tuple:
    """Go to a passage in the text: a cited span or a found chunk."""
    state = put(state, quote=event["quote"], seeking=True)
    return state, _send("read", source=event["quote"]["source"])


def code(state: dict, event: dict) -> tuple:
    """Open or close the Python of a stage."""
    stage = event["stage"]
    if stage in state["shown"]:
        return put(state, shown=[name for name in state["shown"] if name != stage]), []
    wanted = [] if stage in state["code"] else _send("code", stage=stage)
    return put(state, shown=state["shown"] + [stage]), wanted


# -- what the engine tells ----------------------------------------------------------------------------


def on_opened(state: dict, fields: dict) -> tuple:
    """The engine said who it is."""
    return put(state, engine=fields), []


def on_chunks(state: dict, fields: dict) -> tuple:
    """The texts were cut: everything that hangs on chunks is asked for anew."""
    strips = {}
    for chunk in fields["chunks"]:
        if chunk["strip"]:
            strips[chunk["id"]] = gradient(chunk["strip"])
    n_waiting = len(fields["chunks"]) - len(strips)
    totals = {"n": 0, "n_tokens": 0, "ms": 0.0, "n_waiting": n_waiting}
    state = put(state, cut=fields, cutting=False, strips=strips, embedded=totals)
    state = put(state, chunk=None, lit="", words=None)
    if n_waiting and state["model"]["state"] == "complete":
        state = put(state, model=put(state["model"], state="ready"))
    source = state["page"]["source"] if state["page"] else fields["documents"][0]["source"]
    effects = _send("read", source=source)
    for chunk in fields["chunks"]:
        if chunk["source"] == source:
            effects = effects + _send("inspect", chunk_id=chunk["id"])
            break
    state, asked = ask(state, {"type": "ask"})
    return state, effects + asked


def on_page(state: dict, fields: dict) -> tuple:
    """A text arrived; when it was opened for a passage, that comes into sight."""
    effects = [("scroll", "#text mark")] if state["seeking"] else []
    return put(state, page=fields, seeking=False), effects


def on_embedded(state: dict, fields: dict) -> tuple:
    """A few chunks have their vectors."""
    strips = dict(state["strips"])
    for chunk in fields["strips"]:
        strips[chunk["id"]] = gradient(chunk["strip"])
    before = state["embedded"]
    totals = {
        "n": before["n"] + len(fields["strips"]),
        "n_tokens": before["n_tokens"] + fields["n_tokens"],
        "ms": before["ms"] + fields["ms"],
        "n_waiting": fields["n_waiting"],
    }
    state = put(state, strips=strips, embedded=totals)
    # the chunk under the glass was shown without its vector
    chunk = state["chunk"]
    if chunk and not chunk["strip"] and chunk["id"] in strips:
        return state, _send("inspect", chunk_id=chunk["id"])
    return state, []


def on_model(state: dict, fields: dict) -> tuple:
    """The model moved on; when every chunk has its vector, the query is asked again, now by meaning."""
    before = state["model"]
    n_ms = fields["ms"] if fields["state"] == "ready" else before["ms"]
    state = put(state, model={"state": fields["state"], "ms": n_ms})
    if fields["state"] == "complete":
        return ask(state, {"type": "ask"})
    return state, []


def on_stored(state: dict, fields: dict) -> tuple:
    """The library was counted."""
    return put(state, stored=fields), []


def on_chunk(state: dict, fields: dict) -> tuple:
    """The chunk under the glass arrived."""
    wide = gradient(fields["strip"]) if fields["strip"] else ""
    return put(state, chunk=put(fields, gradient=wide)), []


def on_results(state: dict, fields: dict) -> tuple:
    """Hits arrived. Those found by words alone are kept, to show what meaning moved."""
    words = state["words"]
    if not fields["semantic"]:
        words = fields
    elif words and words["query"] != fields["query"]:
        words = None
    return put(state, results=fields, words=words), []


def on_answer(state: dict, fields: dict) -> tuple:
    """The answer arrived."""
    return put(state, answer=fields["answer"], asking=False), []


def on_code(state: dict, fields: dict) -> tuple:
    """The Python of a stage arrived."""
    return put(state, code=put_at(state["code"], fields["stage"], fields["listings"])), []


def on_failed(state: dict, fields: dict) -> tuple:
    """A request failed: of a question it is said beside the box, of the index at the top."""
    if fields["request"] in ("ask", "read", "inspect", "code"):
        return put(state, refused=fields["code"], asking=False), []
    return put(state, fault=fields["code"], cutting=False), []


ACTIONS = {
    "wait": wait,
    "slow": slow,
    "start": start,
    "lost": lost,
    "size": size,
    "cut": cut,
    "read": read,
    "inspect": inspect,
    "light": light,
    "query": query,
    "example": example,
    "setting": setting,
    "ask": ask,
    "show": show,
    "code": code,
}
TOLD = {
    "opened": on_opened,
    "chunks": on_chunks,
    "page": on_page,
    "embedded": on_embedded,
    "model": on_model,
    "stored": on_stored,
    "chunk": on_chunk,
    "results": on_results,
    "answer": on_answer,
    "code": on_code,
    "failed": on_failed,
}
