"""The pages an answer cites, each once: a card that leads to the first cited passage."""

from tabwise.protocol.addresses import host_of
from tabwise.ui.nodes import h
from tabwise.ui.state import find
from tabwise.ui.titles import places_of, title_of
from tabwise.ui.view.parts import favicon, site, title
from tabwise.ui.words import say


def sources_view(block: dict) -> tuple | None:
    """Return the cited pages of a block, None when it cites nothing."""
    if not block["citations"]:
        return None
    groups: list = []
    for citation in block["citations"]:
        group = find(groups, "source", citation["source"])
        if group is None:
            groups.append({"source": citation["source"], "citations": [citation]})
        else:
            group["citations"].append(citation)
    return h(
        "section",
        {"class": "sources", "key": "sources"},
        h("h3", {}, say("sources")),
        h("ol", {}, [_source(block, group["citations"]) for group in groups]),
    )


def _source(block: dict, citations: list) -> tuple:
    first = citations[0]
    numbers = [str(citation["number"]) for citation in citations]
    attrs = {
        "class": "source",
        "href": first["url"],
        "target": "_blank",
        "rel": "noreferrer",
        "title": say("show_passage"),
        "on-click": {"type": "show", "block": block["id"], "number": first["number"]},
    }
    return h(
        "li",
        {"key": first["source"]},
        h(
            "a",
            attrs,
            favicon(first["url"]),
            title(title_of(first)),
            site(first["url"], places_of(citations)),
        ),
        h("span", {"class": "numbers"}, [h("span", {"class": "number"}, n) for n in numbers]),
        _entries(citations),
    )


def _entries(citations: list) -> tuple | None:
    """Where the cited entries of a list lead, each address once."""
    shown = []
    seen = set()
    for citation in citations:
        url = citation["link"]
        if not url or not host_of(url) or url in seen:
            continue
        seen.add(url)
        attrs = {
            "class": "entry-link",
            "key": str(citation["number"]),
            "data-test": "entry-link",
            "href": url,
            "target": "_blank",
            "rel": "noreferrer",
            "title": url,
            "on-click": {"type": "open_page", "url": url},
        }
        label = say("open_entry", number=citation["number"])
        shown.append(h("a", attrs, h("span", {}, label), " ", site(url)))
    return h("p", {"class": "entry-links"}, shown) if shown else None
