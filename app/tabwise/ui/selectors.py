"""What follows from the state: rows of the Pages view, the scope of a question, starter questions."""

from tabwise.protocol.addresses import host_of
from tabwise.protocol.rules import why_never_read
from tabwise.protocol.tabs import why_unreadable
from tabwise.ui.dates import DAY_MS, start_of_date, start_of_day
from tabwise.ui.guide import starter_texts
from tabwise.ui.memo import Memo
from tabwise.ui.state import find
from tabwise.ui.text import clock_time, fold, shorten, site_of, without_fragment
from tabwise.ui.threads import by_day, found_rows, path_to
from tabwise.ui.words import say

MAX_HOSTS = 24
MAX_LISTED = 100  # saved pages that are listed below the tabs, until all are asked for
SECRETS = ("page_has_password", "page_has_payment")
_TITLE_MARKS = (" | ", " · ", " — ", " – ", " - ")


def active_tab(state: dict) -> dict | None:
    """Return the tab the reader is on."""
    return find(state["tabs"], "active", True)


def page_of(state: dict, url: str) -> dict | None:
    """Return the saved page that shows at `url`, None when it was not added."""
    saved = _saved(state)
    row = state["rows"].get(url)
    if row is not None and row["page"] is not None:
        return saved.get(row["page"]["source"])
    return saved.get(state["sources"].get(url, "")) or saved.get(without_fragment(url))


def open_sources(state: dict) -> list:
    """Return the sources of the saved pages that are open in this window, each once."""
    return _derived("open", _open_sources, state["tabs"], state["rows"], state["library"], state["sources"])


def tab_rows(state: dict) -> list:
    """Return a row for each open tab that passes the filter, as what `view.rows.tab_row` draws.

    Keys: tab, page (saved), outcome (of adding it), blocked (an error code or ""), rule (the never-read rule
    that blocks it), ticked, changed (since it was added).
    """
    names = ("tabs", "rows", "library", "sources", "ticked", "filter", "settings", "changed")
    inputs = [state[name] for name in names]
    return _derived("tab rows", _tab_rows, *inputs)


def library_rows(state: dict) -> list:
    """Return the saved pages that are shown in no other row."""
    return _derived("library rows", _library_rows, state["library"], open_sources(state), file_rows(state))


def file_rows(state: dict) -> list:
    """Return (file, saved page, outcome) of each file given since the panel opened and not removed since."""
    return _derived("file rows", _file_rows, state["files"], state["rows"], state["library"])


def listed_sources(state: dict) -> list:
    """Return the sources of the saved pages that the Pages view lists: of tabs, of files, the others."""
    names = ("library", "tabs", "rows", "sources", "files", "all_saved")
    return _derived("listed", _listed_sources, *[state[name] for name in names])


def unsummarised(state: dict) -> list:
    """Return those of them that have no summary."""
    return _derived("unsummarised", _without_summary, listed_sources(state), state["summaries"]["known"])


def addable_urls(state: dict) -> tuple:
    """Return (URLs not yet added, all readable URLs) of the window, each once, in order.

    A page that asks for a password or a card is left to the reader.
    """
    inputs = [state[name] for name in ("tabs", "rows", "library", "sources", "settings")]
    return _derived("addable", _addable_urls, *inputs)


def why_blocked(state: dict, tab: dict) -> str:
    """Return the error code that keeps a tab from being added without another word, "" when nothing does."""
    return _block(tab, state["settings"])[0]


def is_here(tab: dict, tabs: list) -> bool:
    """Whether a tab is of the window the panel is in: that of the active tab."""
    active = find(tabs, "active", True)
    return active is None or tab["window_id"] == active["window_id"]


def forget() -> None:
    """Drop what was kept: the words it is said in have changed."""
    _derived.forget()


# what follows from parts of the state is kept until one of them changes
_derived = Memo()


def _blocked(tabs: list, settings: dict) -> list:
    return _derived("blocked", _blocks, tabs, settings)


def _blocks(tabs: list, settings: dict) -> list:
    return [_block(tab, settings) for tab in tabs]


def _block(tab: dict, settings: dict) -> tuple:
    """(error code, never-read rule) of a tab, both "" when it can be added."""
    code = why_unreadable(tab)
    if code not in ("", "tab_asleep"):
        return code, ""
    rule = why_never_read(tab["url"], settings)
    return ("page_never_read", rule) if rule else (code, "")


def _saved(state: dict) -> dict:
    return _derived("saved", _pages_by_address, state["library"])


def _pages_by_address(library: list) -> dict:
    pages = {}
    for page in reversed(library):
        # sources of selections and given files have a fragment; they are not what their address shows
        if "#" not in page["source"]:
            pages[without_fragment(page["url"])] = page
    for page in library:
        pages[page["source"]] = page
    return pages


def _open_sources(tabs: list, rows: dict, library: list, sources: dict) -> list:
    state = {"rows": rows, "library": library, "sources": sources}
    found: list = []
    seen = set()
    for tab in tabs:
        page = page_of(state, tab["url"])
        if page is not None and page["source"] not in seen:
            seen.add(page["source"])
            found.append(page["source"])
    return found


def _tab_rows(
    tabs: list,
    rows: dict,
    library: list,
    sources: dict,
    ticked: list,
    needle: str,
    settings: dict,
    changed: list,
) -> list:
    state = {"rows": rows, "library": library, "sources": sources}
    return [
        {
            "tab": tab,
            "page": page_of(state, tab["url"]),
            "outcome": rows.get(tab["url"]),
            "blocked": blocked,
            "rule": rule,
            "ticked": tab["url"] in ticked,
            "changed": _is_changed(page_of(state, tab["url"]), changed),
        }
        for tab, (blocked, rule) in zip(tabs, _blocked(tabs, settings))
        if not needle or matches(needle, tab["title"], tab["url"])
    ]


def _is_changed(page: dict | None, changed: list) -> bool:
    return page is not None and page["source"] in changed


def _library_rows(library: list, shown: list, files: list) -> list:
    hidden = set(shown)
    hidden.update([page["source"] for _, page, _ in files if page is not None])
    return [page for page in library if page["source"] not in hidden]


def _listed_sources(
    library: list, tabs: list, rows: dict, sources: dict, files: list, all_saved: bool
) -> list:
    state = {"library": library, "tabs": tabs, "rows": rows, "sources": sources, "files": files}
    saved = library_rows(state)
    given = [page["source"] for _, page, _ in file_rows(state) if page is not None]
    shown = open_sources(state) + given
    return shown + [page["source"] for page in (saved if all_saved else saved[:MAX_LISTED])]


def _without_summary(listed: list, known: dict) -> list:
    return [source for source in listed if source not in known]


def _file_rows(files: list, rows: dict, library: list) -> list:
    shown = []
    for file in files:
        outcome = rows.get(file["url"])
        if outcome is None:
            continue
        page = find(library, "source", outcome["page"]["source"]) if outcome["page"] else None
        if page is not None or outcome["page"] is None:
            shown.append((file, page, outcome))
    return shown


def _addable_urls(tabs: list, rows: dict, library: list, sources: dict, settings: dict) -> tuple:
    state = {"rows": rows, "library": library, "sources": sources}
    new: list = []
    readable: list = []
    seen = set()
    for tab, (blocked, _) in zip(tabs, _blocked(tabs, settings)):
        url = tab["url"]
        shown = sources.get(url) or url
        if blocked or shown in seen or not is_here(tab, tabs) or _asks_for_secret(rows.get(url)):
            continue
        seen.add(shown)
        readable.append(url)
        if page_of(state, url) is None:
            new.append(url)
    return new, readable


def _asks_for_secret(outcome: dict | None) -> bool:
    failure = outcome["failure"] if outcome else None
    return failure is not None and failure["code"] in SECRETS


def _scope_choices(n_saved: int, n_open: int, n_ticked: int, here: bool) -> list:
    choices = [("all", say("scope_all", n=n_saved))] if n_saved else []
    if 0 < n_open < n_saved:
        choices.append(("open", say("scope_open", n=n_open)))
    if n_ticked:
        choices.append(("ticked", say("scope_ticked", n=n_ticked)))
    if n_saved > 1 and here:
        choices.append(("this", say("scope_this")))
    return choices


def matches(needle: str, title: str, url: str) -> bool:
    """Whether every word of `needle` occurs in the title or the address."""
    hay = fold(title + " " + url)
    for word in fold(needle).split():
        if word not in hay:
            return False
    return True


def tab_to_add(state: dict) -> str:
    """Return the title of the tab the reader is on when it can be added and was not yet, else ""."""
    tab = active_tab(state)
    if tab is None or why_blocked(state, tab) or page_of(state, tab["url"]) is not None:
        return ""
    row = state["rows"].get(tab["url"])
    return "" if row is not None and row["state"] in ("waiting", "reading", "waking") else title_of(tab)


def scope_sources(state: dict) -> list | None:
    """Return what an `ask` carries as sources: [] for all, None when the scope holds no page."""
    if not state["library"]:
        return None
    scope = effective_scope(state)
    if scope == "all":
        return []
    if scope == "open":
        return open_sources(state)
    if scope == "ticked":
        return ticked_sources(state)
    tab = active_tab(state)
    page = page_of(state, tab["url"]) if tab else None
    return [page["source"]] if page else None


def effective_scope(state: dict) -> str:
    """Return the chosen scope, or "all" when the chosen one holds no page any more."""
    return state["scope"] if state["scope"] in [value for value, _ in scope_choices(state)] else "all"


def scope_choices(state: dict) -> list:
    """Return the scopes that hold pages as (value, label) pairs."""
    tab = active_tab(state)
    here = page_of(state, tab["url"]) if tab else None
    counts = (len(state["library"]), len(open_sources(state)), len(ticked_sources(state)))
    return _derived("scopes", _scope_choices, *(counts + (here is not None,)))


def ticked_sources(state: dict) -> list:
    """Return the sources of the saved pages whose tabs are ticked, each once."""
    found: list = []
    for url in state["ticked"]:
        page = page_of(state, url)
        if page is not None and page["source"] not in found:
            found.append(page["source"])
    return found


def asked_filter(state: dict, event: dict) -> dict:
    """Return the Filter of a question that is asked with `event`."""
    narrowed = state["narrowed"]
    after, before = 0, 0
    if narrowed["days"] > 0:
        after = start_of_day(event["now"], event["offset_min"], narrowed["days"] - 1)
    elif narrowed["days"] < 0:
        after = start_of_date(narrowed["from"], event["offset_min"])
        end = start_of_date(narrowed["to"], event["offset_min"])
        before = end + DAY_MS if end else 0
    return {
        "sites": narrowed["sites"],
        "after": after,
        "before": before,
        "prefer_recent": narrowed["recent"],
    }


def hosts(state: dict) -> list:
    """Return the sites of the library, those with most pages first, at most MAX_HOSTS."""
    return _derived("hosts", _hosts, state["library"])


def _hosts(library: list) -> list:
    counts: dict = {}
    for page in library:
        if host_of(page["url"]):
            host = site_of(page["url"])
            counts[host] = counts.get(host, 0) + 1
    return sorted(counts, key=lambda host: (-counts[host], host))[:MAX_HOSTS]


def row_after_removal(state: dict, page: dict) -> str:
    """Return the element id that takes the focus when `page` is removed: its tab, a neighbour, the filter."""
    for tab in state["tabs"]:
        if page_of(state, tab["url"]) is page:
            return "tab-%d" % tab["tab_id"]
    for _, saved, _ in file_rows(state):
        if saved is page:
            return "add-files"
    sources = [saved["source"] for saved in library_rows(state)]
    place = sources.index(page["source"]) if page["source"] in sources else 0
    neighbours = sources[place + 1 :] + list(reversed(sources[:place]))
    return "saved-" + neighbours[0] if neighbours else "filter"


def working_block(state: dict) -> dict | None:
    """Return the question that is being answered."""
    return find(state["blocks"], "state", "working")


def cited_block(state: dict, name: str) -> dict | None:
    """Return the block whose citations a chip names: a question's, or `<block>/<place>` of a page asked."""
    head, mark, place = name.partition("/")
    if not mark:
        return find(state["blocks"], "id", name)
    inside = state["inside"].get(head)
    pages = inside["each"] if inside else []
    page = pages[int(place)] if place.isdigit() and int(place) < len(pages) else None
    return block_of_page(head, int(place), page) if page is not None and page["answer"] else None


def block_of_page(block_id: str, place: int, page: dict) -> dict:
    """Return the answer of one page of a question that every page was asked, as a block of its own."""
    answer = page["answer"]
    return {
        "id": "%s/%d" % (block_id, place),
        "question": title_of(page),
        "state": "done",
        "sentences": answer["sentences"],
        "citations": answer["citations"],
        "answer": answer,
    }


def thread_title(state: dict) -> str:
    """Return the title of the open conversation; before it is listed its first question is one."""
    row = find(state["history"]["rows"], "id", state["thread"])
    if row is not None:
        title: str = row["title"]
        return title
    return shorten(" ".join(state["blocks"][0]["question"].split()), 60) if state["blocks"] else ""


def shown_blocks(state: dict) -> list:
    """Return the questions of the branch that is shown, from the first."""
    return _derived("path", path_to, state["blocks"], state["head"])


def listed_threads(state: dict) -> list:
    """Return the ids of the conversations in the order they are listed."""
    history = state["history"]
    if history["matches"] is not None:
        return [row["id"] for row, _ in found_rows(history["rows"], history["matches"])]
    groups = by_day(history["rows"], history["dated"]["now"], history["dated"]["offset_min"])
    return [row["id"] for group in groups for row in group[3]]


def title_of(record: dict) -> str:
    """Return the title of a tab, a page or a citation, or its site when it has none."""
    return record["title"].strip() or site_of(record["url"]) or say("untitled")


def places_of(citations: list) -> str:
    """Return the pages or times that are cited of one source, in order, "" where it has neither."""
    pages = sorted({citation["page_number"] for citation in citations if citation["page_number"]})
    times = sorted({citation["seconds"] for citation in citations if citation["seconds"] is not None})
    if pages:
        return say("cited_pages", numbers=", ".join([str(number) for number in pages]))
    return ", ".join([clock_time(seconds) for seconds in times])


def topic_of(page: dict) -> str:
    """Return the title of a page without the name of its site, short enough for a question."""
    title = title_of(page)
    for mark in _TITLE_MARKS:
        head = title.rpartition(mark)[0].strip()
        if len(head) >= 8:
            title = head
            break
    return shorten(title, 60)


def examples(state: dict) -> list:
    """Return three starter questions: such as the pages answer, then some about the pages added last."""
    pages = state["library"]
    if not pages:
        return []
    keys = ("example_points", "example_know", "example_numbers")
    about = [say(key, title=topic_of(pages[place % len(pages)])) for place, key in enumerate(keys)]
    return (starter_texts(state["starters"]["shown"]) + about)[:3]
