"""What leaves this machine: agreed to, shown before it goes, counted."""

PURPOSES = ("answer", "summary", "store", "check", "download")

RECORDS: dict = {
    "Destination": {"origin": "str", "purpose": ("enum",) + PURPOSES},
    # what went to an origin for a purpose since the account began
    "EgressTotal": {
        "origin": "str",
        "purpose": ("enum",) + PURPOSES,
        "remote": "bool",  # another machine than this one
        "n_requests": "int",
        "sent_bytes": "int",
        "received_bytes": "int",
        "last_at_ms": "float",
    },
    "EgressAccount": {"agreed": ("list", "Destination"), "totals": ("list", "EgressTotal")},
    "EgressPage": {"url": "str", "title": "str"},
    # a request that was held back: everything it says, keys left out
    "EgressPreview": {
        "destination": "Destination",
        "url": "str",
        "remote": "bool",
        "size_bytes": "int",
        "n_chars": "int",  # of the text
        "pages": ("list", "EgressPage"),
        "text": "str",
    },
}

REQUESTS: dict = {
    "egress_list": {},
    # what an error `egress_refused` held back; its subject is the origin, which may be given as an address
    "egress_preview": {"origin": "str", "purpose": ("enum",) + PURPOSES},
    # let it go there; then the request that was refused is sent again. once: for that request alone
    "egress_agree": {"destination": "Destination", "once": "bool"},
    "egress_revoke": {"destination": "Destination"},
}

DEFAULTS: dict = {"egress_preview": {"purpose": "answer"}}

RESULTS: dict = {
    "egress_list": "EgressAccount",
    "egress_preview": ("optional", "EgressPreview"),
    "egress_agree": "EgressAccount",
    "egress_revoke": "EgressAccount",
}

# before the end of a request that sent anything: what it exchanged with whom
EVENTS: dict = {"egress": {"totals": ("list", "EgressTotal")}}
