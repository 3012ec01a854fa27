"""The library as files: export, import with a look before, the daily copies, and removing everything."""

from tabwise.ui.dates import time_of
from tabwise.ui.events.data import may_wipe
from tabwise.ui.nodes import h
from tabwise.ui.text import number, size
from tabwise.ui.view.parts import button, day_of, title
from tabwise.ui.view.settings.parts import choice_list, part, switch_line
from tabwise.ui.view.task import task_line
from tabwise.ui.words import say

_COUNTS = ("added", "newer", "older", "same", "only_here")


def data_section(state: dict) -> list:
    """Return export, import, backups and wiping."""
    return [
        part(
            "export",
            task_line(state, "export_library"),
            _act("export", {"type": "export"}) if state["library"] else None,
        ),
        part("import", *_import(state)),
        part("backups", *_backups(state)),
        part("wipe", *_wipe(state)),
    ]


def _act(words: str, event: dict, style: str = "secondary") -> tuple:
    label = button(say(words + "_act"), event, style, test=words, id=words)
    return h("div", {"class": "control", "key": words + "-act"}, label)


def _import(state: dict) -> list:
    data = state["data"]
    attrs = {
        "type": "file",
        "id": "import-files",
        "class": "hidden",
        "tabindex": "-1",
        "aria-hidden": "true",
        "accept": ".db",
        "data-test": "import-files",
    }
    can_undo = data["kept"] is not None and data["kept"]["can_undo"]
    undo = button(say("import_undo"), {"type": "import_undo"}, "quiet", test="import-undo")
    return [
        h("input", attrs),
        task_line(state, "look_at_import"),
        task_line(state, "take_import"),
        task_line(state, "undo_import"),
        _report(data) if data["report"] is not None else _act("import", {"type": "import_choose"}),
        h("div", {"class": "control", "key": "undo"}, undo) if can_undo else None,
    ]


def _report(data: dict) -> tuple:
    report = data["report"]
    modes = [("merge", "import_merge"), ("replace", "import_replace")]
    settings = switch_line("import_settings", data["settings"], {"type": "import_settings"}, "line alone")
    take = button(say("import_take"), {"type": "import_take"}, "primary", test="import-take")
    drop = button(say("import_drop"), {"type": "import_drop"}, "secondary", test="import-drop")
    return h(
        "div",
        {
            "class": "import-report",
            "key": "report",
            "id": "import-report",
            "tabindex": "-1",
            "role": "group",
            "aria-label": say("import_report"),
            "data-test": "import-report",
        },
        h("p", {"class": "hint"}, say("import_of", date=_day(report["written_at"], data["offset_min"])))
        if report["written_at"]
        else None,
        _table(report),
        None if report["vectors"] else h("p", {"class": "hint"}, say("import_no_vectors")),
        _damaged(report) if report["n_damaged"] else None,
        choice_list("import_mode", data["mode"], modes, {"type": "import_mode"}),
        settings if report["settings"] else None,
        h("div", {"class": "control"}, take, drop),
    )


def _table(report: dict) -> tuple:
    rows = []
    for name in _COUNTS:
        cells = [h("td", {}, number(report[kind][name])) for kind in ("pages", "threads")]
        rows.append(h("tr", {"key": name}, h("th", {"scope": "row"}, say("import_" + name)), cells))
    heads = [h("th", {"scope": "col"}, say(head)) for head in ("import_report", "pages", "history")]
    return h(
        "div",
        {"class": "measured wide", "tabindex": "0", "role": "region", "aria-label": say("import_report")},
        h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
    )


def _damaged(report: dict) -> tuple:
    damaged = enumerate(report["damaged"])
    titles = [h("li", {"key": str(place)}, title(name)) for place, name in damaged]
    return h(
        "div",
        {"class": "import-damaged", "role": "note", "data-test": "import-damaged"},
        h("p", {}, say("import_damaged", n=report["n_damaged"])),
        h("ul", {}, titles),
    )


def _backups(state: dict) -> list:
    on = state["settings"]["preferences"]["daily_backup"]
    change = {"type": "prefer", "name": "daily_backup", "checked": not on}
    kept = state["data"]["kept"]
    rows = (
        [_backup(made, state["data"]["offset_min"]) for made in kept["backups"]] if kept is not None else []
    )
    return [
        switch_line("daily_backup", on, change, "line alone"),
        h("ul", {"class": "list", "key": "backups"}, rows) if rows else None,
        task_line(state, "back_up"),
        _act("back_up", {"type": "back_up"}) if state["library"] else None,
    ]


def _backup(made: dict, offset_min: int) -> tuple:
    when = _day(made["made_at"], offset_min)
    look = {"type": "import_backup", "name": made["name"]}
    act = button(
        say("backup_look"), look, "quiet small", test="backup-look", aria=say("backup_of", date=when)
    )
    said = h("span", {"class": "line-text"}, h("b", {}, when), h("small", {}, size(made["size_bytes"])))
    return h("li", {"class": "line", "key": made["name"], "data-test": "backup"}, said, act)


def _wipe(state: dict) -> list:
    data = state["data"]
    names = say("wipe_left") + " " + ", ".join(data["left"])
    left = h("p", {"class": "fault", "key": "left", "role": "alert"}, names)
    if not data["wiping"]:
        ask = _act("wipe", {"type": "wipe_ask"})
        return [task_line(state, "wipe"), left if data["left"] else None, ask]
    attrs = {
        "type": "text",
        "id": "wipe-word",
        "class": "filter field",
        "autocomplete": "off",
        "data-test": "wipe-word",
        "aria-label": say("wipe_type", word=say("wipe_word")),
        "value": data["typed"],
        "on-input": {"type": "wipe_typed"},
    }
    yes = button(say("wipe_yes"), {"type": "wipe"}, "danger", test="wipe-yes", disabled=not may_wipe(state))
    keep = button(say("keep"), {"type": "wipe_keep"}, "secondary", test="wipe-keep")
    group = {"class": "control sure", "key": "sure", "role": "group", "aria-label": say("wipe")}
    return [
        h("div", group, h("p", {}, say("wipe_type", word=say("wipe_word"))), h("input", attrs), yes, keep)
    ]


def _day(at_ms: float, offset_min: int) -> str:
    return day_of(at_ms, offset_min) + ", " + time_of(at_ms, offset_min)
