"""Search by meaning: the model that turns text into vectors, and making the vectors again."""

from tabwise.ui.nodes import h
from tabwise.ui.text import number
from tabwise.ui.view.parts import button
from tabwise.ui.view.settings.embedders import embedder_list
from tabwise.ui.view.settings.parts import part
from tabwise.ui.view.task import task_line
from tabwise.ui.words import say


def meaning_section(state: dict) -> list:
    """Return what is known of the model and of the vectors that are stored."""
    embedder = state["embedder"]
    if embedder is None:
        return [h("p", {"class": "empty", "key": "unknown"}, say("library_unknown"))]
    stats = state["stats"]
    facts = [
        ("fact_model", embedder["id"]),
        ("fact_dimensions", number(embedder["dimensions"])),
        ("fact_licence", embedder["licence"]),
        ("fact_vectors", say("vectors_of", done=stats["n_vectors"], total=stats["n_chunks"])),
    ]
    return [
        h("p", {"class": "hint", "key": "hint"}, say("meaning_hint")),
        facts_list("model", facts),
        reembed_offer(state) if embedder["must_reembed"] else None,
        task_line(state, "reembed"),
        part("embedder_list", embedder_list(state, state["embedders"])) if state["embedders"] else None,
        part("own_embedder", _own(state, embedder["is_own"])),
    ]


def _own(state: dict, is_own: bool) -> list:
    """The way to a model of one's own and back."""
    chooser = {
        "type": "file",
        "id": "embedder-files",
        "key": "files",
        "class": "hidden",
        "multiple": True,
        "accept": ".json,.onnx,.onnx_data",
        "tabindex": "-1",
        "aria-hidden": "true",
        "aria-label": say("embedder_choose"),
    }
    task = state["tasks"].get("embedder_adopt")
    running = task is not None and task["running"]
    choose = button(say("embedder_choose"), {"type": "choose_embedder"}, "secondary", test="embedder-choose")
    back = button(say("embedder_back"), {"type": "forget_embedder"}, "quiet", test="embedder-back")
    return [
        task_line(state, "embedder_adopt"),
        h("input", chooser),
        None if running else h("div", {"class": "control", "key": "own"}, choose, back if is_own else None),
    ]


def facts_list(key: str, facts: list) -> tuple:
    """Return a list of facts, given as (words, value)."""
    rows = [
        h("div", {"class": "fact", "key": words}, h("dt", {}, say(words)), h("dd", {"dir": "auto"}, value))
        for words, value in facts
    ]
    return h("dl", {"class": "facts", "key": key, "data-test": key}, rows)


def reembed_offer(state: dict) -> tuple | None:
    """Return the offer to make the vectors with the model in use, None while that is being done."""
    task = state["tasks"].get("reembed")
    if task is not None and task["running"]:
        return None
    attrs = {
        "class": "offer",
        "key": "offer",
        "role": "group",
        "aria-label": say("reembed"),
        "data-test": "offer",
    }
    start = button(say("reembed"), {"type": "reembed"}, "primary", test="reembed")
    return h("div", attrs, h("p", {}, say("reembed_why")), start)
