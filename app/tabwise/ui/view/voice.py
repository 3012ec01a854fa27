"""The small icon of a conversation by voice on a page, and beside it the last answer with its sources."""

from tabwise.ui.icons import icon
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.view.card import card_view
from tabwise.ui.view.chat import chat_view
from tabwise.ui.view.parts import icon_button
from tabwise.ui.words import say

ICONS = {"idle": "microphone", "listening": "microphone", "thinking": "near", "speaking": "speaker"}


def voice_view(state: dict, memo: Memo) -> tuple:
    """Return the icon on the page with its state, and the last answer when its sources are wanted."""
    now = state["voice"]["state"]
    label = say("voice_" + now)
    attrs = {
        "type": "button",
        "class": "voice-icon",
        "data-test": "voice-icon",
        "data-state": now,
        "aria-label": label,
        "aria-expanded": "true" if state["voice_open"] else "false",
        "title": label,
        "on-click": {"type": "voice_sources"},
    }
    return h(
        "main",
        {"class": "voice", "data-open": "true" if state["voice_open"] else "false"},
        _answer(state, memo) if state["voice_open"] else None,
        h("h1", {"class": "hidden", "key": "name"}, say("product")),
        h("p", {"class": "hidden", "role": "status", "key": "state"}, label),
        h("button", attrs, icon(ICONS[now])),
    )


def _answer(state: dict, memo: Memo) -> tuple:
    heard = state["voice"]["heard"]
    head = h(
        "div",
        {"class": "voice-head"},
        h(
            "p",
            {"dir": "auto"},
            heard or say("voice_hold", name=state["settings"]["preferences"]["voice_key"]),
        ),
        icon_button("cross", say("close"), {"type": "voice_sources"}, style="faint", test="voice-close"),
    )
    shown = (
        h("div", {"class": "scroll", "tabindex": "-1"}, chat_view(state, memo)) if state["blocks"] else None
    )
    attrs = {"class": "voice-card", "key": "card", "data-test": "voice-card"}
    return h("div", attrs, head, shown, card_view(state))
