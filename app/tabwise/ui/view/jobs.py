"""Progress of adding pages: how many of how many, the stage in hand, Stop."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import seconds
from tabwise.ui.view.parts import job_head
from tabwise.ui.words import say, unit

_UNFINISHED = ("waiting", "reading")


def jobs_view(state: dict) -> tuple | None:
    """Return the progress of all running index requests as one, None when there are none."""
    jobs = state["jobs"]
    if not jobs:
        return None
    n_total, n_done = 0, 0
    for job in jobs:
        for tab in job["tabs"]:
            row = state["rows"].get(tab["url"])
            n_total += 1
            n_done += 0 if row is not None and row["state"] in _UNFINISHED else 1
    stopping = jobs[0]["stopping"]
    elapsed = max(0, state["now"] - jobs[0]["started"])
    return h(
        "section",
        {"class": "job", "key": "job", "data-test": "progress", "aria-label": say("job", n=n_total)},
        job_head(
            say("job", n=n_total),
            say("job_rows", done=n_done, total=n_total),
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
            h("span", {"class": "time"}, seconds(elapsed)),
        ),
    )


_SCALE = 1000


def _share(job: dict, n_done: int, n_total: int) -> int:
    """Progress in thousandths: whole pages, and within the page in hand the share of its stage."""
    stage = job["stage"]
    within = 0.0
    if stage and stage["stage"] == "embed" and stage["total"] and n_done < n_total:
        within = stage["done"] / stage["total"]
    return int(_SCALE * min(1.0, (n_done + within) / n_total))


def _stage(job: dict) -> str:
    stage = job["stage"]
    if stage is None:
        return say("waiting")
    name = say("stage_" + stage["stage"])
    if stage["total"] <= 1:
        return name
    counted = say("stage_count", done=stage["done"], total=stage["total"], unit=unit(stage["unit"]))
    return name + " · " + counted
