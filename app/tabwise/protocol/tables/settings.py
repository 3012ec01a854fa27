"""What the reader chose."""

from tabwise.protocol.tables.words import FUSION_MODES

PROVIDER_KINDS = ("openai", "groq", "gemini", "azure", "ollama", "compatible")

RECORDS: dict = {
    # a site pattern of the reader (protocol/rules.py) and whether it allows or forbids reading
    "Rule": {"effect": ("enum", "allow", "deny"), "pattern": "str"},
    # single choices; a new one gets its default in protocol/settings.py
    "Preferences": {
        "other_windows": "bool",  # whether tabs of other windows are listed
        "engine": "str",  # what writes answers: "extractive", or the id of a language model
        "mode": ("enum",) + FUSION_MODES,
        "k": "int",  # passages to answer from
        "strict": "bool",  # leave out sentences that their source does not support
        "appearance": ("enum", "system", "light", "dark"),
        "language": "str",  # of the interface; "" is the browser's
        "agent_steps": "int",  # replies of the model in one run of the agent, at most
        "agent_seconds": "int",  # time of one run of the agent, at most
        "voice": "bool",  # whether the browser may listen; its recogniser may send sound to its maker
        "voice_language": "str",  # what is spoken, as in BCP 47; "" is that of the interface
        "voice_key": "str",  # held to talk on a page, as KeyboardEvent.code
        "toolbar": ("enum", "panel", "popup"),  # what the toolbar button opens
        "guide": ("list", "str"),  # first steps that were taken or skipped (ui/guide.py)
        "max_threads": "int",  # conversations that are kept; more make the oldest go
        "daily_backup": "bool",  # of the library, in the browser's storage
        "auto_summaries": "bool",  # every page that is read gets a summary, in the background
        "summary_engine": "str",  # what writes them: "extractive", "summarizer" (the browser's), a model's id
    },
    # a service that writes answers (protocol/providers.py); its key is kept apart and never in here
    "Provider": {
        "id": "str",
        "kind": ("enum",) + PROVIDER_KINDS,
        "label": "str",
        "address": "str",  # as protocol/providers.read_address gives it
        "model": "str",
        "context_tokens": "int",  # prompt and output together; 0: what the kind has (protocol/providers.py)
        "calls_tools": "bool",
    },
    # a vector store that mirrors the library (protocol/qdrant.py); its key is kept apart and never in here
    "Qdrant": {"enabled": "bool", "address": "str", "collection": "str"},
    "Settings": {
        "version": "int",
        "rules": ("list", "Rule"),
        "categories_off": ("list", "str"),  # categories of protocol/rules.py that may be read
        "never_leaves": ("list", "str"),  # site patterns whose pages go to no other machine
        "providers": ("list", "Provider"),
        "qdrant": "Qdrant",
        "interests": ("list", "str"),  # short texts of the reader; open tabs are flagged by them
        "preferences": "Preferences",
    },
}
