"""What `model.json` in a model's folder says about it.

id, label, licence, context_tokens
template             "chatml", or a Jinja chat template as the hub's tokenizer_config.json has it
end_tokens           numbers that end a turn
control_tokens       texts that no page or reader may write as such
first_token_alone    whether the first token must be computed in a call of its own
files                by device ("wasm", "webgpu"): the ONNX file, then the data files it refers to
size_bytes, sha256   of the files, by name
self_test            optional: tokens, and the first logits behind them as a sound device computes them
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DEVICES = ("webgpu", "wasm")
"""Where a model can run, the faster one first."""
CHATML = "chatml"
MAX_CONTEXT_TOKENS = 32_768


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Logits (n,) of the vocabulary's first n tokens after `tokens`."""

    tokens: tuple[int, ...]
    logits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LocalModelDescription:
    """A model of this machine; see the module for the fields."""

    id: str
    label: str
    licence: str
    context_tokens: int
    template: str
    end_tokens: frozenset[int]
    control_tokens: tuple[str, ...]
    first_token_alone: bool
    files: tuple[tuple[str, tuple[str, ...]], ...]
    size_bytes: int
    sha256: tuple[tuple[str, str], ...]
    self_test: SelfTest | None = None

    def files_on(self, device: str) -> tuple[str, ...]:
        """Names of the files for a device, none when the model has no file for it."""
        return dict(self.files).get(device, ())

    @staticmethod
    def of(described: Any) -> "LocalModelDescription":
        """Read the JSON values of `model.json`; raises ValueError naming what is wrong with them."""
        if not isinstance(described, dict):
            raise ValueError("model.json is no object")
        context_tokens = _value(described, "context_tokens", int)
        if not 0 < context_tokens <= MAX_CONTEXT_TOKENS:
            raise ValueError(f"context_tokens is {context_tokens}")
        test = described.get("self_test")
        return LocalModelDescription(
            id=_value(described, "id", str),
            label=_value(described, "label", str),
            licence=_value(described, "licence", str),
            context_tokens=context_tokens,
            template=_value(described, "template", str),
            end_tokens=frozenset(_list(described, "end_tokens", int)),
            control_tokens=tuple(_list(described, "control_tokens", str)),
            first_token_alone=bool(described.get("first_token_alone", False)),
            files=_files(described),
            size_bytes=_value(described, "size_bytes", int),
            sha256=tuple(sorted(_value(described, "sha256", dict).items())),
            self_test=None if test is None else _self_test(test),
        )


def _files(described: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    files = _value(described, "files", dict)
    for device, names in files.items():
        if device not in DEVICES or not names or not all(map(is_file_name, names)):
            raise ValueError(f"files of {device!r} are {names!r}")
    return tuple((device, tuple(files[device])) for device in DEVICES if device in files)


def is_file_name(name: object) -> bool:
    """Whether a value names a file of the folder itself: no path, nothing hidden, nothing unusual."""
    if not isinstance(name, str) or not 0 < len(name) <= 100 or name.startswith("."):
        return False
    return all(char.isascii() and (char.isalnum() or char in "._-") for char in name)


def _self_test(test: Any) -> SelfTest:
    if not isinstance(test, dict):
        raise ValueError("self_test is no object")
    return SelfTest(
        tuple(_list(test, "tokens", int)), tuple(float(one) for one in _value(test, "logits", list))
    )


def _list(values: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    found: list[Any] = _value(values, name, list)
    if not all(isinstance(one, kind) for one in found):
        raise ValueError(f"{name} is {found!r}")
    return found


def _value(values: Mapping[str, Any], name: str, kind: type) -> Any:
    found = values.get(name)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise ValueError(f"{name} is {found!r}")
    return found
