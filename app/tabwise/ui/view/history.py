"""The History view: saved conversations by day, a box that looks through their texts."""

from tabwise.ui.dates import date_of, start_of_day
from tabwise.ui.icons import icon, mark
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.threads import by_day, found_rows
from tabwise.ui.view.parts import button, icon_button, moment, title
from tabwise.ui.words import say


def history_view(state: dict, memo: Memo) -> tuple:
    """Return the list of saved conversations, or what was found of them."""
    history = state["history"]
    if not history["rows"]:
        return h("div", {"class": "history"}, _empty() if history["known"] else None)
    limit = state["settings"]["preferences"]["max_threads"]
    if history["matches"] is None:
        shown = memo("past days", _days, history, state["thread"], memo)
    else:
        shown = memo("past found", _found, history, state["thread"], memo)
    return h(
        "div",
        {"class": "history"},
        memo("past box", _box, history["text"]),
        shown,
        # beneath what was found, "delete all" would seem to mean that alone
        memo("past foot", _foot, len(history["rows"]), limit, history["clearing"])
        if history["matches"] is None
        else None,
    )


def _empty() -> tuple:
    return h(
        "section",
        {"class": "welcome", "key": "empty", "data-test": "no-history"},
        mark(),
        h("h2", {"class": "headline"}, say("past_empty")),
        h("p", {"class": "lead"}, say("past_empty_more")),
        button(say("new_thread"), {"type": "new_thread"}, "primary", icon="plus", test="new-thread"),
    )


def _box(text: str) -> tuple:
    attrs = {
        "type": "search",
        "id": "past-filter",
        "class": "filter",
        "dir": "auto",
        "data-test": "past-filter",
        "aria-label": say("past_find"),
        "placeholder": say("past_find"),
        "value": text,
        "on-input": {"type": "past_search"},
    }
    return h(
        "div",
        {"class": "past-top", "key": "box"},
        h("div", {"class": "filter-box"}, icon("search"), h("input", attrs)),
        icon_button("plus", say("new_thread"), {"type": "new_thread"}, style="boxed", test="new-thread"),
    )


def _days(history: dict, opened: str, memo: Memo) -> tuple:
    now, offset_min = history["dated"]["now"], history["dated"]["offset_min"]
    groups = []
    for name, year, month, rows in by_day(history["rows"], now, offset_min):
        heading = _heading(name, year, month, date_of(now, offset_min)[0])
        groups.append(
            h(
                "section",
                {"class": "group", "key": "%s %d %d" % (name, year, month)},
                h("h2", {}, heading),
                h("ul", {"class": "rows"}, [_row(history, row, None, opened, memo) for row in rows]),
            )
        )
    return h("div", {"class": "days", "key": "days"}, groups)


def _heading(name: str, year: int, month: int, this_year: int) -> str:
    if name != "month":
        return say("past_" + name)
    month_name = say("month_name_" + str(month))
    return month_name if year == this_year else say("month_year", month=month_name, year=str(year))


def _found(history: dict, opened: str, memo: Memo) -> tuple:
    found = found_rows(history["rows"], history["matches"])
    if not found:
        said = h("p", {"class": "empty", "data-test": "past-none"}, say("past_none", text=history["text"]))
        return h("div", {"class": "days", "key": "found"}, said)
    rows = [_row(history, row, match, opened, memo) for row, match in found]
    return h("ul", {"class": "rows", "key": "found"}, rows)


def _row(history: dict, row: dict, match: dict | None, opened: str, memo: Memo) -> tuple | None:
    naming = history["name"] if history["renaming"] == row["id"] else None
    dated = history["dated"]
    today = start_of_day(dated["now"], dated["offset_min"])
    inputs = (row, match, row["id"] == opened, naming, today, dated["offset_min"])
    drawn: tuple | None = memo.bounded("past " + row["id"], thread_row, *inputs)
    return drawn


def thread_row(
    row: dict, match: dict | None, is_open: bool, naming: str | None, today: int, offset_min: int
) -> tuple:
    """Return the row of a conversation; `match` is where a text was found, `naming` the title being typed."""
    attrs = {
        "class": "row past open" if is_open else "row past",
        "key": row["id"],
        "data-test": "past-row",
    }
    what = _naming(naming) if naming is not None else _opener(row, match, is_open, today, offset_min)
    return h("li", attrs, what, None if naming is not None else _acts(row))


def _opener(row: dict, match: dict | None, is_open: bool, today: int, offset_min: int) -> tuple:
    attrs = {
        "type": "button",
        "class": "past-opener",
        "id": "past-row-" + row["id"],
        "title": row["title"],
        "aria-current": "true" if is_open else None,
        "data-test": "past-open",
        "on-click": {"type": "open_thread", "thread": row["id"], "turn": match["turn"] if match else ""},
    }
    detail = say("n_questions", n=row["n_turns"]) + " · " + moment(row["updated_at"], today, offset_min)
    return h(
        "button",
        attrs,
        h("span", {"class": "past-title"}, title(row["title"])),
        _excerpt(match) if match is not None and match["turn"] else None,
        h("span", {"class": "past-detail"}, icon("pin") if row["pinned"] else None, h("span", {}, detail)),
    )


def _excerpt(match: dict) -> tuple:
    text, start, end = match["excerpt"], match["start"], match["end"]
    parts = (text[:start], h("mark", {}, text[start:end]), text[end:])
    return h("span", {"class": "past-excerpt", "dir": "auto", "data-test": "past-excerpt"}, *parts)


def _naming(name: str) -> tuple:
    box = {
        "type": "text",
        "id": "past-name",
        "class": "filter field",
        "dir": "auto",
        "data-test": "past-name",
        "aria-label": say("thread_name"),
        "value": name,
        "on-input": {"type": "rename_draft"},
    }
    return h(
        "div",
        {"class": "naming", "key": "naming"},
        h("input", box),
        icon_button("check", say("thread_name_save"), {"type": "rename_save"}, test="rename-save"),
        icon_button("cross", say("edit_cancel"), {"type": "rename_cancel"}, test="rename-cancel"),
    )


def _acts(row: dict) -> tuple:
    name, thread = row["title"], row["id"]
    pin = {"type": "pin_thread", "thread": thread, "pinned": not row["pinned"]}
    pin_label = say("thread_unpin" if row["pinned"] else "thread_pin", title=name)
    rename = {"type": "rename_thread", "thread": thread}
    remove = {"type": "forget_thread", "thread": thread}
    style = "faint on" if row["pinned"] else "faint"
    return h(
        "div",
        {"class": "does", "key": "does"},
        icon_button("pin", pin_label, pin, style=style, test="pin"),
        icon_button("edit", say("thread_rename", title=name), rename, style="faint", test="rename"),
        icon_button("trash", say("thread_remove", title=name), remove, style="faint", test="forget"),
    )


def _foot(n_rows: int, limit: int, clearing: bool) -> tuple:
    if clearing:
        acts = [
            button(say("keep"), {"type": "forget_all_keep"}, "secondary small", id="past-keep"),
            button(say("past_clear_yes"), {"type": "forget_all"}, "danger small", test="past-clear-yes"),
        ]
        said = h("p", {}, say("past_clear_sure", n=n_rows))
        attrs = {"class": "past-foot asking", "key": "foot", "role": "group"}
        return h("div", attrs, said, h("div", {"class": "choice-acts"}, acts))
    clear = button(say("past_clear"), {"type": "forget_all_ask"}, "link", test="past-clear", id="past-clear")
    return h("div", {"class": "past-foot", "key": "foot"}, h("p", {}, say("past_kept", limit=limit)), clear)
