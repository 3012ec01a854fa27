"""The language models of this machine: the bundled one and those of the catalogue.

One is in memory at a time: opening another lets go of the last, for two small models together are more than
many machines have to spare.
"""

import asyncio
from collections.abc import Awaitable, Callable

from tabwise.core.llm.description import CHATML
from tabwise.core.llm.template import Render, render_chatml
from tabwise.engine.llm.catalogue import ModelState
from tabwise.engine.llm.local_model import LocalModel
from tabwise.engine.llm.session import Session
from tabwise.errors import ModelError
from tabwise.ports import Clock, Decoders

RenderOf = Callable[[str], Awaitable[Render]]
"""Makes a renderer of a Jinja chat template; raises ValueError for one that is none."""


class LocalModels:
    """Implements ports.LanguageModels for "bundled" and ids that begin with "catalogue:"."""

    def __init__(self, decoders: Decoders, *, render_of: RenderOf, clock: Clock) -> None:
        self._decoders = decoders
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

    async def release(self) -> None:
        """Let go of the model in memory."""
        held, self._held = self._held, None
        await self._close(held)

    async def _load(self, model_id: str, before: tuple[str, asyncio.Task[LocalModel]] | None) -> LocalModel:
        about = await self._decoders.describe(model_id)
        render = await self._renderer(model_id, about.template)
        await self._close(before)
        session = Session(self._decoders, model_id, about)
        return LocalModel(model_id, session, await session.decoder(), render=render, clock=self._clock)

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
