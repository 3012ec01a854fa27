"""The rows of the Pages view: an open tab with its state, a saved page."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import put
from tabwise.ui.tabs import SECRETS
from tabwise.ui.text import rounded
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import button, favicon, icon_button, site, spinner, title
from tabwise.ui.view.summaries import hint_view, summary_view
from tabwise.ui.words import error_action, error_sentence, say

_BUSY = ("waiting", "reading", "waking")


def tab_row(
    tab: dict,
    page: dict | None,
    outcome: dict | None,
    blocked: str,
    rule: str,
    ticked: bool,
    changed: bool,
    hint: dict | None,
    summary: dict | None,
    unfolded: bool,
    by: str,
    in_hand: dict | None,
) -> tuple:
    """Return the row of an open tab: what it is, where it stands, what it says in short, what can be done.

    The arguments are the fields of a row of `tabs.tab_rows`, the hint on the tab, and those of
    `summaries.told_of` its page.
    """
    url = tab["url"]
    name = title_of(tab)
    state = _state_of(page, outcome, blocked)
    code = blocked
    if outcome is not None and outcome["failure"] is not None:
        code = outcome["failure"]["code"]
        rule = outcome["failure"]["subject"] if code == "page_never_read" else ""
    attrs = {
        "class": "row" + (" active" if tab["active"] else "") + (" blocked" if state == "blocked" else ""),
        "key": "tab-%d" % tab["tab_id"],
        "data-test": "tab-row",
        "data-state": state,
        "data-url": url,
    }
    tick = {
        "type": "checkbox",
        "checked": ticked,
        "disabled": blocked != "",
        "aria-label": say("tick_label", title=name),
        "on-change": {"type": "tick_tab", "url": url},
    }
    return h(
        "li",
        attrs,
        h("label", {"class": "tick"}, h("input", tick)),
        h(
            "div",
            {"class": "what"},
            _opener("tab-%d" % tab["tab_id"], url, name, _focus(tab), tab["active"]),
            _detail(tab, page, state, code, rule, changed),
            hint_view(hint),
            summary_view("tab-%d-summary" % tab["tab_id"], summary, unfolded, by, in_hand),
            _choices(url, state, code, name),
        ),
        h("div", {"class": "does"}, _action(tab, page, state, code, name, changed)),
    )


def saved_row(page: dict, summary: dict | None, unfolded: bool, by: str, in_hand: dict | None) -> tuple:
    """Return the row of a saved page that is not open, with what `summaries.told_of` says."""
    attrs = {
        "class": "row saved",
        "key": page["source"],
        "data-test": "library-row",
        "data-source": page["source"],
    }
    name = title_of(page)
    return h(
        "li",
        attrs,
        h(
            "div",
            {"class": "what"},
            _opener(
                "saved-" + page["source"], page["url"], name, {"type": "open_page", "url": page["url"]}, False
            ),
            h("p", {"class": "detail"}, site(page["url"]), page_words(page)),
            summary_view("saved-%s-summary" % page["source"], summary, unfolded, by, in_hand),
        ),
        h("div", {"class": "does"}, remove_button(page, name)),
    )


def _state_of(page: dict | None, outcome: dict | None, blocked: str) -> str:
    if outcome is not None and outcome["state"] in _BUSY + ("failed",):
        return outcome["state"]
    if page is not None:
        return outcome["state"] if outcome is not None else "added"
    return "blocked" if blocked else "new"


def _opener(element_id: str, url: str, name: str, event: dict, active: bool) -> tuple:
    return h(
        "button",
        {"type": "button", "id": element_id, "class": "opener", "title": name, "on-click": event},
        favicon(url),
        title(name),
        h("span", {"class": "here"}, say("this_tab")) if active else None,
    )


def _detail(tab: dict, page: dict | None, state: str, code: str, rule: str, changed: bool) -> tuple:
    said = say("never_" + rule) if rule else error_sentence(code) if code else ""
    if state == "failed":
        soft = code in SECRETS or code == "page_never_read"
        return h("p", {"class": "detail" + ("" if soft else " failed"), "data-test": "error"}, said)
    if state == "blocked":
        return h("p", {"class": "detail"}, said)
    if state in _BUSY + ("unchanged", "updated"):
        known = [part(say(state))]
    elif page is not None:
        known = [_long(say("asleep_saved"))] if tab["asleep"] else page_words(page)
    else:
        known = [part(say("loading"))] if tab["loading"] else []
    if changed:
        known = [_long(say("changed"))]
    return h("p", {"class": "detail"}, site(tab["url"]), known)


def part(text: str) -> tuple:
    """Return one detail of a row."""
    return h("span", {"class": "part"}, text)


def _long(text: str) -> tuple:
    return h("span", {"class": "part long", "title": text}, text)


def page_words(page: dict) -> list:
    """Return what is known of a saved page as details of its row: pages, words, what was left out."""
    parts = [part(say("n_pages", n=page["n_pages"]))] if page["n_pages"] else []
    if page["n_read_chars"] < page["n_total_chars"]:
        read, total = rounded(page["n_read_chars"]), rounded(page["n_total_chars"])
        parts.append(_long(say("part_read", read=read, total=total)))
    else:
        parts.append(part(say("n_words", n=page["n_words"])))
    if page["no_captions"]:
        parts.append(part(say("no_captions")))
    if page["n_removed"]:
        said = say("n_removed", n=page["n_removed"])
        parts.append(h("span", {"class": "part removed", "title": said}, said))
    return parts


def _choices(url: str, state: str, code: str, name: str) -> tuple | None:
    """The ways on from a page that is not read without another word of the reader."""
    if state not in ("blocked", "failed") or code not in SECRETS + ("page_never_read",):
        return None
    add = {"type": "add_one", "url": url, "allowed": True}
    if code == "page_never_read":
        always = {"type": "always_allow", "url": url}
        shown = [
            button(say("read_once"), add, "link", test="read-once", aria=say("read_once_label", title=name)),
            button(say("always_allow"), always, "link", test="always-allow"),
        ]
    else:
        anyway = put(add, confirmed=True)
        leave = {"type": "dismiss_row", "url": url}
        shown = [
            button(say("confirm"), anyway, "link", test="confirm", aria=say("confirm_label", title=name)),
            button(say("leave_out"), leave, "link", test="leave-out"),
        ]
    return h("p", {"class": "choices"}, shown)


def _action(
    tab: dict, page: dict | None, state: str, code: str, name: str, changed: bool
) -> tuple | list | None:
    url = tab["url"]
    add = {"type": "add_one", "url": url}
    if state in _BUSY:
        return spinner()
    if state == "failed":
        return _remedy(tab, code)
    if page is not None:
        mark = h(
            "div", {"class": "saved"}, h("span", {"class": "done"}, icon("check")), remove_button(page, name)
        )
        again = {"type": "add_one", "url": url}
        return [button(say("update"), again, "secondary small", test="update"), mark] if changed else mark
    if code == "tab_asleep":
        return button(error_action(code)[0], add, "secondary small", test="wake")
    if code:
        return None
    return button(say("add_one"), add, "secondary small", aria=say("add_label", title=name))


def _remedy(tab: dict, code: str) -> tuple | None:
    """The one action that goes with a failure."""
    url = tab["url"]
    if code in SECRETS or code == "page_never_read":
        return None
    label, action = error_action(code)
    events = {
        "retry": {"type": "add_one", "url": url},
        "selection": {"type": "add_one", "url": url, "selection": True},
        "wake": {"type": "add_one", "url": url},
        "allow": {"type": "ask_access", "url": url},
        "pages": {"type": "to_library"},
        "reembed": {"type": "reembed"},
        "reset": {"type": "reset"},
        "reload": {"type": "reload"},
    }
    if action not in events:
        return button(label, {"type": "dismiss_row", "url": url}, "quiet small")
    return button(label, events[action], "secondary small")


def _focus(tab: dict) -> dict:
    return {"type": "focus_tab", "tab_id": tab["tab_id"], "window_id": tab["window_id"]}


def remove_button(page: dict, name: str) -> tuple:
    """Return the button that takes a page out of the library."""
    event = {"type": "remove", "source": page["source"]}
    return icon_button(
        "trash", say("remove_label", title=name), event, title=say("remove"), test="remove", style="faint"
    )
