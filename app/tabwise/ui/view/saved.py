"""The page of saved text: the page's title, when it was saved, its blocks with the passage marked."""

from tabwise.ui.icons import mark
from tabwise.ui.nodes import h
from tabwise.ui.state import put
from tabwise.ui.text import is_given_file
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import button, day_of, error_box, favicon, site, title
from tabwise.ui.words import say

N_BACK = 200  # blocks shown before what is shown now
_TAGS = {"paragraph": "p", "code": "pre", "quote": "blockquote", "caption": "p"}
_GROUPS = {"item": "ul", "row": "table"}


def saved_view(state: dict, banner: tuple | None) -> tuple:
    """Return the page."""
    saved = state["saved"]
    return h(
        "div",
        {"class": "panel saved-page"},
        h("main", {"class": "views scroll", "key": "views"}, banner, _main(saved)),
    )


def _main(saved: dict | None) -> tuple:
    if saved is not None and saved["error"]:
        return h("div", {"class": "saved-text", "key": "error"}, error_box(saved["error"], {}))
    if saved is None or saved["shown"] is None:
        return h("div", {"class": "welcome starting", "key": "starting"}, mark(), h("p", {}, say("loading")))
    shown = saved["shown"]
    page, first = shown["page"], shown["first"]
    end = first + len(shown["blocks"])
    earlier = {"type": "saved_from", "first": max(0, first - N_BACK)}
    return h(
        "article",
        {"class": "saved-text", "key": "text", "id": "saved-text", "tabindex": "-1", "dir": "auto"},
        _head(page, saved["offset_min"]),
        h("p", {"class": "note", "data-test": "gone"}, say("saved_gone"))
        if saved["asked"]["quote"] and not shown["found"]
        else None,
        button(say("saved_earlier"), earlier, "secondary", test="earlier") if first else None,
        h("div", {"class": "saved-blocks", "key": "blocks-%d" % first}, _blocks(shown["blocks"])),
        button(say("saved_later"), {"type": "saved_from", "first": end}, "secondary", test="later")
        if end < shown["n_blocks"]
        else None,
    )


def _head(page: dict, offset_min: int) -> tuple:
    when = say("saved_at", date=day_of(page["captured_at"], offset_min))
    is_kept = is_given_file(page["url"])
    link = {"type": "open_page", "url": page["url"]}
    return h(
        "header",
        {"class": "saved-head"},
        h("h1", {}, favicon(page["url"]), title(title_of(page))),
        h("p", {"class": "detail"}, site(page["url"]), h("span", {"class": "part"}, when)),
        None if is_kept else button(say("saved_live"), link, "secondary small", icon="out", test="live"),
    )


def _blocks(blocks: list) -> list:
    """Blocks in order; list items and table rows that follow each other are grouped."""
    shown: list = []
    group: list = []
    kind = ""
    depth = 1  # of the heading before: none may skip a level
    marked = [number for number, block in enumerate(blocks) if block["passage"]]
    for number, block in enumerate(blocks):
        block = put(block, is_first=number in marked[:1])
        if block["kind"] != kind and group:
            shown.append(_group(kind, group))
            group = []
        kind = block["kind"]
        if kind in _GROUPS:
            group.append(_member(block))
        else:
            if kind == "heading":
                depth = min(depth + 1, max(2, block["level"]), 6)
            tag = "h%d" % depth if kind == "heading" else _TAGS[kind]
            attrs = {"dir": "auto", "tabindex": "0" if kind == "code" else None}  # it may have to be scrolled
            shown.append(h(tag, attrs, _marked(block)))
    return shown + ([_group(kind, group)] if group else [])


def _group(kind: str, members: list) -> tuple:
    if kind == "row":
        return h("div", {"class": "saved-table", "tabindex": "0"}, h("table", {}, h("tbody", {}, members)))
    return h("ul", {"dir": "auto"}, members)


def _member(block: dict) -> tuple:
    if block["kind"] == "item":
        return h("li", {"class": "level-%d" % min(3, block["level"])}, _marked(block))
    if block["passage"]:  # its cells are not taken apart, so that what is marked stays whole
        return h("tr", {}, h("td", {"colspan": "20"}, _marked(block)))
    tag = "th" if block["level"] else "td"
    return h("tr", {}, [h(tag, {}, cell) for cell in block["before"].split("\t")])


def _marked(block: dict) -> list:
    parts: list = [block["before"]] if block["before"] else []
    if block["passage"]:
        attrs = {"id": "passage" if block["is_first"] else None, "tabindex": "-1", "data-test": "passage"}
        parts.append(h("mark", attrs, block["passage"]))
    if block["after"]:
        parts.append(block["after"])
    return parts
