"""The language models of this machine: the bundled one and those of the catalogue.

One is in memory at a time: opening another lets go of the last, for two small models together are more than
many machines have to spare.
"""

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
        self._open: tuple[str, LocalModel] | None = None

    async def open(self, model_id: str) -> LocalModel:
        """Return the model, loaded; raises ModelError (model_unavailable, model_out_of_memory)."""
        if self._open is not None and self._open[0] == model_id:
            return self._open[1]
        about = await self._decoders.describe(model_id)
        await self.release()
        session = Session(self._decoders, model_id, about)
        decoder = await session.decoder()
        render = await self._renderer(model_id, about.template)
        model = LocalModel(model_id, session, decoder, render=render, clock=self._clock)
        self._open = model_id, model
        return model

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
        held, self._open = self._open, None
        if held is not None:
            await held[1].close()

    async def _renderer(self, model_id: str, template: str) -> Render:
        if template == CHATML:
            return render_chatml
        try:
            return await self._render_of(template)
        except ValueError as error:
            raise ModelError("model_damaged", f"{model_id}: {error}", subject="model.json") from error
