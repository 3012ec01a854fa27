"""The services that write answers, on the settings page: set up, tried, given a key, removed.

`service` of the state is the one whose fields are open: its record as it stands in the boxes, the key that is
being typed, what a try found or why it failed. A record is stored as soon as it can be used. A key goes to
the browser's storage and is never shown again.
"""

from tabwise.protocol.providers import (
    PRESETS,
    is_sound_provider,
    provider_key_name,
    provider_model_id,
    read_address,
)
from tabwise.ui import client
from tabwise.ui.events import access, egress, toast
from tabwise.ui.state import find, put, put_at, replace_in
from tabwise.ui.text import origin_pattern, site_of
from tabwise.ui.words import error_sentence, say

NO_ANSWER: dict = {"found": None, "error": None, "trying": ""}
NO_MODEL = "extractive"


def add(state: dict, event: dict) -> tuple:
    """Begin a service of a kind with what is known of it; one that needs nothing more is stored at once."""
    kind = event["value"]
    if kind not in PRESETS:
        return state, []
    preset = PRESETS[kind]
    record = {
        "id": _free_id(kind, state["settings"]["providers"]),
        "kind": kind,
        "label": preset["label"],
        "address": preset["address"],
        "model": preset["model"],
        "context_tokens": 0,
        "calls_tools": preset["calls_tools"],
    }
    state, effects = _store(_opened(state, record), record)
    return state, effects + [("focus", "service-address" if not preset["fixed"] else "service-key")]


def edit(state: dict, event: dict) -> tuple:
    """Open the fields of a service."""
    record = find(state["settings"]["providers"], "id", event["service"])
    if record is None:
        return state, []
    return _opened(state, record), [("focus", "service-label")]


def close(state: dict, event: dict) -> tuple:
    """Close the fields; what could be used is stored already."""
    return put(state, service=None), [("focus", "services")]


def typed(state: dict, event: dict) -> tuple:
    """A box changed: what a try found says nothing of the new text."""
    service = state["service"]
    if service is None:
        return state, []
    if event["name"] == "key":
        return put(state, service=put(service, key=event["value"])), []
    record = put_at(service["entry"], event["name"], event["value"])
    return put(state, service=put(put(service, entry=record), **NO_ANSWER)), []


def save(state: dict, event: dict) -> tuple:
    """A box was left, or a model chosen: keep what can be used."""
    if state["service"] is None:
        return state, []
    if "name" in event:
        state, _ = typed(state, event)
    record = state["service"]["entry"]
    address = read_address(record["address"], record["kind"])[0]
    return _store(state, put(record, address=address) if address else record)


def remove(state: dict, event: dict) -> tuple:
    """Remove a service with its key; answers it was to write come from the pages' own sentences."""
    before = state["settings"]
    gone = find(before["providers"], "id", event["service"])
    if gone is None:
        return put(state, service=None), []
    providers = [one for one in before["providers"] if one is not gone]
    preferences = before["preferences"]
    if preferences["engine"] == provider_model_id(gone["id"]):
        preferences = put(preferences, engine=NO_MODEL)
    state, effects = access.save(
        put(state, service=None), put(before, providers=providers, preferences=preferences)
    )
    state, more = toast.show(state, say("service_removed", name=name_of(gone)), event)
    return state, effects + more + [("forget_key", provider_key_name(gone["id"])), ("focus", "services")]


def keep_key(state: dict, event: dict) -> tuple:
    """Hand the typed key to the browser, which keeps it until it is closed or longer."""
    service = state["service"]
    key = service["key"].strip() if service else ""
    if not key:
        return state, [("focus", "service-key")]
    name = provider_key_name(service["entry"]["id"])
    state = put(state, service=put(put(service, key=""), **NO_ANSWER))
    return state, [("set_key", name, key, event["place"]), ("announce", say("key_is_" + event["place"]))]


def forget_key(state: dict, event: dict) -> tuple:
    """Have the browser forget the key of the open service."""
    service = state["service"]
    if service is None:
        return state, []
    name = provider_key_name(service["entry"]["id"])
    return state, [("forget_key", name), ("announce", say("key_forgotten")), ("focus", "service-key")]


def attempt(state: dict, event: dict) -> tuple:
    """Ask the service what it is and offers; nothing of any page goes there."""
    service = state["service"]
    if service is None or service["trying"]:
        return state, []
    state = put(state, service=put(service, **put(NO_ANSWER, trying=event["id"])))
    return client.send(state, event["id"], "provider_test", provider=service["entry"])


def allow(state: dict, event: dict) -> tuple:
    """Ask the browser to let us read what the service answers, then try again."""
    return state, [("grant", [origin_pattern(event["address"])], {"type": "service_try"})]


def on_test(state: dict, message: dict, event: dict) -> tuple:
    """The service answered, or why not is known; what it turned out to be is stored."""
    service = state["service"]
    if service is None or message["re"] != service["trying"] or message["type"] not in ("done", "error"):
        return state, []
    state, effects = egress.describe(state, event)
    if message["type"] == "error":
        error = {"code": message["code"], "subject": message["subject"]}
        state = put(state, service=put(service, error=error, trying=""))
        return state, effects + [("announce", error_sentence(message["code"]))]
    found = message["result"]
    record = put(
        service["entry"],
        kind=found["kind"],
        address=found["address"],
        calls_tools=found["calls_tools"],
        context_tokens=found["context_tokens"],
    )
    if not record["model"] and found["models"]:
        record["model"] = found["models"][0]["id"]
    state = put(state, service=put(service, entry=record, found=found, trying=""))
    state, more = _store(state, record)
    return state, effects + more + [("announce", found_text(found))]


def found_text(found: dict) -> str:
    """What a try found, as one line."""
    return say("service_answers") + " " + say("service_models", n=len(found["models"]))


def name_of(record: dict) -> str:
    """Return what a reader calls a service."""
    label = record["label"].strip()
    if not label and record["address"] and not PRESETS[record["kind"]]["fixed"]:
        label = site_of(record["address"])
    return label or say("kind_" + record["kind"])


def _opened(state: dict, record: dict) -> dict:
    return put(state, service=put(NO_ANSWER, entry=record, key=""))


def _store(state: dict, record: dict) -> tuple:
    """Keep the record in the settings when it can be used and is not there already."""
    if state["service"] is not None:
        state = put(state, service=put(state["service"], entry=record))
    if not is_sound_provider(record):
        return state, []
    providers = state["settings"]["providers"]
    before = find(providers, "id", record["id"])
    if before == record:
        return state, []
    kept = replace_in(providers, "id", record["id"], record) if before else providers + [record]
    return access.save(state, put(state["settings"], providers=kept))


def _free_id(kind: str, providers: list) -> str:
    taken = [provider["id"] for provider in providers]
    number, name = 1, kind
    while name in taken:
        number += 1
        name = "%s-%d" % (kind, number)
    return name


TABLE = {
    "service_add": add,
    "service_edit": edit,
    "service_close": close,
    "service_typed": typed,
    "service_save": save,
    "service_remove": remove,
    "service_key": keep_key,
    "service_forget_key": forget_key,
    "service_try": attempt,
    "service_allow": allow,
}
