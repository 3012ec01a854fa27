"""Pieces of the settings page: a titled part, a line with a switch, a line with a list, a choice of one."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.words import knows, say


def part(words: str, *shown: object) -> tuple:
    """Return a titled part; its words are `words` and, for the line below, `words_more`."""
    return h(
        "div",
        {"class": "part-block", "key": words},
        h("h3", {}, say(words)),
        h("p", {"class": "hint"}, say(words + "_more")),
        list(shown),
    )


def switch_line(words: str, on: bool, event: dict, style: str = "line") -> tuple:
    """Return a line that is switched on or off, with an explanation where there are words for one."""
    attrs = {
        "type": "checkbox",
        "class": "switch",
        "checked": on,
        "data-test": words.replace("_", "-"),
        "on-change": event,
    }
    return h("label", {"class": style, "key": words}, line_text(words), h("input", attrs))


def select_line(words: str, value: str, options: list, event: dict, style: str = "line") -> tuple:
    """Return a line with a list of (value, label) options."""
    attrs = {"value": value, "on-change": event, "data-test": words.replace("_", "-")}
    listed = [
        h("option", {"key": key, "value": key, "selected": key == value}, label) for key, label in options
    ]
    box = h("span", {"class": "select boxed"}, h("select", attrs, listed), icon("down"))
    return h("label", {"class": style, "key": words}, line_text(words), box)


def choice_list(name: str, value: str, options: list, event: dict) -> tuple:
    """Return a list of which one line is chosen; `options` are words with a `_more` each, by their value."""
    rows = []
    for key, words in options:
        attrs = {
            "type": "radio",
            "class": "radio",
            "name": name,
            "value": key,
            "checked": key == value,
            "data-test": name + "-" + key,
            "on-change": event,
        }
        rows.append(h("li", {"key": key}, h("label", {"class": "line"}, h("input", attrs), line_text(words))))
    return h("div", {"role": "radiogroup", "aria-label": say(name)}, h("ul", {"class": "list"}, rows))


def line_text(words: str) -> tuple:
    """Return the words of a line with the explanation under them where there is one."""
    more = words + "_more"
    explained = h("small", {}, say(more)) if knows(more) else None
    return h("span", {"class": "line-text"}, h("b", {}, say(words)), explained)
