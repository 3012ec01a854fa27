"""The message schema as data: what may cross between panel, engine and service worker.

A type is written as
    "str" "int" "float" "bool"            JSON scalars ("float" takes an int too, "int" no bool)
    ("list", T) ("optional", T)           a list; T or null (the field itself is always there)
    ("enum", "a", "b")                    one of these strings
    "Name"                                a record of RECORDS
    "json"                                any JSON value, checked by its reader

Envelope, panel to engine:   {"v": 1, "id": "...", "type": <REQUESTS>, ...fields}
Envelope, engine to panel:   {"v": 1, "re": "...", "type": <EVENTS>, ...fields}
Every request gets any number of events and exactly one terminal event: done, error or cancelled.
`scripts/build.py` renders the JavaScript typedefs from these tables.
"""

PROTOCOL_VERSION = 1
CHANNEL = "tabwise"  # the BroadcastChannel that extension pages share

VERDICTS = ("supported", "partly", "contradicted", "not_found", "uncited")
STAGES = ("read", "chunk", "embed", "store", "plan", "retrieve", "extract", "verify")
FUSION_MODES = ("convex", "rrf", "dense", "lexical")

RECORDS: dict = {
    # a browser tab as the panel sees it; last_accessed in ms since the epoch
    "Tab": {
        "tab_id": "int",
        "window_id": "int",
        "index": "int",
        "url": "str",
        "title": "str",
        "favicon": "str",
        "active": "bool",
        "loading": "bool",
        "asleep": "bool",
        "private": "bool",
        "last_accessed": "float",
    },
    # a site pattern of the reader (protocol/rules.py) and whether it allows or forbids reading
    "Rule": {"effect": ("enum", "allow", "deny"), "pattern": "str"},
    "Preferences": {"other_windows": "bool"},  # whether tabs of other windows are listed
    "Settings": {
        "version": "int",
        "rules": ("list", "Rule"),
        "categories_off": ("list", "str"),  # categories of protocol/rules.py that may be read
        "preferences": "Preferences",
    },
    # one saved page of the library; times in ms since the epoch
    "PageRow": {
        "source": "str",
        "url": "str",
        "title": "str",
        "n_words": "int",
        "n_pages": "int",  # of a document with pages, else 0
        "no_captions": "bool",  # the page shows a video, and no transcript of it
        "n_chunks": "int",
        "n_removed": "int",
        "n_total_chars": "int",
        "n_read_chars": "int",
        "captured_at": "float",
    },
    "Failure": {"code": "str", "subject": "str", "message": "str"},
    # what happened to one tab or file of an index job
    "RowResult": {
        "tab_id": "int",
        "state": ("enum", "waiting", "reading", "added", "updated", "unchanged", "failed"),
        "page": ("optional", "PageRow"),
        "failure": ("optional", "Failure"),
    },
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
    # one mode of a self test; shares of the questions, 0 to 1
    "SelfTestRow": {
        "mode": ("enum",) + FUSION_MODES,
        "recall_at_1": "float",
        "recall_at_3": "float",
        "recall_at_10": "float",
        "reciprocal_rank": "float",
        "query_ms": "float",
    },
    "SelfTest": {"n_questions": "int", "n_chunks": "int", "rows": ("list", "SelfTestRow")},
    # the embedding model in use, and the one the stored vectors are of ("" before the first)
    "Embedder": {
        "id": "str",
        "dimensions": "int",
        "licence": "str",
        "stored": "str",
        "must_reembed": "bool",  # the stored vectors cannot be used: pages are found by words alone
    },
    "Stats": {
        "n_pages": "int",
        "n_chunks": "int",
        "n_vectors": "int",
        "size_bytes": "int",
        "model": "str",
        "schema_version": "int",
    },
    "Ready": {
        "version": "str",
        "stats": "Stats",
        "pages": ("list", "PageRow"),
        "semantic": "bool",
        "boot_ms": "float",
    },
}

# a tab to read, and what the reader said about it: `allowed` despite a never-read rule, `confirmed` despite a
# visible password or card field, `selection`: only what is selected on it
RECORDS["TabToRead"] = dict(RECORDS["Tab"])
RECORDS["TabToRead"].update({"allowed": "bool", "confirmed": "bool", "selection": "bool"})

# request type: fields
REQUESTS = {
    "hello": {},
    "index": {"tabs": ("list", "TabToRead")},
    # a file that was given to the panel (HTML, Markdown, text, PDF); url: a blob URL the panel made of it and
    # revokes after the terminal event. The engine fetches it, so no body crosses a message, whatever its
    # size. Its source is file:<name>#<first 12 hex of Page.content_hash>: the same file again is "unchanged",
    # another one of the same name is a page of its own
    "add_file": {"name": "str", "url": "str"},
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
    # ask known-item questions, made from the stored pages, in every mode
    "self_test": {"n_questions": "int"},
    "embedder": {},
    "reembed": {},  # make all vectors anew; the old ones stay until the new are complete
    "library": {},
    "locate": {"urls": ("list", "str")},  # which source each address belongs to
    "remove": {"source": "str"},
    "restore": {"source": "str"},  # undoes the last `remove` of that source
    "remove_all": {},
    "restore_all": {},  # undoes `remove_all`, until another removal or the next start
    "show": {"citation": "Citation"},
    "reset_library": {},  # moves a damaged library file aside and starts a new one
    "cancel": {"target": "str"},  # id of the request to stop
}

# fields that `encode_request` writes when the sender leaves them out; on the wire all are there
NO_FILTER: dict = {"sites": [], "after": 0, "before": 0, "prefer_recent": False}
DEFAULTS: dict = {
    "ask": {"filter": NO_FILTER, "k": 8, "mode": "convex"},
    "search": {"filter": NO_FILTER},
}

# what `done.result` holds, by request type
RESULTS = {
    "hello": "Ready",
    "index": ("list", "RowResult"),
    "add_file": "RowResult",  # its tab_id is -1
    "ask": "Answer",
    "search": ("list", "Hit"),
    "find": ("list", "FoundPage"),
    "self_test": "SelfTest",
    "embedder": "Embedder",
    "reembed": "Stats",
    "library": ("list", "PageRow"),
    "locate": ("list", {"url": "str", "source": "str"}),
    "remove": "Stats",
    "restore": "Stats",
    "remove_all": "Stats",
    "restore_all": "Stats",
    "show": {"found": "bool", "tab_id": "int"},
    "reset_library": "Ready",
    "cancel": {"stopped": "bool"},
}

# event type: fields
EVENTS = {
    "accepted": {},  # the router has it; a request without it within a second is sent again
    "progress": {"stage": ("enum",) + STAGES, "done": "int", "total": "int", "unit": "str"},
    "row": {"row": "RowResult"},
    "found": {"pages": ("list", "FoundPage")},
    "sentence": {"index": "int", "sentence": "Sentence", "citations": ("list", "Citation")},
    "done": {"result": "json"},
    "error": {"code": "str", "subject": "str", "message": "str", "retryable": "bool"},
    "cancelled": {},
}
TERMINAL = ("done", "error", "cancelled")

# router to panels, without a request: the state of the engine; a new `epoch` means it was restarted
NOTICES = {
    "engine": {
        "state": ("enum", "starting", "ready", "restarting", "failed"),
        "epoch": "str",
        "detail": "str",
    },
}

# engine to service worker, through the router: verb: (fields, result)
HOST_CALLS = {
    # walk the page, or what is selected on it, once, read-only; the result is a capture tree
    # (tabwise.core.capture), or {"pdf": address} of a tab that shows a PDF: the engine fetches it
    "tab_capture": ({"tab_id": "int", "max_chars": "int", "selection": "bool"}, "json"),
    # focus the tab that shows `url` (opens one when there is none) and light the quote up; a PDF is opened
    # at the page, a recording at `moment_url`
    "passage_show": (
        {
            "url": "str",
            "quote": "str",
            "before": "str",
            "after": "str",
            "page_number": ("optional", "int"),
            "moment_url": ("optional", "str"),
        },
        {"found": "bool", "tab_id": "int"},
    ),
    # the stored settings as they were written, null before the first time (protocol/settings.py reads them)
    "settings_get": ({}, "json"),
    # store settings; the browser tells every open panel
    "settings_set": ({"settings": "Settings"}, {}),
}
# names of host failures and the error code each becomes; the bridge maps nothing else
HOST_ERRORS = {
    "TabGone": "tab_gone",
    "TabNavigated": "tab_navigated",
    "TabAsleep": "tab_asleep",
    "NeedsPermission": "tab_needs_permission",
    "TabTimeout": "tab_timeout",
    "TabIsPrivate": "tab_is_private",
    "SystemPage": "page_system",
    "FileAccessOff": "file_access_off",
    "HostFailed": "host_failed",
}
