"""Receipts: of the answers on this page, and any that a copy of the product saved."""

from tabwise.ui.receipts import read_receipt
from tabwise.ui.state import put


def receipt_own(state: dict, event: dict) -> tuple:
    """Draw the receipt of an answer on this page; `of` is "answer" or "run"."""
    text = state["own_receipt"] if event["of"] == "answer" else state["run"]["receipt"]
    return _opened(state, text, True)


def receipt_given(state: dict, event: dict) -> tuple:
    """A file was given that may be a receipt: the engine reads it first."""
    return put(state, receipt_fault=""), [("send", "receipt", {"text": event["value"]})]


def receipt_save(state: dict, event: dict) -> tuple:
    """Save the receipt that is drawn."""
    name = "tabwise-receipt-%s.json" % state["receipt"]["value"]["id"]
    return state, [("save", name, state["receipt"]["text"])]


def receipt_close(state: dict, event: dict) -> tuple:
    """Put the receipt away."""
    return put(state, receipt=None, receipt_fault=""), []


def on_receipt(state: dict, fields: dict) -> tuple:
    """The engine found a receipt sound."""
    return _opened(state, fields["text"], False)


def _opened(state: dict, text: str, is_own: bool) -> tuple:
    value = read_receipt(text)
    if value is None:
        return put(state, receipt_fault="receipt_unreadable"), [("scroll", "#receipt")]
    receipt = {"text": text, "value": value, "is_own": is_own}
    return put(state, receipt=receipt, receipt_fault=""), [("scroll", "#receipt")]


ACTIONS = {
    "receipt_own": receipt_own,
    "receipt_given": receipt_given,
    "receipt_save": receipt_save,
    "receipt_close": receipt_close,
}
TOLD = {"receipt": on_receipt}
