"""The same question put to every page: which of them have something on it, and what each says."""

from tabwise.ui.conversation import block_of_page
from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.state import INSIDE
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, site, title
from tabwise.ui.view.sentences import sentences_view
from tabwise.ui.words import say


def each_view(block_id: str, pages: list, chip: str) -> tuple | None:
    """Return the pages that were asked so far: first those that answer, then, folded up, the others."""
    if not pages:
        return None
    relevant = [(place, page) for place, page in enumerate(pages) if page["relevant"]]
    others = [page for page in pages if not page["relevant"]]
    return h(
        "section",
        {"class": "each", "key": "each", "data-test": "each"},
        h("p", {"class": "each-count"}, say("each_count", n=len(relevant), total=len(pages))),
        h("ol", {"class": "each-pages"}, [_page(block_id, place, page, chip) for place, page in relevant])
        if relevant
        else None,
        _others(others) if others else None,
    )


def _page(block_id: str, place: int, page: dict, chip: str) -> tuple:
    block = block_of_page(block_id, place, page)
    return h(
        "li",
        {"class": "each-page", "key": page["source"], "data-test": "each-page"},
        _head(page, "check", say("each_yes")),
        sentences_view(block, INSIDE, chip),
    )


def _others(pages: list) -> tuple:
    rows = [
        h(
            "li",
            {"class": "each-page", "key": page["source"], "data-test": "each-other"},
            _head(page, "dash", say("each_no")),
        )
        for page in pages
    ]
    return h(
        "details",
        {"class": "each-others", "key": "others"},
        h("summary", {}, say("each_others", n=len(pages)), icon("down")),
        h("ol", {"class": "each-pages"}, rows),
    )


def _head(page: dict, mark: str, said: str) -> tuple:
    name = title_of(page)
    return h(
        "p",
        {"class": "each-head"},
        h(
            "span",
            {"class": "each-mark " + mark, "role": "img", "aria-label": said, "title": said},
            icon(mark),
        ),
        favicon(page["url"]),
        title(name),
        site(page["url"]),
    )
