"""Summaries of pages, and which open tabs are likely of interest."""

from tabwise.protocol.tables.words import VERDICTS

FLAGS = ("interesting", "closable", "neither")
FLAG_REASONS = ("near_interest", "no_interest_near", "unused", "recently_used", "saved", "not_saved")

RECORDS: dict = {
    # a sentence and the span of the page it rests on, in code points; a sentence of the page itself is that
    # span, cut with an ellipsis where it is long
    "SummarySentence": {"text": "str", "start": "int", "end": "int", "verdict": ("enum",) + VERDICTS},
    # made_at: ms since the epoch; engine: what wrote it, "extractive" for the page's own words
    "Summary": {
        "source": "str",
        "url": "str",
        "title": "str",
        "engine": "str",
        "headline": "SummarySentence",  # one line for a card
        "sentences": ("list", "SummarySentence"),
        "made_at": "float",
        "read_share": "float",  # of the page's text that was read for it, from its beginning; 1 for all
    },
    # a tab by its address, and when it was last looked at: ms since the epoch, 0 when nobody knows
    "OpenTab": {"url": "str", "last_accessed": "float"},
    # a hint, never more: nothing is closed by it
    "TabHint": {
        "url": "str",
        "source": "str",
        "flag": ("enum",) + FLAGS,
        "reasons": ("list", ("enum",) + FLAG_REASONS),
        "interest": "str",  # the nearest, "" for none
        "similarity": "float",  # to it
        "days_unused": "float",  # 0 when nobody knows
    },
}

REQUESTS: dict = {
    # the summary of each page, made now where it is missing or the page changed; no sources: of all pages
    "summarise": {"sources": ("list", "str")},
    # those that are there; no sources: of all pages
    "summaries": {"sources": ("list", "str")},
    # a span of a page, as the sentences of a summary name it, ready to be shown on the page
    "cite": {"source": "str", "start": "int", "end": "int"},
    # which tabs are near the interests of the settings, and which could be closed without loss
    "interest": {"tabs": ("list", "OpenTab")},
}

DEFAULTS: dict = {"summaries": {"sources": []}}

RESULTS: dict = {
    "summarise": {"n_summaries": "int", "n_missing": "int"},
    "summaries": ("list", "Summary"),
    "cite": "Citation",
    "interest": ("list", "TabHint"),
}

EVENTS: dict = {
    "summary": {"summary": "Summary"},
    # what a model has written so far of one part of a page, or of all of them; the summary follows
    "summary_part": {"source": "str", "text": "str", "number": "int", "n_parts": "int"},
}
