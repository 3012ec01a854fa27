"""The Chat view: the way to the first answer, then the conversation, its last questions first."""

from tabwise.ui.conversation import shown_blocks, thread_title, working_block
from tabwise.ui.guide import examples
from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.state import INSIDE
from tabwise.ui.tabs import active_tab, addable_urls, why_blocked
from tabwise.ui.threads import versions_of
from tabwise.ui.titles import title_of
from tabwise.ui.view.answer import block_view
from tabwise.ui.view.onboarding import guide_view
from tabwise.ui.view.parts import button, favicon, icon_button, title
from tabwise.ui.words import error_sentence, say

# a question with its answer takes as long to draw as so many rows of a list: a frame of its own
_WEIGHT = 10


def chat_view(state: dict, memo: Memo) -> tuple:
    """Return the conversation, or what leads to the first question."""
    path = shown_blocks(state)
    if not path:
        # until it is known whether a conversation goes on, nothing is shown that would vanish at once
        waits = state["opening"]["request"] or (state["known"] and not state["history"]["known"])
        return h("div", {"class": "thread"}, None if waits else _welcome(state))
    versions = memo("versions", versions_of, state["blocks"])
    last = path[-state["n_shown"] :]
    drawn = [_turn(state, block, versions[block["parent"]], memo) for block in reversed(last)]
    drawn.reverse()
    n_earlier = len(path) - len(drawn)
    return h(
        "div",
        # what cannot be done while a question runs is hidden from here: no answer need be drawn again for it
        {"class": "thread busy" if working_block(state) else "thread"},
        memo("thread head", _head, _title(state, path)) if state["page"] == "panel" else None,
        memo("earlier", _earlier, n_earlier) if n_earlier else None,
        drawn,
    )


def _turn(state: dict, block: dict, versions: list, memo: Memo) -> tuple | None:
    card = state["card"]
    chip = card["chip"] if card and card["block"].partition("/")[0] == block["id"] else ""
    now = state["now"] if block["state"] == "working" else 0
    inside = state["inside"].get(block["id"], INSIDE)
    inputs = (block, inside, chip, now, versions.index(block["id"]) + 1, len(versions))
    drawn: tuple | None = memo.weighed(_WEIGHT, "block " + block["id"], block_view, *inputs)
    return drawn


def _title(state: dict, path: list) -> str:
    """The title of the conversation, "" where it would stand right above the same words."""
    name = thread_title(state)
    asked = " ".join(path[0]["question"].split())
    return "" if len(path) == 1 and asked.startswith(name.rstrip("…")) else name


def _head(name: str) -> tuple:
    """The title of the conversation, and what can be done with it as a whole."""
    given = [
        icon_button(sign, say("thread_" + how), {"type": "give_thread", "how": how}, test="thread-" + how)
        for how, sign in (("copy", "copy"), ("save", "save"), ("print", "print"))
    ]
    return h(
        "header",
        {"class": "thread-head", "key": "head"},
        title(name, "thread-title"),
        h("div", {"class": "thread-acts", "role": "group", "aria-label": say("thread_acts")}, given),
        button(say("new_thread"), {"type": "new_thread"}, "secondary small", icon="plus", test="new-thread"),
    )


def _earlier(n: int) -> tuple:
    more = button(say("earlier", n=n), {"type": "earlier"}, "link", test="earlier")
    return h("p", {"class": "earlier", "key": "earlier"}, more)


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
        guide_view(state),
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
        guide_view(state),
    )
