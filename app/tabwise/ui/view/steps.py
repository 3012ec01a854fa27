"""What the agent did, step by step: tool, subject, what came of it; and its list of things to find out."""

import json

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import seconds, shorten
from tabwise.ui.view.parts import spinner
from tabwise.ui.words import knows, say

MAX_SHOWN_CHARS = 160
# the argument that tells what a call was for
_SUBJECTS = ("query", "source", "expression", "question")
_ICONS = {"done": "check", "failed": "alert", "refused": "cross"}


def steps_view(steps: list, working: bool) -> tuple | None:
    """Return the steps; open while they go on, folded up under one line afterwards."""
    if not steps:
        return None
    rows = [_step(step) for step in steps]
    wishes = todo_of(steps)
    shown = [
        h("ol", {"class": "steps", "key": "steps"}, rows),
        _todo(wishes) if wishes else None,
    ]
    if working:
        return h("section", {"class": "research", "key": "research", "data-test": "steps"}, shown)
    attrs = {"class": "research folded", "key": "researched", "data-test": "steps"}
    return h("details", attrs, h("summary", {}, say("steps_taken", n=len(steps)), icon("down")), shown)


def _step(step: dict) -> tuple:
    running = step["state"] == "running"
    state = say("step_" + step["state"])
    mark = spinner() if running else icon(_ICONS[step["state"]])
    subject = subject_of(step)
    attrs = {
        "class": "step nested" if step["parent"] else "step",
        "key": str(step["number"]),
        "data-test": "step",
        "data-state": step["state"],
    }
    tool = "tool_" + step["tool"]
    passages = say("step_passages", n=step["n_passages"]) if step["n_passages"] else ""
    return h(
        "li",
        attrs,
        h("span", {"class": "step-mark", "role": "img", "aria-label": state, "title": state}, mark),
        h(
            "span",
            {"class": "step-text"},
            h("b", {}, say(tool) if knows(tool) else step["tool"]),
            h("span", {"class": "step-subject", "dir": "auto"}, subject) if subject else None,
            h("small", {"dir": "auto"}, shorten(" ".join(step["summary"].split()), MAX_SHOWN_CHARS))
            if step["summary"] and not passages
            else None,
            h("small", {}, passages) if passages else None,
            h("small", {"data-test": "by-rule"}, say("step_by_rule")) if step["by_rule"] else None,
        ),
        None if running else h("span", {"class": "time"}, seconds(step["ms"])),
    )


def subject_of(step: dict) -> str:
    """Return what a call was for: its query, its page, its expression."""
    values = arguments_of(step)
    for name in _SUBJECTS:
        if isinstance(values.get(name), str):
            return shorten(values[name], MAX_SHOWN_CHARS)
    return ""


def arguments_of(step: dict) -> dict:
    """Return the arguments of a call; of one that was written badly, none."""
    try:
        values = json.loads(step["arguments"])
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def todo_of(steps: list) -> list:
    """Return the list of things to find out as (text, whether it is done), from the calls that kept it."""
    wishes: list = []
    for step in steps:
        if step["tool"] != "todo" or step["state"] != "done":
            continue
        values = arguments_of(step)
        if values.get("operation") == "add":
            items = values.get("items")
            wishes += [[text, False] for text in items if isinstance(text, str)] if items else []
        number = values.get("number")
        if values.get("operation") == "done" and isinstance(number, int) and 0 < number <= len(wishes):
            wishes[number - 1][1] = True
    return [(text, is_done) for text, is_done in wishes]


def _todo(wishes: list) -> tuple:
    rows = [
        h(
            "li",
            {"key": str(place), "class": "wish met" if is_done else "wish", "data-test": "wish"},
            icon("check" if is_done else "dash"),
            h("span", {"class": "hidden"}, say("todo_done" if is_done else "todo_open")),
            h("span", {"dir": "auto"}, text),
        )
        for place, (text, is_done) in enumerate(wishes)
    ]
    return h("div", {"class": "todo", "key": "todo"}, h("h3", {}, say("todo")), h("ul", {}, rows))
