"""The tool loop: a task, who plans its calls, and the steps as they are made."""

from tabwise.ui.state import put

MAX_TASK_CHARS = 300


def task(state: dict, event: dict) -> tuple:
    """The reader writes a task, or takes one of those that are ready."""
    run = put(state["run"], question=event["value"][:MAX_TASK_CHARS])
    return put(state, run=run), []


def take(state: dict, event: dict) -> tuple:
    """A ready task was chosen: run it."""
    return act(task(state, event)[0], event)


def planner(state: dict, event: dict) -> tuple:
    """Who plans the calls."""
    return put(state, run=put(state["run"], engine=event["value"])), []


def act(state: dict, event: dict) -> tuple:
    """Run the loop."""
    run = state["run"]
    if not run["question"].strip() or state["cut"] is None:
        return state, []
    run = put(run, working=True, stopped=False, steps=[], answer=None, receipt="", refused="")
    fields = {"question": run["question"], "engine": run["engine"]}
    return put(state, run=run), [("send", "act", fields)]


def halt(state: dict, event: dict) -> tuple:
    """Stop the loop."""
    return state, [("send", "halt", {})]


def on_step(state: dict, fields: dict) -> tuple:
    """A step began, or ended."""
    step = fields["step"]
    steps = [one for one in state["run"]["steps"] if one["number"] != step["number"]] + [step]
    return put(state, run=put(state["run"], steps=steps)), []


def on_acted(state: dict, fields: dict) -> tuple:
    """The loop came to its end."""
    answer, receipt, steps = fields["answer"], fields["receipt"], fields["steps"]
    run = put(state["run"], working=False, answer=answer, receipt=receipt, steps=steps)
    return put(state, run=run), []


ACTIONS = {"task": task, "take": take, "planner": planner, "act": act, "halt": halt}
TOLD = {"step": on_step, "acted": on_acted}
