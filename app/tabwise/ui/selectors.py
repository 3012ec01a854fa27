"""What follows from the state: rows of the Pages view, the scope of a question, starter questions."""

from tabwise.protocol.tabs import why_unreadable
from tabwise.ui.memo import Memo
from tabwise.ui.state import find
from tabwise.ui.text import fold, shorten, site_of, without_fragment
from tabwise.ui.words import say

_TITLE_MARKS = (" | ", " · ", " — ", " – ", " - ")


def active_tab(state: dict) -> dict | None:
    """Return the tab the reader is on."""
    return find(state["tabs"], "active", True)


def page_of(state: dict, url: str) -> dict | None:
    """Return the saved page that shows at `url`, None when it was not added."""
    row = state["rows"].get(url)
    if row is not None and row["page"] is not None:
        return _saved(state).get(row["page"]["source"])
    return _saved(state).get(without_fragment(url))


def open_sources(state: dict) -> list:
    """Return the sources of the saved pages that are open in this window, each once."""
    return _derived("open", _open_sources, state["tabs"], state["rows"], state["library"])


def tab_rows(state: dict) -> list:
    """Return a row for each open tab that passes the filter: the tab, its page, its outcome, why not."""
    inputs = [state[name] for name in ("tabs", "rows", "library", "ticked", "filter")]
    return _derived("tab rows", _tab_rows, *inputs)


def library_rows(state: dict) -> list:
    """Return the saved pages that are not open in this window and pass the filter."""
    return _derived("library rows", _library_rows, state["library"], open_sources(state), state["filter"])


def addable_urls(state: dict) -> tuple:
    """Return (URLs not yet added, all readable URLs) of the window, each once, in order."""
    return _derived("addable", _addable_urls, state["tabs"], state["rows"], state["library"])


# what follows from parts of the state is kept until one of them changes
_derived = Memo()


def _blocked(tabs: list) -> list:
    return _derived("blocked", _why_unreadable, tabs)


def _why_unreadable(tabs: list) -> list:
    return [why_unreadable(tab) for tab in tabs]


def _saved(state: dict) -> dict:
    return _derived("saved", _pages_by_address, state["library"])


def _pages_by_address(library: list) -> dict:
    pages = {}
    for page in reversed(library):
        pages[without_fragment(page["url"])] = page
    for page in library:
        pages[page["source"]] = page
    return pages


def _open_sources(tabs: list, rows: dict, library: list) -> list:
    state = {"rows": rows, "library": library}
    sources: list = []
    seen = set()
    for tab in tabs:
        page = page_of(state, tab["url"])
        if page is not None and page["source"] not in seen:
            seen.add(page["source"])
            sources.append(page["source"])
    return sources


def _tab_rows(tabs: list, rows: dict, library: list, ticked: list, needle: str) -> list:
    state = {"rows": rows, "library": library}
    return [
        {
            "tab": tab,
            "page": page_of(state, tab["url"]),
            "outcome": rows.get(tab["url"]),
            "blocked": blocked,
            "ticked": tab["url"] in ticked,
        }
        for tab, blocked in zip(tabs, _blocked(tabs))
        if not needle or matches(needle, tab["title"], tab["url"])
    ]


def _library_rows(library: list, shown: list, needle: str) -> list:
    hidden = set(shown)
    return [
        page
        for page in library
        if page["source"] not in hidden and matches(needle, page["title"], page["url"])
    ]


def _addable_urls(tabs: list, rows: dict, library: list) -> tuple:
    state = {"rows": rows, "library": library}
    new: list = []
    readable: list = []
    seen = set()
    for tab, blocked in zip(tabs, _blocked(tabs)):
        url = tab["url"]
        if blocked or url in seen:
            continue
        seen.add(url)
        readable.append(url)
        if page_of(state, url) is None:
            new.append(url)
    return new, readable


def _scope_choices(n_saved: int, n_open: int, here: bool) -> list:
    choices = [("all", say("scope_all", n=n_saved))] if n_saved else []
    if 0 < n_open < n_saved:
        choices.append(("open", say("scope_open", n=n_open)))
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
    if tab is None or why_unreadable(tab) or page_of(state, tab["url"]) is not None:
        return ""
    row = state["rows"].get(tab["url"])
    return "" if row is not None and row["state"] in ("waiting", "reading") else title_of(tab)


def scope_sources(state: dict) -> list | None:
    """Return what an `ask` carries as sources: [] for all, None when the scope holds no page."""
    if not state["library"]:
        return None
    scope = effective_scope(state)
    if scope == "all":
        return []
    if scope == "open":
        return open_sources(state)
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
    return _derived(
        "scopes", _scope_choices, len(state["library"]), len(open_sources(state)), here is not None
    )


def row_after_removal(state: dict, page: dict) -> str:
    """Return the element id that takes the focus when `page` is removed: its tab, a neighbour, the filter."""
    for tab in state["tabs"]:
        if page_of(state, tab["url"]) is page:
            return "tab-%d" % tab["tab_id"]
    sources = [saved["source"] for saved in library_rows(state)]
    place = sources.index(page["source"]) if page["source"] in sources else 0
    neighbours = sources[place + 1 :] + list(reversed(sources[:place]))
    return "saved-" + neighbours[0] if neighbours else "filter"


def working_block(state: dict) -> dict | None:
    """Return the question that is being answered."""
    return find(state["blocks"], "state", "working")


def title_of(record: dict) -> str:
    """Return the title of a tab, a page or a citation, or its site when it has none."""
    return record["title"].strip() or site_of(record["url"]) or say("untitled")


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
    """Return three starter questions about the pages added last, each about another page while there are."""
    pages = state["library"]
    if not pages:
        return []
    keys = ("example_points", "example_know", "example_numbers")
    return [say(key, title=topic_of(pages[place % len(pages)])) for place, key in enumerate(keys)]
