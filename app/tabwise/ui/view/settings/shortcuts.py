"""What the keyboard does: in the browser, where the reader may change it, and in the panel."""

from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.settings.parts import line_text
from tabwise.ui.words import knows, say

# what the keys of the panel do; their names are <words>_name
PANEL_KEYS = ("key_omnibox", "key_ask", "key_question", "key_find", "key_stop")


def shortcuts_section(state: dict) -> list:
    """Return the list of shortcuts and the way to the browser's own page of them."""
    rows = [
        _row("command_" + name, state["shortcuts"][name])
        for name in sorted(state["shortcuts"])
        if knows("command_" + name)
    ]
    rows = rows + [_row(words, say(words + "_name")) for words in PANEL_KEYS]
    change = button(say("shortcuts_change"), {"type": "open_shortcuts"}, "secondary", test="open-shortcuts")
    return [
        h("ul", {"class": "list", "key": "keys"}, rows),
        h("div", {"class": "control", "key": "change"}, change),
    ]


def _row(words: str, keys: str) -> tuple:
    shown = h("kbd", {}, keys) if keys else h("span", {"class": "effect"}, say("no_shortcut"))
    return h("li", {"class": "line", "key": words, "data-test": "shortcut"}, line_text(words), shown)
