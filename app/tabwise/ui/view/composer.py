"""The question box at the foot of the chat: what to ask, which pages, Ask or Stop."""

from tabwise.ui.conversation import working_block
from tabwise.ui.icons import icon
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.scope import effective_scope, hosts, scope_choices
from tabwise.ui.state import MANNERS
from tabwise.ui.tabs import tab_to_add
from tabwise.ui.view.microphone import dictate_button
from tabwise.ui.view.narrowing import narrow_button, narrowed_chips, narrowing_view
from tabwise.ui.view.parts import error_box, icon_button
from tabwise.ui.words import say


def composer_view(state: dict, memo: Memo) -> tuple:
    """Return the question box."""
    working = working_block(state) is not None
    chosen = effective_scope(state)
    choices = scope_choices(state)
    draft, error = state["draft"], state["draft_error"]
    here = tab_to_add(state) if choices else ""
    narrowed = state["narrowed"]
    sites = hosts(state) if state["narrowing"] and choices else None
    scope = memo("scope", _scope, choices, chosen, state["known"])
    manner = state["manner"] if choices else ""
    editing = memo("editing", _editing) if state["editing"] else None
    can_talk = state["settings"]["preferences"]["voice"]
    mic = memo("mic", dictate_button, state["dictating"]) if can_talk else None
    shown = (draft, error, working, scope, narrowed, sites, bool(choices), here, manner, editing, mic)
    drawn: tuple = memo("composer", _composer, *shown)
    return drawn


def _composer(
    draft: str,
    code: str,
    working: bool,
    scope: tuple,
    narrowed: dict,
    sites: list | None,
    can_narrow: bool,
    here: str,
    manner: str,
    editing: tuple | None,
    mic: tuple | None,
) -> tuple:
    events = {"edit": {"type": "edit", "block": ""}, "add": {"type": "add_active"}}
    box = {
        "id": "question",
        "class": "question",
        "rows": "1",
        "dir": "auto",
        "data-test": "question",
        "aria-label": say("question"),
        "aria-invalid": "true" if code else None,
        "placeholder": say("question_hint"),
        "value": draft,
        "on-input": {"type": "draft"},
    }
    chips = narrowed_chips(narrowed) if can_narrow else None
    return h(
        "div",
        {"class": "composer", "key": "composer"},
        error_box(code, events) if code else None,
        editing,
        narrowing_view(narrowed, sites) if sites is not None else None,
        h(
            "div",
            {"class": "box", "key": "box"},
            h("textarea", box),
            chips,
            h(
                "div",
                {"class": "box-foot", "key": "foot"},
                scope,
                _manner(manner) if manner and not working else None,
                narrow_button(sites is not None, len(chips[2]) if chips else 0) if can_narrow else None,
                _add_here(here) if here else None,
                mic,
                stop_button() if working else ask_button(bool(draft.strip()), {"type": "ask"}),
            ),
        ),
    )


def _editing() -> tuple:
    """What the box is for while a question is edited."""
    return h(
        "p",
        {"class": "editing", "key": "editing", "data-test": "editing"},
        icon("edit"),
        h("span", {}, say("editing")),
        icon_button("cross", say("edit_cancel"), {"type": "edit_cancel"}, test="edit-cancel"),
    )


def _manner(chosen: str) -> tuple:
    """How to answer: once from all pages, page by page, or by research in steps."""
    options = [h("option", {"key": manner, "value": manner}, say("manner_" + manner)) for manner in MANNERS]
    attrs = {
        "aria-label": say("manner"),
        "title": say("manner"),
        "value": chosen,
        "data-test": "manner",
        "on-change": {"type": "manner"},
    }
    return h("span", {"class": "select manner", "key": "manner"}, h("select", attrs, options), icon("down"))


def _add_here(title: str) -> tuple:
    label = say("add_label", title=title)
    return icon_button("plus", label, {"type": "add_active"}, title=say("add_tab"), style="add-here")


def ask_button(ready: bool, event: dict) -> tuple:
    """Return the button that asks; `ready`: whether there is a question."""
    attrs = {
        "type": "button",
        "class": "send ready" if ready else "send",
        "key": "ask",
        "data-test": "ask",
        "aria-label": say("ask"),
        "title": say("ask"),
        "on-click": event,
    }
    return h("button", attrs, icon("send"))


def stop_button() -> tuple:
    """Return the button that stops the running answer."""
    attrs = {
        "type": "button",
        "class": "send stop",
        "key": "stop",
        "data-test": "stop",
        "on-click": {"type": "stop"},
    }
    return h("button", attrs, icon("stop"), h("span", {}, say("stop")))


def _scope(choices: list, chosen: str, known: bool) -> tuple:
    if not choices:
        return h("p", {"class": "scope empty"}, say("scope_none") if known else "")
    word = h("span", {"class": "scope-word"}, say("asking"), " ")
    if len(choices) == 1:
        return h("p", {"class": "scope"}, word, h("span", {}, choices[0][1]))
    options = [h("option", {"key": value, "value": value}, label) for value, label in choices]
    return h(
        "label",
        {"class": "scope"},
        word,
        h(
            "span",
            {"class": "select"},
            h(
                "select",
                {"aria-label": say("scope_label"), "value": chosen, "on-change": {"type": "scope"}},
                options,
            ),
            icon("down"),
        ),
    )
