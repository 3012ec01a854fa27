"""The pages that find as you type came up with, each with the sentence that matched, its words lit up."""

from tabwise.ui.icons import icon
from tabwise.ui.marks import marked
from tabwise.ui.memo import Memo
from tabwise.ui.nodes import h
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, site, spinner, title
from tabwise.ui.words import error_sentence, say


def found_view(state: dict, memo: Memo) -> tuple:
    """Return the list of what was found so far."""
    found = state["found"]
    rows = [
        memo("found %d" % place, _row, page, found["text"], place)
        for place, page in enumerate(found["pages"])
    ]
    tally = h("span", {"class": "tally"}, str(len(rows))) if rows else None
    return h(
        "section",
        {
            "class": "group",
            "key": "found",
            "data-test": "found",
            "aria-busy": "false" if found["complete"] else "true",
        },
        h("h2", {}, say("found"), tally, None if found["complete"] else spinner()),
        h("ol", {"class": "found"}, rows) if rows else None,
        _nothing(found) if found["complete"] and not rows else None,
    )


def _nothing(found: dict) -> tuple:
    said = error_sentence(found["error"]) if found["error"] else say("found_nothing", text=found["text"])
    return h("p", {"class": "empty"}, said)


def _row(page: dict, text: str, place: int) -> tuple:
    name = title_of(page)
    attrs = {
        "type": "button",
        "id": "found-%d" % place,
        "class": "found-page",
        "title": name,
        "on-click": {"type": "open_found", "box": "found", "source": page["source"]},
    }
    near = (
        h("span", {"class": "near", "title": say("found_near")}, icon("near"), say("near"))
        if page["by_meaning"]
        else None
    )
    return h(
        "li",
        {"key": page["source"], "data-test": "found-row", "data-source": page["source"]},
        h(
            "button",
            attrs,
            h("span", {"class": "found-head"}, favicon(page["url"]), title(name)),
            h("span", {"class": "detail"}, site(page["url"]), near),
            excerpt_view(page["excerpt"], text) if page["excerpt"] else None,
        ),
    )


def excerpt_view(excerpt: str, text: str) -> tuple:
    """Return a sentence of a page with the words of `text` lit up."""
    pieces = [h("mark", {}, piece) if lit else piece for piece, lit in marked(excerpt, text)]
    return h("span", {"class": "excerpt", "dir": "auto"}, pieces)
