"""Long work that the reader started by hand: how far it is, how long it goes on, Stop, what went wrong."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.progress import stage_left_ms
from tabwise.ui.text import duration
from tabwise.ui.view.parts import job_head
from tabwise.ui.words import error_sentence, say, unit

_SCALE = 1000


def task_line(state: dict, kind: str, end: str = "stop") -> tuple | None:
    """Return the progress of a task or why it failed, None when there is nothing to say of it.

    `end` are the words of the button that ends it: what goes on later is paused.
    """
    task = state["tasks"].get(kind)
    if task is None:
        return None
    if task["error"]:
        said = error_sentence(task["error"], task["subject"])
        return h("p", {"class": "fault", "key": kind, "role": "alert", "data-test": "error"}, said)
    if not task["running"]:
        return None
    stage = task["stage"]
    name = say("task_" + kind)
    attrs = {"class": "job", "key": kind, "data-test": "task-" + kind, "role": "group", "aria-label": name}
    stop = {
        "type": "button",
        "class": "button quiet small",
        "data-test": "stop-" + kind,
        "disabled": task["stopping"],
        "on-click": {"type": "stop_task", "task": kind},
    }
    share = str(int(_SCALE * stage["done"] / stage["total"])) if stage and stage["total"] else None
    return h(
        "div",
        attrs,
        job_head(name, _count(stage), h("button", stop, icon("stop"), h("span", {}, say(end)))),
        h("progress", {"max": str(_SCALE), "value": share, "aria-label": name}),
    )


def _count(stage: dict | None) -> str:
    if not stage or not stage["total"]:
        return ""
    counted = say("stage_count", done=stage["done"], total=stage["total"], unit=unit(stage["unit"]))
    left = stage_left_ms(stage, stage["at"])
    return counted + " · " + say("job_left", time=duration(left)) if left else counted
