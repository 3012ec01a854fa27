"""The settings page: what is read, the library, what this is. Each section is one row of SECTIONS.

Everything is saved by the control that changes it, so there is nothing to save and nothing to lose.
"""

from tabwise.protocol.rules import CATEGORIES
from tabwise.ui.access import is_everywhere
from tabwise.ui.icons import mark
from tabwise.ui.nodes import h
from tabwise.ui.text import site_of, size
from tabwise.ui.view.parts import button, icon_button
from tabwise.ui.words import say

NOTICE = "/NOTICE.txt"


def settings_view(state: dict) -> tuple:
    """Return the settings page."""
    shown = [
        h(
            "section",
            {"class": "section", "key": name, "id": name, "aria-labelledby": name + "-title"},
            h("h2", {"id": name + "-title"}, say("section_" + name)),
            draw(state),
        )
        for name, draw in SECTIONS
    ]
    return h(
        "div",
        {"class": "settings", "key": "settings", "data-test": "settings"},
        h("header", {"class": "settings-head"}, mark(), h("h1", {}, say("settings"))),
        shown,
    )


def _reading(state: dict) -> list:
    return [_categories(state["settings"]), _own_rules(state), _sites(state["access"]), _windows(state)]


def _categories(settings: dict) -> tuple:
    rows = [
        h("li", {"key": name}, _switch("category_" + name, name not in settings["categories_off"], name))
        for name in CATEGORIES
    ]
    return _part("categories", h("ul", {"class": "list"}, rows))


def _switch(words: str, on: bool, name: str) -> tuple:
    attrs = {
        "type": "checkbox",
        "class": "switch",
        "checked": on,
        "data-test": words.replace("_", "-"),
        "on-change": {"type": "category", "name": name},
    }
    return h(
        "label",
        {"class": "line"},
        h("span", {"class": "line-text"}, h("b", {}, say(words)), h("small", {}, say(words + "_more"))),
        h("input", attrs),
    )


def _own_rules(state: dict) -> tuple:
    rules = sorted(state["settings"]["rules"], key=lambda rule: rule["pattern"].lstrip("*."))
    fault = state["rule_error"]
    box = {
        "type": "text",
        "id": "rule",
        "class": "filter field",
        "dir": "ltr",
        "spellcheck": "false",
        "autocapitalize": "off",
        "data-test": "rule",
        "aria-label": say("rule_label"),
        "aria-invalid": "true" if fault else None,
        "aria-describedby": "rule-error" if fault else None,
        "placeholder": say("rule_hint"),
        "value": state["rule_draft"],
        "on-input": {"type": "rule_draft"},
    }
    return _part(
        "own_rules",
        h(
            "div",
            {"class": "add-rule"},
            h("input", box),
            button(say("rule_deny"), {"type": "add_rule", "effect": "deny"}, "secondary", test="rule-deny"),
            button(
                say("rule_allow"), {"type": "add_rule", "effect": "allow"}, "secondary", test="rule-allow"
            ),
        ),
        h("p", {"class": "fault", "id": "rule-error"}, say("rule_" + fault)) if fault else None,
        h("ul", {"class": "list"}, [_rule(rule) for rule in rules])
        if rules
        else h("p", {"class": "empty"}, say("no_rules")),
    )


def _rule(rule: dict) -> tuple:
    site = rule["pattern"]
    remove = {"type": "remove_rule", "pattern": site}
    return h(
        "li",
        {"key": site, "class": "line", "data-test": "own-rule"},
        h("bdi", {"class": "line-text", "dir": "ltr"}, site),
        h("span", {"class": "effect " + rule["effect"]}, say("rule_is_" + rule["effect"])),
        icon_button("trash", say("rule_remove", site=site), remove, test="remove-rule"),
    )


def _sites(access: dict) -> tuple:
    origins = sorted(access["origins"], key=_site)
    if is_everywhere(access):
        origins = [origin for origin in origins if _site(origin) == say("all_sites")]
    rows = [
        h(
            "li",
            {"key": origin, "class": "line", "data-test": "granted"},
            h("bdi", {"class": "line-text", "dir": "ltr"}, _site(origin)),
            button(
                say("give_back"),
                {"type": "give_back", "origin": origin},
                "secondary small",
                test="give-back",
                aria=say("give_back_label", site=_site(origin)),
            ),
        )
        for origin in origins
    ]
    shown = h("ul", {"class": "list"}, rows) if rows else h("p", {"class": "empty"}, say("no_sites"))
    return _part("granted_sites", shown)


def _site(origin: str) -> str:
    host = site_of(origin)
    return say("all_sites") if host in ("*", "<all_urls>") or "://*/" in origin else host


def _windows(state: dict) -> tuple:
    attrs = {
        "type": "checkbox",
        "class": "switch",
        "checked": state["settings"]["preferences"]["other_windows"],
        "data-test": "pref-windows",
        "on-change": {"type": "prefer", "name": "other_windows"},
    }
    return h(
        "label", {"class": "line alone", "key": "windows"}, h("b", {}, say("windows_pref")), h("input", attrs)
    )


def _library(state: dict) -> list:
    stats = state["stats"]
    if stats is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown"))]
    counts = [
        say("library_counts", n=len(state["library"])),
        say("library_passages", n=stats["n_chunks"]),
        say("library_size", size=size(stats["size_bytes"])),
    ]
    return [
        h("p", {"class": "counts", "key": "counts", "data-test": "counts"}, " · ".join(counts)),
        _clear(state) if state["library"] else None,
    ]


def _clear(state: dict) -> tuple:
    if not state["clearing"]:
        ask = button(say("clear"), {"type": "clear_ask"}, "secondary", test="clear", id="clear")
        return h("div", {"class": "control", "key": "clear"}, ask)
    yes = button(say("clear_yes"), {"type": "clear"}, "danger", test="clear-yes")
    keep = button(say("keep"), {"type": "clear_keep"}, "secondary", test="clear-keep", id="keep")
    attrs = {"class": "control sure", "key": "sure", "role": "group", "aria-label": say("clear")}
    return h("div", attrs, h("p", {}, say("clear_sure", n=len(state["library"]))), yes, keep)


def _about(state: dict) -> list:
    version = state["engine"]["version"]
    licences = {"href": NOTICE, "class": "plain", "target": "_blank"}
    return [
        h("p", {"key": "version"}, say("about_version", version=version)) if version else None,
        h("h3", {"key": "leaves"}, say("about_leaves")),
        h("p", {"key": "leaves-more"}, say("about_leaves_more")),
        h("p", {"key": "licences"}, h("a", licences, say("about_licences"))),
    ]


def _part(words: str, *shown: object) -> tuple:
    return h(
        "div",
        {"class": "part-block", "key": words},
        h("h3", {}, say(words)),
        h("p", {"class": "hint"}, say(words + "_more")),
        list(shown),
    )


# name (its words are section_<name>) and what draws it from the state
SECTIONS = (("reading", _reading), ("library", _library), ("about", _about))
