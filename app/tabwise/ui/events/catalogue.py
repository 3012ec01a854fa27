"""The language models of this computer: which there are, bringing them here, timing and deleting them.

One is brought here at a time: `fetching_model` is its id, its progress is the task of the request. Pausing
keeps what has arrived; downloading again goes on from there.
"""

from tabwise.ui import client
from tabwise.ui.events import access, models, toast
from tabwise.ui.state import find, put, put_at
from tabwise.ui.words import say

NO_MODEL = "extractive"
LISTING = "catalogue"


def describe(state: dict, event: dict) -> tuple:
    """Ask which models there are."""
    return models.list_models(state, event, LISTING)


def download(state: dict, event: dict) -> tuple:
    """Bring a model here, or the rest of it."""
    before = state
    state, effects = models.begin(state, event, "model_download", model=event["model"])
    return (put(state, fetching_model=event["model"]), effects) if effects else (before, [])


def measure(state: dict, event: dict) -> tuple:
    """Have a model write something, to see how fast it is."""
    before = state
    state, effects = models.begin(state, event, "model_measure", engine=event["engine"])
    return (put(state, timed_engine=event["engine"]), effects) if effects else (before, [])


def remove_ask(state: dict, event: dict) -> tuple:
    """The reader wants a model gone: ask once more."""
    return put(state, removing_model=event["model"]), [("focus", "model-keep")]


def remove_keep(state: dict, event: dict) -> tuple:
    """The model stays."""
    return put(state, removing_model=""), [("focus", "models")]


def remove(state: dict, event: dict) -> tuple:
    """Delete a model; when it was to write answers, the pages' own sentences do from now on."""
    model = find(state["catalogue"]["models"], "id", event["model"])
    state, effects = put(state, removing_model=""), []
    if model is not None and state["settings"]["preferences"]["engine"] == model["engine"]:
        chosen = put_at(state["settings"]["preferences"], "engine", NO_MODEL)
        state, effects = access.save(state, put(state["settings"], preferences=chosen))
    state, more = client.send(state, event["id"], "model_remove", model=event["model"])
    return state, effects + more + [("focus", "models")]


def choose_folder(state: dict, event: dict) -> tuple:
    """Ask for the folder of a model."""
    return state, [("choose_files", "model-files")]


def folder(state: dict, event: dict) -> tuple:
    """A folder was chosen: have the model in it taken."""
    state, effects = models.begin(state, event, "model_import", name=event["name"], files=event["files"])
    urls = [file["url"] for file in event["files"]]
    if not effects:
        return state, [("release", url) for url in urls]
    return put(state, given=urls), effects


def on_catalogue(state: dict, message: dict, event: dict) -> tuple:
    """The models there are; what cannot be told now is not worth a word."""
    return (_known(state, message), []) if message["type"] == "done" else (state, [])


def on_download(state: dict, message: dict, event: dict) -> tuple:
    """A model is arriving, is here, was paused, or did not arrive."""
    if message["type"] == "done":
        name = models.label_of(message["result"], state["fetching_model"])
        state = put(models.with_task(_known(state, message), "model_download", None), fetching_model="")
        return toast.show(state, say("model_arrived", name=name), event)
    return models.went_on_listed(state, "model_download", message, event, LISTING)


def on_import(state: dict, message: dict, event: dict) -> tuple:
    """A model was taken from a folder, is being taken, or was refused."""
    if message["type"] == "done":
        state = models.with_task(_known(state, message), "model_import", None)
        state, effects = toast.show(state, say("model_taken"), event)
    else:
        state, effects = models.went_on_listed(state, "model_import", message, event, LISTING)
    if message["type"] not in ("done", "error", "cancelled"):
        return state, effects
    return put(state, given=[]), effects + [("release", url) for url in state["given"]]


def on_measure(state: dict, message: dict, event: dict) -> tuple:
    """A model was timed, or could not be."""
    if message["type"] == "done":
        state = models.with_task(state, "model_measure", None)
        state, effects = describe(state, event)
        return state, effects + [("announce", say("measured"))]
    return models.went_on_listed(state, "model_measure", message, event, LISTING)


def on_remove(state: dict, message: dict, event: dict) -> tuple:
    """A model was deleted, or is still there."""
    return models.on_removed(state, message, event, "catalogue")


def _known(state: dict, message: dict) -> dict:
    return put(state, catalogue=message["result"])


TABLE = {
    "model_download": download,
    "model_measure": measure,
    "model_remove_ask": remove_ask,
    "model_remove_keep": remove_keep,
    "model_remove": remove,
    "choose_model_folder": choose_folder,
    "model_files": folder,
}
