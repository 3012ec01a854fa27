"""Questions: answers with their citations, searching, and showing a passage."""

from tabwise.protocol.tables.words import FUSION_MODES, STAGES, VERDICTS

RECORDS: dict = {
    # a span of a saved page; offsets in code points of the page text
    "Citation": {
        "number": "int",
        "source": "str",
        "url": "str",
        "title": "str",
        "chunk_id": "str",
        "start": "int",
        "end": "int",
        "quote": "str",
        "before": "str",
        "after": "str",
        "page_number": ("optional", "int"),  # of a document with pages, from 1
        "seconds": ("optional", "int"),  # when it is said, of a line of a transcript
        "link": ("optional", "str"),  # where an entry of a list leads: absolute, http or https
    },
    "Sentence": {
        "text": "str",
        "citations": ("list", "int"),  # numbers of Citation
        "verdict": ("enum",) + VERDICTS,
        "reasons": ("list", "str"),
    },
    "Hit": {
        "chunk_id": "str",
        "source": "str",
        "url": "str",
        "title": "str",
        "heading_path": ("list", "str"),
        "text": "str",
        "start": "int",
        "end": "int",
        "score": "float",
        "dense": ("optional", "float"),
        "lexical": "float",
        "rank_dense": ("optional", "int"),
        "rank_lexical": ("optional", "int"),
        "rank_fused": ("optional", "int"),  # before hits were spread over pages
        "word_order": "float",  # part of the score: phrases of the query and nearness of its words
        "recency": "float",  # part of the score: how new the page is, when that was asked for
    },
    # a page that find as you type came up with; offsets in code points of the page text
    "FoundPage": {
        "source": "str",
        "url": "str",
        "title": "str",
        "by_meaning": "bool",  # it has no word of the text
        "excerpt": "str",  # "" when only title or address matched
        "start": "int",
        "end": "int",
    },
    # which pages to search; empty or 0 is no limit, times of capture in ms since the epoch
    "Filter": {
        "sites": ("list", "str"),  # hosts, with the hosts below them
        "after": "float",
        "before": "float",
        "prefer_recent": "bool",
    },
    "Timing": {"stage": ("enum",) + STAGES, "ms": "float"},
    "Answer": {
        "question": "str",
        "found": "bool",
        "engine": "str",
        "semantic": "bool",  # false while the embedder is not there: lexical search only
        "sentences": ("list", "Sentence"),
        "citations": ("list", "Citation"),
        "hits": ("list", "Hit"),
        "timings": ("list", "Timing"),
    },
}

REQUESTS: dict = {
    "ask": {
        "question": "str",
        "sources": ("list", "str"),  # canonical URLs, empty means all
        "filter": "Filter",
        "k": "int",  # passages to answer from
        "mode": ("enum",) + FUSION_MODES,
    },
    "search": {
        "query": "str",
        "sources": ("list", "str"),
        "filter": "Filter",
        "k": "int",
        "mode": ("enum",) + FUSION_MODES,
    },
    # pages for a text that is being typed: `found` comes at once, the result adds those near in meaning
    "find": {"text": "str", "k": "int"},
    "show": {"citation": "Citation"},
}

# fields that `encode_request` writes when the sender leaves them out; on the wire all are there
NO_FILTER: dict = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}
DEFAULTS: dict = {
    "ask": {"filter": NO_FILTER, "k": 8, "mode": "convex"},
    "search": {"filter": NO_FILTER},
}

RESULTS: dict = {
    "ask": "Answer",
    "search": ("list", "Hit"),
    "find": ("list", "FoundPage"),
    "show": {"found": "bool", "tab_id": "int"},
}

EVENTS: dict = {
    "found": {"pages": ("list", "FoundPage")},
    "sentence": {"index": "int", "sentence": "Sentence", "citations": ("list", "Citation")},
}
