"""Language models of this computer: what can be had, what is here, how fast it is, and room on the disk."""

from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, number, seconds, size
from tabwise.ui.view.parts import button
from tabwise.ui.view.settings.parts import part
from tabwise.ui.view.task import task_line
from tabwise.ui.words import say


def catalogue_section(state: dict) -> list:
    """Return the list of models, a way to take one from a folder, and the room that is left."""
    known = state["catalogue"]
    if known is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown"))]
    rows = [_model(state, model) for model in known["models"]]
    return [
        h("p", {"class": "hint", "key": "hint"}, say("models_hint")),
        h("ul", {"class": "list", "key": "models", "data-test": "models"}, rows),
        h("p", {"class": "hint", "key": "free"}, say("models_free", size=size(known["free_bytes"]))),
        part("model_folder", _folder(state)),
    ]


def _model(state: dict, model: dict) -> tuple:
    fetching = state["fetching_model"] == model["id"]
    timing = state["timed_engine"] == model["engine"]
    facts = [size(model["size_bytes"]), say("model_reads", n=model["context_tokens"]), model["licence"]]
    facts.append(say("model_on_" + model["device"]))
    speed = model["speed"]
    return h(
        "li",
        {"class": "model", "key": model["id"], "data-test": "model", "data-state": model["state"]},
        h(
            "div",
            {"class": "line"},
            h(
                "span",
                {"class": "line-text"},
                h("b", {"dir": "auto"}, model["label"]),
                h("small", {}, " · ".join(facts)),
                h("small", {"data-test": "speed"}, _speed(speed)) if speed else None,
            ),
            h("span", {"class": "effect"}, _place(model)),
        ),
        task_line(state, "model_download", "pause") if fetching else None,
        task_line(state, "model_measure") if timing else None,
        _acts(state, model),
    )


def _place(model: dict) -> str:
    if model["state"] == "partial" and model["size_bytes"]:
        return say("model_partial", size=size(model["stored_bytes"]))
    return say("model_" + model["state"])


def _speed(speed: dict) -> str:
    told = say(
        "model_speed",
        read=number(int(speed["prefill_per_s"])),
        write=decimal(speed["decode_per_s"]),
        first=seconds(speed["first_text_ms"]),
    )
    if speed["memory_bytes"]:
        told += " " + say("model_memory", size=size(speed["memory_bytes"]))
    return told + " " + say("model_slow") if speed["is_slow"] else told


def _acts(state: dict, model: dict) -> tuple | None:
    if state["removing_model"] == model["id"]:
        return _sure(model)
    shown = []
    name = model["label"]
    busy = [kind for kind, task in state["tasks"].items() if task and task["running"]]
    if model["state"] != "here" and "model_download" not in busy:
        words = "model_resume" if model["state"] == "partial" else "model_get"
        event = {"type": "model_download", "model": model["id"]}
        aria = say("act_on", act=say(words), name=name)
        shown.append(button(say(words), event, "secondary small", test=words.replace("_", "-"), aria=aria))
    if model["state"] == "here" and "model_measure" not in busy:
        event = {"type": "model_measure", "engine": model["engine"]}
        aria = say("act_on", act=say("model_measure"), name=name)
        shown.append(button(say("model_measure"), event, "quiet small", test="model-measure", aria=aria))
    fetching = state["fetching_model"] == model["id"] and "model_download" in busy
    if model["state"] != "absent" and model["engine"] != "bundled" and not fetching:
        event = {"type": "model_remove_ask", "model": model["id"]}
        aria = say("act_on", act=say("model_delete"), name=name)
        shown.append(button(say("model_delete"), event, "quiet small", test="model-delete", aria=aria))
    return h("div", {"class": "control inset", "key": "acts"}, shown) if shown else None


def _sure(model: dict) -> tuple:
    again = "model_sure_imported" if model["is_imported"] else "model_sure"
    attrs = {"class": "control sure inset", "key": "sure", "role": "group", "aria-label": say("model_delete")}
    yes = {"type": "model_remove", "model": model["id"]}
    return h(
        "div",
        attrs,
        h("p", {}, say(again, name=model["label"], size=size(model["stored_bytes"]))),
        button(say("model_delete"), yes, "danger small", test="model-delete-yes"),
        button(say("model_keep"), {"type": "model_remove_keep"}, "secondary small", id="model-keep"),
    )


def _folder(state: dict) -> list:
    task = state["tasks"].get("model_import")
    running = task is not None and task["running"]
    chooser = {
        "type": "file",
        "id": "model-files",
        "key": "files",
        "class": "hidden",
        "multiple": True,
        "webkitdirectory": True,
        "tabindex": "-1",
        "aria-hidden": "true",
        "aria-label": say("model_choose"),
    }
    choose = button(say("model_choose"), {"type": "choose_model_folder"}, "secondary", test="model-choose")
    return [
        task_line(state, "model_import"),
        h("input", chooser),
        None if running else h("div", {"class": "control", "key": "choose"}, choose),
    ]
