"""Every sentence the interface shows, in the language of the reader.

The tables are `extension/_locales/<language>/messages.json`, in the form the browser itself reads:
{"key": {"message": "a text with {names}"}}. What counts something is two keys, `key_one` and `key_other`,
chosen by `n`. An error code has one plain sentence, `error_<code>`, and one action: its label is
`error_<code>_action`, what it does stands in REMEDIES.

There is one interface per process and so one table in use; `load` or `use` comes before everything else.
"""

import json

from tabwise.ui.text import isolated, number, use_language

# every language there is a table for, by its own name
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
FALLBACK = "en"

# code: what its action does
REMEDIES = {
    "page_system": "dismiss",
    "page_empty": "selection",
    "page_too_short": "retry",
    "page_unreadable": "dismiss",
    "page_never_read": "read_once",
    "page_has_password": "confirm",
    "page_has_payment": "confirm",
    "page_set_aside": "dismiss",
    "page_has_no_text": "dismiss",
    "page_locked": "dismiss",
    "file_missing": "dismiss",
    "file_too_large": "dismiss",
    "file_unreachable": "retry",
    "file_not_kept": "dismiss",
    "receipt_unknown": "retry",
    "receipt_unreadable": "dismiss",
    "question_empty": "edit",
    "question_too_long": "edit",
    "library_empty": "add",
    "source_unknown": "refresh",
    "thread_unknown": "apart",
    "turn_unknown": "apart",
    "model_unavailable": "retry",
    "model_mismatch": "reembed",
    "prompt_too_long": "edit",
    "model_out_of_memory": "settings",
    "model_no_room": "settings",
    "model_damaged": "settings",
    "network_offline": "retry",
    "network_refused": "retry",
    "network_blocked": "dismiss",
    "network_timeout": "retry",
    "network_lost": "retry",
    "egress_refused": "dismiss",
    "address_invalid": "settings",
    "page_stays_here": "settings",
    "network_portal": "retry",
    "provider_unknown": "settings",
    "key_missing": "settings",
    "key_refused": "settings",
    "origin_refused": "retry",
    "model_unknown": "settings",
    "service_foreign": "settings",
    "rate_limited": "retry",
    "quota_used": "dismiss",
    "request_refused": "dismiss",
    "service_failed": "retry",
    "model_not_downloaded": "settings",
    "model_downloading": "retry",
    "qdrant_path": "dismiss",
    "qdrant_tls": "dismiss",
    "qdrant_old": "dismiss",
    "qdrant_schema": "settings",
    "qdrant_collection": "settings",
    "qdrant_failed": "retry",
    "store_corrupt": "reset",
    "store_full": "pages",
    "store_newer": "retry",
    "store_locked": "retry",
    "import_foreign": "dismiss",
    "import_newer": "dismiss",
    "import_damaged": "dismiss",
    "import_unknown": "dismiss",
    "tab_gone": "dismiss",
    "tab_navigated": "retry",
    "tab_asleep": "wake",
    "tab_needs_permission": "allow",
    "tab_timeout": "retry",
    "tab_is_private": "dismiss",
    "file_access_off": "retry",
    "host_failed": "retry",
    "engine_lost": "retry",
    "wire_invalid": "reload",
    "internal": "retry",
}

_tables: dict = {}
_table: dict = {}


def learn(text: str) -> str:
    """Keep the table that a JSON text holds and return its language; what it lacks is said in English.

    English is therefore the first to be learnt.
    """
    entries = json.loads(text)
    table = dict(_tables.get(FALLBACK, {}))
    for key in entries:
        table[key] = entries[key]["message"]
    _tables[table["locale"]] = table
    return table["locale"]


def use(language: str) -> None:
    """Say everything in a language that was learnt, or in English where it was not."""
    global _table
    _table = _tables.get(language) or _tables[FALLBACK]
    use_language(_table["locale"])


def load(text: str) -> None:
    """Learn a table and use it."""
    use(learn(text))


def language() -> str:
    """Return the language of the table in use, as in `<html lang>`."""
    return _table["locale"]


def knows(key: str) -> bool:
    """Whether there is a text for `key`."""
    return key in _table


def say(key: str, **values: object) -> str:
    """Return the text of `key` with its {names} filled in; whole numbers are written as the language does.

    A value that is written from right to left is kept apart from the words around it (`text.isolated`).
    """
    return _filled(key, values, isolated)


def question(key: str, **values: object) -> str:
    """The same for a text that is asked and not only shown: its values stay letter for letter."""
    return _filled(key, values, str)


def _filled(key: str, values: dict, written) -> str:
    text = _table.get(key)
    if text is None:
        text = _table[key + ("_one" if values["n"] == 1 else "_other")]
    filled = {}
    for name in values:
        value = values[name]
        filled[name] = number(value) if isinstance(value, int) else written(str(value))
    return text.format(**filled)


def error_sentence(code: str, subject: str = "") -> str:
    """Return the plain sentence of an error code; some name their subject."""
    return say("error_" + code, subject=subject)


def file_sentence(code: str) -> str:
    """Return the plain sentence of an error code about a file."""
    key = "file_error_" + code
    return say(key) if knows(key) else error_sentence(code)


def error_action(code: str) -> tuple:
    """Return (label, action) of an error code."""
    return say("error_" + code + "_action"), REMEDIES[code]


def engine_name(engine: str, label: str = "") -> str:
    """Return what wrote an answer as a reader calls it; `label` is the model's own name."""
    key = "engine_" + engine
    return say(key) if knows(key) else label or engine


def unit(name: str) -> str:
    """Return what the engine counts as a reader calls it; a unit without words stays as it is."""
    key = "unit_" + name
    return say(key) if knows(key) else name


def verdict_text(verdict: str, reasons: list) -> str:
    """Return a verdict with its reasons as one line for a reader."""
    said: list = []
    for reason in reasons:
        code, _, subject = reason.partition(":")
        key = "reason_" + code
        text = say(key, subject=subject) if knows(key) else ""
        if text and text not in said:
            said.append(text)
    return say(verdict) + (": " + "; ".join(said) if said and verdict != "supported" else "")
