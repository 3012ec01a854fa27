"""The head of the PDF viewer: title, pages, size and passages to step through, and what went wrong.

The pages below it are drawn by `extension/js/pdf_view.js`.
"""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.pdf import ZOOMS
from tabwise.ui.text import percent
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import button, error_box, favicon, icon_button, site, spinner, title
from tabwise.ui.words import say


def pdf_view(state: dict) -> tuple:
    """Return the head of the viewer."""
    pdf = state["pdf"]
    if pdf is None:
        return h("header", {"class": "pdf-head"}, _waiting(say("loading")))
    asked = pdf["asked"]
    return h(
        "header",
        {"class": "pdf-head"},
        _title(asked, pdf["stage"] == "open") if asked else None,
        _tools(pdf) if pdf["stage"] == "open" else None,
        _message(pdf),
    )


def _title(asked: dict, is_open: bool) -> tuple:
    outside = {"type": "pdf_outside"}
    acts = h(
        "div",
        {"class": "pdf-acts"},
        icon_button("quote", say("saved_title"), _saved(asked, 0), test="pdf-saved"),
        icon_button("out", say("pdf_outside"), outside, test="pdf-outside"),
    )
    return h(
        "div",
        {"class": "pdf-title", "key": "title"},
        favicon(asked["url"]),
        h("h1", {}, title(title_of(asked))),
        h("p", {"class": "detail"}, site(asked["url"])),
        acts if is_open else None,
    )


def _tools(pdf: dict) -> tuple:
    return h(
        "div",
        {"class": "pdf-tools", "key": "tools"},
        _pages(pdf),
        _sizes(pdf),
        _passages(pdf) if len(pdf["marks"]) > 1 else None,
    )


def _pages(pdf: dict) -> tuple:
    page, n_pages = pdf["page"], pdf["n_pages"]
    attrs = {
        "type": "text",
        "inputmode": "numeric",
        "id": "pdf-page",
        "class": "pdf-number",
        "value": str(page),
        "aria-label": say("pdf_page_field"),
        "on-change": {"type": "pdf_go"},
        "data-test": "pdf-page",
    }
    before, after = {"type": "pdf_turn", "by": -1}, {"type": "pdf_turn", "by": 1}
    return _group(
        say("pdf_pages"),
        icon_button("before", say("pdf_page_before"), before, test="pdf-before", disabled=page <= 1),
        h("input", attrs),
        h("span", {"class": "pdf-of"}, say("pdf_of", n=n_pages)),
        icon_button("after", say("pdf_page_after"), after, test="pdf-after", disabled=page >= n_pages),
    )


def _sizes(pdf: dict) -> tuple:
    size = pdf["percent"]
    smaller, larger = {"type": "pdf_zoom", "by": -1}, {"type": "pdf_zoom", "by": 1}
    return _group(
        say("pdf_size"),
        icon_button("dash", say("pdf_smaller"), smaller, test="pdf-smaller", disabled=size <= ZOOMS[0]),
        h("span", {"class": "pdf-of", "data-test": "pdf-percent"}, percent(size / 100)),
        icon_button("plus", say("pdf_larger"), larger, test="pdf-larger", disabled=size >= ZOOMS[-1]),
        icon_button("width", say("pdf_fit"), {"type": "pdf_fit"}, test="pdf-fit"),
    )


def _passages(pdf: dict) -> tuple:
    before, after = {"type": "pdf_passage", "by": -1}, {"type": "pdf_passage", "by": 1}
    place = "%d / %d" % (pdf["current"] + 1, len(pdf["marks"]))
    return _group(
        say("passages"),
        icon_button("up", say("passage_previous"), before, test="passage-before"),
        h("span", {"class": "pdf-of", "data-test": "passage-place"}, place),
        icon_button("down", say("passage_next"), after, test="passage-after"),
    )


def _group(name: str, *parts: tuple) -> tuple:
    return h("div", {"class": "pdf-group", "role": "group", "aria-label": name}, list(parts))


def _message(pdf: dict) -> tuple | None:
    """What the reader has to know: what goes on, what went wrong, or that the words are gone."""
    asked = pdf["asked"]
    if pdf["error"]:
        again = {"type": "pdf_again", "allowed": False}
        events = {"retry": again, "allow": {"type": "pdf_allow"}}
        events["read_once"] = {"type": "pdf_again", "allowed": True}
        return h(
            "div",
            {"class": "pdf-message", "key": "error"},
            error_box(pdf["error"], events),
            _ways_out(asked, pdf["current"]) if asked and pdf["stage"] == "failed" else None,
        )
    if pdf["stage"] == "opening":
        return _waiting(say("loading"))
    spans = pdf["marks"][pdf["current"]]
    if spans is None:
        return _waiting(say("pdf_looking"))
    if spans:
        return None
    return h(
        "div",
        {"class": "pdf-message", "key": "gone", "data-test": "gone"},
        h("p", {"class": "pdf-gone"}, icon("alert"), h("span", {}, say("pdf_gone"))),
        button(say("see_saved"), _saved(asked, pdf["current"]), "secondary small", test="see-saved"),
    )


def _ways_out(asked: dict, current: int) -> tuple:
    return h(
        "p",
        {"class": "pdf-ways"},
        button(say("see_saved"), _saved(asked, current), "secondary small", test="see-saved"),
        button(say("pdf_outside"), {"type": "pdf_outside"}, "secondary small", icon="out", test="outside"),
    )


def _waiting(said: str) -> tuple:
    attrs = {"class": "pdf-message soft", "key": "waiting", "data-test": "waiting"}
    return h("p", attrs, spinner(), h("span", {}, said))


def _saved(asked: dict, current: int) -> dict:
    quote = asked["passages"][current]["quote"]
    return {"type": "open_saved", "source": asked["source"], "quote": quote, "start": asked["start"]}
