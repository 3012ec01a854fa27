"""What works here and why not: a line a thing, what needs the reader first, each with at most one action."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.words import error_sentence, say

STATE_ICONS = {"good": "check", "limited": "partly", "off": "dash", "broken": "alert"}
_ORDER = ("broken", "limited", "off", "good")


def doctor_section(state: dict) -> list:
    """Return the findings and the way to look further."""
    lines = state["doctor"]
    if lines is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown"))]
    ordered = sorted(lines, key=lambda line: _ORDER.index(line["state"]))
    examining = state["examining"] != ""
    examine = {"type": "doctor_examine", "test": False}
    return [
        h("p", {"class": "hint", "key": "hint"}, say("doctor_hint")),
        h("ul", {"class": "list", "key": "lines", "data-test": "doctor"}, [_line(line) for line in ordered]),
        h(
            "div",
            {"class": "control", "key": "look"},
            button(say("doctor_look"), examine, "secondary", test="doctor-look", disabled=examining),
            [spinner(), h("span", {}, say("doctor_looking"))] if examining else None,
        ),
    ]


def _line(line: dict) -> tuple:
    said = say("doctor_state_" + line["state"])
    attrs = {"class": "doctor-mark", "role": "img", "aria-label": said, "title": said}
    action = line["action"]
    event = {"type": "doctor_act", "action": action, "topic": line["topic"], "subject": line["subject"]}
    return h(
        "li",
        {
            "class": "line",
            "key": line["topic"] + line["subject"],
            "data-test": "doctor-line",
            "data-state": line["state"],
        },
        h("span", attrs, icon(STATE_ICONS[line["state"]])),
        h(
            "span",
            {"class": "line-text"},
            h("span", {"dir": "auto"}, finding_text(line)),
            h("small", {}, error_sentence(line["code"])) if line["code"] else None,
            h("small", {"dir": "auto"}, line["message"]) if line["message"] and not line["code"] else None,
        ),
        button(say("doctor_do_" + action), event, "secondary small", test="doctor-" + action)
        if action
        else None,
    )


def finding_text(line: dict) -> str:
    """Return the sentence of a line with its values filled in."""
    values = {value["name"]: value["value"] for value in line["values"]}
    return say("doctor_" + line["topic"] + "_" + line["reason"], **values)
