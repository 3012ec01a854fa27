"""Files given to the panel: the control that asks for them, the hint while they are dragged, their rows."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import FILE_KINDS
from tabwise.ui.view.parts import button, icon_button, spinner, title
from tabwise.ui.view.rows import page_words, part, remove_button
from tabwise.ui.view.summaries import summary_view, told_of
from tabwise.ui.words import error_action, file_sentence, say

_BUSY = ("waiting", "reading")


def files_control() -> list:
    """Return the button and the input behind it, which panel.js reads."""
    chooser = {
        "type": "file",
        "id": "files",
        "class": "hidden",
        "key": "files",
        "multiple": True,
        "accept": ",".join(FILE_KINDS),
        "tabindex": "-1",
        "aria-label": say("file_input"),
        "aria-hidden": "true",
    }
    event = {"type": "choose_files"}
    return [
        button(say("add_files"), event, "link", icon="page", id="add-files", test="add-files"),
        h("input", chooser),
    ]


def drop_hint(dragging: bool) -> tuple | None:
    """Return what is drawn over the panel while files are dragged over it."""
    if not dragging:
        return None
    attrs = {"class": "drop", "key": "drop", "data-test": "drop"}
    return h("div", attrs, icon("page"), h("p", {}, say("drop_here")))


def files_view(rows: list, told: dict, names: dict) -> tuple | None:
    """Return the files of `tabs.file_rows`, None when there are none; told, names: for `told_of`."""
    if not rows:
        return None
    return h(
        "section",
        {"class": "group", "key": "given"},
        h("h2", {}, say("files"), h("span", {"class": "tally"}, str(len(rows)))),
        h(
            "ul",
            {"class": "rows"},
            [_row(file, page, outcome, told_of(told, names, page)) for file, page, outcome in rows],
        ),
    )


def _row(file: dict, page: dict | None, outcome: dict, told: list) -> tuple:
    attrs = {
        "class": "row saved",
        "key": file["id"],
        "data-test": "file-row",
        "data-state": outcome["state"],
    }
    name = h(
        "p", {"class": "file-name"}, h("span", {"class": "favicon blank"}, icon("page")), title(file["name"])
    )
    return h(
        "li",
        attrs,
        h(
            "div",
            {"class": "what"},
            name,
            _detail(page, outcome),
            summary_view("%s-summary" % file["id"], *told),
        ),
        h("div", {"class": "does"}, _action(file, page, outcome)),
    )


def _detail(page: dict | None, outcome: dict) -> tuple:
    if outcome["failure"] is not None:
        said = file_sentence(outcome["failure"]["code"])
        return h("p", {"class": "detail failed", "data-test": "error"}, said)
    if page is None:
        return h("p", {"class": "detail"}, part(say(outcome["state"])))
    unchanged = [part(say("unchanged"))] if outcome["state"] == "unchanged" else []
    return h("p", {"class": "detail"}, page_words(page), unchanged)


def _action(file: dict, page: dict | None, outcome: dict) -> tuple | list:
    if outcome["state"] in _BUSY:
        return spinner()
    if page is not None:
        mark = h("span", {"class": "done"}, icon("check"))
        return h("div", {"class": "saved"}, mark, remove_button(page, file["name"]))
    dismiss = {"type": "dismiss_file", "file": file["id"]}
    label, action = error_action(outcome["failure"]["code"])
    # a file is given up with its request: to try again is to give it again
    events = {
        "retry": {"type": "choose_files"},
        "pages": {"type": "to_library"},
        "reembed": {"type": "reembed"},
        "reset": {"type": "reset"},
        "reload": {"type": "reload"},
    }
    cross = icon_button("cross", say("dismiss_file", name=file["name"]), dismiss, test="dismiss-file")
    return [button(label, events[action], "quiet small"), cross] if action in events else cross
