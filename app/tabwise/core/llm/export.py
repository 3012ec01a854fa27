"""A model as the hub keeps it, described as `model.json` describes one.

The usual export has an ONNX file for each kind of weights, `config.json`, `tokenizer.json`,
`tokenizer_config.json` with the chat template, or the template in `chat_template.jinja`. Which device a file
is for is told by its name: WebAssembly multiplies int8 fast and unpacks four bits slowly, a GPU the other way
round.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tabwise.core.llm.description import CHATML, is_file_name

MAX_CONTEXT_TOKENS = 4096
"""Of a model on this machine: each token of it costs memory, and prompts are kept far below."""
_FOR_GPU = ("q4", "bnb4", "fp16", "f16")
TEXT_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja")
NEEDED = ("config.json", "tokenizer.json")


def device_of(name: str) -> str:
    """The device an ONNX file is for."""
    return "webgpu" if any(kind in name for kind in _FOR_GPU) else "wasm"


def describe_export(
    sizes: Mapping[str, int], texts: Mapping[str, Any], *, model_id: str, label: str, licence: str
) -> dict[str, Any]:
    """The values of `model.json`; `sizes` of all files by name, `texts` the JSON values of TEXT_FILES.

    `chat_template.jinja` is the one that is text itself. Raises ValueError naming what is missing.
    """
    for name in NEEDED:
        if not isinstance(texts.get(name), dict):
            raise ValueError(f"{name} is missing")
    files = _files(sorted(sizes))
    if not files:
        raise ValueError("an .onnx file is missing")
    shipped = [name for names in files.values() for name in names]
    longest = texts["config.json"].get("max_position_embeddings", MAX_CONTEXT_TOKENS)
    added = texts["tokenizer.json"].get("added_tokens", [])
    return {
        "id": model_id,
        "label": label,
        "licence": licence,
        "context_tokens": min(int(longest), MAX_CONTEXT_TOKENS),
        "template": _template(texts),
        "end_tokens": _end_tokens(texts["config.json"]),
        "control_tokens": [token["content"] for token in added if token.get("special")],
        "first_token_alone": False,
        "files": files,
        "size_bytes": sum(sizes[name] for name in shipped),
        "sha256": {},
    }


def _files(names: Sequence[str]) -> dict[str, list[str]]:
    """One model a device, the first by name, and the data files that begin like it."""
    files: dict[str, list[str]] = {}
    for name in names:
        if name.endswith(".onnx") and is_file_name(name):
            data = [other for other in names if other.startswith(f"{name}_data")]
            files.setdefault(device_of(name), [name, *data])
    return files


def _template(texts: Mapping[str, Any]) -> str:
    alone = texts.get("chat_template.jinja")
    if isinstance(alone, str) and alone.strip():
        return alone
    template = (texts.get("tokenizer_config.json") or {}).get("chat_template")
    if isinstance(template, list):  # several by name
        template = next((one["template"] for one in template if one.get("name") == "default"), None)
    return template if isinstance(template, str) else CHATML


def _end_tokens(config: Mapping[str, Any]) -> list[int]:
    ends = config.get("eos_token_id", [])
    return [ends] if isinstance(ends, int) else [end for end in ends if isinstance(end, int)]
