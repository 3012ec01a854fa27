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
    # characters start…end (code points) of a text item of a PDF's page: the items are numbered as they were
    # handed over
    "ItemSpan": {"page": "int", "item": "int", "start": "int", "end": "int"},
    # `text` is the question itself, or what is asked about
    "Starter": {"kind": ("enum",) + STARTER_KINDS, "text": "str", "source": "str", "title": "str"},
}

REQUESTS: dict = {
    # the saved text around a passage, or from block `first` on
    "saved_text": {"source": "str", "quote": "str", "start": "int", "first": ("optional", "int")},
    # where passages stand on some pages of a PDF, in the wire form of tabwise.core.page.pdf.capture
    "pdf_passages": {"pages": "json", "passages": ("list", "Passage")},
    "starters": {"n": "int"},
}

DEFAULTS: dict = {"saved_text": {"quote": "", "start": 0, "first": None}}

RESULTS: dict = {
    "saved_text": "SavedText",
    "pdf_passages": ("list", ("list", "ItemSpan")),  # of each passage, [] when it is not on these pages
    "starters": ("list", "Starter"),
}
