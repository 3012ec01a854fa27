"""Speaking and listening: off until the reader switches it on; what that means is said beside it."""

from tabwise.ui.view.settings.parts import select_line, switch_line
from tabwise.ui.words import say

# what can be spoken, each by its own name, and keys that pages seldom use
SPOKEN = {
    "en-US": "English (US)",
    "en-GB": "English (UK)",
    "de-DE": "Deutsch",
    "es-ES": "Español",
    "es-MX": "Español (México)",
    "fr-FR": "Français",
    "it-IT": "Italiano",
    "pt-BR": "Português (Brasil)",
    "nl-NL": "Nederlands",
    "pl-PL": "Polski",
    "ja-JP": "日本語",
    "ko-KR": "한국어",
    "zh-CN": "中文",
    "hi-IN": "हिन्दी",
    "ar-SA": "العربية",
}
KEYS = ("F2", "F4", "F8", "F9", "AltRight", "ControlRight", "ShiftRight", "Space")


def voice_section(state: dict) -> list:
    """Return the switch, the language and the key to talk."""
    chosen = state["settings"]["preferences"]
    languages = [("", say("voice_as_interface"))] + list(SPOKEN.items())
    keys = [(key, key) for key in KEYS]
    lines = [switch_line("voice_on", chosen["voice"], {"type": "prefer", "name": "voice"}, "line alone")]
    for name, options in (("voice_language", languages), ("voice_key", keys)):
        event = {"type": "choose", "name": name}
        lines.append(select_line(name, chosen[name], options, event, "line alone"))
    return lines
