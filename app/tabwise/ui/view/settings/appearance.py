"""Language and colours of the interface, and what the toolbar button opens."""

from tabwise.ui.view.settings.parts import select_line
from tabwise.ui.words import LANGUAGES, say

APPEARANCES = ("system", "light", "dark")
TOOLBAR = ("panel", "popup")


def appearance_section(state: dict) -> list:
    """Return the choice of the language, each by its own name, of the colours and of the button."""
    preferences = state["settings"]["preferences"]
    languages = [("", say("language_browser"))] + [(key, LANGUAGES[key]) for key in sorted(LANGUAGES)]
    looks = [(look, say("appearance_" + look)) for look in APPEARANCES]
    places = [(place, say("toolbar_" + place)) for place in TOOLBAR]
    speak = {"type": "choose", "name": "language"}
    return [
        select_line("language", preferences["language"], languages, speak, "line alone"),
        select_line(
            "appearance",
            preferences["appearance"],
            looks,
            {"type": "choose", "name": "appearance"},
            "line alone",
        ),
        select_line(
            "toolbar", preferences["toolbar"], places, {"type": "choose", "name": "toolbar"}, "line alone"
        ),
    ]
