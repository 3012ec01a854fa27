"""How an answer came about, whether it comes out the same again, and whether what it cites still stands."""

RECORDS: dict = {
    # one way in which a search run again differs; search -1 is the whole receipt; subject: a page, a version
    # or a query
    "ReplayDifference": {
        "change": ("enum", "page_gone", "page_changed", "model", "order", "score", "version"),
        "search": "int",
        "subject": "str",
    },
    "Replay": {
        "same": "bool",
        "n_searches": "int",
        "differences": ("list", "ReplayDifference"),
    },
    # old text against new, in order; without "added" the old passage, without "removed" the new one
    "DifferencePiece": {"edit": ("enum", "same", "removed", "added"), "text": "str"},
    # what became of a cited passage, by the tab as it is now or by the saved page; offsets in its text
    "Freshness": {
        "state": ("enum", "unchanged", "moved", "reworded", "gone"),
        "basis": ("enum", "tab", "saved"),
        "checked_at": "float",  # when that text was read, ms since the epoch
        "start": "int",
        "end": "int",
        "difference": ("list", "DifferencePiece"),
    },
}

REQUESTS: dict = {
    "receipt": {"answer": "str"},  # id of an answer: one of the last, or one of a thread
    "replay": {"receipt": "str"},  # run its searches again
    # tabs: those that may show the page now; the first that can be read is read, else the saved page decides
    "freshness": {"citation": "Citation", "tabs": ("list", "TabToRead")},
}

DEFAULTS: dict = {"freshness": {"tabs": []}}

RESULTS: dict = {
    "receipt": {"receipt": "str"},  # JSON text, one file
    "replay": "Replay",
    "freshness": "Freshness",
}
