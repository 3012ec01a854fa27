"""What the engine asks of the browser through the service worker, and what the browser may answer."""

RECORDS: dict = {
    # a quote, the text on either side of it, its page in a document that has pages
    "Passage": {"quote": "str", "before": "str", "after": "str", "page_number": ("optional", "int")},
    "PromptTurn": {"role": ("enum", "system", "user", "assistant"), "content": "str"},
}

SUMMARIZER_STATES = ("unavailable", "downloadable", "downloading", "available")

# verb: (fields, result)
HOST_CALLS: dict = {
    # walk the page, or what is selected on it, once, read-only; the result is a capture tree
    # (tabwise.core.page.capture), or {"pdf": address} of a tab that shows a PDF: the engine fetches it
    "tab_capture": ({"tab_id": "int", "max_chars": "int", "selection": "bool"}, "json"),
    # focus the tab that shows `url` (opens one when there is none) and light the passages up, the first of
    # which was asked for: it begins at `start` of the saved text of `source`. A PDF is shown in our own
    # viewer, a recording from `moment_url` on
    "passage_show": (
        {
            "url": "str",
            "passages": ("list", "Passage"),
            "source": "str",
            "title": "str",
            "start": "int",
            "moment_url": ("optional", "str"),
        },
        {"found": "bool", "tab_id": "int"},
    ),
    # the stored settings as they were written, null before the first time (protocol/settings.py reads them)
    "settings_get": ({}, "json"),
    # store settings; the browser tells every open panel
    "settings_set": ({"settings": "Settings"}, {}),
    # the browser's summariser, which the offscreen document has: whether it can be used; a few plain
    # sentences about a text that is taken from `context`; stopping what it writes
    "summarizer_state": ({}, {"state": ("enum",) + SUMMARIZER_STATES}),
    "summarizer_write": ({"text": "str", "context": "str", "language": "str"}, {"text": "str"}),
    "summarizer_stop": ({}, {}),
    # the browser's language model, which the offscreen document has: whether it can be used; a session under
    # a number of the engine's, its size, the size of a text in it, one answer in pieces, its end
    "prompt_state": ({}, {"state": ("enum",) + SUMMARIZER_STATES}),
    "prompt_open": (
        {"session": "int", "turns": ("list", "PromptTurn")},
        {"context_tokens": ("optional", "float"), "used_tokens": "float"},  # null: no limit
    ),
    "prompt_measure": ({"session": "int", "text": "str"}, {"n_tokens": "float"}),
    "prompt_send": ({"session": "int", "text": "str"}, {}),
    "prompt_read": ({"session": "int"}, {"text": ("optional", "str")}),  # null at the end
    "prompt_close": ({"session": "int"}, {}),
    # the keys of services, by name: only the engine gets one back
    "key_get": ({"name": "str"}, {"value": "str"}),  # "" for none
    "key_set": ({"name": "str", "value": "str", "kept": "bool"}, {}),  # else until the browser is closed
    "key_forget": ({"name": "str"}, {}),
    "key_places": ({}, {"session": ("list", "str"), "kept": ("list", "str")}),
    # the account of what left this machine (core/network/egress.py), null before the first time
    "ledger_get": ({}, "json"),
    "ledger_set": ({"account": "json"}, {}),
    # what should be in the library, null before the first time: it outlives a library that the browser clears
    "marker_get": ({}, "json"),
    "marker_set": ({"marker": "json"}, {}),
    # forget everything the extension keeps in the browser's storage areas, and give granted sites back
    "storage_clear": ({}, {"left": ("list", "str")}),
    # what the reader granted, and whether the browser may clear what is stored
    "host_facts": (
        {},
        {
            "reads_local_files": "bool",
            "reads_all_sites": "bool",
            "n_sites": "int",
            "storage_is_kept": "bool",
        },
    ),
    # whether anybody answers at an address, whatever it says; sends nothing but the address
    "http_answers": ({"url": "str", "limit_ms": "int"}, {"answers": "bool"}),
}

# names of host failures and the error code each becomes; the bridge maps nothing else
HOST_ERRORS: dict = {
    "TabGone": "tab_gone",
    "TabNavigated": "tab_navigated",
    "TabAsleep": "tab_asleep",
    "NeedsPermission": "tab_needs_permission",
    "TabTimeout": "tab_timeout",
    "TabIsPrivate": "tab_is_private",
    "SystemPage": "page_system",
    "FileAccessOff": "file_access_off",
    "HostFailed": "host_failed",
    "SummarizerGone": "model_unavailable",
    "SummaryTooLong": "prompt_too_long",
    "SummaryRefused": "request_refused",
    "PromptGone": "model_unavailable",
    "PromptTooLong": "prompt_too_long",
}
