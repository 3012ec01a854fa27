"""The life of the engine: first hello, notices, requests that went silent, messages from the channel."""

from tabwise.protocol.codes import ERROR_CODES
from tabwise.protocol.schema import TERMINAL
from tabwise.ui import client
from tabwise.ui.events import (
    answers,
    catalogue,
    chat,
    data,
    doctor,
    egress,
    elsewhere,
    embedders,
    files,
    guide,
    hints,
    history,
    library,
    listing,
    models,
    pages,
    pdf,
    qdrant,
    saved,
    services,
    shelf,
    sources,
    summaries,
    threads,
    voice,
)
from tabwise.ui.state import put
from tabwise.ui.words import error_sentence, language, say


def boot(state: dict, event: dict) -> tuple:
    """The panel opened: say hello to the engine, wherever it is."""
    state = put(state, draft=event["draft"], page=event["page"], language=language())
    state = put(state, browser_language=event["browser_language"])
    state, effects = client.send(state, event["id"], "hello", n_pages=listing.PART)
    focus: list = [("focus", "question")] if event["page"] in ("panel", "popup") else []
    return state, [("ensure",)] + effects + focus


def ensured(state: dict, event: dict) -> tuple:
    """The offscreen document exists now."""
    return state, client.post_unaccepted(state)


def check(state: dict, event: dict) -> tuple:
    """The timer of a request rang."""
    state, effects, kind, message = client.check(state, event)
    if kind == "":
        return state, effects
    return take(state, kind, message, event)


def wire(state: dict, event: dict) -> tuple:
    """A text came over the channel."""
    state, kind, message = client.receive(state, event["text"])
    if kind == "":
        return state, []
    return take(state, kind, message, event)


def take(state: dict, kind: str, message: dict, event: dict) -> tuple:
    """Give a message to the handler of its request."""
    if message["type"] == "threads_dropped":
        return history.dropped(state, message, event)
    state, effects = HANDLERS[kind](state, message, event)
    if kind in ("index", "add_file") and message["type"] in TERMINAL:
        state, more = pages.describe(state, event)
        effects = effects + more
    return state, effects


def retry(state: dict, event: dict) -> tuple:
    """Try to reach the engine again after it failed as a whole."""
    state = put(state, fault=None, engine=put(state["engine"], state="starting"))
    state, effects = client.send(state, event["id"], "hello", n_pages=listing.PART)
    return state, [("ensure",)] + effects


def reset(state: dict, event: dict) -> tuple:
    """Set a damaged library aside."""
    state = threads.leave(put(state, fault=None))
    return client.send(state, event["id"], "reset_library")


def refresh(state: dict, event: dict) -> tuple:
    """Ask for the list of saved pages."""
    return listing.ask(put(state, fault=None), event)


def on_notice(state: dict, message: dict, event: dict) -> tuple:
    """The router told the state of the engine; a new epoch means that it was restarted."""
    before = state["engine"]
    engine = put(before, state=message["state"], epoch=message["epoch"])
    state = put(state, engine=engine)
    if message["state"] == "failed":
        code = message["detail"] if message["detail"] in ERROR_CODES else "engine_lost"
        return put(state, fault={"code": code, "subject": ""}), [("announce", error_sentence(code))]
    effects: list = []
    if message["state"] == "restarting" and before["state"] != "restarting":
        effects.append(("announce", say("restarting_long")))
    if before["epoch"] and message["epoch"] != before["epoch"]:
        effects = effects + client.post_all(state)
        state = chat.mark_restarted(state)
    if message["state"] == "ready":
        state = put(state, fault=None)
        if before["epoch"] and state["known"] and before["state"] != "ready":
            state, more = models.describe(state, event)
            effects = effects + more
            if state["page"] == "settings":
                state, more = embedders.describe(state, event)
                effects = effects + more
        if before["state"] in ("restarting", "failed"):
            state, more = listing.ask(state, event)
            effects = effects + more
    return state, effects


def on_hello(state: dict, message: dict, event: dict) -> tuple:
    """The engine introduced itself."""
    if message["type"] == "done":
        ready = message["result"]
        engine = put(state["engine"], state="ready", version=ready["version"])
        state = put(state, engine=engine, library=ready["pages"], stats=ready["stats"])
        state, others = listing.go_on(put(state, known=True, fault=None), event, ready["pages"])
        state, effects = sources.locate(state, event)
        state, of_threads = threads.refresh(state, event) if state["page"] == "panel" else (state, [])
        state, more = models.describe(state, event)
        state, of_data = (
            data.describe(state, event) if state["page"] in ("panel", "settings") else (state, [])
        )
        state, of_store = _describe(state, event) if state["page"] == "settings" else (state, [])
        return state, others + effects + of_threads + more + of_data + of_store
    if message["type"] == "error":
        engine = put(state["engine"], state="failed")
        fault = {"code": message["code"], "subject": message["subject"]}
        return put(state, engine=engine, fault=fault, known=True), []
    return state, []


def on_cancel(state: dict, message: dict, event: dict) -> tuple:
    """The answer to a cancel: the target's own terminal message tells the rest."""
    return state, []


def _describe(state: dict, event: dict) -> tuple:
    """Ask for everything that the settings page tells of."""
    effects: list = []
    for area in (qdrant, catalogue, embedders, egress, doctor):
        state, more = area.describe(state, event)
        effects = effects + more
    return state, effects


HANDLERS = {
    "notice": on_notice,
    "hello": on_hello,
    "reset_library": on_hello,
    "library": listing.on_library,
    "cancel": on_cancel,
    "ask": voice.on_ask,
    "ask_each": answers.on_each,
    "research": answers.on_research,
    "receipt": answers.on_receipt,
    "replay": answers.on_replay,
    "freshness": answers.on_freshness,
    "provider_test": services.on_test,
    "catalogue": catalogue.on_catalogue,
    "model_download": catalogue.on_download,
    "model_import": catalogue.on_import,
    "model_measure": catalogue.on_measure,
    "model_remove": catalogue.on_remove,
    "doctor": doctor.on_doctor,
    "engine_restart": doctor.on_restart,
    "egress_preview": egress.on_preview,
    "egress_list": egress.on_account,
    "egress_revoke": egress.on_account,
    "elsewhere": elsewhere.on_request,
    "threads": threads.on_threads,
    "thread": threads.on_thread,
    "thread_turns": threads.on_turns,
    "choose_turn": threads.on_choose,
    "find_threads": history.on_found,
    "rename_thread": history.on_row,
    "pin_thread": history.on_row,
    "remove_threads": history.on_rows,
    "remove_turn": history.on_rows,
    "restore_threads": history.on_rows,
    "find": shelf.on_find,
    "embedder": models.on_embedder,
    "embedder_adopt": models.on_adopt,
    "embedder_forget": models.on_forget,
    "embedder_catalogue": embedders.on_catalogue,
    "embedder_download": embedders.on_download,
    "embedder_use": embedders.on_use,
    "embedder_remove": embedders.on_remove,
    "reembed": models.on_reembed,
    "self_test": models.on_self_test,
    "qdrant_test": qdrant.on_test,
    "qdrant_sync": qdrant.on_sync,
    "qdrant_state": qdrant.on_state,
    "egress_agree": egress.on_account,
    "show": chat.on_show,
    "summarise": summaries.on_summarise,
    "summaries": summaries.on_summaries,
    "cite": summaries.on_cite,
    "interest": hints.on_interest,
    "index": shelf.on_index,
    "saved_text": saved.on_saved_text,
    "pdf_passages": pdf.on_pdf_passages,
    "starters": guide.on_starters,
    "add_file": files.on_add_file,
    "remove": pages.on_remove,
    "restore": pages.on_restore,
    "locate": sources.on_locate,
    "data_state": data.on_state,
    "data_seen": data.on_state,
    "export_library": data.on_export,
    "look_at_import": data.on_look,
    "take_import": data.on_take,
    "drop_import": data.on_drop,
    "undo_import": data.on_undo,
    "back_up": data.on_back_up,
    "wipe": data.on_wipe,
    "remove_all": library.on_remove_all,
    "restore_all": library.on_restore_all,
}
TABLE = {
    "boot": boot,
    "ensured": ensured,
    "check": check,
    "wire": wire,
    "retry_engine": retry,
    "reset": reset,
    "refresh": refresh,
}
