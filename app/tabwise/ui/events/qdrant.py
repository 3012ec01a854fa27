"""The mirror in a Qdrant, on the settings page: where it is, its key, trying it, filling it.

`qdrant` of the state holds what stands in the boxes `address`, `collection` and `key`, None where the reader
has not typed; `found` or `error` of the last try, the request of one that runs as `trying`; `state` as the
engine tells it; `sending` while the reader is asked whether pages may go there. A key goes to the browser's
storage and is never shown again.
"""

from tabwise.protocol.qdrant import KEY_NAME, read_collection, read_store_address
from tabwise.ui import client
from tabwise.ui.events import access, models
from tabwise.ui.state import put
from tabwise.ui.text import origin_pattern
from tabwise.ui.words import error_sentence, say

NO_ANSWER: dict = {"found": None, "error": None, "trying": ""}


def describe(state: dict, event: dict) -> tuple:
    """Ask how far the mirror is."""
    return client.send(state, event["id"] + "-qdrant", "qdrant_state")


def typed(state: dict, event: dict) -> tuple:
    """A box changed: what was found out about the old address says nothing of the new."""
    boxes = put(state["qdrant"], **NO_ANSWER)
    boxes[event["name"]] = event["value"]
    return put(state, qdrant=boxes), []


def save(state: dict, event: dict) -> tuple:
    """A box was left: keep what it says if it can be used."""
    chosen = _chosen(state)
    if chosen is None or chosen == state["settings"]["qdrant"]:
        return state, []
    state, effects = access.save(state, put(state["settings"], qdrant=chosen))
    state, more = describe(state, event)
    return state, effects + more


def switch(state: dict, event: dict) -> tuple:
    """Search with it from now on, or no longer."""
    chosen = put(state["settings"]["qdrant"], enabled=event["checked"])
    state, effects = access.save(state, put(state["settings"], qdrant=chosen))
    state, more = describe(state, event)
    return state, effects + more


def use(state: dict, event: dict) -> tuple:
    """Take the address that a try found in the place of the one that was typed, and try it."""
    boxes = put(state["qdrant"], address=event["address"])
    state, effects = save(put(state, qdrant=boxes), event)
    state, more = attempt(state, event)
    return state, effects + more


def keep_key(state: dict, event: dict) -> tuple:
    """Hand the typed key to the browser, which keeps it until it is closed or longer."""
    key = (state["qdrant"]["key"] or "").strip()
    if not key:
        return state, [("focus", "qdrant-key")]
    state = put(state, qdrant=put(put(state["qdrant"], key=None), **NO_ANSWER))
    return state, [("set_key", KEY_NAME, key, event["place"]), ("announce", say("key_is_" + event["place"]))]


def forget_key(state: dict, event: dict) -> tuple:
    """Have the browser forget the key."""
    state = put(state, qdrant=put(state["qdrant"], **NO_ANSWER))
    return state, [("forget_key", KEY_NAME), ("announce", say("key_forgotten")), ("focus", "qdrant-key")]


def attempt(state: dict, event: dict) -> tuple:
    """Ask the address that stands in the box what it is."""
    boxes, chosen = state["qdrant"], state["settings"]["qdrant"]
    state = put(state, qdrant=put(boxes, **put(NO_ANSWER, trying=event["id"])))
    address = chosen["address"] if boxes["address"] is None else boxes["address"]
    collection = chosen["collection"] if boxes["collection"] is None else boxes["collection"]
    return client.send(state, event["id"], "qdrant_test", address=address, collection=collection)


def allow(state: dict, event: dict) -> tuple:
    """Ask the browser to let us read what the address answers, then try again."""
    return state, [("grant", [origin_pattern(event["origin"] + "/")], {"type": "qdrant_try"})]


def send_ask(state: dict, event: dict) -> tuple:
    """The reader wants the mirror filled: say first what goes where."""
    return put(state, qdrant=put(state["qdrant"], sending=True)), [("focus", "qdrant-send")]


def send_not(state: dict, event: dict) -> tuple:
    """Nothing is sent."""
    return put(state, qdrant=put(state["qdrant"], sending=False)), [("focus", "qdrant-fill")]


def send(state: dict, event: dict) -> tuple:
    """Agree that pages go to this store, and fill it."""
    place = {"origin": state["qdrant"]["state"]["destination"], "purpose": "store"}
    state = put(state, qdrant=put(state["qdrant"], sending=False))
    state, agree = client.send(state, event["id"] + "-agree", "egress_agree", destination=place, once=False)
    state, fill = models.begin(state, event, "qdrant_sync")
    return state, agree + fill


def on_test(state: dict, message: dict, event: dict) -> tuple:
    """The address answered, or why not is known."""
    boxes = state["qdrant"]
    if message["re"] != boxes["trying"] or message["type"] not in ("done", "error"):
        return state, []
    if message["type"] == "done":
        found = message["result"]
        return put(state, qdrant=put(boxes, found=found, trying="")), [("announce", found_text(found))]
    error = {"code": message["code"], "subject": message["subject"]}
    state = put(state, qdrant=put(boxes, error=error, trying=""))
    return state, [("announce", error_sentence(message["code"]))]


def on_sync(state: dict, message: dict, event: dict) -> tuple:
    """The mirror is being filled, is in step, or was left behind."""
    if message["type"] != "done":
        state, effects = models.went_on(state, "qdrant_sync", message, event["now"])
        if message["type"] == "progress":
            return state, effects
        state, more = describe(state, event)
        return state, effects + more
    state = models.with_task(state, "qdrant_sync", None)
    state = put(state, qdrant=put(state["qdrant"], state=message["result"]))
    return state, [("announce", state_text(message["result"])), ("refocus", "qdrant-fill")]


def on_state(state: dict, message: dict, event: dict) -> tuple:
    """The engine told how far the mirror is; what it cannot tell now is not worth a word."""
    if message["type"] != "done":
        return state, []
    return put(state, qdrant=put(state["qdrant"], state=message["result"])), []


def found_text(found: dict) -> str:
    """What a try found, as one line."""
    where = say("qdrant_there", n=found["n_passages"], name=found["collection"])
    if not found["exists"]:
        where = say("qdrant_new", name=found["collection"])
    return say("qdrant_answers", version=found["version"]) + " " + where


def state_text(told: dict) -> str:
    """How far the mirror is, as one line."""
    text = say("qdrant_mirrored", done=told["n_mirrored"], total=told["n_pages"])
    return text + (" · " + say("qdrant_kept_here", n=told["n_kept_here"]) if told["n_kept_here"] else "")


def _chosen(state: dict) -> dict | None:
    """The Qdrant record that the boxes give, None while one of them cannot be used."""
    boxes, chosen = state["qdrant"], state["settings"]["qdrant"]
    address, collection = chosen["address"], chosen["collection"]
    if boxes["address"] is not None:
        address = read_store_address(boxes["address"])[0]
    if boxes["collection"] is not None:
        collection = read_collection(boxes["collection"])[0]
    return put(chosen, address=address, collection=collection) if address and collection else None


TABLE = {
    "qdrant_typed": typed,
    "qdrant_save": save,
    "qdrant_switch": switch,
    "qdrant_use": use,
    "qdrant_key": keep_key,
    "qdrant_forget_key": forget_key,
    "qdrant_try": attempt,
    "qdrant_allow": allow,
    "qdrant_send_ask": send_ask,
    "qdrant_send_not": send_not,
    "qdrant_send": send,
}
