"""The settings page: each section is one row of SECTIONS.

Everything is saved by the control that changes it, so there is nothing to save and nothing to lose.
"""

from tabwise.ui.icons import mark
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button
from tabwise.ui.view.settings.about import about_section
from tabwise.ui.view.settings.appearance import appearance_section
from tabwise.ui.view.settings.catalogue import catalogue_section
from tabwise.ui.view.settings.data import data_section
from tabwise.ui.view.settings.doctor import doctor_section
from tabwise.ui.view.settings.leaves import leaves_section
from tabwise.ui.view.settings.library import library_section
from tabwise.ui.view.settings.meaning import meaning_section
from tabwise.ui.view.settings.qdrant import qdrant_section
from tabwise.ui.view.settings.reading import reading_section
from tabwise.ui.view.settings.search import search_section
from tabwise.ui.view.settings.services import services_section
from tabwise.ui.view.settings.shortcuts import shortcuts_section
from tabwise.ui.view.settings.summaries import summaries_section
from tabwise.ui.view.settings.voice import voice_section
from tabwise.ui.view.settings.writing import writing_section
from tabwise.ui.words import say

# name (its words are section_<name>) and what draws it from the state
SECTIONS = (
    ("writing", writing_section),
    ("summaries", summaries_section),
    ("models", catalogue_section),
    ("services", services_section),
    ("search", search_section),
    ("meaning", meaning_section),
    ("reading", reading_section),
    ("library", library_section),
    ("data", data_section),
    ("qdrant", qdrant_section),
    ("leaves", leaves_section),
    ("appearance", appearance_section),
    ("voice", voice_section),
    ("shortcuts", shortcuts_section),
    ("doctor", doctor_section),
    ("about", about_section),
)


def settings_view(state: dict) -> tuple:
    """Return the settings page."""
    shown = [
        h(
            "section",
            {
                "class": "section",
                "key": name,
                "id": name,
                "data-test": "section",
                "aria-labelledby": name + "-title",
                "tabindex": "-1",
            },
            h("h2", {"id": name + "-title"}, say("section_" + name)),
            draw(state),
        )
        for name, draw in SECTIONS
    ]
    return h(
        "div",
        {"class": "settings", "key": "settings", "data-test": "settings"},
        h("header", {"class": "settings-head"}, mark(), h("h1", {}, say("settings"))),
        _list(),
        shown,
    )


def _list() -> tuple:
    """Every section by name; it stands beside them where the window is wide enough."""
    names = [name for name, _ in SECTIONS]
    lines = [h("li", {"key": name}, _line(name)) for name in names]
    attrs = {"class": "settings-list", "key": "list", "aria-label": say("settings")}
    return h("nav", attrs, h("ul", {}, lines))


def _line(name: str) -> tuple:
    event = {"type": "to_section", "section": name}
    return button(say("section_" + name), event, "quiet small", test="to-section")
