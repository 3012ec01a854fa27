"""What each page says of each thing that is compared: things by pages, every cell cited and judged."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, title
from tabwise.ui.view.sentences import VERDICT_ICONS, chips_view
from tabwise.ui.words import say, verdict_text


def agreement_view(block: dict, inside: dict, chip: str) -> tuple:
    """Return the table of an answer; it scrolls inside itself, its first column stays."""
    table = block["answer"]["agreement"]
    heads = [
        h(
            "th",
            {"scope": "col", "key": source["source"]},
            h("span", {"class": "agree-source"}, favicon(source["url"]), title(title_of(source))),
        )
        for source in table["sources"]
    ]
    rows = [
        h(
            "tr",
            {"key": str(place)},
            h("th", {"scope": "row", "dir": "auto"}, row["topic"]),
            [
                _cell(block, inside, "a%d.%d" % (place, at), cell, chip)
                for at, cell in enumerate(row["cells"])
            ],
        )
        for place, row in enumerate(table["rows"])
    ]
    attrs = {
        "class": "agree-scroll",
        "tabindex": "0",
        "role": "region",
        "aria-label": say("agreement"),
        "data-test": "agreement",
    }
    corner = h("td", {"class": "agree-corner"})
    return h(
        "section",
        {"class": "agree", "key": "agreement"},
        h("h3", {}, say("agreement")),
        h(
            "div",
            attrs,
            h("table", {}, h("thead", {}, h("tr", {}, corner, heads)), h("tbody", {}, rows)),
        ),
    )


def _cell(block: dict, inside: dict, place: str, cell: dict | None, chip: str) -> tuple:
    if cell is None:
        return h("td", {"class": "agree-none"}, h("span", {}, say("agreement_none")))
    verdict = cell["verdict"]
    said = verdict_text(verdict, cell["reasons"])
    mark = None
    if verdict != "supported":
        attrs = {"class": "verdict", "role": "img", "aria-label": said, "title": said}
        mark = h("span", attrs, icon(VERDICT_ICONS[verdict]))
    return h(
        "td",
        {"data-verdict": verdict},
        mark,
        h("span", {"dir": "auto"}, cell["text"]),
        chips_view(block, inside, place, cell["citations"], chip),
    )
