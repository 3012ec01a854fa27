"""Texts given, removed and reset, and the library as a file."""

from tabwise.ui.state import put


def given(state: dict, event: dict) -> tuple:
    """Files were chosen or dropped, as {"name", "url"}: a receipt is opened, everything else is read, after
    what is being read.
    """
    receipts = [file for file in event["files"] if file["name"].lower().endswith(".json")]
    texts = [file for file in event["files"] if file not in receipts]
    effects: list = [("text_of", receipts[0]["url"], {"type": "receipt_given"})] if receipts else []
    if not texts:
        return state, effects
    if state["cut"] is None or state["adding"]:
        return put(state, queued=state["queued"] + texts), effects
    state = put(state, adding=True, reading=None, rows=[], removed=None, sure=False)
    return state, effects + [("send", "add", {"files": texts})]


def go_on(state: dict) -> tuple:
    """Read the files that were given while others were read; what became of those stays to be seen."""
    rows = state["rows"]
    state, effects = given(put(state, queued=[]), {"files": state["queued"]})
    return put(state, rows=rows), effects


def leave(state: dict, event: dict) -> tuple:
    """Stop reading files, those that wait included."""
    return put(state, queued=[]), [("send", "leave", {})]


def remove(state: dict, event: dict) -> tuple:
    """Take the text that is shown out; it can be brought back until the next one goes."""
    page = state["page"]
    gone = {"source": page["source"], "title": page["title"]}
    state = put(state, removed=gone, page=None, quote=None, rows=[])
    return state, [("send", "remove", {"source": page["source"]})]


def restore(state: dict, event: dict) -> tuple:
    """Bring back what was removed last."""
    source = state["removed"]["source"]
    return put(state, removed=None), [("send", "restore", {"source": source})]


def reset(state: dict, event: dict) -> tuple:
    """Back to the page's own texts; what the reader gave would be gone, so that is asked twice."""
    if not state["sure"] and any([document["is_own"] for document in state["cut"]["documents"]]):
        return put(state, sure=True), []
    state = put(state, sure=False, removed=None, page=None, quote=None, rows=[])
    return state, [("send", "reset", {})]


def keep(state: dict, event: dict) -> tuple:
    """The reader does not want to reset after all."""
    return put(state, sure=False), []


def save_library(state: dict, event: dict) -> tuple:
    """Save the library file."""
    return state, [("send", "save", {})]


def on_reading(state: dict, fields: dict) -> tuple:
    """A file is being read; how far."""
    return put(state, reading=fields), []


def on_row(state: dict, fields: dict) -> tuple:
    """A file was read, or could not be; what was read is shown."""
    state = put(state, rows=state["rows"] + [fields], reading=None)
    if not fields["source"]:
        return state, []
    return put(state, quote=None, wanted=fields["source"]), []


def on_file(state: dict, fields: dict) -> tuple:
    """A file is ready to be saved."""
    return state, [("download", fields["name"], fields["url"])]


ACTIONS = {
    "given": given,
    "leave": leave,
    "remove": remove,
    "restore": restore,
    "reset": reset,
    "keep": keep,
    "save_library": save_library,
}
TOLD = {"reading": on_reading, "row": on_row, "file": on_file}
