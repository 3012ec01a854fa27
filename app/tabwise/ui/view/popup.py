"""The popup: the page the reader is on, one question to it, its answers, the way to the panel."""

from tabwise.ui.conversation import working_block
from tabwise.ui.events.quick import failure_of
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.tabs import active_tab, page_of, why_blocked
from tabwise.ui.titles import title_of
from tabwise.ui.view.card import card_view
from tabwise.ui.view.chat import chat_view
from tabwise.ui.view.composer import ask_button, stop_button
from tabwise.ui.view.jobs import jobs_view
from tabwise.ui.view.parts import button, error_box, favicon, icon_button, title
from tabwise.ui.words import error_action, error_sentence, say

_SECRET = ("page_has_password", "page_has_payment")


def popup_view(state: dict, memo: Memo, banner: tuple | None, toast: tuple | None) -> tuple:
    """Return the popup."""
    tab = active_tab(state)
    return h(
        "div",
        {"class": "panel popup"},
        _bar(tab),
        h(
            "main",
            {"class": "views", "key": "views"},
            banner,
            h("div", {"class": "scroll", "key": "scroll", "tabindex": "-1"}, chat_view(state, memo))
            if state["blocks"]
            else None,
            h(
                "div",
                {"class": "chat-foot", "key": "foot"},
                _waiting(state),
                jobs_view(state),
                _box(state, tab),
            ),
            card_view(state),
            toast,
        ),
    )


def _bar(tab: dict | None) -> tuple:
    shown = [favicon(tab["url"]), title(title_of(tab))] if tab is not None else None
    panel = icon_button("sidebar", say("open_panel"), {"type": "open_panel"}, test="open-panel")
    heading = h("h1", {"class": "popup-page", "data-test": "popup-page"}, shown)
    return h("header", {"class": "bar", "key": "bar"}, heading, panel)


def _waiting(state: dict) -> tuple | None:
    """Why the page of the waiting question is not added, and what the reader can say to it."""
    code = failure_of(state)
    if not code:
        return None
    go_on = {"type": "quick_go_on"}
    leave = button(say("leave_out"), {"type": "quick_give_up"}, "quiet small", test="leave-out")
    if code in _SECRET or code == "page_never_read":
        word = {"type": "quick_go_on", "allowed": True, "confirmed": code in _SECRET}
        label = say("confirm" if code in _SECRET else "read_once")
        return h(
            "div",
            {"class": "offer", "key": "waiting", "role": "group", "data-test": "waiting"},
            h("p", {}, error_sentence(code)),
            h("div", {"class": "choice-acts"}, button(label, word, "primary small", test="go-on"), leave),
        )
    _, action = error_action(code)
    events = {action: go_on if action in ("retry", "allow", "wake") else {"type": "quick_give_up"}}
    return error_box(code, events)


def _box(state: dict, tab: dict | None) -> tuple:
    """The question box: without scopes, since it is this page that is asked."""
    blocked = why_blocked(state, tab) if tab is not None else ""
    is_saved = tab is not None and page_of(state, tab["url"]) is not None
    code = state["draft_error"]
    box = {
        "id": "question",
        "class": "question",
        "rows": "1",
        "dir": "auto",
        "data-test": "question",
        "aria-label": say("popup_hint"),
        "aria-describedby": "popup-note",
        "placeholder": say("popup_hint"),
        "value": state["draft"],
        "on-input": {"type": "draft"},
    }
    working = working_block(state) is not None
    can_ask = bool(state["draft"].strip()) and not blocked
    return h(
        "div",
        {"class": "composer", "key": "composer"},
        error_box(code, {"edit": {"type": "edit", "block": ""}}) if code else None,
        h(
            "div",
            {"class": "box", "key": "box"},
            h("textarea", box),
            h(
                "div",
                {"class": "box-foot", "key": "foot"},
                h(
                    "p",
                    {"class": "scope", "id": "popup-note", "data-test": "popup-note"},
                    _note(blocked, is_saved),
                ),
                stop_button() if working else ask_button(can_ask, {"type": "quick_ask"}),
            ),
        ),
    )


def _note(blocked: str, is_saved: bool) -> str:
    if is_saved:  # the empty box says whom it asks
        return ""
    return error_sentence(blocked) if blocked and blocked != "tab_asleep" else say("popup_adds_this")
