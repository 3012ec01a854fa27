"""Tabs and saved pages: the live list, adding, progress, stopping, removing with undo."""

from tabwise.protocol.tabs import why_unreadable
from tabwise.ui import client
from tabwise.ui.events import clock, toast
from tabwise.ui.selectors import active_tab, addable_urls, row_after_removal, title_of
from tabwise.ui.state import find, put, put_at, replace_in, without
from tabwise.ui.text import origin_pattern
from tabwise.ui.words import error_sentence, say

_UNFINISHED = ("waiting", "reading")


def tabs(state: dict, event: dict) -> tuple:
    """The tabs of the window changed; most recent first, ticks of closed tabs are dropped."""
    known = {tab["tab_id"]: tab for tab in state["tabs"]}
    # an unchanged record stays the same object, so that its row is not drawn again
    records = [tab if known.get(tab["tab_id"]) != tab else known[tab["tab_id"]] for tab in event["tabs"]]
    ordered = sorted(records, key=lambda tab: (not tab["active"], -tab["last_accessed"], tab["index"]))
    urls = [tab["url"] for tab in ordered]
    return put(state, tabs=ordered, ticked=[url for url in state["ticked"] if url in urls]), []


def view(state: dict, event: dict) -> tuple:
    """Switch between Chat and Pages."""
    state = put(state, view=event["value"], card=None)
    if event["value"] == "pages" and state["known"]:
        return client.send(state, event["id"], "library")
    return state, []


def to_library(state: dict, event: dict) -> tuple:
    """Go to the saved pages."""
    return put(state, view="pages", card=None), [("scroll", "library")]


def filter_list(state: dict, event: dict) -> tuple:
    """The filter box changed."""
    return put(state, filter=event["value"]), []


def tick(state: dict, event: dict) -> tuple:
    """A tab was ticked or unticked."""
    ticked = [url for url in state["ticked"] if url != event["url"]]
    return put(state, ticked=ticked + [event["url"]] if event["checked"] else ticked), []


def add_one(state: dict, event: dict) -> tuple:
    """Add the tab that shows a URL, with what the reader said about it."""
    said = {name: event[name] for name in ("allowed", "confirmed") if name in event}
    return _grant(state, [event["url"]], said)


def add_active(state: dict, event: dict) -> tuple:
    """Add the tab the reader is on."""
    tab = active_tab(state)
    return _grant(state, [tab["url"]]) if tab and not why_unreadable(tab) else (state, [])


def add_ticked(state: dict, event: dict) -> tuple:
    """Add the ticked tabs."""
    return _grant(put(state, ticked=[]), state["ticked"])


def add_all(state: dict, event: dict) -> tuple:
    """Add every readable tab that is not saved yet; when all are, look for changes in all of them."""
    new, readable = addable_urls(state)
    return _grant(state, new or readable)


def index(state: dict, event: dict) -> tuple:
    """The browser was asked for access: send the tabs. A refusal shows in the row of each tab."""
    chosen = []
    for url in event["urls"]:
        tab = find(state["tabs"], "url", url)
        if tab is not None and not _in_work(state, url):
            chosen.append(tab)
    if not chosen:
        return state, []
    job = {
        "id": event["id"],
        "tabs": [{"tab_id": tab["tab_id"], "url": tab["url"]} for tab in chosen],
        "stopping": False,
        "stage": None,
        "started": event["now"],
    }
    for tab in chosen:
        state = _outcome(state, tab["url"], "waiting", None, None)
    state = put(state, jobs=state["jobs"] + [job], draft_error="", now=event["now"])
    said = {"allowed": event.get("allowed", False), "confirmed": event.get("confirmed", False)}
    state, effects = client.send(state, event["id"], "index", tabs=[put(tab, **said) for tab in chosen])
    state, ticking = clock.start(state)
    return state, effects + ticking


def stop_jobs(state: dict, event: dict) -> tuple:
    """Stop every running index request; pages that are finished stay."""
    effects: list = []
    for job in state["jobs"]:
        request_id = event["id"] + "-" + job["id"]
        state = put(state, jobs=replace_in(state["jobs"], "id", job["id"], put(job, stopping=True)))
        state, more = client.send(state, request_id, "cancel", target=job["id"])
        effects = effects + more
    return state, effects


def dismiss_row(state: dict, event: dict) -> tuple:
    """Forget that a tab could not be added."""
    return put(state, rows=without(state["rows"], event["url"])), []


def remove(state: dict, event: dict) -> tuple:
    """Remove a saved page; it can be taken back for ten seconds."""
    page = find(state["library"], "source", event["source"])
    if page is None:
        return state, []
    focus = row_after_removal(state, page)
    library = [p for p in state["library"] if p["source"] != page["source"]]
    state = put(state, library=library)
    state, effects = client.send(state, event["id"], "remove", source=page["source"])
    effects.append(("focus", focus))
    undo = {"type": "restore", "page": page}
    state, more = toast.show(state, say("removed", title=title_of(page)), event, undo)
    return state, effects + more


def restore(state: dict, event: dict) -> tuple:
    """Take a removal back."""
    page = event["page"]
    library = [p for p in state["library"] if p["source"] != page["source"]]
    state = put(state, library=[page] + library, toast=None)
    return client.send(state, event["id"], "restore", source=page["source"])


def focus_tab(state: dict, event: dict) -> tuple:
    """Bring a tab and its window to the front."""
    return state, [("focus_tab", event["tab_id"], event["window_id"])]


def open_page(state: dict, event: dict) -> tuple:
    """Open a saved page in a new tab."""
    return state, [("open", event["url"])]


def reload_panel(state: dict, event: dict) -> tuple:
    """Start the panel afresh."""
    return state, [("reload",)]


def on_index(state: dict, message: dict, event: dict) -> tuple:
    """An event of an index request arrived."""
    job = find(state["jobs"], "id", message["re"])
    if job is None:
        return state, []
    kind = message["type"]
    if kind == "progress":
        stage = {name: message[name] for name in ("stage", "done", "total", "unit")}
        return put(state, jobs=replace_in(state["jobs"], "id", job["id"], put(job, stage=stage))), []
    if kind == "row":
        return _row(state, job, message["row"]), []
    if kind == "done":
        for row in message["result"]:
            state = _row(state, job, row)
        n_added = len([r for r in message["result"] if r["state"] in ("added", "updated", "unchanged")])
        state, effects = _tell_failures(_finish(state, job, None), message["result"], event)
        return state, [("announce", say("announce_pages", n=n_added))] + effects
    if kind == "error":
        failure = {"code": message["code"], "subject": message["subject"], "message": message["message"]}
        return _finish(state, job, failure), []
    if kind == "cancelled":
        return _finish(state, job, None), []
    return state, []


def on_remove(state: dict, message: dict, event: dict) -> tuple:
    """A page was removed, or could not be: then the list is asked for again."""
    return _relist(state, message, event)


def on_restore(state: dict, message: dict, event: dict) -> tuple:
    """A removal was taken back, or could not be."""
    return _relist(state, message, event)


def _relist(state: dict, message: dict, event: dict) -> tuple:
    if message["type"] != "error":
        return state, []
    return client.send(state, event["id"], "library")


def _grant(state: dict, urls: list, said: dict | None = None) -> tuple:
    origins: list = []
    for url in urls:
        pattern = origin_pattern(url)
        if pattern and pattern not in origins:
            origins.append(pattern)
    then: dict = {"type": "index", "urls": urls}
    then.update(said or {})
    return state, [("grant", origins, then)]


def _in_work(state: dict, url: str) -> bool:
    row = state["rows"].get(url)
    return row is not None and row["state"] in _UNFINISHED


def _row(state: dict, job: dict, row: dict) -> dict:
    tab = find(job["tabs"], "tab_id", row["tab_id"])
    if tab is None:
        return state
    if row["page"] is not None:
        kept = [p for p in state["library"] if p["source"] != row["page"]["source"]]
        state = put(state, library=[row["page"]] + kept)
    return _outcome(state, tab["url"], row["state"], row["page"], row["failure"])


def _finish(state: dict, job: dict, failure: dict | None) -> dict:
    for tab in job["tabs"]:
        if not _in_work(state, tab["url"]):
            continue
        if failure is None:
            state = put(state, rows=without(state["rows"], tab["url"]))
        else:
            state = _outcome(state, tab["url"], "failed", None, failure)
    return put(state, jobs=[j for j in state["jobs"] if j["id"] != job["id"]])


def _tell_failures(state: dict, result: list, event: dict) -> tuple:
    """In the chat, where no row tells it, say what could not be added."""
    codes = [row["failure"]["code"] for row in result if row["failure"] is not None]
    if state["view"] != "chat" or not codes:
        return state, []
    text = say("not_all_added", n=len(codes))
    return toast.show(state, text + " " + error_sentence(codes[0]) if len(codes) == 1 else text, event)


def _outcome(state: dict, url: str, what: str, page: dict | None, failure: dict | None) -> dict:
    outcome = {"state": what, "page": page, "failure": failure}
    return put(state, rows=put_at(state["rows"], url, outcome))


TABLE = {
    "tabs": tabs,
    "view": view,
    "to_library": to_library,
    "filter": filter_list,
    "tick_tab": tick,
    "add_one": add_one,
    "add_active": add_active,
    "add_ticked": add_ticked,
    "add_all": add_all,
    "index": index,
    "stop_jobs": stop_jobs,
    "dismiss_row": dismiss_row,
    "remove": remove,
    "restore": restore,
    "focus_tab": focus_tab,
    "open_page": open_page,
    "reload": reload_panel,
}
