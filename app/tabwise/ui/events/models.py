"""The embedding model and the long tasks on it: making the vectors again, measuring how well it finds.

A task is {"id", "running", "stopping", "stage", "error", "subject"} under its request's type in `tasks`.
"""

from tabwise.ui import client
from tabwise.ui.events import toast
from tabwise.ui.progress import stage_of
from tabwise.ui.state import find, put, put_at
from tabwise.ui.words import error_sentence, say

N_QUESTIONS = 100


def describe(state: dict, event: dict) -> tuple:
    """Ask which model is in use and whether the stored vectors are of it."""
    return client.send(state, event["id"] + "-embedder", "embedder")


def reembed(state: dict, event: dict) -> tuple:
    """Make all vectors anew, as the reader said."""
    return begin(put(state, offered=False), event, "reembed")


def put_off(state: dict, event: dict) -> tuple:
    """Not now: pages are found by words alone until the reader comes back to it in the settings."""
    return put(state, offered=False), []


def measure(state: dict, event: dict) -> tuple:
    """Ask known-item questions over the reader's own pages in every mode."""
    return begin(state, event, "self_test", n_questions=N_QUESTIONS)


def stop_task(state: dict, event: dict) -> tuple:
    """Stop a task; what it had is left as it was before."""
    task = state["tasks"].get(event["task"])
    if task is None or not task["running"] or task["stopping"]:
        return state, []
    state = with_task(state, event["task"], put(task, stopping=True))
    return client.send(state, event["id"], "cancel", target=task["id"])


def choose_embedder(state: dict, event: dict) -> tuple:
    """Ask for the files of a model of the reader's own."""
    return state, [("choose_files", "embedder-files")]


def embedder_files(state: dict, event: dict) -> tuple:
    """Files of a model were chosen: have them checked, tried and taken."""
    files = [put(file, name=file["name"].lower()) for file in event["files"]]
    state, effects = begin(state, event, "embedder_adopt", files=files)
    if not effects:
        return state, [("release", file["url"]) for file in files]
    return put(state, given=[file["url"] for file in files]), effects


def forget_embedder(state: dict, event: dict) -> tuple:
    """Go back to the model that came with the product."""
    return client.send(state, event["id"], "embedder_forget")


def on_adopt(state: dict, message: dict, event: dict) -> tuple:
    """A model was taken, refused, or is being looked at; the engine starts anew with one that was taken."""
    if message["type"] == "done":
        state = with_task(state, "embedder_adopt", None)
        state, effects = toast.show(state, say("embedder_taken", name=message["result"]["id"]), event)
    else:
        state, effects = went_on(state, "embedder_adopt", message, event["now"])
    if message["type"] not in ("done", "error", "cancelled"):
        return state, effects
    return put(state, given=[]), effects + [("release", url) for url in state["given"]]


def on_forget(state: dict, message: dict, event: dict) -> tuple:
    """The packaged model is used again; the engine starts anew."""
    if message["type"] != "error":
        return state, []
    return toast.show(state, error_sentence(message["code"]), event)


def on_embedder(state: dict, message: dict, event: dict) -> tuple:
    """The model in use was described; what cannot be told now is not worth a word."""
    if message["type"] != "done":
        return state, []
    embedder = message["result"]
    return put(state, embedder=embedder, offered=embedder["must_reembed"]), []


def on_reembed(state: dict, message: dict, event: dict) -> tuple:
    """The vectors are being made, are complete, or were not made."""
    if message["type"] != "done":
        return went_on(state, "reembed", message, event["now"])
    state = put(with_task(state, "reembed", None), stats=message["result"])
    state, effects = toast.show(state, say("reembedded"), event)
    state, more = describe(state, event)
    return state, effects + more


def on_self_test(state: dict, message: dict, event: dict) -> tuple:
    """The measurement goes on, is complete, or failed."""
    if message["type"] != "done":
        return went_on(state, "self_test", message, event["now"])
    state = put(with_task(state, "self_test", None), measured=message["result"])
    return state, [("announce", say("measured")), ("refocus", "measure")]


def begin(state: dict, event: dict, kind: str, **fields: object) -> tuple:
    """Send the request of a task and show it as running, unless it runs already."""
    task = state["tasks"].get(kind)
    if task is not None and task["running"]:
        return state, []
    begun = {"id": event["id"], "running": True, "stopping": False, "stage": None, "error": "", "subject": ""}
    state, effects = client.send(with_task(state, kind, begun), event["id"], kind, **fields)
    return state, effects + [("announce", say("task_" + kind))]


def went_on(state: dict, kind: str, message: dict, now: float) -> tuple:
    """Take the progress of a task, its stop or its error; what concerns an earlier one is left."""
    task = state["tasks"].get(kind)
    if task is None or task["id"] != message["re"]:
        return state, []
    if message["type"] == "progress":
        stage = stage_of(task["stage"], message, now)
        return with_task(state, kind, put(task, stage=stage)), []
    if message["type"] == "cancelled":
        return with_task(state, kind, None), []
    if message["type"] == "error":
        failed = put(task, running=False, error=message["code"], subject=message["subject"])
        said = error_sentence(message["code"], message["subject"])
        return with_task(state, kind, failed), [("announce", said)]
    return state, []


def went_on_listed(state: dict, kind: str, message: dict, event: dict, listing: str) -> tuple:
    """Take the same of a task on a model that the request `listing` lists; it is asked again at the end."""
    state, effects = went_on(state, kind, message, event["now"])
    if message["type"] not in ("error", "cancelled"):
        return state, effects
    state, more = list_models(state, event, listing)
    return state, effects + more


def list_models(state: dict, event: dict, listing: str) -> tuple:
    """Ask which models there are."""
    return client.send(state, event["id"] + "-" + listing, listing)


def on_removed(state: dict, message: dict, event: dict, name: str) -> tuple:
    """A model was deleted from the list `name` of the state, or is still there."""
    if message["type"] == "done":
        return toast.show(put_at(state, name, message["result"]), say("model_removed"), event)
    if message["type"] == "error":
        return toast.show(state, error_sentence(message["code"], message["subject"]), event)
    return state, []


def label_of(listed: dict | None, model_id: str) -> str:
    """Return what a model is called in a list of models, its id when it is not in there."""
    model = find(listed["models"], "id", model_id) if listed else None
    return model["label"] if model else model_id


def with_task(state: dict, kind: str, task: dict | None) -> dict:
    """Return the state with this task in place of the one of its kind, None for no task."""
    return put(state, tasks=put_at(state["tasks"], kind, task))


TABLE = {
    "reembed": reembed,
    "put_off": put_off,
    "measure": measure,
    "stop_task": stop_task,
    "choose_embedder": choose_embedder,
    "embedder_files": embedder_files,
    "forget_embedder": forget_embedder,
}
