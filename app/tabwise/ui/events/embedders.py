"""Embedding models that can be downloaded: which there are, bringing them here, using and deleting them.

One is at work at a time, `embedder_at_work`; its progress is the task of the request. A model that is here is
used only when the reader says so, since all vectors have to be made anew for it.
"""

from tabwise.ui import client
from tabwise.ui.events import models, toast
from tabwise.ui.state import put
from tabwise.ui.words import say

LISTING = "embedder_catalogue"


def describe(state: dict, event: dict) -> tuple:
    """Ask which models there are."""
    return models.list_models(state, event, LISTING)


def download(state: dict, event: dict) -> tuple:
    """Bring a model here, or the rest of it."""
    return _begin(state, event, "embedder_download")


def use(state: dict, event: dict) -> tuple:
    """Have a model tried and used."""
    return _begin(state, event, "embedder_use")


def remove(state: dict, event: dict) -> tuple:
    """Delete a model; the packaged one follows the one in use."""
    state = put(state, removing_model="")
    state, effects = client.send(state, event["id"], "embedder_remove", model=event["model"])
    return state, effects + [("focus", "embedders")]


def on_catalogue(state: dict, message: dict, event: dict) -> tuple:
    """The models there are; where there can be none, no list is shown."""
    return (put(state, embedders=message["result"]), []) if message["type"] == "done" else (state, [])


def on_download(state: dict, message: dict, event: dict) -> tuple:
    """A model is arriving, is here, was paused, or did not arrive."""
    if message["type"] != "done":
        return models.went_on_listed(state, "embedder_download", message, event, LISTING)
    name = models.label_of(state["embedders"], state["embedder_at_work"])
    state = models.with_task(state, "embedder_download", None)
    state = put(state, embedders=message["result"], embedder_at_work="")
    return toast.show(state, say("embedder_arrived", name=name), event)


def on_use(state: dict, message: dict, event: dict) -> tuple:
    """A model was taken, is being tried, or was refused; the engine starts anew with one that was taken."""
    if message["type"] != "done":
        return models.went_on_listed(state, "embedder_use", message, event, LISTING)
    state = put(models.with_task(state, "embedder_use", None), embedder_at_work="")
    name = models.label_of(state["embedders"], message["result"]["id"])
    return toast.show(state, say("embedder_taken", name=name), event)


def on_remove(state: dict, message: dict, event: dict) -> tuple:
    """A model was deleted, or is still there."""
    return models.on_removed(state, message, event, "embedders")


def _begin(state: dict, event: dict, kind: str) -> tuple:
    for other in ("embedder_download", "embedder_use"):
        task = state["tasks"].get(other)
        if task is not None and task["running"]:
            return state, []
        state = models.with_task(state, other, None)
    return models.begin(put(state, embedder_at_work=event["model"]), event, kind, model=event["model"])


TABLE = {
    "embedder_download": download,
    "embedder_use": use,
    "embedder_remove": remove,
}
