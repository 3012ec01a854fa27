"""Stage 7: the schemas of the tools, a task, and each call with its result as the loop goes."""

from tabwise.demo.ui.view.answer import answer_card
from tabwise.demo.ui.view.parts import choice, duration, stage
from tabwise.demo.ui.words import PLANNERS, TASKS
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.view.parts import button, spinner
from tabwise.ui.words import error_sentence, say

RULES = (
    "No model: a rule searches, and has the calculator do what the task states. "
    "Then the best sentence is quoted."
)
MODEL = (
    "The same rule calls first: the model is too small to be trusted with that. Within a grammar that makes "
    "every call readable it may search again, then it chooses among the sentences found."
)


def tools_view(state: dict) -> tuple:
    """Return the stage."""
    run, engine = state["run"], state["engine"]
    without = () if engine and engine["writer"] else ("bundled",)
    controls = [
        choice("planner", "Planned by", PLANNERS, run["engine"], {"type": "planner"}, without),
        h("p", {"class": "hint"}, MODEL if run["engine"] == "bundled" else RULES),
        _schemas(engine),
    ]
    return stage("tools", state, controls, [_task(state), _loop(run)])


def _schemas(engine: dict | None) -> tuple:
    tools = engine["tools"] if engine else []
    return h("div", {"class": "schemas"}, [_schema(tool) for tool in tools])


def _schema(tool: dict) -> tuple:
    label = "Schema of " + tool["name"]
    attrs = {"tabindex": "0", "role": "region", "aria-label": label}
    return h(
        "details",
        {"key": tool["name"], "class": "schema", "data-test": "schema"},
        h("summary", {}, icon("down"), h("b", {}, tool["name"]), h("span", {}, tool["description"])),
        h("pre", attrs, tool["parameters"]),
    )


def _task(state: dict) -> tuple:
    run = state["run"]
    attrs = {
        "type": "text",
        "class": "query",
        "dir": "auto",
        "value": run["question"],
        "aria-label": "Task",
        "autocomplete": "off",
        "maxlength": "300",
        "data-test": "task",
        "on-input": {"type": "task"},
    }
    off = state["cut"] is None or not run["question"].strip()
    if run["working"]:
        act = button("Stop", {"type": "halt"}, "secondary", icon="stop", test="halt")
    else:
        act = button("Run", {"type": "act"}, "primary", icon="send", test="act", disabled=off)
    ready = [_ready(text, run) for text in TASKS]
    return h(
        "div",
        {"class": "ask"},
        h("div", {"class": "query-row"}, h("input", attrs), act),
        h("p", {"class": "refused", "role": "alert"}, error_sentence(run["refused"]))
        if run["refused"]
        else None,
        h("ul", {"class": "examples", "aria-label": "Tasks"}, ready),
    )


def _ready(text: str, run: dict) -> tuple:
    attrs = {
        "type": "button",
        "class": "example",
        "aria-pressed": "true" if run["question"] == text else "false",
        "data-test": "ready-task",
        "on-click": {"type": "take", "value": text},
        "disabled": run["working"],
    }
    return h("li", {"key": text}, h("button", attrs, text))


def _loop(run: dict) -> tuple:
    nodes = [_step(step) for step in run["steps"]]
    if run["working"] and not (run["steps"] and run["steps"][-1]["state"] == "running"):
        nodes.append(
            h("li", {"key": "thinking", "class": "turn"}, spinner(), h("span", {}, "The planner decides…"))
        )
    if run["stopped"]:
        nodes.append(h("li", {"key": "stopped", "class": "turn"}, icon("stop"), h("span", {}, "Stopped.")))
    if not nodes:
        return h("p", {"class": "waiting"}, "Run the task: every call and what came of it appears here.")
    answer = run["answer"]
    receipt = button(
        "How this came about",
        {"type": "receipt_own", "of": "run"},
        "quiet small",
        test="run-receipt",
    )
    return h(
        "div",
        {"class": "loop", "aria-live": "polite", "aria-busy": "true" if run["working"] else "false"},
        h("ol", {"class": "turns", "data-test": "loop"}, nodes),
        h("div", {"class": "answer-card", "data-test": "run-answer"}, answer_card(answer), receipt)
        if answer
        else None,
    )


def _step(step: dict) -> tuple:
    running = step["state"] == "running"
    attrs = {
        "key": str(step["number"]),
        "class": "turn",
        "data-test": "tool-step",
        "data-state": step["state"],
    }
    mark = spinner() if running else icon("check" if step["state"] == "done" else "alert")
    # of a refused call, what was written stands there as it is
    call = '{"tool": "%s", "arguments": %s}' % (step["tool"], step["arguments"])
    result = step["summary"]
    if step["n_passages"]:
        result = say("step_passages", n=step["n_passages"]) + ": " + result
    return h(
        "li",
        attrs,
        h("span", {"class": "turn-mark"}, mark, h("span", {"class": "hidden"}, say("step_" + step["state"]))),
        h(
            "div",
            {"class": "turn-body"},
            h("p", {"class": "call"}, h("b", {}, "call"), h("code", {}, call)),
            h("p", {"class": "hint", "data-test": "by-rule"}, say("step_by_rule"))
            if step["by_rule"]
            else None,
            h("p", {"class": "result"}, h("b", {}, "result"), h("span", {"dir": "auto"}, result))
            if result
            else None,
        ),
        None if running else h("span", {"class": "score"}, duration(step["ms"])),
    )
