"""Open tabs beside saved pages: which tab shows which page, the rows of the Pages view, what can be added."""

from tabwise.protocol.rules import why_never_read
from tabwise.protocol.tabs import why_unreadable
from tabwise.ui.by_address import ByAddress
from tabwise.ui.memo import Memo
from tabwise.ui.state import find
from tabwise.ui.text import fold, without_fragment
from tabwise.ui.titles import title_of

MAX_LISTED = 100  # saved pages that are listed below the tabs, until all are asked for
SECRETS = ("page_has_password", "page_has_payment")

# what follows from parts of the state is kept until one of them changes
_derived = Memo()
_by_address = ByAddress()
_last_rows: dict = {}  # by tab
_last_blocks: dict = {}  # by tab, with the record it was told of; "settings": those it was told by


def active_tab(state: dict) -> dict | None:
    """Return the tab the reader is on."""
    return find(state["tabs"], "active", True)


def page_of(state: dict, url: str) -> dict | None:
    """Return the saved page that shows at `url`, None when it was not added."""
    return _page_at(url, _by_address(state["library"]), state["rows"], state["sources"])


def open_sources(state: dict) -> list:
    """Return the sources of the saved pages that are open in this window, each once."""
    return _derived("open", _open_sources, _pages(state))


def tab_rows(state: dict) -> list:
    """Return a row for each open tab that passes the filter, as what `view.rows.tab_row` draws.

    Keys: tab, page (saved), outcome (of adding it), blocked (an error code or ""), rule (the never-read rule
    that blocks it), ticked, changed (since it was added).
    """
    names = ("tabs", "rows", "ticked", "filter", "changed")
    inputs = [state[name] for name in names]
    return _derived("tab rows", _tab_rows, _pages(state), _blocked(state), *inputs)


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
    inputs = [state[name] for name in ("tabs", "rows", "sources")]
    return _derived("addable", _addable_urls, _pages(state), _blocked(state), *inputs)


def why_blocked(state: dict, tab: dict) -> str:
    """Return the error code that keeps a tab from being added without another word, "" when nothing does."""
    return _block(tab, state["settings"])[0]


def is_here(tab: dict, active: dict | None) -> bool:
    """Whether a tab is of the window the panel is in: that of the active tab; any is while none is active."""
    return active is None or tab["window_id"] == active["window_id"]


def tab_to_add(state: dict) -> str:
    """Return the title of the tab the reader is on when it can be added and was not yet, else ""."""
    tab = active_tab(state)
    if tab is None or why_blocked(state, tab) or page_of(state, tab["url"]) is not None:
        return ""
    row = state["rows"].get(tab["url"])
    return "" if row is not None and row["state"] in ("waiting", "reading", "waking") else title_of(tab)


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


def matches(needle: str, title: str, url: str) -> bool:
    """Whether every word of `needle` occurs in the title or the address."""
    hay = fold(title + " " + url)
    for word in fold(needle).split():
        if word not in hay:
            return False
    return True


def _blocked(state: dict) -> list:
    """What keeps each tab from being added, as `_block` tells it."""
    return _derived("blocked", _blocks, state["tabs"], state["settings"])


def _pages(state: dict) -> list:
    """The saved page that each tab shows, None when it was not added."""
    names = ("tabs", "rows", "library", "sources")
    return _derived("pages", _pages_at, *[state[name] for name in names])


def _pages_at(tabs: list, rows: dict, library: list, sources: dict) -> list:
    saved = _by_address(library)
    return [_page_at(tab["url"], saved, rows, sources) for tab in tabs]


def _blocks(tabs: list, settings: dict) -> list:
    if _last_blocks.get("settings") is not settings:
        _last_blocks.clear()
    blocks: dict = {"settings": settings}
    found = []
    for tab in tabs:
        known = _last_blocks.get(tab["tab_id"])
        block = known[1] if known is not None and known[0] is tab else _block(tab, settings)
        blocks[tab["tab_id"]] = (tab, block)
        found.append(block)
    _last_blocks.clear()
    _last_blocks.update(blocks)
    return found


def _block(tab: dict, settings: dict) -> tuple:
    """(error code, never-read rule) of a tab, both "" when it can be added."""
    code = why_unreadable(tab)
    if code not in ("", "tab_asleep"):
        return code, ""
    rule = why_never_read(tab["url"], settings)
    return ("page_never_read", rule) if rule else (code, "")


def _page_at(url: str, saved: dict, rows: dict, sources: dict) -> dict | None:
    """The saved page that shows at an address; `saved` as ByAddress gives it."""
    row = rows.get(url)
    if row is not None and row["page"] is not None:
        return saved.get(row["page"]["source"])
    return saved.get(sources.get(url, "")) or saved.get(without_fragment(url))


def _open_sources(pages: list) -> list:
    found: list = []
    seen = set()
    for page in pages:
        if page is not None and page["source"] not in seen:
            seen.add(page["source"])
            found.append(page["source"])
    return found


def _tab_rows(
    pages: list, blocks: list, tabs: list, rows: dict, ticked: list, needle: str, changed: list
) -> list:
    shown = []
    for tab, page, (blocked, rule) in zip(tabs, pages, blocks):
        url = tab["url"]
        if needle and not matches(needle, tab["title"], url):
            continue
        row = {
            "tab": tab,
            "page": page,
            "outcome": rows.get(url),
            "blocked": blocked,
            "rule": rule,
            "ticked": url in ticked,
            "changed": page is not None and page["source"] in changed,
        }
        # an equal row stays the same object, so that it is not drawn again
        before = _last_rows.get(tab["tab_id"])
        shown.append(before if before == row else row)
    _last_rows.clear()
    _last_rows.update({row["tab"]["tab_id"]: row for row in shown})
    return shown


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


def _addable_urls(pages: list, blocks: list, tabs: list, rows: dict, sources: dict) -> tuple:
    active = find(tabs, "active", True)
    new: list = []
    readable: list = []
    seen = set()
    for tab, page, (blocked, _) in zip(tabs, pages, blocks):
        url = tab["url"]
        shown = sources.get(url) or url
        if blocked or not is_here(tab, active) or shown in seen or _asks_for_secret(rows.get(url)):
            continue
        seen.add(shown)
        readable.append(url)
        if page is None:
            new.append(url)
    return new, readable


def _asks_for_secret(outcome: dict | None) -> bool:
    failure = outcome["failure"] if outcome else None
    return failure is not None and failure["code"] in SECRETS
