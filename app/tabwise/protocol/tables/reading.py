"""Looking at what was read: the saved text of a page, and questions that the saved pages answer."""

BLOCK_KINDS = ("heading", "paragraph", "item", "row", "code", "quote", "caption")
STARTER_KINDS = ("question", "definition", "section")

RECORDS: dict = {
    # a block of the saved text; `passage` is its part of the passage, "" for none
    "SavedBlock": {
        "kind": ("enum",) + BLOCK_KINDS,
        "level": "int",
        "before": "str",
        "passage": "str",
        "after": "str",
    },
    # the blocks from `first` on; n_blocks: of the whole page; found: whether the passage is in the saved text
    "SavedText": {
        "page": "PageRow",
        "first": "int",
        "n_blocks": "int",
        "blocks": ("list", "SavedBlock"),
        "found": "bool",
    },
    # `text` is the question itself, or what is asked about
    "Starter": {"kind": ("enum",) + STARTER_KINDS, "text": "str", "source": "str", "title": "str"},
}

REQUESTS: dict = {
    # the saved text around a passage, or from block `first` on
    "saved_text": {"source": "str", "quote": "str", "start": "int", "first": ("optional", "int")},
    "starters": {"n": "int"},
}

DEFAULTS: dict = {"saved_text": {"quote": "", "start": 0, "first": None}}

RESULTS: dict = {"saved_text": "SavedText", "starters": ("list", "Starter")}
