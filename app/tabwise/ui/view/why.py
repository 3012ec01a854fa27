"""Why these passages: the hits an answer was made from, with their ranks and scores, each part in words.

A bar is the score as a share of the best one. Below it stands where the passage came in each of the two
searches, where their fusion had it, and what moved it since: spreading over pages, word order, recency.
"""

from tabwise.ui.nodes import h
from tabwise.ui.text import decimal, shorten
from tabwise.ui.titles import title_of
from tabwise.ui.view.parts import favicon, site, title
from tabwise.ui.words import say

MAX_SHOWN_CHARS = 240


def why_view(hits: list) -> tuple:
    """Return the passages of an answer, at least one, with what brought each there."""
    best = max([hit["score"] for hit in hits]) or 1.0
    return h(
        "section",
        {"class": "why", "key": "why"},
        h("h3", {}, say("why")),
        h("ol", {}, [_hit(hit, place, best) for place, hit in enumerate(hits, 1)]),
    )


def _hit(hit: dict, place: int, best: float) -> tuple:
    path = " › ".join(hit["heading_path"])
    share = max(0.0, min(1.0, hit["score"] / best))
    return h(
        "li",
        {"key": hit["chunk_id"], "data-test": "hit"},
        h("p", {"class": "hit-head"}, favicon(hit["url"]), title(title_of(hit)), site(hit["url"])),
        h("p", {"class": "hit-path", "dir": "auto"}, path) if path else None,
        h("p", {"class": "hit-text", "dir": "auto"}, shorten(" ".join(hit["text"].split()), MAX_SHOWN_CHARS)),
        h(
            "p",
            {"class": "hit-score"},
            h("meter", {"min": "0", "max": "1", "value": "%.3f" % share, "aria-label": say("why_score")}),
            h("span", {"class": "hit-number"}, decimal(hit["score"], 2)),
        ),
        h(
            "ul",
            {"class": "reasons"},
            [h("li", {"key": str(n)}, text) for n, text in enumerate(_reasons(hit, place))],
        ),
    )


def _reasons(hit: dict, place: int) -> list:
    said = []
    if hit["rank_dense"] is not None and hit["dense"] is not None:
        said.append(say("why_dense", rank=hit["rank_dense"], score=decimal(hit["dense"], 2)))
    if hit["rank_lexical"] is not None:
        said.append(say("why_lexical", rank=hit["rank_lexical"], score=decimal(hit["lexical"], 2)))
    if hit["rank_fused"] is not None and hit["rank_fused"] != place:
        said.append(say("why_moved", rank=hit["rank_fused"], place=place))
    if hit["word_order"] > 0:
        said.append(say("why_order", score=decimal(hit["word_order"], 2)))
    if hit["recency"] > 0:
        said.append(say("why_recency", score=decimal(hit["recency"], 2)))
    return said
