"""The frame of the panel: its views as tabs, the engine's state, what concerns everything, the toast."""

from tabwise.ui.icons import icon
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.state import VIEWS
from tabwise.ui.view.access import sites_view
from tabwise.ui.view.card import card_view
from tabwise.ui.view.chat import chat_view
from tabwise.ui.view.composer import composer_view
from tabwise.ui.view.files import drop_hint
from tabwise.ui.view.history import history_view
from tabwise.ui.view.jobs import jobs_view
from tabwise.ui.view.library import library_view
from tabwise.ui.view.onboarding import next_step
from tabwise.ui.view.pages import pages_view
from tabwise.ui.view.parts import button, error_box, icon_button, spinner
from tabwise.ui.view.pdf import pdf_view
from tabwise.ui.view.popup import popup_view
from tabwise.ui.view.saved import saved_view
from tabwise.ui.view.settings import settings_view
from tabwise.ui.view.task import task_line
from tabwise.ui.view.voice import voice_view
from tabwise.ui.words import say

VIEW_ICONS = {"chat": "chat", "pages": "tabs", "shelf": "books", "history": "clock"}


def frame_view(state: dict, memo: Memo) -> tuple:
    """Return the whole page: the panel, or the settings."""
    if state["page"] == "popup":
        return popup_view(state, memo, _banner(state), _toast(state["toast"]))
    if state["page"] == "voice":
        return voice_view(state, memo)
    if state["page"] == "saved":
        return saved_view(state, _banner(state))
    if state["page"] == "pdf":
        return pdf_view(state)
    if state["page"] == "settings":
        return h(
            "div",
            {"class": "panel settings-page"},
            h("main", {"class": "views"}, _banner(state), settings_view(state), _toast(state["toast"])),
        )
    return h(
        "div",
        {"class": "panel", "data-view": state["view"]},
        memo("bar", _bar, state["view"], len(state["library"]), state["engine"]["state"]),
        h(
            "main",
            {"class": "views", "key": "views"},
            _banner(state),
            _panel(state, "chat", memo),
            _panel(state, "pages", memo),
            _panel(state, "shelf", memo),
            _panel(state, "history", memo),
            card_view(state),
            drop_hint(state["dragging"]),
            _toast(state["toast"]),
        ),
    )


def _bar(shown: str, n_saved: int, engine: str) -> tuple:
    tabs = []
    for view in VIEWS:
        chosen = shown == view
        attrs = {
            "type": "button",
            "role": "tab",
            "id": "view-" + view,
            "class": "view-tab",
            "data-test": "view-" + view,
            "aria-selected": "true" if chosen else "false",
            "aria-controls": "panel-" + view,
            "tabindex": "0" if chosen else "-1",
            "title": say(view),
            "on-click": {"type": "view", "value": view},
        }
        tally = h("span", {"class": "tally"}, str(n_saved)) if view == "pages" and n_saved else None
        name = h("span", {"class": "view-name"}, say(view))
        tabs.append(h("button", attrs, icon(VIEW_ICONS[view]), name, tally))
    return h(
        "header",
        {"class": "bar", "key": "bar"},
        h("h1", {"class": "hidden"}, say("product")),
        h("div", {"class": "view-tabs", "role": "tablist", "aria-label": say("views")}, tabs),
        h("div", {"class": "bar-end"}, _engine(engine), _settings_button()),
    )


def _settings_button() -> tuple:
    return icon_button("sliders", say("settings"), {"type": "open_settings"}, test="open-settings")


def _engine(state: str) -> tuple:
    said = say("engine_" + state)
    quiet = state == "ready"
    attrs = {"class": "engine", "data-test": "engine-state", "data-state": state, "title": said}
    return h(
        "p",
        attrs,
        h("span", {"class": "hidden" if quiet else ""}, said),
        h("span", {"class": "dot", "aria-hidden": "true"}),
    )


def _banner(state: dict) -> tuple | None:
    fault = state["fault"]
    if fault is not None:
        events = {
            "retry": {"type": "retry_engine"},
            "reset": {"type": "reset"},
            "pages": {"type": "view", "value": "pages"},
            "refresh": {"type": "refresh"},
            "reembed": {"type": "reembed"},
            "reload": {"type": "reload"},
        }
        return h(
            "div", {"class": "banner", "key": "banner"}, error_box(fault["code"], events, fault["subject"])
        )
    if state["engine"]["state"] == "restarting":
        return h("p", {"class": "banner soft", "key": "banner"}, spinner(), say("restarting_long"))
    if state["page"] == "settings":
        return None
    work = task_line(state, "reembed")
    if work is not None:
        return h("div", {"class": "banner", "key": "banner"}, work)
    if state["offered"]:
        return h("div", {"class": "banner", "key": "banner"}, _offer())
    kept = state["data"]["kept"]
    if kept is not None and kept["n_lost"]:
        return h("div", {"class": "banner", "key": "banner"}, _lost(kept["n_lost"]))
    return None


def _offer() -> tuple:
    """What is offered when the stored vectors are of another model: never done without a word."""
    attrs = {"class": "offer", "role": "group", "aria-label": say("reembed"), "data-test": "offer"}
    return h(
        "div",
        attrs,
        h("p", {}, say("reembed_why")),
        h(
            "div",
            {"class": "choice-acts"},
            button(say("reembed"), {"type": "reembed"}, "primary small", test="reembed"),
            button(say("not_now"), {"type": "put_off"}, "quiet small", test="put-off"),
        ),
    )


def _lost(n_pages: int) -> tuple:
    """What is said when the browser cleared the library."""
    attrs = {"class": "offer", "role": "group", "aria-label": say("lost_head"), "data-test": "lost"}
    return h(
        "div",
        attrs,
        h("p", {}, say("lost", n=n_pages)),
        h(
            "div",
            {"class": "choice-acts"},
            button(say("lost_import"), {"type": "open_settings"}, "primary small", test="lost-import"),
            button(say("lost_seen"), {"type": "lost_seen"}, "quiet small", test="lost-seen"),
        ),
    )


def _panel(state: dict, view: str, memo: Memo) -> tuple:
    attrs = {
        "role": "tabpanel",
        "id": "panel-" + view,
        "key": view,
        "class": "view",
        "aria-labelledby": "view-" + view,
        "hidden": state["view"] != view,
    }
    if view != "chat":
        # drawn only while it is looked at: a long list of tabs costs the chat nothing
        draw = {"pages": pages_view, "shelf": library_view, "history": history_view}[view]
        shown = draw(state, memo) if state["view"] == view else None
        return h("section", attrs, h("div", {"class": "scroll", "tabindex": "-1"}, shown))
    scroll = h("div", {"class": "scroll", "key": "scroll", "tabindex": "-1"}, chat_view(state, memo))
    shown = state["view"] == "chat"
    jobs = [sites_view(state["asking"]), jobs_view(state), next_step(state)] if shown else None
    return h(
        "section",
        attrs,
        scroll,
        h("div", {"class": "chat-foot", "key": "foot"}, jobs, composer_view(state, memo)),
    )


def _toast(toast: dict | None) -> tuple | None:
    if toast is None:
        return None
    undo = toast["action"]
    return h(
        "div",
        {
            "class": "toast",
            "key": "toast",
            "on-enter": {"type": "toast_hold"},
            "on-leave": {"type": "toast_leave"},
        },
        h("p", {}, toast["text"]),
        button(say(toast["label"]), undo, "toast-act", test="undo") if undo else None,
        icon_button("cross", say("close"), {"type": "toast_close"}, style="faint"),
    )
