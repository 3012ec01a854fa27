"""What the reader lets us read: the browser's grants, never-read rules, preferences."""

from tabwise.protocol.rules import read_pattern
from tabwise.protocol.settings import encode_settings, sound_settings
from tabwise.ui.events import hints, toast
from tabwise.ui.state import put, put_at
from tabwise.ui.words import LANGUAGES, language, say


def access(state: dict, event: dict) -> tuple:
    """The browser told what was granted."""
    return put(state, access={"origins": event["origins"], "tabs": event["tabs"]}), []


def settings(state: dict, event: dict) -> tuple:
    """The settings came from storage: at the start, and whenever a page of ours has changed them."""
    kept = sound_settings(event["value"])
    before = state["settings"]["preferences"]
    if kept == state["settings"]:
        return state, []
    state, of_hints = hints.describe(put(state, settings=kept), event)
    return state, of_hints + [("list_windows", kept["preferences"]["other_windows"])] + _looks(state, before)


def words(state: dict, event: dict) -> tuple:
    """Another table of words is in use."""
    return put(state, language=language()), []


def unsaved(state: dict, event: dict) -> tuple:
    """The browser could not store the settings: show what is stored."""
    state, effects = toast.show(state, say("settings_unsaved"), event)
    return state, effects + [("load_settings",)]


def key_places(state: dict, event: dict) -> tuple:
    """The browser told where the key of each service is kept."""
    places = {name: "kept" for name in event["kept"]}
    places.update({name: "session" for name in event["session"]})
    return put(state, keys=places), []


def give_back(state: dict, event: dict) -> tuple:
    """Take the right to read a site back from ourselves."""
    return state, [("revoke", [event["origin"]])]


def add_rule(state: dict, event: dict) -> tuple:
    """Make a rule of the site that was typed; what is no site stays in the box with the reason."""
    pattern, fault = read_pattern(state["rule_draft"])
    if fault:
        shown = put(state, rule_error=fault)
        return shown, [("announce", say("rule_" + fault)), ("focus", "rule")]
    state = put(state, rule_draft="", rule_error="")
    state, effects = save(state, with_rule(state["settings"], event["effect"], pattern))
    return state, effects + [("announce", say("rule_added", site=pattern)), ("focus", "rule")]


def rule_draft(state: dict, event: dict) -> tuple:
    """The text of the box for a new rule changed."""
    return put(state, rule_draft=event["value"], rule_error=""), []


def remove_rule(state: dict, event: dict) -> tuple:
    """Remove a rule; it can be taken back for ten seconds."""
    before = state["settings"]
    rules = [rule for rule in before["rules"] if rule["pattern"] != event["pattern"]]
    gone = [rule for rule in before["rules"] if rule["pattern"] == event["pattern"]]
    if not gone:
        return state, []
    state, effects = save(state, put(before, rules=rules))
    undo = {"type": "put_rule", "effect": gone[0]["effect"], "pattern": event["pattern"]}
    state, more = toast.show(state, say("rule_removed", site=event["pattern"]), event, undo)
    return state, effects + more + [("focus", "rule")]


def put_rule(state: dict, event: dict) -> tuple:
    """Set the rule of a site."""
    state = put(state, toast=None)
    return save(state, with_rule(state["settings"], event["effect"], event["pattern"]))


def category(state: dict, event: dict) -> tuple:
    """Let a category of sites be read, or keep it out again."""
    off = [name for name in state["settings"]["categories_off"] if name != event["name"]]
    if not event["checked"]:
        off.append(event["name"])
    return save(state, put(state["settings"], categories_off=off))


def prefer(state: dict, event: dict) -> tuple:
    """Change a preference."""
    preferences = put(state["settings"]["preferences"])
    preferences[event["name"]] = event["checked"]
    state, effects = save(state, put(state["settings"], preferences=preferences))
    return state, effects + [("list_windows", preferences["other_windows"])]


def choose(state: dict, event: dict) -> tuple:
    """Choose one value of a preference that has several; numbers come as texts."""
    before = state["settings"]["preferences"]
    name, value = event["name"], event["value"]
    preferences = put_at(before, name, int(value) if isinstance(before[name], int) else value)
    state, effects = save(state, put(state["settings"], preferences=preferences))
    return state, effects + _looks(state, before)


def shortcuts(state: dict, event: dict) -> tuple:
    """The browser told which keys its commands have."""
    return put(state, shortcuts=event["keys"]), []


def open_shortcuts(state: dict, event: dict) -> tuple:
    """Open the browser's own page of shortcuts."""
    return state, [("open", "chrome://extensions/shortcuts")]


def with_rule(settings_before: dict, effect: str, pattern: str) -> dict:
    """Return settings in which a site has this rule and no other."""
    rules = [rule for rule in settings_before["rules"] if rule["pattern"] != pattern]
    return put(settings_before, rules=rules + [{"effect": effect, "pattern": pattern}])


def save(state: dict, changed: dict) -> tuple:
    """Show changed settings at once and have them stored."""
    return put(state, settings=changed), [("save_settings", encode_settings(changed))]


def _looks(state: dict, before: dict) -> list:
    """The effects that bring colours and language to what the preferences say now."""
    now = state["settings"]["preferences"]
    effects: list = [] if now["appearance"] == before["appearance"] else [("appearance", now["appearance"])]
    wanted = now["language"] if now["language"] in LANGUAGES else state["browser_language"]
    return effects if wanted == state["language"] else effects + [("speak", wanted)]


def open_settings(state: dict, event: dict) -> tuple:
    """Open the settings page."""
    return state, [("open_settings",)]


TABLE = {
    "access": access,
    "settings": settings,
    "settings_unsaved": unsaved,
    "key_places": key_places,
    "words": words,
    "give_back": give_back,
    "add_rule": add_rule,
    "rule_draft": rule_draft,
    "remove_rule": remove_rule,
    "put_rule": put_rule,
    "category": category,
    "prefer": prefer,
    "choose": choose,
    "shortcuts": shortcuts,
    "open_shortcuts": open_shortcuts,
    "open_settings": open_settings,
}
