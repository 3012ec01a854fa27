"""The services a reader can set up to write answers: what each kind needs, and how an address is typed.

Default models are what the vendors' own libraries name (openai 3.57, groq 1.7, google-genai 3.6): small,
fast, current. `context_tokens` stands in until the service tells, or the reader says, how much its model
reads.
"""

from tabwise.protocol.addresses import host_of, is_private_host
from tabwise.protocol.tables.settings import PROVIDER_KINDS

# kind: address and model to begin with; "" is for the reader to fill in. fixed: the address is not asked for
PRESETS: dict = {
    "openai": {
        "label": "OpenAI",
        "address": "https://api.openai.com/v1",
        "model": "gpt-5.4-mini",
        "context_tokens": 128000,
        "fixed": True,
        "calls_tools": True,
        "needs_key": True,
    },
    "groq": {
        "label": "Groq",
        "address": "https://api.groq.com/openai/v1",
        "model": "openai/gpt-oss-20b",
        "context_tokens": 131072,
        "fixed": True,
        "calls_tools": True,
        "needs_key": True,
    },
    "gemini": {
        "label": "Gemini",
        "address": "https://generativelanguage.googleapis.com/v1beta",
        "model": "gemini-3.8-flash",
        "context_tokens": 128000,
        "fixed": True,
        "calls_tools": True,
        "needs_key": True,
    },
    "azure": {
        "label": "Azure OpenAI",
        "address": "",
        "model": "",
        "context_tokens": 128000,
        "fixed": False,
        "calls_tools": True,
        "needs_key": True,
    },
    "ollama": {
        "label": "Ollama",
        "address": "http://localhost:11434",
        "model": "",
        "context_tokens": 8192,
        "fixed": False,
        "calls_tools": False,
        "needs_key": False,
    },
    "compatible": {
        "label": "",
        "address": "",
        "model": "",
        "context_tokens": 8192,
        "fixed": False,
        "calls_tools": False,
        "needs_key": False,
    },
}
MAX_ADDRESS_CHARS = 500
OLLAMA_PORT = ":11434"


def provider_model_id(provider_id: str) -> str:
    """The name by which `preferences.engine` chooses a provider."""
    return "provider:" + provider_id


def provider_key_name(provider_id: str) -> str:
    """The name under which the key of a provider is kept."""
    return "provider:" + provider_id


def read_address(text: str, kind: str) -> tuple:
    """Read what a reader typed or pasted as a service's address. Returns (address, "") or ("", fault).

    The fault is "empty", "long", "scheme", "host", or "secret" for a user or password, which must not
    stand in an address. A missing scheme is http on this machine and its network, https elsewhere. A server
    without a path gets the usual one, /v1; Ollama's own interface lies at its root.
    """
    text = text.strip()
    if not text:
        return "", "empty"
    if len(text) > MAX_ADDRESS_CHARS:
        return "", "long"
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    rest = rest.partition("#")[0].strip()
    for stop in ("/", "?"):
        if "@" in rest.partition(stop)[0]:
            return "", "secret"
    host = host_of("http://" + rest)
    if not scheme:
        scheme = "http" if is_private_host(host) else "https"
    if scheme.lower() not in ("http", "https"):
        return "", "scheme"
    if not host or rest.split() != [rest]:
        return "", "host"
    place, _, query = rest.partition("?")
    place = place.rstrip("/")
    if kind == "ollama" and place.endswith("/v1"):
        place = place[:-3].rstrip("/")
    if kind == "compatible" and "/" not in place and not place.endswith(OLLAMA_PORT):
        place = place + "/v1"
    return scheme.lower() + "://" + place + ("?" + query if query else ""), ""


def is_sound_provider(provider: dict) -> bool:
    """Whether a Provider record can be used: a known kind, an address as `read_address` gives it, an id."""
    address = read_address(provider["address"], provider["kind"])[0]
    is_whole = provider["id"] != "" and provider["kind"] in PROVIDER_KINDS
    return is_whole and address != "" and address == provider["address"] and provider["context_tokens"] >= 0
