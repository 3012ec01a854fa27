"""The button of the microphone in the question box."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.words import say


def dictate_button(on: bool) -> tuple:
    """Return the button that writes what is said into the question box."""
    attrs = {
        "type": "button",
        "class": "icon-button dictate" + (" on" if on else ""),
        "key": "dictate",
        "data-test": "dictate",
        "aria-pressed": "true" if on else "false",
        "aria-label": say("dictate"),
        "title": say("dictate"),
        "on-click": {"type": "dictate"},
    }
    return h("button", attrs, icon("microphone"))
