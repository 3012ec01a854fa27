"""The message schema as data: what may cross between panel, engine and service worker.

A type is written as
    "str" "int" "float" "bool"            JSON scalars ("float" takes an int too, "int" no bool)
    ("list", T) ("optional", T)           a list; T or null (the field itself is always there)
    ("enum", "a", "b")                    one of these strings
    "Name"                                a record of RECORDS
    "json"                                any JSON value, checked by its reader

Envelope, panel to engine:   {"v": 1, "id": "...", "type": <REQUESTS>, ...fields}
Envelope, engine to panel:   {"v": 1, "re": "...", "type": <EVENTS>, ...fields}
Every request gets any number of events and exactly one terminal event: done, error or cancelled.
`done.result` holds what RESULTS says for the request's type. DEFAULTS are fields that `encode_request` writes
when the sender leaves them out; on the wire all are there.

The tables of each part of the product stand in tables/ and are joined here; `scripts/build.py` renders the
JavaScript typedefs from them.
"""

from tabwise.protocol.tables import (
    agent,
    answers,
    catalogue,
    data,
    doctor,
    egress,
    host,
    models,
    pages,
    providers,
    qdrant,
    reading,
    receipts,
    settings,
    summaries,
    threads,
)
from tabwise.protocol.tables.words import FUSION_MODES, STAGES, VERDICTS

__all__ = ["FUSION_MODES", "STAGES", "VERDICTS"]

PROTOCOL_VERSION = 1
CHANNEL = "tabwise"  # the BroadcastChannel that extension pages share

_PARTS = (
    settings,
    pages,
    answers,
    reading,
    receipts,
    models,
    catalogue,
    qdrant,
    providers,
    egress,
    doctor,
    host,
    agent,
    summaries,
    threads,
    data,
)


def _joined(name: str, own: dict) -> dict:
    """The table called `name` of every part that has one; raises KeyError for a name used twice."""
    table = dict(own)
    for part in _PARTS:
        for key, value in getattr(part, name, {}).items():
            if key in table:
                raise KeyError("%s twice in %s" % (key, name))
            table[key] = value
    return table


RECORDS = _joined("RECORDS", {})
REQUESTS = _joined("REQUESTS", {"cancel": {"target": "str"}})  # target: id of the request to stop
RESULTS = _joined("RESULTS", {"cancel": {"stopped": "bool"}})
DEFAULTS = _joined("DEFAULTS", {})
EVENTS = _joined(
    "EVENTS",
    {
        "accepted": {},  # the router has it; a request without it within a second is sent again
        "progress": {"stage": ("enum",) + STAGES, "done": "int", "total": "int", "unit": "str"},
        "set_aside": {},  # for the router alone: what the engine died on is put aside, the request can go on
        "done": {"result": "json"},
        "error": {"code": "str", "subject": "str", "message": "str", "retryable": "bool"},
        "cancelled": {},
    },
)
TERMINAL = ("done", "error", "cancelled")

# router to panels, without a request: the state of the engine; a new `epoch` means it was restarted
NOTICES = {
    "engine": {
        "state": ("enum", "starting", "ready", "restarting", "failed"),
        "epoch": "str",
        "detail": "str",
    },
}

HOST_CALLS = host.HOST_CALLS
HOST_ERRORS = host.HOST_ERRORS
