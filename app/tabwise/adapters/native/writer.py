"""A service that writes answers, named on the command line: `KIND:MODEL[@ADDRESS]`.

    ollama:llama3.2                                   on this machine, at its usual address
    compatible:smollm2@http://localhost:8080/v1       any server that speaks the OpenAI protocol
    openai:gpt-5.4-mini                               the key from $TABWISE_PROVIDER_KEY

Kinds and usual addresses are those of the settings.
"""

import asyncio
import os
from collections.abc import Callable, Mapping

from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.providers.directory import Providers
from tabwise.core.chat import Completion, ModelDescriptor, Prompt
from tabwise.errors import ProviderError
from tabwise.ports import KeyPlace
from tabwise.protocol.providers import PRESETS, provider_model_id

KEY_VARIABLE = "TABWISE_PROVIDER_KEY"
_ID = "cli"


def open_writer(spec: str) -> "OneRunWriter":
    """Return the model that a text names; nothing is sent. Raises ProviderError: provider_unknown."""
    kind, _, rest = spec.partition(":")
    model, _, address = rest.partition("@")
    if kind not in PRESETS or not (model or PRESETS[kind]["model"]):
        raise ProviderError("provider_unknown", f"not KIND:MODEL[@ADDRESS]: {spec}", subject=spec)
    row = {
        "id": _ID,
        "kind": kind,
        "label": spec,
        "address": address or PRESETS[kind]["address"],
        "model": model or PRESETS[kind]["model"],
        "context_tokens": 0,
        "calls_tools": False,
    }
    return OneRunWriter(row)


class OneRunWriter:
    """Implements ports.LanguageModel for callers that have an event loop for each completion only."""

    def __init__(self, row: Mapping[str, object]) -> None:
        self._settings = _OneProvider(row)
        http = NativeHttp()
        model = asyncio.run(Providers(http, _EnvironmentKey(), self._settings).open(provider_model_id(_ID)))
        self.descriptor: ModelDescriptor = model.descriptor
        self.count: Callable[[str], int] = model.count

    async def complete(self, prompt: Prompt, *, on_text: Callable[[str], None]) -> Completion:
        """Complete a prompt over a connection of its own."""
        http = NativeHttp()
        try:
            model = await Providers(http, _EnvironmentKey(), self._settings).open(provider_model_id(_ID))
            return await model.complete(prompt, on_text=on_text)
        finally:
            await http.close()


class _OneProvider:
    def __init__(self, row: Mapping[str, object]) -> None:
        self._row = dict(row)

    async def settings(self) -> object:
        return {"providers": [self._row]}


class _EnvironmentKey:
    async def key(self, name: str) -> str:
        return os.environ.get(KEY_VARIABLE, "")

    async def places(self) -> Mapping[str, KeyPlace]:
        return {}
