"""Before anything is sent for the first time: what would go where, in full on demand, and three answers."""

from tabwise.ui.icons import icon
from tabwise.ui.nodes import h
from tabwise.ui.text import number, size
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import button, favicon, title
from tabwise.ui.words import say


def preview_view(block_id: str, inside: dict, rank: str = "h3") -> tuple | None:
    """Return the question whether what was held back may go, None when nothing waits.

    rank: h2 or h3, one below the heading before it.
    """
    preview = inside["preview"]
    if preview is None:
        return None
    place = preview["destination"]["origin"]
    heading = "egress-" + block_id
    attrs = {
        "class": "egress",
        "key": "egress",
        "role": "group",
        "aria-labelledby": heading,
        "data-test": "egress",
    }
    shown = inside["preview_text"]
    return h(
        "section",
        attrs,
        h(
            rank,
            {"id": heading, "tabindex": "-1"},
            icon("out"),
            h("span", {}, say("egress_ask", place=place)),
        ),
        h("p", {}, say("egress_what", chars=number(preview["n_chars"]), size=size(preview["size_bytes"]))),
        h("p", {}, say("egress_for", what=say("purpose_" + preview["destination"]["purpose"]))),
        _pages(preview["pages"]) if preview["pages"] else h("p", {}, say("egress_no_pages")),
        h("p", {"class": "egress-url", "dir": "ltr"}, preview["url"]),
        _toggle(block_id, shown),
        _text(preview["text"]) if shown else None,
        h(
            "div",
            {"class": "choice-acts"},
            _allow(block_id, "egress_once", True, "primary small"),
            _allow(block_id, "egress_always", False, "secondary small"),
            button(
                say("egress_cancel"),
                {"type": "egress_refuse", "block": block_id},
                "quiet small",
                test="egress-cancel",
            ),
        ),
    )


def _allow(block_id: str, words: str, once: bool, style: str) -> tuple:
    event = {"type": "egress_allow", "block": block_id, "once": once}
    return button(say(words), event, style, test=words.replace("_", "-"))


def _pages(pages: list) -> tuple:
    rows = [h("li", {"key": page["url"]}, favicon(page["url"]), title(title_of(page))) for page in pages]
    return h(
        "div",
        {"class": "egress-pages"},
        h("p", {}, say("egress_pages", n=len(pages))),
        h("ul", {}, rows),
    )


def _toggle(block_id: str, shown: bool) -> tuple:
    attrs = {
        "type": "button",
        "class": "button quiet small",
        "aria-expanded": "true" if shown else "false",
        "data-test": "egress-text",
        "on-click": {"type": "egress_text", "block": block_id},
    }
    return h("button", attrs, icon("page"), h("span", {}, say("egress_hide" if shown else "egress_show")))


def _text(text: str) -> tuple:
    attrs = {
        "class": "raw",
        "tabindex": "0",
        "role": "region",
        "aria-label": say("egress_show"),
        "dir": "auto",
    }
    return h("pre", attrs, text)
