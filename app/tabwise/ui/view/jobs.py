"""Progress of adding pages: how many of how many, how much text, the stage in hand, time left, Stop.

Reading and learning the meaning come one after the other: each fills the bar and has a time of its own.
"""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.progress import left_ms, stage_left_ms
from tabwise.ui.text import duration, seconds, size
from tabwise.ui.view.parts import job_head
from tabwise.ui.words import say, unit

_UNFINISHED = ("waiting", "reading")


def jobs_view(state: dict) -> tuple | None:
    """Return the progress of all running index requests as one, None when there are none."""
    jobs = state["jobs"]
    if not jobs:
        return None
    n_total, n_done, n_chars = 0, 0, 0
    for job in jobs:
        for tab in job["tabs"]:
            row = state["rows"].get(tab["url"])
            n_total += 1
            n_done += 0 if row is not None and row["state"] in _UNFINISHED else 1
            n_chars += row["page"]["n_read_chars"] if row is not None and row["page"] is not None else 0
    stopping = jobs[0]["stopping"]
    elapsed = max(0, state["now"] - jobs[0]["started"])
    left = _left_ms(jobs[0], n_done, n_total, elapsed, state["now"])
    return h(
        "section",
        {"class": "job", "key": "job", "data-test": "progress", "aria-label": say("job", n=n_total)},
        job_head(
            say("job", n=n_total),
            _counts(n_done, n_total, n_chars),
            h(
                "button",
                {
                    "type": "button",
                    "class": "button quiet small",
                    "data-test": "stop",
                    "disabled": stopping,
                    "on-click": {"type": "stop_jobs"},
                },
                icon("stop"),
                h("span", {}, say("stop")),
            ),
        ),
        h(
            "progress",
            {
                "max": str(_SCALE),
                "value": str(_share(jobs[0], n_done, n_total)),
                "aria-label": say("job", n=n_total),
            },
        ),
        h(
            "p",
            {"class": "job-stage"},
            h("span", {}, say("job_stopping") if stopping else _stage(jobs[0])),
            h(
                "span",
                {"class": "time", "data-test": "job-time"},
                say("job_left", time=duration(left)) if left and not stopping else seconds(elapsed),
            ),
        ),
    )


_SCALE = 1000


def _share(job: dict, n_done: int, n_total: int) -> int:
    """Progress in thousandths: whole pages and, of a page whose meaning is learnt alone, the share of that.

    When all pages are read, only the stage counts.
    """
    stage = job["stage"]
    within = stage["done"] / stage["total"] if stage and _is_embedding(stage) else 0.0
    if n_done == n_total:
        return int(_SCALE * within) if stage and _is_embedding(stage) else _SCALE
    return int(_SCALE * (n_done + within) / n_total)


def _left_ms(job: dict, n_done: int, n_total: int, elapsed: float, now: float) -> float:
    stage = job["stage"]
    if n_done < n_total:
        return left_ms(n_done, n_total, elapsed)
    return stage_left_ms(stage, now) if stage and _is_embedding(stage) else 0


def _is_embedding(stage: dict) -> bool:
    return stage["stage"] == "embed" and stage["total"] > 0


def _counts(n_done: int, n_total: int, n_chars: int) -> str:
    counted = say("job_rows", done=n_done, total=n_total)
    return counted + " · " + size(n_chars) if n_chars else counted


def _stage(job: dict) -> str:
    stage = job["stage"]
    if stage is None:
        return say("waiting")
    name = say("stage_" + stage["stage"])
    if stage["total"] <= 1:
        return name
    counted = say("stage_count", done=stage["done"], total=stage["total"], unit=unit(stage["unit"]))
    return name + " · " + counted
