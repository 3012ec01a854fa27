"""What works here and why not: one line a thing, each with at most one action."""

# what is looked at, in the order of the page, and what can be found: reason: (state, action). good: as it
# should be; limited: works with less; off: not there, nothing is broken; broken: needs the reader. The
# sentence of a line is `doctor_<topic>_<reason>`, the label of its action `doctor_do_<action>`
DOCTOR: dict = {
    "library": {
        "sound": ("good", ""),
        "empty": ("good", ""),
        "faulty": ("broken", "reset"),
        "unusable": ("broken", "reset"),
        "newer": ("broken", ""),
        "locked": ("broken", "retry"),
    },
    "storage": {
        "kept": ("good", ""),
        "clearable": ("limited", "keep_storage"),
        "nearly_full": ("limited", "pages"),
    },
    "memory": {"fine": ("good", ""), "large": ("limited", "restart")},
    "embedder": {"ready": ("good", ""), "absent": ("limited", ""), "changed": ("limited", "reembed")},
    "isolation": {"on": ("good", ""), "off": ("limited", "")},
    "threads": {"many": ("good", ""), "few": ("limited", "")},
    "gpu": {
        "ready": ("good", ""),
        "no_f16": ("limited", ""),
        "software": ("limited", ""),
        "absent": ("off", ""),
    },
    "prompt_api": {
        "available": ("good", ""),
        "downloadable": ("off", "download"),
        "downloading": ("limited", "retry"),
        "unavailable": ("off", ""),
    },
    "summarizer": {
        "available": ("good", ""),
        "downloadable": ("off", "download"),
        "downloading": ("limited", "retry"),
        "unavailable": ("off", ""),
    },
    "files": {"on": ("good", ""), "off": ("off", "extension_details")},
    "sites": {"all": ("good", ""), "some": ("limited", "settings"), "none": ("limited", "settings")},
    "provider": {"ready": ("good", ""), "untested": ("off", "test"), "failed": ("broken", "settings")},
    "qdrant": {"ready": ("good", ""), "untested": ("off", "test"), "failed": ("broken", "settings")},
}

RECORDS: dict = {
    "DoctorValue": {"name": "str", "value": "str"},  # a {name} of the sentence
    "DoctorLine": {
        "topic": ("enum",) + tuple(DOCTOR),
        "reason": "str",
        "state": ("enum", "good", "limited", "off", "broken"),
        "action": "str",  # "" for none
        "subject": "str",  # which one: a provider's id
        "values": ("list", "DoctorValue"),
        "code": "str",  # the error of a broken line, "" for none
        "message": "str",  # for the details
    },
}

REQUESTS: dict = {
    "engine_restart": {},  # start anew, soon
    # check: look through the whole library file, which takes a moment. test: ask the services that are set up
    "doctor": {"check": "bool", "test": "bool"},
}

RESULTS: dict = {"doctor": ("list", "DoctorLine"), "engine_restart": {"restarts": "bool"}}
