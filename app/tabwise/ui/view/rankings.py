"""One search of a receipt: both ranked lists with their scores, and what their fusion made of them."""

from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, site_of
from tabwise.ui.words import say

MAX_SHOWN = 8


def search_view(search: dict, hits: list, titles: dict) -> tuple:
    """Return a search: the lists by words and by meaning beside each other, the fused order beneath.

    `hits` and `titles` (by source) are those of the answer; a receipt itself names passages by their ids.
    """
    places = {ranked["chunk_id"]: place for place, ranked in enumerate(search["fused"], 1)}
    headings = {hit["chunk_id"]: hit["heading_path"][-1] for hit in hits if hit["heading_path"]}
    names = {}
    for ranked in search["fused"] + search["dense"] + search["lexical"]:
        title = titles.get(ranked["source"]) or site_of(ranked["source"])
        heading = headings.get(ranked["chunk_id"])
        names[ranked["chunk_id"]] = title + " › " + heading if heading else title
    refined = h("span", {"class": "effect"}, say("search_refined")) if search["refined"] else None
    return h(
        "div",
        {"class": "search", "key": "%s %s" % (search["query"], search["refined"]), "data-test": "search"},
        h("p", {"class": "search-query"}, h("span", {"dir": "auto"}, search["query"]), refined),
        h(
            "div",
            {"class": "ranks"},
            _list("words", search["lexical"], "lexical", names, places),
            _list("meaning", search["dense"], "dense", names, places) if search["semantic"] else None,
        ),
        _list("together", search["fused"], "score", names, {}),
    )


def _list(words: str, ranking: list, field: str, names: dict, places: dict) -> tuple:
    scores = [ranked[field] or 0.0 for ranked in ranking]
    best = max(scores + [0.0]) or 1.0
    rows = []
    for place, ranked in enumerate(ranking[:MAX_SHOWN], 1):
        name, score = names[ranked["chunk_id"]], ranked[field] or 0.0
        to = places.get(ranked["chunk_id"])
        share = "%.3f" % max(0.0, min(1.0, score / best))
        label = say("rank_score", place=place, title=name)
        rows.append(
            h(
                "li",
                {"key": ranked["chunk_id"], "class": "rank", "title": name},
                h("span", {"class": "rank-place"}, str(place)),
                h("bdi", {"class": "rank-name", "dir": "auto"}, name),
                h("span", {"class": "rank-to"}, "→ " + str(to)) if to else None,
                h("meter", {"min": "0", "max": "1", "value": share, "aria-label": label}),
                h("span", {"class": "hit-number"}, decimal(score, 2)),
            )
        )
    rest = len(ranking) - MAX_SHOWN
    return h(
        "div",
        {"class": "ranking", "key": words},
        h("h4", {}, say("rank_" + words)),
        h("ol", {}, rows) if rows else h("p", {"class": "empty"}, say("rank_none")),
        h("p", {"class": "note quiet"}, say("rank_rest", n=rest)) if rest > 0 else None,
    )
