"""The library as files, on the settings page: export, import with a look before, backups, wiping.

`data` is a dict: `kept` is what the engine tells (DataState), None before; `report` what a file would change,
of `given`: the blob URL of a chosen file, or the name of a backup; `mode` and `settings` how it is taken;
`wiping` whether the reader is asked, `typed` what was typed for it; `left` what could not be wiped.
"""

from tabwise.protocol.settings import encode_settings
from tabwise.ui import client
from tabwise.ui.events import listing, models, toast
from tabwise.ui.state import put
from tabwise.ui.words import say

_TASKS = ("export_library", "look_at_import", "take_import", "undo_import", "back_up", "wipe")


def describe(state: dict, event: dict) -> tuple:
    """Ask for backups, and whether pages were lost."""
    return client.send(state, event["id"] + "-data", "data_state")


def export(state: dict, event: dict) -> tuple:
    """Write everything to one file."""
    return models.begin(state, event, "export_library")


def import_choose(state: dict, event: dict) -> tuple:
    """Ask for a library file."""
    return state, [("choose_files", "import-files")]


def import_files(state: dict, event: dict) -> tuple:
    """A library file was chosen: look at it."""
    given = event["files"][0]["url"]
    extra = [("release", file["url"]) for file in event["files"][1:]]
    if _is_working(state):
        return state, extra + [("release", given)]
    state = _with(state, report=None, given=given)
    state, effects = models.begin(state, event, "look_at_import", url=given)
    return state, effects + extra


def import_backup(state: dict, event: dict) -> tuple:
    """Look at a backup."""
    if _is_working(state):
        return state, []
    state = _with(state, report=None, given=event["name"])
    return models.begin(state, event, "look_at_import", backup=event["name"])


def import_mode(state: dict, event: dict) -> tuple:
    """Merge, or replace."""
    return _with(state, mode=event["value"]), []


def import_settings(state: dict, event: dict) -> tuple:
    """Take the settings too, or not."""
    return _with(state, settings=event["checked"]), []


def import_take(state: dict, event: dict) -> tuple:
    """Do what the report tells."""
    data = state["data"]
    wants_settings = data["settings"] and data["report"]["settings"]
    return models.begin(state, event, "take_import", mode=data["mode"], settings=wants_settings)


def import_drop(state: dict, event: dict) -> tuple:
    """Leave everything as it is."""
    state, effects = client.send(_with(state, report=None), event["id"], "drop_import")
    return state, effects + [("focus", "import")]


def import_undo(state: dict, event: dict) -> tuple:
    """Put back what was here before the last import."""
    return models.begin(put(state, toast=None), event, "undo_import")


def back_up(state: dict, event: dict) -> tuple:
    """Make a backup now."""
    return models.begin(state, event, "back_up")


def lost_seen(state: dict, event: dict) -> tuple:
    """The reader knows that pages were lost."""
    return client.send(state, event["id"], "data_seen")


def wipe_ask(state: dict, event: dict) -> tuple:
    """The reader wants everything gone: have a word typed for it."""
    return _with(state, wiping=True, typed="", left=[]), [("focus", "wipe-word")]


def wipe_typed(state: dict, event: dict) -> tuple:
    """What was typed changed."""
    return _with(state, typed=event["value"]), []


def wipe_keep(state: dict, event: dict) -> tuple:
    """The reader keeps everything."""
    return _with(state, wiping=False, typed=""), [("focus", "wipe")]


def wipe(state: dict, event: dict) -> tuple:
    """Remove everything that is stored, when the word was typed."""
    if not may_wipe(state):
        return state, []
    return models.begin(_with(state, wiping=False, typed=""), event, "wipe")


def may_wipe(state: dict) -> bool:
    """Whether the word was typed."""
    return state["data"]["typed"].strip().lower() == say("wipe_word").lower()


def on_state(state: dict, message: dict, event: dict) -> tuple:
    """What is kept was told; what cannot be told now is not worth a word."""
    if message["type"] != "done":
        return state, []
    kept = message["result"]
    state = put(state, stats=kept["stats"] or state["stats"])
    return _with(state, kept=kept, offset_min=event["offset_min"]), []


def on_back_up(state: dict, message: dict, event: dict) -> tuple:
    """A backup is being made, is there, or was not made."""
    if message["type"] != "done":
        return models.went_on(state, "back_up", message, event["now"])
    return on_state(models.with_task(state, "back_up", None), message, event)


def on_export(state: dict, message: dict, event: dict) -> tuple:
    """The file is being written, or is there: hand it over."""
    if message["type"] != "done":
        return models.went_on(state, "export_library", message, event["now"])
    made = message["result"]
    state, effects = toast.show(models.with_task(state, "export_library", None), say("exported"), event)
    return state, [("give_file", made["name"], made["file_name"])] + effects


def on_look(state: dict, message: dict, event: dict) -> tuple:
    """A file is being looked at, was looked at, or cannot be used."""
    kind = message["type"]
    if kind == "done":
        state = models.with_task(state, "look_at_import", None)
        state = _with(state, report=message["result"], mode="merge", settings=False)
        effects: list = [("focus", "import-report")]
    else:
        state, effects = models.went_on(state, "look_at_import", message, event["now"])
    given = state["data"]["given"]
    if kind in ("done", "error", "cancelled") and given.startswith("blob:"):
        return _with(state, given=""), effects + [("release", given)]
    return state, effects


def on_take(state: dict, message: dict, event: dict) -> tuple:
    """A file is being brought in, is in, or was stopped."""
    return _on_change(state, message, event, "take_import")


def on_undo(state: dict, message: dict, event: dict) -> tuple:
    """What was here before is being brought back."""
    return _on_change(state, message, event, "undo_import")


def on_drop(state: dict, message: dict, event: dict) -> tuple:
    """The file was forgotten."""
    return state, []


def on_wipe(state: dict, message: dict, event: dict) -> tuple:
    """Everything is gone, or something is left."""
    if message["type"] != "done":
        return models.went_on(state, "wipe", message, event["now"])
    state = models.with_task(state, "wipe", None)
    left = message["result"]["left"]
    return (_with(state, left=left), [("announce", say("wipe_left"))]) if left else (state, [("reload",)])


def _on_change(state: dict, message: dict, event: dict, task: str) -> tuple:
    kind = message["type"]
    if kind not in ("done", "error", "cancelled"):
        return models.went_on(state, task, message, event["now"])
    effects: list = []
    if kind == "done":
        result = message["result"]
        state = put(_with(models.with_task(state, task, None), report=None), stats=result["stats"])
        if result["settings"] is not None:
            state = put(state, settings=result["settings"])
            effects.append(("save_settings", encode_settings(result["settings"])))
        undo = {"type": "import_undo"} if task == "take_import" else None
        said = say("imported" if undo else "import_undone", n=result["n_written"])
        state, more = toast.show(state, said, event, undo)
    else:
        state, more = models.went_on(state, task, message, event["now"])
    state, listed = listing.ask(state, event)
    state, told = describe(state, event)
    return state, effects + more + listed + told


def _is_working(state: dict) -> bool:
    tasks = [state["tasks"].get(name) for name in _TASKS]
    return any([task is not None and task["running"] for task in tasks])


def _with(state: dict, **changes: object) -> dict:
    return put(state, data=put(state["data"], **changes))


TABLE = {
    "export": export,
    "import_choose": import_choose,
    "import_files": import_files,
    "import_backup": import_backup,
    "import_mode": import_mode,
    "import_settings": import_settings,
    "import_take": import_take,
    "import_drop": import_drop,
    "import_undo": import_undo,
    "back_up": back_up,
    "lost_seen": lost_seen,
    "wipe_ask": wipe_ask,
    "wipe_typed": wipe_typed,
    "wipe_keep": wipe_keep,
    "wipe": wipe,
}
