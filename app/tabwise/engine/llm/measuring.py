"""How fast a model of this machine is: one fixed prompt, kept until it is measured again.

Prefill and decode are timed apart, since they are bound by different things: a prompt of 128 tokens tells the
one, 16 written tokens the other. The first run of WebAssembly compiles as it goes, so the model warms up with
a few tokens before. Where tokens are guessed ahead in a call of several, what is measured is written by
chance and not guessed: how well guesses fit is a matter of the text.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from tabwise.core.chat import Message, Prompt, Role, Speed
from tabwise.engine.llm.local_model import DRAFTING_DEVICES, LocalModel
from tabwise.errors import ModelError
from tabwise.ports import HostFactsSource, ModelFolders

FOLDER, FILE = "measured", "speeds.json"
MAX_BYTES = 100_000
N_WRITTEN = 16
MAX_S = 60.0
_WORDS = (
    "The tide rises and falls twice a day because the moon pulls at the sea and the earth turns below it. "
)


def _prompt(text: str, n_tokens: int, temperature: float = 0.0) -> Prompt:
    return Prompt((Message(Role.USER, text),), max_output_tokens=n_tokens, temperature=temperature)


async def measure(model: LocalModel) -> Speed:
    """Time the model; one that takes more than MAX_S wrote nothing. Raises ModelError."""
    try:
        return await asyncio.wait_for(_measured(model), MAX_S)
    except TimeoutError:
        ms = 1_000.0 * MAX_S
        return Speed(model.device, 0, ms, 0, ms, ms, 0)


async def _measured(model: LocalModel) -> Speed:
    await model.complete(_prompt("Hello.", 2), on_text=_unheard)
    temperature = 0.7 if model.device in DRAFTING_DEVICES else 0.0
    done = await model.complete(
        _prompt(f"{_WORDS * 5}\nExplain this at length.", N_WRITTEN, temperature), on_text=_unheard
    )
    if done.speed is None:
        raise ModelError("model_unavailable", "the model was not timed")
    return done.speed


def _unheard(text: str) -> None:
    """Nobody reads what is written to be timed."""


class Speeds:
    """What was measured on this machine, by the model's engine id and device, kept beside the models.

    Another processor or graphics card is another machine: what was measured on the last one is not told.
    """

    def __init__(self, folders: ModelFolders, host: HostFactsSource) -> None:
        self._folders = folders
        self._host = host

    async def all(self) -> Mapping[str, Mapping[str, Speed]]:
        """Every speed of this machine that can still be read, by model and device."""
        return (await self._read()).get(await self._machine(), {})

    async def keep(self, engine_id: str, speed: Speed) -> None:
        """Record a speed in place of the last one of that model on that device."""
        machine, everything = await self._machine(), await self._read()
        models = {engine: dict(speeds) for engine, speeds in everything.get(machine, {}).items()}
        models.setdefault(engine_id, {})[speed.device] = speed
        stored = {
            name: {
                engine: {device: asdict(one) for device, one in speeds.items()}
                for engine, speeds in of.items()
            }
            for name, of in (everything | {machine: models}).items()
        }
        await self._folders.write(FOLDER, FILE, 0, json.dumps(stored).encode())

    async def _machine(self) -> str:
        facts = await self._host.facts()
        return f"{facts.n_threads} threads, GPU: {facts.gpu.name if facts.gpu else ''}"

    async def _read(self) -> dict[str, dict[str, dict[str, Speed]]]:
        data = await self._folders.read(FOLDER, FILE, 0, MAX_BYTES)
        try:
            return {
                machine: {
                    engine: {device: Speed(**values) for device, values in speeds.items()}
                    for engine, speeds in models.items()
                }
                for machine, models in json.loads(data or b"{}").items()
            }
        except (ValueError, TypeError, AttributeError):
            return {}


def fastest(speeds: Iterable[Speed]) -> Speed | None:
    """The speed that writes fastest, the first of equals; None of none."""
    return max(speeds, key=decode_per_s, default=None)


def decode_per_s(speed: Speed) -> float:
    """Tokens written in a second, 0 of one that wrote none."""
    return 1_000.0 * speed.n_decoded / speed.decode_ms if speed.decode_ms > 0 else 0.0
