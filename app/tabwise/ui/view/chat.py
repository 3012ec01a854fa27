"""The Chat view: the way to the first answer, then the thread of this session."""

from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.selectors import active_tab, addable_urls, examples, title_of, why_blocked, working_block
from tabwise.ui.state import INSIDE
from tabwise.ui.view.answer import block_view
from tabwise.ui.view.parts import button, favicon, title
from tabwise.ui.words import error_sentence, say


def chat_view(state: dict, memo: Memo) -> tuple:
    """Return the thread, or what leads to the first question."""
    if not state["blocks"]:
        return h("div", {"class": "thread"}, _welcome(state))
    busy = working_block(state) is not None
    shown = []
    for block in state["blocks"]:
        chip = (
            state["card"]["chip"]
            if state["card"] and state["card"]["block"].partition("/")[0] == block["id"]
            else ""
        )
        now = state["now"] if block["state"] == "working" else 0
        inside = state["inside"].get(block["id"], INSIDE)
        shown.append(memo("block " + block["id"], block_view, block, inside, chip, now, busy))
    return h("div", {"class": "thread"}, shown)


def _welcome(state: dict) -> tuple:
    if not state["known"]:
        return h(
            "section",
            {"class": "welcome starting", "key": "starting"},
            mark(),
            h("p", {"class": "lead"}, say("engine_" + state["engine"]["state"])),
        )
    if state["library"]:
        return _starters(state)
    return h(
        "section",
        {"class": "welcome", "key": "welcome"},
        mark(),
        h("h2", {"class": "headline"}, say("welcome")),
        h("p", {"class": "lead"}, say("welcome_more")),
        _first_page(state) if not state["jobs"] and state["view"] == "chat" else None,
        h("p", {"class": "private"}, icon("lock"), say("private")),
    )


def _first_page(state: dict) -> tuple:
    tab = active_tab(state)
    new, _ = addable_urls(state)
    code = why_blocked(state, tab) if tab else ""
    failed = state["rows"].get(tab["url"]) if tab else None
    if failed is not None and failed["state"] == "failed":
        code = failed["failure"]["code"]
    return h(
        "div",
        {"class": "first"},
        h("p", {"class": "first-tab"}, favicon(tab["url"]), title(title_of(tab))) if tab else None,
        h("p", {"class": "reason", "data-test": "error"}, error_sentence(code)) if code else None,
        h(
            "div",
            {"class": "first-acts"},
            button(
                say("add_tab"),
                {"type": "add_active"},
                "primary",
                icon="plus",
                test="add-tab",
                disabled=tab is None or why_blocked(state, tab) not in ("", "tab_asleep"),
            ),
            button(say("add_all", n=len(new)), {"type": "add_all"}, "secondary") if len(new) > 1 else None,
        ),
    )


def _starters(state: dict) -> tuple:
    asked = [
        h(
            "li",
            {"key": text},
            h(
                "button",
                {"type": "button", "class": "starter", "on-click": {"type": "ask_text", "text": text}},
                h("span", {"dir": "auto"}, text),
                icon("arrow"),
            ),
        )
        for text in examples(state)
    ]
    return h(
        "section",
        {"class": "welcome", "key": "starters"},
        mark(),
        h("h2", {"class": "headline"}, say("ready_to_ask")),
        h("p", {"class": "lead"}, say("pages_saved", n=len(state["library"]))),
        h("h3", {"class": "starters-title"}, say("try_asking")),
        h("ul", {"class": "starters"}, asked),
    )
