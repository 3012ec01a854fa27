"""The Pages view: the tabs of the window as they are now, and the saved pages beside them."""

from tabwise.ui.icons import icon
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.state import ABOUT_SUMMARIES, INSIDE, find
from tabwise.ui.tabs import (
    MAX_LISTED,
    active_tab,
    addable_urls,
    file_rows,
    is_here,
    library_rows,
    page_of,
    tab_rows,
    why_blocked,
)
from tabwise.ui.text import number
from tabwise.ui.view.access import sites_view
from tabwise.ui.view.egress import preview_view
from tabwise.ui.view.files import files_control, files_view
from tabwise.ui.view.found import found_view
from tabwise.ui.view.jobs import jobs_view
from tabwise.ui.view.parts import button
from tabwise.ui.view.rows import saved_row, tab_row
from tabwise.ui.view.settings.writing import writer_names
from tabwise.ui.view.summaries import missing_summaries, summaries_view, told_of
from tabwise.ui.words import say


def pages_view(state: dict, memo: Memo) -> tuple:
    """Return the list of tabs and saved pages with what can be done to them."""
    rows = tab_rows(state)
    saved = library_rows(state)
    needle = state["filter"].strip()
    names = memo("writers", writer_names, state["settings"]["providers"], state["catalogue"])
    told, hints = state["summaries"], state["hints"]["by_url"]
    return h(
        "div",
        {"class": "pages"},
        _actions(state),
        h("div", {"class": "more-acts", "key": "more"}, files_control(), missing_summaries(state)),
        sites_view(state["asking"]),
        jobs_view(state),
        summaries_view(state),
        preview_view(ABOUT_SUMMARIES, state["inside"].get(ABOUT_SUMMARIES, INSIDE), "h2"),
        memo("files", files_view, file_rows(state), told, names),
        _filter(state),
        None
        if needle and not rows
        else memo("open tabs", _open, rows, state["tabs"], hints, told, names, memo),
        None if needle else _windows_switch(state["settings"]["preferences"]["other_windows"]),
        found_view(state, memo) if needle else _library(state, saved, names, memo),
    )


def _actions(state: dict) -> tuple:
    tab = active_tab(state)
    new, readable = addable_urls(state)
    known = tab is not None and page_of(state, tab["url"]) is not None
    n_ticked = len(state["ticked"])
    return h(
        "div",
        {"class": "actions", "key": "actions"},
        button(
            say("add_again" if known else "add_tab"),
            {"type": "add_active"},
            "secondary" if n_ticked or known else "primary",
            icon="again" if known else "plus",
            test="add-tab",
            disabled=tab is None or why_blocked(state, tab) not in ("", "tab_asleep"),
        ),
        button(say("add_ticked", n=n_ticked), {"type": "add_ticked"}, "primary", test="add-ticked")
        if n_ticked
        else None,
        button(
            say("add_all", n=len(new)) if new else say("update_all", n=len(readable)),
            {"type": "add_all"},
            "primary" if known and new and not n_ticked else "secondary",
            test="add-all",
            disabled=not readable,
        ),
    )


def _filter(state: dict) -> tuple:
    attrs = {
        "type": "search",
        "id": "filter",
        "class": "filter",
        "dir": "auto",
        "data-test": "filter",
        "aria-label": say("find"),
        "placeholder": say("find"),
        "value": state["filter"],
        "on-input": {"type": "filter"},
    }
    return h("div", {"class": "filter-box", "key": "filter"}, icon("search"), h("input", attrs))


def _open(rows: list, tabs: list, hints: dict, told: dict, names: dict, memo: Memo) -> list:
    active = find(tabs, "active", True)
    here: list = []
    elsewhere: list = []
    for row in rows:
        (here if is_here(row["tab"], active) else elsewhere).append(row)
    about = (hints, told, names, memo)
    shown = [_group("open", say("open_tabs"), here, *about)]
    if elsewhere:
        shown.append(_group("elsewhere", say("other_windows"), elsewhere, *about))
    return shown


def _group(key: str, heading: str, rows: list, hints: dict, told: dict, names: dict, memo: Memo) -> tuple:
    shown = memo.each(key, rows, _row, hints, told, names, memo)
    return h(
        "section",
        {"class": "group", "key": key},
        h("h2", {}, heading, h("span", {"class": "tally"}, str(len(rows)))),
        h("ul", {"class": "rows"}, shown) if rows else h("p", {"class": "empty"}, say("no_tabs")),
    )


def _row(row: dict, hints: dict, told: dict, names: dict, memo: Memo) -> tuple | None:
    fields = ("tab", "page", "outcome", "blocked", "rule", "ticked", "changed")
    inputs = [row[name] for name in fields]
    inputs += [hints.get(row["tab"]["url"])] + told_of(told, names, row["page"])
    drawn: tuple | None = memo.bounded("tab %d" % row["tab"]["tab_id"], tab_row, *inputs)
    return drawn


def _windows_switch(every: bool) -> tuple:
    event = {"type": "prefer", "name": "other_windows", "checked": not every}
    label = say("only_this_window" if every else "list_windows")
    return h("p", {"class": "list-foot", "key": "windows"}, button(label, event, "link", test="windows"))


def _library(state: dict, saved: list, names: dict, memo: Memo) -> tuple | None:
    if not saved and not state["known"]:
        return None
    shown = saved if state["all_saved"] else saved[:MAX_LISTED]
    return memo("library", _saved_pages, shown, len(saved), state["summaries"], names, memo)


def _saved_pages(saved: list, n_saved: int, told: dict, names: dict, memo: Memo) -> tuple:
    more = button(say("list_all", n=n_saved), {"type": "list_all"}, "link", test="list-all")
    return h(
        "section",
        {"class": "group", "key": "library", "id": "library"},
        h("h2", {}, say("library"), h("span", {"class": "tally"}, number(n_saved)) if saved else None),
        h(
            "ul",
            {"class": "rows"},
            memo.each("saved", saved, _saved, told, names, memo),
        )
        if saved
        else h("p", {"class": "empty"}, say("no_library")),
        h("p", {"class": "list-foot", "key": "more"}, more) if n_saved > len(saved) else None,
    )


def _saved(page: dict, told: dict, names: dict, memo: Memo) -> tuple | None:
    inputs = told_of(told, names, page)
    drawn: tuple | None = memo.bounded("saved " + page["source"], saved_row, page, *inputs)
    return drawn
