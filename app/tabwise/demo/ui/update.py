"""update(state, event) → (state, effects): the one door through which the page's state changes.

Events of the controls are {"type": ...} of ACTIONS, messages of the engine come as {"type": "engine",
"kind": one of messages.EVENTS, "fields": ...}. Effects, performed by the app:
    ("send", kind, fields)      a request to the engine
    ("later", name, ms, event)  dispatch the event after a pause; a newer one of that name replaces it
    ("scroll", selector)        once the state is drawn
    ("morph",)                  let what moves in the next drawing be seen moving
    ("dispatch", event)         an event of its own, after this one
    ("text_of", url, event)     dispatch the event with the text of a file as its "value"
    ("save", name, text)        save a text as a file
    ("download", name, url)     save what is at an address
    ("keep",)                   keep the page for visits without a network
    ("restart",)                end the worker and start another; what is stored stays
"""

from tabwise.demo.ui.events import answers, budget, receipts, texts, tools, tour
from tabwise.demo.ui.state import LOST, initial_state
from tabwise.demo.ui.strips import gradient
from tabwise.ui.state import put, put_at

KEPT_OVER_RESTART = ("sizes", "ask", "lab", "turns", "line", "receipt", "code", "shown", "kept")
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
    return state, _send("open", **state["sizes"])


def lost(state: dict, event: dict) -> tuple:
    """The worker could not start, or ended."""
    return put(state, fault=LOST), []


def restart(state: dict, event: dict) -> tuple:
    """Start the engine anew: what is stored, chosen and written stays, the rest comes again."""
    fresh = initial_state(state["here"])
    for name in KEPT_OVER_RESTART:
        fresh[name] = state[name]
    fresh["run"] = put(state["run"], working=False)
    fresh["wanted"] = state["page"]["source"] if state["page"] else ""
    return fresh, [("restart",)]


def kept(state: dict, event: dict) -> tuple:
    """The page is there without a network from now on."""
    return put(state, kept=True), []


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
    state = put(state, asking=True, writing=False, refused="", live=[])
    return state, _send("ask", engine="extractive", **state["ask"])


def show(state: dict, event: dict) -> tuple:
    """Go to a passage in the text: a cited span or a found chunk."""
    if state["cut"] is None:
        return state, []
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
    wanted = state["wanted"]
    totals = {"n": 0, "n_tokens": 0, "ms": 0.0, "n_waiting": n_waiting}
    state = put(state, cut=fields, cutting=False, strips=strips, embedded=totals)
    state = put(state, chunk=None, lit="", words=None)
    if n_waiting and state["model"]["state"] == "complete":
        state = put(state, model=put(state["model"], state="ready"))
    state = put(state, adding=False, wanted="")
    if not fields["documents"]:
        return texts.go_on(put(state, page=None, results=None, answer=None))
    shown = state["page"]["source"] if state["page"] else ""
    sources = [document["source"] for document in fields["documents"]]
    source = [one for one in (wanted, shown, sources[0]) if one in sources][0]
    effects = _send("read", source=source)
    for chunk in fields["chunks"]:
        if chunk["source"] == source:
            effects = effects + _send("inspect", chunk_id=chunk["id"])
            break
    state, asked = ask(state, {"type": "ask"})
    state, added = texts.go_on(state)
    return state, effects + asked + added


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
    keeping = [] if state["kept"] or fields["state"] not in ("complete", "failed") else [("keep",)]
    # an answer that a language model is writing is not thrown away for a better search
    if fields["state"] == "complete" and not state["writing"]:
        state, asked = ask(state, {"type": "ask"})
        return state, asked + keeping
    return state, keeping


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
    return put(state, results=fields, words=words), [("morph",)] if state["results"] else []


def on_code(state: dict, fields: dict) -> tuple:
    """The Python of a stage arrived."""
    return put(state, code=put_at(state["code"], fields["stage"], fields["listings"])), []


def on_failed(state: dict, fields: dict) -> tuple:
    """A request failed: it is said where it was made, of the index at the top."""
    request, code = fields["request"], fields["code"]
    if request == "receipt":
        return put(state, receipt_fault=code, receipt=None), [("scroll", "#receipt")]
    if request == "act":
        return put(state, run=put(state["run"], working=False, refused=code)), []
    if request in ("ask", "read", "inspect", "code", "weigh", "save"):
        return put(state, refused=code, asking=False, writing=False, live=[]), []
    return put(state, fault=code, cutting=False, adding=False), []


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
    "restart": restart,
    "kept": kept,
}
for topic in (texts, answers, budget, tools, receipts, tour):
    ACTIONS.update(topic.ACTIONS)
TOLD = {
    "opened": on_opened,
    "chunks": on_chunks,
    "page": on_page,
    "embedded": on_embedded,
    "model": on_model,
    "stored": on_stored,
    "chunk": on_chunk,
    "results": on_results,
    "code": on_code,
    "failed": on_failed,
}
for topic in (texts, answers, budget, tools, receipts):
    TOLD.update(topic.TOLD)
