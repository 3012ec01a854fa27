"""Files given to the panel, chosen or dropped: each is asked for under a blob URL that ends with its request.

The files of one gesture are one job of as many requests; the engine reads them one after the other.
"""

from tabwise.ui import client
from tabwise.ui.events import adding, clock, sources, toast
from tabwise.ui.progress import stage_of
from tabwise.ui.state import FILE_KINDS, find, put, replace_in, without
from tabwise.ui.words import file_sentence, say

_NO_TAB = -1


def choose(state: dict, event: dict) -> tuple:
    """Let the browser ask which files."""
    return state, [("choose_files", "files")]


def drag(state: dict, event: dict) -> tuple:
    """Files are being dragged over the panel, or no longer."""
    return put(state, dragging=event["over"]), []


def given(state: dict, event: dict) -> tuple:
    """Files were chosen or dropped: ask for those of a kind that is read, say which are of none."""
    read = [file for file in event["files"] if file["name"].lower().endswith(FILE_KINDS)]
    refused = [file for file in event["files"] if file not in read]
    effects: list = [("release", file["url"]) for file in refused]
    if refused:
        text = say("file_kind", n=len(refused), name=refused[0]["name"])
        state, more = toast.show(state, text, event)
        effects = effects + more
    if not read:
        return state, effects
    files = []
    for place, file in enumerate(read):
        request_id = "%s-%d" % (event["id"], place)
        files.append({"id": request_id, "name": file["name"], "url": file["url"]})
        state = adding.outcome(state, file["url"], "waiting", None, None)
        state, more = client.send(state, request_id, "add_file", name=file["name"], url=file["url"])
        effects = effects + more
    job = {
        "id": event["id"],
        "requests": [file["id"] for file in files],
        "tabs": [{"tab_id": _NO_TAB, "url": file["url"]} for file in files],
        "unsent": [],
        "stopping": False,
        "stage": None,
        "started": event["now"],
    }
    state = put(state, jobs=state["jobs"] + [job], files=files + state["files"], view="pages", card=None)
    state, ticking = clock.start(put(state, now=event["now"], draft_error=""))
    return state, effects + ticking


def dismiss(state: dict, event: dict) -> tuple:
    """Forget that a file could not be added."""
    return _forget(state, find(state["files"], "id", event["file"])), [("focus", "add-files")]


def on_add_file(state: dict, message: dict, event: dict) -> tuple:
    """An event about a file arrived."""
    file = find(state["files"], "id", message["re"])
    if file is None:
        return state, []
    kind = message["type"]
    if kind == "progress":
        return _progressed(state, file, message, event["now"]), []
    if kind == "done":
        state, effects = _read(state, file, message["result"], event)
    elif kind == "error":
        failure = {name: message[name] for name in ("code", "subject", "message")}
        state, effects = _failed(state, file, failure)
    elif kind == "cancelled":
        state, effects = _forget(state, file), []
    else:
        return state, []
    return _end(state, file), [("release", file["url"])] + effects


def _read(state: dict, file: dict, row: dict, event: dict) -> tuple:
    if row["failure"] is not None:
        return _failed(state, file, row["failure"])
    page = row["page"]
    for other in state["files"]:
        if _shows(state, other, page["source"]):
            state = _forget(state, other)
    state = adding.outcome(adding.keep(state, [page]), file["url"], row["state"], page, None)
    state, effects = sources.locate(state, event)
    return state, [("announce", say("announce_file", name=file["name"]))] + effects


def _failed(state: dict, file: dict, failure: dict) -> tuple:
    state = adding.outcome(state, file["url"], "failed", None, failure)
    said = say("announce_file_failed", name=file["name"], sentence=file_sentence(failure["code"]))
    return state, [("announce", said)]


def _progressed(state: dict, file: dict, message: dict, now: float) -> dict:
    row = state["rows"].get(file["url"])
    if row is None or row["state"] != "reading":
        state = adding.outcome(state, file["url"], "reading", None, None)
    job = _job_of(state, file["id"])
    stage = stage_of(job["stage"], message, now)
    return put(state, jobs=replace_in(state["jobs"], "id", job["id"], put(job, stage=stage)))


def _end(state: dict, file: dict) -> dict:
    """Take a file out of the requests of its job; the job ends with the last of them."""
    job = _job_of(state, file["id"])
    left = [request_id for request_id in job["requests"] if request_id != file["id"]]
    if left:
        return put(state, jobs=replace_in(state["jobs"], "id", job["id"], put(job, requests=left)))
    return put(state, jobs=[other for other in state["jobs"] if other["id"] != job["id"]])


def _job_of(state: dict, request_id: str) -> dict:
    (job,) = [job for job in state["jobs"] if request_id in job["requests"]]
    return job


def _shows(state: dict, file: dict, source: str) -> bool:
    row = state["rows"].get(file["url"])
    return row is not None and row["page"] is not None and row["page"]["source"] == source


def _forget(state: dict, file: dict | None) -> dict:
    if file is None:
        return state
    files = [other for other in state["files"] if other["id"] != file["id"]]
    return put(state, files=files, rows=without(state["rows"], file["url"]))


TABLE = {"choose_files": choose, "drag": drag, "files": given, "dismiss_file": dismiss}
