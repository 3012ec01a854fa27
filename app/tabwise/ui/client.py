"""Requests in hand: each gets exactly one terminal message, whatever happens to the engine.

A request is posted at once. Without `accepted` within a second the engine is ensured and the same
request is posted again under the same id; the router runs an id once. A request that was accepted and
has been silent for ten seconds is posted again too, and so is every request when a notice tells a new
epoch. After 20 posts without any sign of life the request ends with `engine_lost`.

Effects used here: ("post", text), ("ensure",), ("timer", ms, event).
"""

from tabwise.protocol import codec, schema
from tabwise.ui.state import put, put_at, without

ACCEPT_MS = 1000
SILENCE_MS = 10000
MAX_SILENT_POSTS = 20


def send(state: dict, request_id: str, kind: str, **fields: object) -> tuple:
    """Put a request in hand and post it. Returns (state, effects)."""
    text = codec.encode_request(request_id, kind, **fields)
    pending = {"kind": kind, "text": text, "accepted": False, "heard": 0, "silent_posts": 0}
    effects = [("post", text), ("timer", ACCEPT_MS, {"type": "check", "request": request_id, "heard": 0})]
    return _with(state, request_id, pending), effects


def follow(state: dict, request_id: str, kind: str, text: str) -> tuple:
    """Put a request in hand that another panel has posted. Returns (state, effects)."""
    pending = {"kind": kind, "text": text, "accepted": True, "heard": 0, "silent_posts": 0}
    return _with(state, request_id, pending), [_next_check(request_id, pending, SILENCE_MS)]


def check(state: dict, event: dict) -> tuple:
    """Look after one request when its timer rang. Returns (state, effects, kind, message).

    kind is "" while the request goes on, else the request's type with its error `engine_lost`.
    """
    request_id = event["request"]
    pending = state["pending"].get(request_id)
    if pending is None:
        return state, [], "", {}
    if pending["heard"] != event["heard"]:
        return state, [_next_check(request_id, pending, SILENCE_MS)], "", {}
    if pending["silent_posts"] >= MAX_SILENT_POSTS:
        lost = {
            "type": "error",
            "re": request_id,
            "code": "engine_lost",
            "subject": "",
            "message": "no sign of life",
            "retryable": True,
        }
        return _end(state, request_id), [], pending["kind"], lost
    pending = put(pending, silent_posts=pending["silent_posts"] + 1)
    wait_ms = SILENCE_MS if pending["accepted"] else ACCEPT_MS
    effects = [("ensure",), ("post", pending["text"]), _next_check(request_id, pending, wait_ms)]
    return _with(state, request_id, pending), effects, "", {}


def post_unaccepted(state: dict) -> list:
    """Effects that post again what nobody has accepted yet: the engine has just been ensured."""
    return [("post", p["text"]) for p in state["pending"].values() if not p["accepted"]]


def post_all(state: dict) -> list:
    """Effects that post again everything in hand: a new engine knows nothing of it."""
    return [("post", p["text"]) for p in state["pending"].values()]


def receive(state: dict, text: str) -> tuple:
    """Take a text from the channel. Returns (state, kind, message).

    kind is the request's type for an event of ours, "notice" for the engine's, "elsewhere" for a request
    of another panel that names the open conversation or the one a question was taken out of, "" for what else
    travels on the same channel. A broken message about a request of ours becomes its error `wire_invalid`.
    """
    try:
        message = codec.decode_event(text)
    except codec.Malformed as fault:
        asked = _asked_elsewhere(state, text)
        return (state, "elsewhere", asked) if asked else _broken(state, text, str(fault))
    if message["type"] in schema.NOTICES:
        return state, "notice", message
    request_id = message["re"]
    pending = state["pending"].get(request_id)
    if pending is None:
        return state, "", message
    kind = pending["kind"]
    if message["type"] == "done":
        try:
            codec.check_result(kind, message["result"])
        except codec.Malformed as fault:
            return _end(state, request_id), kind, _wire_error(request_id, str(fault))
    if message["type"] in schema.TERMINAL:
        return _end(state, request_id), kind, message
    pending = put(pending, accepted=True, heard=pending["heard"] + 1, silent_posts=0)
    return _with(state, request_id, pending), kind, message


def _asked_elsewhere(state: dict, text: str) -> dict | None:
    ours = [name for name in (state["thread"], state["taken"]["thread"]) if name]
    if not [name for name in ours if '"%s"' % name in text]:
        return None
    try:
        return codec.decode_request(text)
    except codec.Malformed:
        return None


def _broken(state: dict, text: str, fault: str) -> tuple:
    for request_id in state["pending"]:
        if '"re"' in text and '"%s"' % request_id in text:
            return (
                _end(state, request_id),
                state["pending"][request_id]["kind"],
                _wire_error(request_id, fault),
            )
    return state, "", {}


def _wire_error(request_id: str, fault: str) -> dict:
    return {
        "type": "error",
        "re": request_id,
        "code": "wire_invalid",
        "subject": "",
        "message": fault,
        "retryable": False,
    }


def _next_check(request_id: str, pending: dict, wait_ms: int) -> tuple:
    return ("timer", wait_ms, {"type": "check", "request": request_id, "heard": pending["heard"]})


def _with(state: dict, request_id: str, pending: dict) -> dict:
    return put(state, pending=put_at(state["pending"], request_id, pending))


def _end(state: dict, request_id: str) -> dict:
    return put(state, pending=without(state["pending"], request_id))
