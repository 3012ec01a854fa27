"""The services that write answers: trying one."""

RECORDS: dict = {
    "OfferedModel": {"id": "str", "context_tokens": "int"},  # 0: the service does not tell
    # what a service turned out to be and to offer; kind and address may differ from what was typed
    "ProviderFound": {
        "kind": "str",
        "address": "str",
        "models": ("list", "OfferedModel"),
        "context_tokens": "int",  # of the chosen model, 0 unknown
        "calls_tools": "bool",
    },
}

REQUESTS: dict = {
    # ask a service what it offers, with the key that is kept; spends no tokens. An error names the cause.
    # The record need not be in the settings, and `model` may be "" to see which there are
    "provider_test": {"provider": "Provider"},
}

RESULTS: dict = {"provider_test": "ProviderFound"}
