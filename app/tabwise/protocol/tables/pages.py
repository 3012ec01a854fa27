"""Pages and files: reading them into the library, and what the library holds."""

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

REQUESTS: dict = {
    "hello": {"n_pages": "int"},  # how many saved pages come with it at most, 0 for all
    "index": {"tabs": ("list", "TabToRead")},
    # a file that was given to the panel (HTML, Markdown, text, PDF); url: a blob URL the panel made of it and
    # revokes after the terminal event. The engine fetches it, so no body crosses a message, whatever its
    # size. Its source is file:<name>#<first 12 hex of Page.content_hash>: the same file again is "unchanged",
    # another one of the same name is a page of its own
    "add_file": {"name": "str", "url": "str"},
    # the saved pages from a place in their list, `count` of them or all (0): many are asked for in parts,
    # because reading one long message takes the panel longer than a frame
    "library": {"start": "int", "count": "int"},
    "locate": {"urls": ("list", "str")},  # which source each address belongs to
    "remove": {"source": "str"},
    "restore": {"source": "str"},  # undoes the last `remove` of that source
    "remove_all": {},
    "restore_all": {},  # undoes `remove_all`, until another removal or the next start
    "reset_library": {},  # moves a damaged library file aside and starts a new one
}

DEFAULTS: dict = {"hello": {"n_pages": 0}, "library": {"start": 0, "count": 0}}

RESULTS: dict = {
    "hello": "Ready",
    "index": ("list", "RowResult"),
    "add_file": "RowResult",  # its tab_id is -1
    "library": ("list", "PageRow"),
    "locate": ("list", {"url": "str", "source": "str"}),
    "remove": "Stats",
    "restore": "Stats",
    "remove_all": "Stats",
    "restore_all": "Stats",
    "reset_library": "Ready",
}

EVENTS: dict = {
    "row": {"row": "RowResult"},
}
