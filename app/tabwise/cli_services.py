"""Services on the command line: who writes the answer.

    tabwise ask "…" --provider groq                      the vendor's own address and default model
    tabwise ask "…" --provider localhost:11434 --llm qwen3:4b

Naming a service is the agreement to send passages there; they pass the same gate as in the browser. The key
comes from an environment variable, as in an option it would stand in the shell's history and the list of
processes.
"""

import argparse
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tabwise.adapters.clock import SystemClock
from tabwise.adapters.native.http import NativeHttp
from tabwise.adapters.native.writer import KEY_VARIABLE
from tabwise.adapters.providers.directory import Providers
from tabwise.cli_arguments import whole_number
from tabwise.core.network.egress import Destination
from tabwise.core.network.http import Purpose, origin_of
from tabwise.core.network.redaction import Redactor
from tabwise.engine.egress import Gate, MemoryLedger, metered
from tabwise.engine.secrets import KeyRing, redact_log
from tabwise.errors import ProviderError
from tabwise.ports import KeyPlace
from tabwise.protocol.providers import OLLAMA_PORT, PRESETS, provider_model_id, read_address
from tabwise.ui.view.answer import fallback_text

# the names that vendors' own tools use, looked at when ours is not set
VENDOR_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "groq": "GROQ_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY",
}
_ID = "command-line"


def service_options() -> argparse.ArgumentParser:
    """The options of a command that can use a language model of a service."""
    options = argparse.ArgumentParser(add_help=False)
    names = ", ".join(kind for kind, preset in PRESETS.items() if preset["address"])
    about = f"who writes the answer: {names}, bundled or an address (key: ${KEY_VARIABLE} or the vendor's)"
    options.add_argument("--provider", default="", metavar="SERVICE", help=about)
    options.add_argument(
        "--llm", default="", metavar="NAME", help="its model (default: the vendor's small one)"
    )
    about = "tokens that the model reads and writes together"
    options.add_argument("--context", type=whole_number(1), default=0, metavar="N", help=about)
    return options


@asynccontextmanager
async def opened_service(
    options: argparse.Namespace, purpose: Purpose = Purpose.ANSWER
) -> AsyncIterator[tuple[Providers, str] | None]:
    """The service that the options name, and the id of its model; None when they name none.

    What leaves for this purpose while the context is open was agreed to. Raises ProviderError:
    address_invalid.
    """
    if not options.provider:
        yield None
        return
    row = provider_row(options.provider, options.llm, options.context)
    redactor = Redactor()
    redact_log(redactor)
    settings, http = _OneProvider(row), NativeHttp()
    gate = Gate(http, ledger=MemoryLedger(), settings=settings, clock=SystemClock())
    await gate.agree(Destination(origin_of(row["address"]), purpose))
    keys = KeyRing(EnvironmentKeys(row["kind"]), redactor)
    try:
        with metered():
            yield Providers(gate, keys, settings), provider_model_id(_ID)
    finally:
        await http.close()


def provider_row(service: str, model: str, context_tokens: int) -> dict[str, Any]:
    """Build the Provider record of a kind's name or an address; raises ProviderError: address_invalid."""
    kind = service if service in PRESETS else _kind_of(service)
    preset = PRESETS[kind]
    address, fault = read_address(preset["address"] if service == kind else service, kind)
    if fault:
        raise ProviderError("address_invalid", fault, subject=service)
    return {
        "id": _ID,
        "kind": kind,
        "label": preset["label"],
        "address": address,
        "model": model or preset["model"],
        "context_tokens": context_tokens,
        "calls_tools": preset["calls_tools"],
    }


def tell_fallback(fallback: Mapping[str, str]) -> None:
    """Say on the error stream why the model did not write the answer that is shown."""
    said, subject = fallback_text(dict(fallback)), fallback["subject"]
    about = f" ({subject})" if subject and subject not in said else ""
    print(f"tabwise: {said}{about}", file=sys.stderr)


class EnvironmentKeys:
    """Implements ports.Keys over the environment: ours first, then the vendor's."""

    def __init__(self, kind: str) -> None:
        self._names = [KEY_VARIABLE, *([VENDOR_VARIABLES[kind]] if kind in VENDOR_VARIABLES else [])]

    async def key(self, name: str) -> str:
        """The key, whatever `name` is; "" when no variable is set."""
        found = (os.environ.get(variable, "").strip() for variable in self._names)
        return next((key for key in found if key), "")

    async def places(self) -> Mapping[str, KeyPlace]:
        """Nothing is kept."""
        return {}


class _OneProvider:
    """Implements ports.SettingsSource: the defaults and one provider."""

    def __init__(self, row: dict[str, Any]) -> None:
        self._row = row

    async def settings(self) -> object:
        return {"providers": [self._row]}


def _kind_of(address: str) -> str:
    place = address.partition("?")[0].rstrip("/").removesuffix("/v1")
    return "ollama" if place.endswith(OLLAMA_PORT) else "compatible"
