"""Adding tabs: the access that is missing, waking what sleeps, the job, what becomes of each tab.

What the reader said about a page goes with it to the engine: `allowed` (read it despite a never-read rule)
and `confirmed` (despite a visible password or card field), `selection` (only what is selected).

The tabs of one job are asked for in parts, a request for each: to write a message about hundreds of tabs, or
to read what became of them all, would hold the panel up. The engine reads them one after the other.
"""

from tabwise.protocol.addresses import host_of
from tabwise.ui import client
from tabwise.ui.access import EVERYWHERE, may_read, missing_origins
from tabwise.ui.events import access, clock, sources, toast
from tabwise.ui.progress import stage_of
from tabwise.ui.state import find, put, put_at, replace_in, without
from tabwise.ui.tabs import active_tab, addable_urls, why_blocked
from tabwise.ui.text import origin_pattern
from tabwise.ui.words import error_sentence, say

WAKE_MS = 30000
PART = 25
UNFINISHED = ("waiting", "reading", "waking")
_SAID = ("allowed", "confirmed", "selection")


def add_one(state: dict, event: dict) -> tuple:
    """Add the tab that shows a URL; one that sleeps is woken for it."""
    return _add(state, [event["url"]], event)


def add_active(state: dict, event: dict) -> tuple:
    """Add the tab the reader is on."""
    tab = active_tab(state)
    if tab is None or why_blocked(state, tab) not in ("", "tab_asleep"):
        return state, []
    return _add(state, [tab["url"]], event)


def add_ticked(state: dict, event: dict) -> tuple:
    """Add the ticked tabs."""
    return _add(put(state, ticked=[]), state["ticked"], event)


def add_all(state: dict, event: dict) -> tuple:
    """Add every readable tab that is not saved yet; when all are, look for changes in all of them."""
    new, readable = addable_urls(state)
    return _add(state, new or readable, event)


def always_allow(state: dict, event: dict) -> tuple:
    """Allow a site from now on, and add its tab."""
    settings = access.with_rule(state["settings"], "allow", host_of(event["url"]))
    state, effects = access.save(state, settings)
    state, more = _add(state, [event["url"]], put(event, allowed=True))
    return state, effects + more


def ask_access(state: dict, event: dict) -> tuple:
    """Ask the browser for the site of a tab that could not be read for want of access."""
    return state, [("grant", [origin_pattern(event["url"])], {"type": "granted", "urls": [event["url"]]})]


def choose_sites(state: dict, event: dict) -> tuple:
    """The reader chose which access to give: to the sites of the tabs, or to every site."""
    asking = state["asking"]
    if asking is None:
        return state, []
    origins = [EVERYWHERE] if event["everywhere"] else asking["origins"]
    return put(state, asking=None), [("grant", origins, asking["then"])]


def no_sites(state: dict, event: dict) -> tuple:
    """The reader gave no access: add what can be read without."""
    asking = state["asking"]
    if asking is None:
        return state, []
    state, effects = granted(put(state, asking=None), _about(asking["then"], event, granted=False))
    return state, effects + [("refocus", "filter")]


def granted(state: dict, event: dict) -> tuple:
    """The browser's question was answered: go on. What was refused says so in its row."""
    urls = event["urls"]
    if not event["granted"]:
        refused = [url for url in urls if not may_read(url, state["tabs"], state["access"])]
        for url in refused:
            state = outcome(state, url, "failed", None, _failure("tab_needs_permission"))
        urls = [url for url in urls if url not in refused]
    return _go(state, urls, event)


def index(state: dict, event: dict) -> tuple:
    """Send the tabs that show these URLs to the engine."""
    shown = _first_by_url(state["tabs"])
    chosen = [shown[url] for url in event["urls"] if url in shown and not _in_work(state, url)]
    if not chosen:
        return state, []
    said = {name: event.get(name, False) for name in _SAID}
    job = {
        "id": event["id"],
        "requests": [],
        "starts": {},  # the place of each request's first tab
        "tabs": [{"tab_id": tab["tab_id"], "url": tab["url"]} for tab in chosen],
        "unsent": [put(tab, **said) for tab in chosen],
        "n_added": 0,
        "codes": [],  # of failures
        "stopping": False,
        "stage": None,
        "started": event["now"],
        "badge": event.get("badge", False),
        "selection": event.get("selection", False),
    }
    rows = dict(state["rows"])
    for tab in chosen:
        rows[tab["url"]] = _outcome("waiting", None, None)
    state = put(state, jobs=state["jobs"] + [job], rows=rows, draft_error="", now=event["now"])
    state, effects = _send_part(state, job)
    state, ticking = clock.start(state)
    return state, effects + ticking


def send_tabs(state: dict, event: dict) -> tuple:
    """Ask for the next part of a job, which may have been stopped since."""
    job = find(state["jobs"], "id", event["job"])
    return _send_part(state, job) if job is not None and job["unsent"] else (state, [])


def woken(state: dict, event: dict) -> tuple:
    """The tabs changed: index those that were woken and are there now. A woken tab may have another id."""
    effects: list = []
    for url in list(state["waking"]):
        waking = state["waking"][url]
        tab = find(state["tabs"], "url", url) or find(state["tabs"], "tab_id", waking["tab_id"])
        if tab is None or tab["asleep"] or tab["loading"]:
            continue
        state = _awake(state, url)
        go = _about(waking["said"], event, urls=[tab["url"]])
        go["id"] = event["id"] + "-" + str(tab["tab_id"])
        state, more = index(state, go)
        effects = effects + more
    return state, effects


def wake_expired(state: dict, event: dict) -> tuple:
    """A tab was to be awake by now."""
    url = event["url"]
    waking = state["waking"].get(url)
    if waking is None or waking["token"] != event["token"]:
        return state, []
    there = find(state["tabs"], "url", url) is not None
    state = _awake(state, url)
    return outcome(state, url, "failed", None, _failure("tab_timeout" if there else "tab_gone")), []


def stop_jobs(state: dict, event: dict) -> tuple:
    """Stop adding tabs and files; pages that are finished stay."""
    effects: list = []
    for job in state["jobs"]:
        state = _stopped(state, job)
        for target in job["requests"]:
            state, more = client.send(state, event["id"] + "-" + target, "cancel", target=target)
            effects = effects + more
    return state, effects


def dismiss_row(state: dict, event: dict) -> tuple:
    """Forget that a tab could not be added."""
    return put(state, rows=without(state["rows"], event["url"])), [("refocus", "filter")]


def on_index(state: dict, message: dict, event: dict) -> tuple:
    """An event of an index request arrived."""
    job = _job_of(state, message["re"])
    if job is None:
        return state, []
    kind = message["type"]
    if kind == "progress":
        if message["stage"] == "read":
            done = job["starts"][message["re"]] + message["done"]
            message = put(message, done=done, total=len(job["tabs"]))
        stage = stage_of(job["stage"], message, event["now"])
        return put(state, jobs=replace_in(state["jobs"], "id", job["id"], put(job, stage=stage))), []
    if kind == "row":
        return _take_rows(state, job, [message["row"]]), []
    if kind == "done":
        job = _counted(job, message["result"])
        state = _end_part(_take_rows(state, job, message["result"]), job, message["re"], None)
        state, effects = sources.locate(state, event)
        if find(state["jobs"], "id", job["id"]) is not None:
            return state, effects
        state, more = _tell_end(state, job, event)
        return state, effects + more
    if kind == "error":
        failure = {"code": message["code"], "subject": message["subject"], "message": message["message"]}
        return _end_part(state, job, message["re"], failure), _badge(job, False)
    if kind == "cancelled":
        return _end_part(state, job, message["re"], None), []
    return state, []


def outcome(state: dict, url: str, what: str, page: dict | None, failure: dict | None) -> dict:
    """Note what became of a tab or a file."""
    return put(state, rows=put_at(state["rows"], url, _outcome(what, page, failure)))


def keep(state: dict, pages: list) -> dict:
    """Put pages that were added at the head of the library, the last first, in place of what they were."""
    if not pages:
        return state
    library = []
    seen = set()
    for page in list(reversed(pages)) + state["library"]:
        if page["source"] not in seen:
            seen.add(page["source"])
            library.append(page)
    added = {page["source"] for page in pages}
    return put(state, library=library, changed=[source for source in state["changed"] if source not in added])


def _add(state: dict, urls: list, event: dict) -> tuple:
    """Ask for the access that is missing, one site at once, several with a choice; then go on."""
    then = _about(event, {}, type="granted", urls=urls)
    origins = missing_origins(urls, state["tabs"], state["access"])
    if not origins:
        return _go(state, urls, event)
    if len(origins) == 1:
        return state, [("grant", origins, then)]
    state = put(state, asking={"origins": origins, "then": then})
    return state, [("announce", say("sites_wanted", n=len(origins))), ("focus", "allow-sites")]


def _go(state: dict, urls: list, event: dict) -> tuple:
    effects: list = []
    awake = []
    shown = _first_by_url(state["tabs"])
    for url in urls:
        tab = shown.get(url)
        if tab is None or not tab["asleep"]:
            awake.append(url)
        elif not _in_work(state, url):
            state, more = _wake(state, tab, event)
            effects = effects + more
    state, more = index(state, _about(event, event, urls=awake))
    return state, effects + more


def _wake(state: dict, tab: dict, event: dict) -> tuple:
    url, token = tab["url"], event["id"]
    waking = {"tab_id": tab["tab_id"], "said": _about(event, {}), "token": token}
    state = put(state, waking=put_at(state["waking"], url, waking))
    expiry = {"type": "wake_expired", "url": url, "token": token}
    state = outcome(state, url, "waking", None, None)
    return state, [("wake", tab["tab_id"]), ("timer", WAKE_MS, expiry)]


def _awake(state: dict, url: str) -> dict:
    return put(state, waking=without(state["waking"], url), rows=without(state["rows"], url))


def _about(said: dict, stamp: dict, **more: object) -> dict:
    """An event that carries on what was said about pages, with the id and time of another event."""
    event = {name: stamp[name] for name in ("id", "now") if name in stamp}
    for name in _SAID + ("badge",):
        if name in said:
            event[name] = said[name]
    event.update(more)
    if "urls" in said and "urls" not in event:
        event["urls"] = said["urls"]
    return event


def _failure(code: str) -> dict:
    return {"code": code, "subject": "", "message": ""}


def _badge(job: dict, well: bool) -> list:
    return [("badge", "✓" if well else "!")] if job["badge"] else []


def _in_work(state: dict, url: str) -> bool:
    row = state["rows"].get(url)
    return row is not None and row["state"] in UNFINISHED


def _take_rows(state: dict, job: dict, results: list) -> dict:
    """Note what became of tabs of a job; at its end it tells all again, and what is known changes nothing."""
    urls = {tab["tab_id"]: tab["url"] for tab in job["tabs"]}
    rows = dict(state["rows"])
    added = []
    for row in results:
        url = urls.get(row["tab_id"])
        if url is None:
            continue
        told = _outcome(row["state"], row["page"], row["failure"])
        if rows.get(url) == told:
            continue
        rows[url] = told
        if row["page"] is not None:
            added.append(row["page"])
            if job["selection"]:  # a page of its own: the tab's page is as it was before
                rows.pop(url)
    return put(keep(state, added), rows=rows)


def _outcome(what: str, page: dict | None, failure: dict | None) -> dict:
    return {"state": what, "page": page, "failure": failure}


def _first_by_url(tabs: list) -> dict:
    """The first tab that shows each address."""
    return {tab["url"]: tab for tab in reversed(tabs)}


def _send_part(state: dict, job: dict) -> tuple:
    start = len(job["tabs"]) - len(job["unsent"])
    request_id = "%s-%d" % (job["id"], start) if start else job["id"]
    part, unsent = job["unsent"][:PART], job["unsent"][PART:]
    starts = put_at(job["starts"], request_id, start)
    job = put(job, unsent=unsent, requests=job["requests"] + [request_id], starts=starts)
    state = put(state, jobs=replace_in(state["jobs"], "id", job["id"], job))
    state, effects = client.send(state, request_id, "index", tabs=part)
    return state, effects + ([("timer", 0, {"type": "send_tabs", "job": job["id"]})] if unsent else [])


def _job_of(state: dict, request_id: str) -> dict | None:
    for job in state["jobs"]:
        if request_id in job["requests"]:
            return job
    return None


def _stopped(state: dict, job: dict) -> dict:
    """Ask for no more of a job."""
    rows = dict(state["rows"])
    for tab in job["unsent"]:
        rows.pop(tab["url"], None)
    job = put(job, unsent=[], stopping=True)
    return put(state, rows=rows, jobs=_with_job(state["jobs"], job))


def _end_part(state: dict, job: dict, request_id: str, failure: dict | None) -> dict:
    """Take a request out of its job, which ends with the last of them."""
    start = job["starts"][request_id]
    rows = dict(state["rows"])
    for tab in job["tabs"][start : start + PART]:
        if not _in_work(state, tab["url"]):
            continue
        if failure is None:
            rows.pop(tab["url"], None)
        else:
            rows[tab["url"]] = _outcome("failed", None, failure)
    job = put(job, requests=[other for other in job["requests"] if other != request_id])
    return put(state, rows=rows, jobs=_with_job(state["jobs"], job))


def _with_job(jobs: list, job: dict) -> list:
    """The jobs with one in its new state, or without it when it is over."""
    if job["requests"] or job["unsent"]:
        return replace_in(jobs, "id", job["id"], job)
    return [other for other in jobs if other["id"] != job["id"]]


def _counted(job: dict, result: list) -> dict:
    n_added = len([row for row in result if row["state"] in ("added", "updated", "unchanged")])
    codes = [row["failure"]["code"] for row in result if row["failure"] is not None]
    return put(job, n_added=job["n_added"] + n_added, codes=job["codes"] + codes)


def _tell_end(state: dict, job: dict, event: dict) -> tuple:
    """Say what a job came to, in the chat, where no row tells it, also what could not be added."""
    effects: list = []
    if state["view"] == "chat" and job["codes"]:
        text = say("not_all_added", n=len(job["codes"]))
        if len(job["codes"]) == 1:
            text = text + " " + error_sentence(job["codes"][0])
        state, effects = toast.show(state, text, event)
    badge = _badge(job, job["n_added"] == len(job["tabs"]))
    if job["selection"] and job["n_added"]:
        state, more = toast.show(state, say("selection_added"), event)
        return state, effects + more + badge
    return state, effects + [("announce", say("announce_pages", n=job["n_added"]))] + badge


TABLE = {
    "add_one": add_one,
    "add_active": add_active,
    "add_ticked": add_ticked,
    "add_all": add_all,
    "always_allow": always_allow,
    "ask_access": ask_access,
    "choose_sites": choose_sites,
    "no_sites": no_sites,
    "granted": granted,
    "send_tabs": send_tabs,
    "wake_expired": wake_expired,
    "stop_jobs": stop_jobs,
    "dismiss_row": dismiss_row,
}
