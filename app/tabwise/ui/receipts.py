"""Receipts as the panel reads them: the text of core/answers/receipt.py, opened and named.

The panel trusts nothing in a receipt but its shape: what it draws of one that another program wrote is what
fits, and a receipt that lacks a part is none.
"""

import json

from tabwise.ui.words import say

_LISTS = (
    "pages",
    "searches",
    "given",
    "dropped",
    "calls",
    "steps",
    "sentences",
    "citations",
    "notices",
    "timings",
)
_RECORDS = ("plan", "versions", "asked_of")


def read_receipt(text: str) -> dict | None:
    """Return the receipt of a text, None for what is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        return None
    for name in _LISTS:
        if not isinstance(value.get(name), list):
            return None
    for name in _RECORDS:
        if not isinstance(value.get(name), dict):
            return None
    return value


def replay_text(replay: dict) -> str:
    """Say what came of running the searches of a receipt again."""
    if replay["same"]:
        return say("replay_same", n=replay["n_searches"])
    return say("replay_differs", n=len(replay["differences"]))
