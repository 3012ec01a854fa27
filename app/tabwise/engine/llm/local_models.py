"""The language models of this machine: the bundled one and those of the catalogue.

A model with files for several devices is timed on each before its first use here, and runs where it writes
fastest: not every graphics card outruns the processor.

One is in memory at a time: opening another lets go of the last, for two small models together are more than
many machines have to spare.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tabwise.core.chat import Speed
from tabwise.core.llm.description import CHATML, LocalModelDescription
from tabwise.core.llm.template import Render, render_chatml
from tabwise.engine.llm.catalogue import ModelState
from tabwise.engine.llm.local_model import LocalModel
from tabwise.engine.llm.measuring import Speeds, decode_per_s, fastest, measure
from tabwise.engine.llm.session import Session
from tabwise.errors import ModelError
from tabwise.ports import Clock, Decoders

log = logging.getLogger(__name__)

RenderOf = Callable[[str], Awaitable[Render]]
"""Makes a renderer of a Jinja chat template; raises ValueError for one that is none."""


class LocalModels:
    """Implements ports.LanguageModels for "bundled" and ids that begin with "catalogue:"."""

    def __init__(
        self, decoders: Decoders, *, render_of: RenderOf, clock: Clock, speeds: Speeds | None = None
    ) -> None:
        """Without a place for `speeds` nothing is timed before it is used."""
        self._decoders = decoders
        self._speeds = speeds
        self._render_of = render_of
        self._clock = clock
        self._held: tuple[str, asyncio.Task[LocalModel]] | None = None

    async def open(self, model_id: str) -> LocalModel:
        """Return the model, loaded; raises ModelError (model_unavailable, model_out_of_memory).

        Whoever else wants it meanwhile waits for the same one, and giving up waiting does not stop it: a
        half-loaded model would stay in memory without an owner.
        """
        if self._held is None or self._held[0] != model_id:
            before, self._held = self._held, None
            self._held = model_id, asyncio.ensure_future(self._load(model_id, before))
        held = self._held
        try:
            return await asyncio.shield(held[1])
        except ModelError:
            if self._held is held:
                self._held = None
            raise

    async def describe(self, model_id: str) -> ModelState | None:
        """What the list of models says of one that is here whole, None when it is not."""
        try:
            about = await self._decoders.describe(model_id)
        except ModelError:
            return None
        return ModelState(
            id=model_id,
            label=about.label,
            licence=about.licence,
            device=about.files[0][0],
            context_tokens=about.context_tokens,
            size_bytes=about.size_bytes,
            stored_bytes=about.size_bytes,
            is_complete=True,
            is_imported=False,
        )

    async def measure(self, model_id: str) -> Speed:
        """Time a model on each of its devices, keep that, and return the best; raises ModelError."""
        about = await self._decoders.describe(model_id)
        await self.release()
        speeds = [await self._timed(model_id, about, device) for device in await self._devices_of(about)]
        best = fastest(speeds)
        if best is None:
            raise ModelError("model_unavailable", f"no device for {model_id}")
        return best

    async def speeds(self) -> Mapping[str, Speed]:
        """The best speed of each model that was timed here."""
        known = await self._speeds.all() if self._speeds is not None else {}
        best = ((model_id, fastest(speeds.values())) for model_id, speeds in known.items())
        return {model_id: speed for model_id, speed in best if speed is not None}

    async def release(self) -> None:
        """Let go of the model in memory."""
        held, self._held = self._held, None
        await self._close(held)

    async def _load(self, model_id: str, before: tuple[str, asyncio.Task[LocalModel]] | None) -> LocalModel:
        about = await self._decoders.describe(model_id)
        render = await self._renderer(model_id, about.template)
        await self._close(before)
        return await self._opened(model_id, about, await self._best_first(model_id, about), render)

    async def _opened(
        self, model_id: str, about: LocalModelDescription, devices: Sequence[str], render: Render
    ) -> LocalModel:
        session = Session(self._decoders, model_id, about, devices=devices)
        return LocalModel(model_id, session, await session.decoder(), render=render, clock=self._clock)

    async def _devices_of(self, about: LocalModelDescription) -> list[str]:
        return [device for device in await self._decoders.devices() if about.files_on(device)]

    async def _best_first(self, model_id: str, about: LocalModelDescription) -> list[str]:
        devices = await self._devices_of(about)
        if len(devices) < 2 or self._speeds is None:
            return devices
        known = dict((await self._speeds.all()).get(model_id, {}))
        for device in devices:
            if device not in known:
                known[device] = await self._timed(model_id, about, device)
        return sorted(devices, key=lambda device: -decode_per_s(known[device]))

    async def _timed(self, model_id: str, about: LocalModelDescription, device: str) -> Speed:
        """Open a model on one device, time and close it; a device that cannot run it wrote nothing."""
        render = await self._renderer(model_id, about.template)
        try:
            model = await self._opened(model_id, about, (device,), render)
            try:
                speed = await measure(model)
            finally:
                await model.close()
        except ModelError as error:
            if len(await self._devices_of(about)) < 2:
                raise
            log.warning("%s was not timed on %s: %s", model_id, device, error.message)
            speed = Speed(device, 0, 0.0, 0, 0.0, 0.0, 0)
        if self._speeds is not None:
            await self._speeds.keep(model_id, speed)
        return speed

    async def _close(self, held: tuple[str, asyncio.Task[LocalModel]] | None) -> None:
        if held is None:
            return
        try:
            model = await held[1]
        except ModelError:
            return
        await model.close()

    async def _renderer(self, model_id: str, template: str) -> Render:
        if template == CHATML:
            return render_chatml
        try:
            return await self._render_of(template)
        except ValueError as error:
            raise ModelError("model_damaged", f"{model_id}: {error}", subject="model.json") from error
