"""Language and colours of the interface."""

from tabwise.ui.view.settings.parts import select_line
from tabwise.ui.words import LANGUAGES, say

APPEARANCES = ("system", "light", "dark")


def appearance_section(state: dict) -> list:
    """Return the choice of the language, each by its own name, and of the colours."""
    preferences = state["settings"]["preferences"]
    languages = [("", say("language_browser"))] + [(key, LANGUAGES[key]) for key in sorted(LANGUAGES)]
    looks = [(look, say("appearance_" + look)) for look in APPEARANCES]
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
    ]
