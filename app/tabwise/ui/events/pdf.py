"""The PDF viewer: its file is fetched, its pages are looked through for the passages, which are marked.

Effects used here, performed by `extension/js/pdf_view.js`: ("pdf", act, ...)
    "open", text     fetch a PDF and show it; dispatches `pdf_opened` or `pdf_failed`        "close"
    "items", text    the text of some pages; dispatches `pdf_items`
    "go", page       scroll to a page                      "zoom", percent, most    0: the width of the window
    "mark", text     mark what stands in the text, and go to the current passage if it says so
    "outside", url, quote, page    show the file in the browser's own viewer
As pages are scrolled or change their size, it dispatches `pdf_at` and `pdf_zoomed`.
"""

import json

from tabwise.protocol.files import MAX_FILE_BYTES
from tabwise.protocol.rules import why_never_read
from tabwise.ui import client
from tabwise.ui.access import missing_origins
from tabwise.ui.pdf import MAX_AUTO_PERCENT, ZOOMS, next_zoom, page_of, pages_to_search, within
from tabwise.ui.state import put
from tabwise.ui.text import is_given_file, origin_pattern
from tabwise.ui.titles import title_of
from tabwise.ui.words import say

# names of failures in the browser and the error code each becomes
_CODES = {
    "FileUnreachable": "file_unreachable",
    "FileTooLarge": "file_too_large",
    "FileAccessOff": "file_access_off",
    "PdfLocked": "page_locked",
    "PdfDamaged": "page_unreadable",
}


def pdf_open(state: dict, event: dict) -> tuple:
    """The viewer was opened with an address, or sent to another passage."""
    try:
        asked = _read(event["text"])
    except (ValueError, KeyError, TypeError, IndexError):
        return _refused(state, None, "source_unknown")
    before = state["pdf"]
    if before is not None and before["stage"] == "open" and before["asked"]["url"] == asked["url"]:
        pdf = _of(asked, "open", "")
        for kept in ("n_pages", "page", "percent", "whole_width"):
            pdf[kept] = before[kept]
        state = put(state, pdf=pdf)
        return _search(state, event, _mark(state, False) + [("pdf", "go", _page(asked, pdf["n_pages"]))])
    return _fetch(state, asked, allowed=False)


def pdf_again(state: dict, event: dict) -> tuple:
    """Fetch the file again, or this once in spite of a never-read rule."""
    return _fetch(state, state["pdf"]["asked"], allowed=event["allowed"])


def pdf_allow(state: dict, event: dict) -> tuple:
    """Ask the browser for access to the site of the file."""
    return state, [("grant", [origin_pattern(state["pdf"]["asked"]["url"])], {"type": "pdf_granted"})]


def pdf_granted(state: dict, event: dict) -> tuple:
    """The reader answered the browser's question about access."""
    return _fetch(state, state["pdf"]["asked"], allowed=False) if event["granted"] else (state, [])


def pdf_opened(state: dict, event: dict) -> tuple:
    """The file is there: go to the page, look for the passages."""
    pdf = state["pdf"]
    page = _page(pdf["asked"], event["n_pages"])
    pdf = put(pdf, stage="open", error="", n_pages=event["n_pages"], page=page)
    return _search(put(state, pdf=pdf), event, [("pdf", "go", page)])


def pdf_failed(state: dict, event: dict) -> tuple:
    """The file could not be fetched or shown."""
    url = state["pdf"]["asked"]["url"]
    code = _CODES.get(event["name"], "page_unreadable")
    if code == "file_unreachable":
        if url.startswith("file:"):
            code = "file_missing"
        elif missing_origins([url], [], state["access"]):
            code = "tab_needs_permission"
    return _put(state, stage="failed", error=code), []


def pdf_items(state: dict, event: dict) -> tuple:
    """The text of some pages arrived: let the engine look for what is not found yet."""
    pdf = state["pdf"]
    if event["token"] != pdf["token"]:
        return state, []
    passages = [pdf["asked"]["passages"][number] for number in pdf["seeking"]]
    request = event["id"] + "-pdf"
    state = _put(state, token=request)
    return client.send(state, request, "pdf_passages", pages=event["pages"], passages=passages)


def on_pdf_passages(state: dict, message: dict, event: dict) -> tuple:
    """The engine looked through some pages."""
    pdf = state["pdf"]
    if pdf is None or message["re"] != pdf["token"]:
        return state, []
    if message["type"] == "error":
        return _put(state, error=message["code"], token=""), []
    if message["type"] != "done":
        return state, []
    marks = list(pdf["marks"])
    for number, spans in zip(pdf["seeking"], message["result"]):
        if spans:
            marks[number] = spans
    is_new = pdf["marks"][pdf["current"]] is None and marks[pdf["current"]] is not None
    state = _put(state, marks=marks, window=pdf["window"] + 1)
    return _search(state, event, _shown(state, is_new))


def pdf_at(state: dict, event: dict) -> tuple:
    """Another page was scrolled to."""
    return _put(state, page=event["page"]), []


def pdf_zoomed(state: dict, event: dict) -> tuple:
    """Pages have another size."""
    return _put(state, percent=event["percent"]), []


def pdf_turn(state: dict, event: dict) -> tuple:
    """Go some pages on or back."""
    return _go(state, state["pdf"]["page"] + event["by"])


def pdf_go(state: dict, event: dict) -> tuple:
    """Go to the page whose number was typed; what is no number changes nothing."""
    typed = event["value"].strip()
    return _go(state, int(typed) if typed.isdigit() else state["pdf"]["page"])


def pdf_zoom(state: dict, event: dict) -> tuple:
    """Draw pages larger or smaller."""
    percent = next_zoom(state["pdf"]["percent"], event["by"])
    return _put(state, whole_width=False), [("pdf", "zoom", percent, percent)]


def pdf_fit(state: dict, event: dict) -> tuple:
    """Let pages fill the width."""
    return _put(state, whole_width=True), [("pdf", "zoom", 0, ZOOMS[-1])]


def pdf_passage(state: dict, event: dict) -> tuple:
    """Go to the passage before or after this one."""
    pdf = state["pdf"]
    current = (pdf["current"] + event["by"]) % len(pdf["marks"])
    state = _put(state, current=current)
    if not pdf["marks"][current]:
        page = _page(pdf["asked"], pdf["n_pages"], current)
        return state, _mark(state, False) + [("pdf", "go", page), ("announce", _said(state))]
    return state, _shown(state, True)


def pdf_outside(state: dict, event: dict) -> tuple:
    """Show the file in the browser's own viewer."""
    pdf = state["pdf"]
    passage = pdf["asked"]["passages"][pdf["current"]]
    return state, [("pdf", "outside", pdf["asked"]["url"], passage["quote"], passage["page_number"])]


def _read(text: str) -> dict:
    asked = json.loads(text)
    passages = [
        {
            "quote": str(passage["quote"]),
            "before": str(passage["before"]),
            "after": str(passage["after"]),
            "page_number": int(passage["page_number"] or 1),
        }
        for passage in asked["passages"]
    ]
    if not passages:
        raise ValueError("no passage")
    return {
        "url": str(asked["url"]),
        "source": str(asked["source"]),
        "title": str(asked["title"]),
        "start": int(asked["start"]),
        "passages": passages,
    }


def _of(asked: dict | None, stage: str, error: str) -> dict:
    return {
        "asked": asked,
        "stage": stage,
        "error": error,
        "n_pages": 0,
        "page": 1,
        "percent": 100,
        "whole_width": False,
        "marks": [None for _ in asked["passages"]] if asked else [],
        "current": 0,
        "window": 0,
        "token": "",
        "seeking": [],
    }


def _fetch(state: dict, asked: dict, allowed: bool) -> tuple:
    """Start with a file; one that may not be fetched says why."""
    url = asked["url"]
    if is_given_file(url):
        return _refused(state, asked, "file_not_kept")
    if not allowed and why_never_read(url, state["settings"]):
        return _refused(state, asked, "page_never_read")
    wanted = {
        "url": url,
        "max_bytes": MAX_FILE_BYTES,
        "most_percent": MAX_AUTO_PERCENT,
        "name": title_of(asked),
        "page_name": say("pdf_page", number="{number}"),
    }
    return put(state, pdf=_of(asked, "opening", "")), [("pdf", "open", json.dumps(wanted))]


def _refused(state: dict, asked: dict | None, code: str) -> tuple:
    """Say why a file is not shown, in the place of the one that was."""
    return put(state, pdf=_of(asked, "failed", code)), [("pdf", "close")]


def _search(state: dict, event: dict, effects: list) -> tuple:
    """Ask for the text of the next pages; what is not found on the last ones is nowhere."""
    pdf = state["pdf"]
    seeking = [number for number, spans in enumerate(pdf["marks"]) if spans is None]
    pages = pages_to_search(pdf["asked"]["passages"], pdf["n_pages"], pdf["window"]) if seeking else []
    if pages:
        token = event["id"]
        state = _put(state, seeking=seeking, token=token)
        return state, effects + [("pdf", "items", json.dumps({"token": token, "pages": pages}))]
    state = _put(state, marks=[[] if spans is None else spans for spans in pdf["marks"]], token="")
    if pdf["current"] in seeking:
        effects = effects + [("announce", _said(state))]
    return state, effects


def _shown(state: dict, go: bool) -> list:
    said = [("announce", _said(state))] if go else []
    return _mark(state, go) + said


def _mark(state: dict, go: bool) -> list:
    pdf = state["pdf"]
    marked = {"marks": [spans or [] for spans in pdf["marks"]], "current": pdf["current"], "go": go}
    return [("pdf", "mark", json.dumps(marked))]


def _said(state: dict) -> str:
    pdf = state["pdf"]
    spans = pdf["marks"][pdf["current"]]
    if spans is None:
        return say("pdf_looking")
    return say("pdf_found", number=str(page_of(spans))) if spans else say("pdf_gone")


def _go(state: dict, page: int) -> tuple:
    page = within(page, state["pdf"]["n_pages"])
    return _put(state, page=page), [("pdf", "go", page)]


def _page(asked: dict, n_pages: int, number: int = 0) -> int:
    return within(asked["passages"][number]["page_number"], n_pages)


def _put(state: dict, **changes: object) -> dict:
    return put(state, pdf=put(state["pdf"], **changes))


TABLE = {
    "pdf_open": pdf_open,
    "pdf_again": pdf_again,
    "pdf_allow": pdf_allow,
    "pdf_granted": pdf_granted,
    "pdf_opened": pdf_opened,
    "pdf_failed": pdf_failed,
    "pdf_items": pdf_items,
    "pdf_at": pdf_at,
    "pdf_zoomed": pdf_zoomed,
    "pdf_turn": pdf_turn,
    "pdf_go": pdf_go,
    "pdf_zoom": pdf_zoom,
    "pdf_fit": pdf_fit,
    "pdf_passage": pdf_passage,
    "pdf_outside": pdf_outside,
}
