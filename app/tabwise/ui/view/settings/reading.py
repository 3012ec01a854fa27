"""What is read: sites left out by themselves, the reader's own rules, what the browser has granted."""

from tabwise.protocol.rules import CATEGORIES
from tabwise.ui.access import is_everywhere
from tabwise.ui.nodes import h
from tabwise.ui.text import site_of
from tabwise.ui.view.parts import button, icon_button
from tabwise.ui.view.settings.parts import part, switch_line
from tabwise.ui.words import say


def reading_section(state: dict) -> list:
    """Return what is left out, the reader's rules, the browser's grants."""
    return [_categories(state["settings"]), _own_rules(state), _sites(state["access"]), _windows(state)]


def _categories(settings: dict) -> tuple:
    off = settings["categories_off"]
    rows = [
        h(
            "li",
            {"key": name},
            switch_line("category_" + name, name not in off, {"type": "category", "name": name}),
        )
        for name in CATEGORIES
    ]
    return part("categories", h("ul", {"class": "list"}, rows))


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
    return part(
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
    return part("granted_sites", shown)


def _site(origin: str) -> str:
    host = site_of(origin)
    return say("all_sites") if host in ("*", "<all_urls>") or "://*/" in origin else host


def _windows(state: dict) -> tuple:
    on = state["settings"]["preferences"]["other_windows"]
    event = {"type": "prefer", "name": "other_windows"}
    return switch_line("windows_pref", on, event, style="line alone")
