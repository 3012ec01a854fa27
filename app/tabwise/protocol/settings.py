"""The reader's settings: one record, kept whole in the browser's storage.

They are written strictly (`encode_settings`) and read gently (`sound_settings`): what was damaged or comes
from another version keeps every part that can still be understood, so that no rule is lost.
"""

import json

from tabwise.protocol import codec
from tabwise.protocol.providers import is_sound_provider
from tabwise.protocol.qdrant import default_qdrant, is_sound_qdrant
from tabwise.protocol.rules import CATEGORIES, read_pattern
from tabwise.protocol.tables.settings import RECORDS

VERSION = 1
MAX_INTERESTS = 20
MAX_INTEREST_CHARS = 200


def default_settings() -> dict:
    """Return the settings before anyone changed them."""
    return {
        "version": VERSION,
        "rules": [],
        "categories_off": [],
        "never_leaves": [],
        "providers": [],
        "qdrant": default_qdrant(),
        "interests": [],
        "preferences": default_preferences(),
    }


def default_preferences() -> dict:
    """Return the single choices before anyone changed them."""
    return {
        "other_windows": False,
        "engine": "extractive",
        "mode": "convex",
        "k": 8,
        "strict": False,
        "appearance": "system",
        "language": "",
        "agent_steps": 40,
        "agent_seconds": 150,
        "voice": False,
        "voice_language": "",
        "voice_key": "F8",
        "toolbar": "panel",
        "guide": [],
        "max_threads": 60,
        "daily_backup": True,
        "auto_summaries": True,
        "summary_engine": "extractive",
    }


def encode_settings(settings: dict) -> str:
    """Return the text of a Settings record; raises Malformed when it breaks the schema."""
    codec.check(settings, "Settings", "settings")
    return json.dumps(settings)


def sound_settings(value: object) -> dict:
    """Return a Settings record made of the sound parts of `value`: JSON values, None for nothing stored."""
    settings = default_settings()
    if not isinstance(value, dict):
        return settings
    rules = value.get("rules")
    settings["rules"] = [rule for rule in rules if _is_rule(rule)] if isinstance(rules, list) else []
    off = value.get("categories_off")
    settings["categories_off"] = [name for name in CATEGORIES if name in off] if isinstance(off, list) else []
    kept = value.get("never_leaves")
    settings["never_leaves"] = [name for name in kept if _is_pattern(name)] if isinstance(kept, list) else []
    settings["providers"] = _sound_providers(value.get("providers"))
    qdrant = value.get("qdrant")
    if _fits(qdrant, "Qdrant") and is_sound_qdrant(qdrant):  # type: ignore[arg-type]
        settings["qdrant"] = qdrant
    settings["interests"] = _sound_interests(value.get("interests"))
    stored = value.get("preferences")
    if isinstance(stored, dict):
        for name, kind in RECORDS["Preferences"].items():
            if name in stored and _fits(stored[name], kind):
                settings["preferences"][name] = stored[name]
    return settings


def _sound_providers(value: object) -> list:
    """The providers that can be used, the first of each id."""
    sound: list = []
    for provider in value if isinstance(value, list) else []:
        known = [other["id"] for other in sound]
        if _fits(provider, "Provider") and is_sound_provider(provider) and provider["id"] not in known:
            sound.append(provider)
    return sound


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and read_pattern(value)[0] == value != ""


def _sound_interests(value: object) -> list:
    if not isinstance(value, list):
        return []
    texts = [" ".join(text.split())[:MAX_INTEREST_CHARS] for text in value if isinstance(text, str)]
    return [text for text in texts if text][:MAX_INTERESTS]


def _is_rule(value: object) -> bool:
    return _fits(value, "Rule") and read_pattern(value["pattern"])[0] == value["pattern"]  # type: ignore[index]


def _fits(value: object, kind) -> bool:
    try:
        codec.check(value, kind)
    except codec.Malformed:
        return False
    return True
