"""Embedding models that can be downloaded: what each is good for, what is here, which is in use."""

from tabwise.ui.nodes import h
from tabwise.ui.text import number, size
from tabwise.ui.view.parts import button
from tabwise.ui.view.task import task_line
from tabwise.ui.words import say

TASKS = ("embedder_download", "embedder_use")


def embedder_list(state: dict, known: dict) -> list:
    """Return the list of models and the room that is left."""
    rows = [_model(state, model) for model in known["models"]]
    attrs = {
        "class": "list",
        "key": "embedders",
        "id": "embedders",
        "tabindex": "-1",
        "data-test": "embedders",
    }
    return [
        h("ul", attrs, rows),
        h("p", {"class": "hint", "key": "free"}, say("models_free", size=size(known["free_bytes"]))),
    ]


def _model(state: dict, model: dict) -> tuple:
    at_work = state["embedder_at_work"] == model["id"]
    facts = [
        size(model["size_bytes"]),
        say("embedder_dimensions", n=number(model["dimensions"])),
        model["licence"],
        say("embedder_languages" if model["reads_any_script"] else "embedder_english"),
    ]
    return h(
        "li",
        {"class": "model", "key": model["id"], "data-test": "embedder", "data-state": model["state"]},
        h(
            "div",
            {"class": "line"},
            h(
                "span",
                {"class": "line-text"},
                h("b", {"dir": "auto"}, model["label"]),
                h("small", {}, " · ".join(facts)),
            ),
            h("span", {"class": "effect"}, _place(model)),
        ),
        task_line(state, "embedder_download", "pause") if at_work else None,
        task_line(state, "embedder_use") if at_work else None,
        _sure(model) if state["removing_model"] == model["id"] else _acts(state, model),
    )


def _place(model: dict) -> str:
    if model["is_in_use"]:
        return say("embedder_in_use")
    if model["state"] == "partial":
        return say("model_partial", size=size(model["stored_bytes"]))
    return say("model_" + model["state"])


def _acts(state: dict, model: dict) -> tuple | None:
    tasks = [state["tasks"].get(kind) for kind in TASKS]
    if any(task is not None and task["running"] for task in tasks):
        return None
    shown = []
    if model["state"] != "here":
        words = "model_resume" if model["state"] == "partial" else "model_get"
        shown.append(_act(model, words, "embedder_download", "embedder-get"))
    elif not model["is_in_use"]:
        shown.append(_act(model, "embedder_use", "embedder_use", "embedder-use"))
    if model["state"] != "absent":
        shown.append(_act(model, "model_delete", "model_remove_ask", "embedder-delete", "quiet small"))
    return h("div", {"class": "control inset", "key": "acts"}, shown)


def _act(model: dict, words: str, event: str, test: str, style: str = "secondary small") -> tuple:
    aria = say("act_on", act=say(words), name=model["label"])
    return button(say(words), {"type": event, "model": model["id"]}, style, test=test, aria=aria)


def _sure(model: dict) -> tuple:
    attrs = {"class": "control sure inset", "key": "sure", "role": "group", "aria-label": say("model_delete")}
    yes = {"type": "embedder_remove", "model": model["id"]}
    return h(
        "div",
        attrs,
        h("p", {}, say("model_sure", name=model["label"], size=size(model["stored_bytes"]))),
        button(say("model_delete"), yes, "danger small", test="embedder-delete-yes"),
        button(say("model_keep"), {"type": "model_remove_keep"}, "secondary small", id="model-keep"),
    )
