"""Every error code that can cross a boundary, and whether trying again may help.

The panel owes each code one sentence and one action; a test compares the two lists.
"""

# code: retryable
ERROR_CODES = {
    # the page or the question cannot be used
    "page_system": False,  # chrome://, the web store, another extension
    "page_empty": False,
    "page_too_short": False,
    "page_unreadable": False,  # a file that is not text, or a page that breaks the reader
    "page_never_read": False,  # a never-read rule, of the reader or a default one; subject: which
    "page_has_password": False,  # a visible password field, and nobody confirmed
    "page_has_payment": False,  # a visible card field, and nobody confirmed
    "page_set_aside": False,  # the engine died twice on it
    "page_has_no_text": False,  # a PDF of pictures
    "page_locked": False,  # a PDF with a password
    "file_missing": False,
    "file_too_large": False,
    "file_unreachable": True,  # the site of a PDF tab did not give the file again
    "file_not_kept": False,  # a passage of a file that was given to the panel
    "question_empty": False,
    "question_too_long": False,
    "library_empty": False,
    "source_unknown": False,
    "thread_unknown": False,
    "turn_unknown": False,
    "receipt_unknown": False,  # not kept any more
    "receipt_unreadable": False,  # no receipt, or one of a newer program
    # the model
    "model_unavailable": True,
    "model_mismatch": False,
    "prompt_too_long": False,  # for the model's context
    "model_out_of_memory": False,  # there is not enough memory to run it
    "model_no_room": False,  # on the disk; subject: megabytes that are missing
    "model_damaged": True,  # a file of it is not what it should be; subject: the file
    # the network
    "address_invalid": False,  # no address that a request can be sent to
    "network_offline": True,
    "network_refused": True,  # nobody answers at this address; subject: the origin
    "network_blocked": False,  # the browser does not let us read the answer: CORS, local network access
    "network_timeout": True,
    "network_lost": True,  # broke off in the middle
    "egress_refused": False,  # the reader did not agree to send this there; subject: the origin
    "page_stays_here": False,  # a rule of the reader; subject: the page
    "network_portal": True,  # a login page of the network, or a redirect, in the place of a known service
    # a service that writes answers; subject: its origin, unless said
    "provider_unknown": False,  # subject: the model's id
    "key_missing": False,
    "key_refused": False,
    "origin_refused": False,  # an Ollama that does not know us; subject: our own origin
    "model_unknown": False,  # subject: the model
    "service_foreign": False,  # somebody answers, in another language than the chosen kind of service
    "rate_limited": True,  # for longer than we wait by ourselves
    "quota_used": False,  # a day's limit or the account's
    "request_refused": False,  # for a reason that only its message tells
    "service_failed": True,  # overloaded or broken
    "model_not_downloaded": False,  # the browser's own
    "model_downloading": True,  # the browser's own
    # the vector store
    "qdrant_path": False,  # the address leads past it; subject: the one that would do
    "qdrant_tls": False,  # it speaks the other of http and https; subject: the address that would do
    "qdrant_old": False,  # subject: its version
    "qdrant_schema": False,  # a collection of this name holds other vectors; subject: the collection
    "qdrant_collection": True,  # the collection is gone
    "qdrant_failed": True,  # it refused, or answered with an error
    # the library file
    "store_corrupt": False,
    "store_full": False,
    "store_newer": False,
    "store_locked": True,
    # a library file that was given to the panel
    "import_foreign": False,  # something else than a library
    "import_newer": False,
    "import_damaged": False,
    "import_unknown": False,  # the file that was looked at, or the backup, is not there any more
    # the browser said no
    "tab_gone": False,
    "tab_navigated": True,
    "tab_asleep": False,
    "tab_needs_permission": True,
    "tab_timeout": True,
    "tab_is_private": False,
    "file_access_off": True,  # the switch for local files in the extension's details
    "host_failed": True,
    # the engine itself
    "engine_lost": True,
    "wire_invalid": False,
    "internal": True,
}
