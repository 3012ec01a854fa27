"""The models in use, and measuring how well they find."""

from tabwise.protocol.tables.words import FUSION_MODES

RECORDS: dict = {
    # one mode of a self test; shares of the questions, 0 to 1
    "SelfTestRow": {
        "mode": ("enum",) + FUSION_MODES,
        "recall_at_1": "float",
        "recall_at_3": "float",
        "recall_at_10": "float",
        "reciprocal_rank": "float",
        "query_ms": "float",
    },
    "SelfTest": {
        "n_questions": "int",
        "n_chunks": "int",
        "rows": ("list", "SelfTestRow"),
        "n_answered": "int",
        "n_citations": "int",
        "n_at_the_place": "int",  # citations in the paragraph that the question was made from
    },
    # the embedding model in use, and the one the stored vectors are of ("" before the first)
    "Embedder": {
        "id": "str",
        "dimensions": "int",
        "licence": "str",
        "stored": "str",
        "must_reembed": "bool",  # the stored vectors cannot be used: pages are found by words alone
        "is_own": "bool",  # the reader chose it: there is a way back to the packaged one
    },
    # an embedding model that can be downloaded
    "EmbedderModel": {
        "id": "str",
        "label": "str",
        "licence": "str",
        "dimensions": "int",
        "reads_any_script": "bool",  # else English alone
        "size_bytes": "int",
        "stored_bytes": "int",  # what is here, of a download that was broken off as well
        "state": ("enum", "absent", "partial", "here"),
        "is_in_use": "bool",
    },
    "EmbedderCatalogue": {"models": ("list", "EmbedderModel"), "free_bytes": "int"},
}

REQUESTS: dict = {
    # ask known-item questions, made from the stored pages, in every mode
    "self_test": {"n_questions": "int"},
    "embedder": {},
    # use another model from the next start on, which follows at once: model.json, tokenizer.json, model.onnx
    "embedder_adopt": {"files": ("list", "FolderFile")},
    "embedder_forget": {},  # back to the packaged model, in the same way
    "embedder_catalogue": {},
    # bring a model here, or the rest of it; cancelling pauses
    "embedder_download": {"model": "str"},
    # try a model that is here and use it from the next start on, which follows at once
    "embedder_use": {"model": "str"},
    # the packaged model follows the one in use, in the same way
    "embedder_remove": {"model": "str"},
    "reembed": {},  # make all vectors anew; the old ones stay until the new are complete
}

RESULTS: dict = {
    "self_test": "SelfTest",
    "embedder": "Embedder",
    "embedder_adopt": {"id": "str"},
    "embedder_forget": {"id": "str"},
    "embedder_catalogue": "EmbedderCatalogue",
    "embedder_download": "EmbedderCatalogue",
    "embedder_use": {"id": "str"},
    "embedder_remove": "EmbedderCatalogue",
    "reembed": "Stats",
}
