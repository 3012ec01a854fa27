"""What follows from the state: rows of the Pages view, the scope of a question, starter questions."""

from tabwise.protocol.tabs import why_unreadable
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
        return find(state["library"], "source", row["page"]["source"])
    bare = without_fragment(url)
    for page in state["library"]:
        if bare == page["source"] or bare == without_fragment(page["url"]):
            return page
    return None


def open_sources(state: dict) -> list:
    """Return the sources of the saved pages that are open in this window, each once."""
    sources: list = []
    for tab in state["tabs"]:
        page = page_of(state, tab["url"])
        if page is not None and page["source"] not in sources:
            sources.append(page["source"])
    return sources


def tab_rows(state: dict) -> list:
    """Return a row for each open tab that passes the filter: the tab, its page, its outcome, why not."""
    rows = []
    for tab in state["tabs"]:
        if matches(state["filter"], tab["title"], tab["url"]):
            rows.append(
                {
                    "tab": tab,
                    "page": page_of(state, tab["url"]),
                    "outcome": state["rows"].get(tab["url"]),
                    "blocked": why_unreadable(tab),
                    "ticked": tab["url"] in state["ticked"],
                }
            )
    return rows


def library_rows(state: dict) -> list:
    """Return the saved pages that are not open in this window and pass the filter."""
    shown = open_sources(state)
    return [
        page
        for page in state["library"]
        if page["source"] not in shown and matches(state["filter"], page["title"], page["url"])
    ]


def matches(needle: str, title: str, url: str) -> bool:
    """Whether every word of `needle` occurs in the title or the address."""
    hay = fold(title + " " + url)
    for word in fold(needle).split():
        if word not in hay:
            return False
    return True


def addable_urls(state: dict) -> tuple:
    """Return (URLs not yet added, all readable URLs) of the window, each once, in order."""
    new: list = []
    readable: list = []
    for tab in state["tabs"]:
        url = tab["url"]
        if why_unreadable(tab) or url in readable:
            continue
        readable.append(url)
        if page_of(state, url) is None:
            new.append(url)
    return new, readable


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
    n_saved = len(state["library"])
    if not n_saved:
        return []
    choices = [("all", say("scope_all", n=n_saved))]
    n_open = len(open_sources(state))
    if 0 < n_open < n_saved:
        choices.append(("open", say("scope_open", n=n_open)))
    tab = active_tab(state)
    if n_saved > 1 and tab and page_of(state, tab["url"]):
        choices.append(("this", say("scope_this")))
    return choices


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
    """Return up to three starter questions drawn from the pages added last."""
    pages = state["library"]
    if not pages:
        return []
    first = topic_of(pages[0])
    asked = [say("example_points", title=first), say("example_numbers", title=first)]
    if len(pages) > 1:
        asked.append(say("example_both", title=first, other=topic_of(pages[1])))
    else:
        asked.append(say("example_why", title=first))
    return asked
