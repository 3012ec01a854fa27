"""The language models of this machine: which there are, bringing them here, how fast they are."""

RECORDS: dict = {
    # a model that can be had or is here; `id` is what a download names, `engine` what the settings name
    "LocalModel": {
        "id": "str",
        "engine": "str",
        "label": "str",
        "licence": "str",
        "device": ("enum", "webgpu", "wasm"),  # what it is made for
        "context_tokens": "int",
        "size_bytes": "int",
        "stored_bytes": "int",  # what is here, of a download that was broken off as well
        "state": ("enum", "absent", "partial", "here"),
        "is_imported": "bool",  # from a folder: deleted, it cannot be downloaded again
        "speed": ("optional", "ModelSpeed"),  # as it was measured last
    },
    # prefill: tokens of a prompt per second; decode: tokens of an answer per second
    "ModelSpeed": {
        "device": "str",
        "prefill_per_s": "float",
        "decode_per_s": "float",
        "is_slow": "bool",  # an answer takes more than a minute
        "first_text_ms": "float",  # of a prompt of some 130 tokens
        "memory_bytes": "int",
    },
    "Catalogue": {"models": ("list", "LocalModel"), "free_bytes": "int"},
    # a file of a folder that was chosen: url is a blob URL the panel made of it
    "FolderFile": {"name": "str", "url": "str", "size_bytes": "int"},
}

REQUESTS: dict = {
    "catalogue": {},
    # bring a model here, or the rest of it; cancelling pauses
    "model_download": {"model": "str"},
    "model_remove": {"model": "str"},
    # take a model from a folder of the disk; names without the path
    "model_import": {"name": "str", "files": ("list", "FolderFile")},
    # run a fixed prompt and keep how fast it was
    "model_measure": {"engine": "str"},
}

RESULTS: dict = {
    "catalogue": "Catalogue",
    "model_download": "Catalogue",
    "model_remove": "Catalogue",
    "model_import": "Catalogue",
    "model_measure": "ModelSpeed",
}
