"""How fast a model of this machine is: one fixed prompt, kept until it is measured again.

Prefill and decode are timed apart, since they are bound by different things: a prompt of 128 tokens tells the
one, 16 written tokens the other. The first run of WebAssembly compiles as it goes, so the model warms up with
a few tokens before.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tabwise.core.chat import Message, Prompt, Role, Speed
from tabwise.engine.llm.local_model import LocalModel
from tabwise.errors import ModelError
from tabwise.ports import ModelFolders

FOLDER, FILE = "measured", "speeds.json"
MAX_BYTES = 100_000
N_WRITTEN = 16
_WORDS = (
    "The tide rises and falls twice a day because the moon pulls at the sea and the earth turns below it. "
)


def _prompt(text: str, n_tokens: int) -> Prompt:
    """With a temperature: what is written by chance is not guessed ahead, and each token has its call."""
    return Prompt((Message(Role.USER, text),), max_output_tokens=n_tokens, temperature=0.7)


async def measure(model: LocalModel) -> Speed:
    """Time the model; raises ModelError."""
    await model.complete(_prompt("Hello.", 2), on_text=_unheard)
    done = await model.complete(
        _prompt(f"{_WORDS * 5}\nExplain this at length.", N_WRITTEN), on_text=_unheard
    )
    if done.speed is None:
        raise ModelError("model_unavailable", "the model was not timed")
    return done.speed


def _unheard(text: str) -> None:
    """Nobody reads what is written to be timed."""


class Speeds:
    """What was measured, by the model's engine id, beside the models."""

    def __init__(self, folders: ModelFolders) -> None:
        self._folders = folders

    async def all(self) -> Mapping[str, Speed]:
        """Every speed that can still be read."""
        data = await self._folders.read(FOLDER, FILE, 0, MAX_BYTES)
        try:
            stored = json.loads(data or b"{}")
            return {name: Speed(**values) for name, values in stored.items()}
        except (ValueError, TypeError, AttributeError):
            return {}

    async def keep(self, engine_id: str, speed: Speed) -> None:
        """Record a speed in place of the last one of that model."""
        speeds: dict[str, Any] = {name: asdict(one) for name, one in (await self.all()).items()}
        speeds[engine_id] = asdict(speed)
        await self._folders.write(FOLDER, FILE, 0, json.dumps(speeds).encode())
