"""The words that several tables choose from."""

VERDICTS = ("supported", "partly", "contradicted", "not_found", "uncited")
STAGES = (
    "read",
    "chunk",
    "embed",
    "store",
    "plan",
    "retrieve",
    "extract",
    "write",
    "verify",
    "research",
    "summarise",
    "compare",
    "download",
    "copy",
)
FUSION_MODES = ("convex", "rrf", "dense", "lexical")
