"""The rows of the Pages view: an open tab with its state, a saved page."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.selectors import title_of
from tabwise.ui.state import put
from tabwise.ui.view.parts import button, favicon, icon_button, site, spinner, title
from tabwise.ui.words import error_action, error_sentence, say


def tab_row(tab: dict, page: dict | None, outcome: dict | None, blocked: str, ticked: bool) -> tuple:
    """Return the row of an open tab: what it is, where it stands, what can be done.

    `page` is its saved page, `outcome` what became of adding it, `blocked` the code that forbids reading it.
    """
    url = tab["url"]
    name = title_of(tab)
    state = _state_of(page, outcome, blocked)
    code = blocked
    if outcome is not None and outcome["failure"] is not None:
        code = outcome["failure"]["code"]
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
            _detail(tab, page, state, code),
        ),
        h("div", {"class": "does"}, _action(tab, page, state, code, name)),
    )


def saved_row(page: dict) -> tuple:
    """Return the row of a saved page that is not open."""
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
            h("p", {"class": "detail"}, site(page["url"]), _words(page)),
        ),
        h("div", {"class": "does"}, _remove(page, name)),
    )


def _state_of(page: dict | None, outcome: dict | None, blocked: str) -> str:
    if outcome is not None and outcome["state"] in ("waiting", "reading", "failed"):
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


def _detail(tab: dict, page: dict | None, state: str, code: str) -> tuple:
    if state == "failed":
        return h("p", {"class": "detail failed", "data-test": "error"}, error_sentence(code))
    if state == "blocked":
        return h("p", {"class": "detail"}, error_sentence(code))
    if state in ("waiting", "reading", "unchanged", "updated"):
        known = [_part(say(state))]
    elif page is not None:
        known = _words(page)
    else:
        known = [_part(say("loading"))] if tab["loading"] else []
    return h("p", {"class": "detail"}, site(tab["url"]), known)


def _part(text: str) -> tuple:
    return h("span", {"class": "part"}, text)


def _words(page: dict) -> list:
    parts = [_part(say("n_pages", n=page["n_pages"]))] if page["n_pages"] else []
    parts.append(_part(say("n_words", n=page["n_words"])))
    if page["n_read_chars"] < page["n_total_chars"]:
        percent = max(1, int(100 * page["n_read_chars"] / page["n_total_chars"]))
        parts.append(_part(say("part_read", percent=percent)))
    if page["n_removed"]:
        said = say("n_removed", n=page["n_removed"])
        parts.append(h("span", {"class": "part removed", "title": said}, said))
    return parts


def _action(tab: dict, page: dict | None, state: str, code: str, name: str) -> tuple | None:
    url = tab["url"]
    add = {"type": "add_one", "url": url}
    if state in ("waiting", "reading"):
        return spinner()
    if state == "failed":
        label, action = error_action(code)
        events = {
            "retry": add,
            "allow": add,
            "read_once": put(add, allowed=True),
            "confirm": put(add, allowed=True, confirmed=True),
            "open": _focus(tab),
            "pages": {"type": "to_library"},
            "reset": {"type": "reset"},
            "reload": {"type": "reload"},
        }
        return button(label, events.get(action, {"type": "dismiss_row", "url": url}), "quiet small")
    if page is not None:
        return h("div", {"class": "saved"}, h("span", {"class": "done"}, icon("check")), _remove(page, name))
    if code == "tab_asleep":
        return button(error_action(code)[0], _focus(tab), "quiet small")
    if code:
        return None
    return button(say("add_one"), add, "secondary small", aria=say("add_label", title=name))


def _focus(tab: dict) -> dict:
    return {"type": "focus_tab", "tab_id": tab["tab_id"], "window_id": tab["window_id"]}


def _remove(page: dict, name: str) -> tuple:
    event = {"type": "remove", "source": page["source"]}
    return icon_button(
        "trash", say("remove_label", title=name), event, title=say("remove"), test="remove", style="faint"
    )
