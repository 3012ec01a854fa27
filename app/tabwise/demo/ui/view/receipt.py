"""A receipt, drawn by the panel's own view: of an answer on this page, or saved by the extension."""

from tabwise.demo.ui.view.parts import files_button
from tabwise.demo.ui.words import RECEIPT
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.receipt import stations_view, times_view
from tabwise.ui.words import error_sentence


def receipt_view(state: dict) -> tuple:
    """Return the section; without a receipt, only how to open one."""
    title, text = RECEIPT
    receipt, fault = state["receipt"], state["receipt_fault"]
    acts = [
        files_button(
            "Open a receipt", ".json,application/json", "open-receipt", state["engine"] is None, False
        )
    ]
    if receipt:
        acts.append(
            button("Save it", {"type": "receipt_save"}, "quiet small", icon="save", test="receipt-save")
        )
        acts.append(
            button("Close", {"type": "receipt_close"}, "quiet small", icon="cross", test="receipt-close")
        )
    told = {"class": "refused", "role": "alert", "data-test": "receipt-fault"}
    return h(
        "section",
        {"class": "stage-row", "id": "receipt", "key": "receipt", "aria-labelledby": "receipt-title"},
        h(
            "div",
            {"class": "about"},
            h("h2", {"id": "receipt-title"}, title),
            h("p", {"class": "explained"}, text),
            h("div", {"class": "controls acts"}, acts),
            h("p", told, error_sentence(fault)) if fault else None,
        ),
        h("div", {"class": "figure"}, _drawn(receipt["value"]) if receipt else _none()),
    )


def _none() -> tuple:
    return h(
        "p", {"class": "waiting"}, "No receipt is open. “How this came about” opens that of an answer above."
    )


def _drawn(receipt: dict) -> tuple:
    return h(
        "article",
        {"class": "answer-card how", "data-test": "opened-receipt"},
        h("h3", {"class": "asked", "dir": "auto"}, receipt["question"]),
        times_view([(timing["name"], timing["ms"]) for timing in receipt["timings"]]),
        stations_view(receipt, [], True),
    )
