"""A decoder that outlives its device: opened on the fastest one that works, opened anew when it is lost.

A device is used when it passes the self-test: with the stored logits of the model the cosine must be at
least 0.99; a model without them must find a sentence likelier than its words backwards. GPUs are known to
return zeros or NaN without an error. A session that is lost is opened again once on its device, then on the
next; what it had computed is computed anew, and the run goes on.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import numpy as np

from tabwise.core.llm.description import LocalModelDescription
from tabwise.core.llm.generation import prefill
from tabwise.core.llm.sampling import FloatVector, IntVector, TopTokens
from tabwise.errors import DeviceLost, ModelError
from tabwise.ports import Decoder, Decoders

log = logging.getLogger(__name__)

MIN_COSINE = 0.99
IDLE_S = 300.0
"""How long a model stays in memory that nobody uses."""
MAX_LOSSES = 2
"""Sessions of one device that may be lost before the next device is tried."""
SENTENCE = "The sun rises in the east and sets in the west."
Result = TypeVar("Result")


class Session:
    """One model in use. `tokens` are those that the cache holds; calls as of `ports.Decoder`.

    Whoever makes several calls that belong together holds `turn`.
    """

    def __init__(
        self,
        decoders: Decoders,
        model_id: str,
        description: LocalModelDescription,
        *,
        devices: Sequence[str] = (),
        idle_s: float = IDLE_S,
    ) -> None:
        """`devices`: where to run, the best first; without them, where the decoders say, in their order."""
        self.description = description
        self.turn = asyncio.Lock()
        self.tokens: list[int] = []
        self.device = ""
        self._decoders = decoders
        self._model_id = model_id
        self._devices = tuple(devices)
        self._decoder: Decoder | None = None
        self._unsound: set[str] = set()
        self._losses: dict[str, int] = {}
        self._idle_s = idle_s
        self._idle: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def decoder(self) -> Decoder:
        """The open decoder; raises ModelError when no device can run it."""
        if self._decoder is None:
            self._decoder = await self._open()
        return self._decoder

    async def advance(self, tokens: Sequence[int], past: int) -> None:
        """Compute tokens and keep them."""
        await self._call(lambda decoder: decoder.advance(tokens, past), tokens, past)

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        """Compute tokens and return the likeliest next ones."""
        return await self._call(lambda one: one.top(tokens, past, k=k, allow=allow), tokens, past)

    async def verify(self, tokens: Sequence[int], past: int) -> IntVector:
        """Compute tokens and return the likeliest next one behind each."""
        return await self._call(lambda decoder: decoder.verify(tokens, past), tokens, past)

    async def score(self, tokens: Sequence[int], past: int) -> FloatVector:
        """Compute tokens and return log P of each but the first."""
        return await self._call(lambda decoder: decoder.score(tokens, past), tokens, past)

    def rest(self) -> None:
        """Let go of the model when nobody has used it for a while; the next call loads it again."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._leave)

    def _leave(self) -> None:
        if not self.turn.locked():
            self._leaving = asyncio.ensure_future(self.close())

    async def close(self) -> None:
        """Let go of the model; the next call loads it again."""
        decoder, self._decoder, self.tokens = self._decoder, None, []
        if decoder is not None:
            await decoder.close()

    async def _call(
        self, run: Callable[[Decoder], Awaitable[Result]], tokens: Sequence[int], past: int
    ) -> Result:
        held = self.tokens[:past]
        while True:
            try:
                decoder = await self.decoder()
                if not self.tokens:
                    await self._compute_anew(decoder, held)
                result = await run(decoder)
            except DeviceLost as error:
                self._note_loss(error)
                continue
            self.tokens = [*held, *tokens]
            return result

    async def _compute_anew(self, decoder: Decoder, tokens: Sequence[int]) -> None:
        for piece in prefill(tokens, 0, first_alone=self.description.first_token_alone):
            await decoder.advance(piece.tokens, piece.past)
        self.tokens = list(tokens)

    def _note_loss(self, error: DeviceLost) -> None:
        """Forget the lost session; raises the error when no device is left to try."""
        self._decoder, self.tokens = None, []
        self._losses[self.device] = self._losses.get(self.device, 0) + 1
        log.warning("session of %s on %s lost: %s", self.description.id, self.device, error.message)
        if self._losses[self.device] < MAX_LOSSES:
            return
        if self.device == "wasm":
            self._losses.clear()
            raise error
        self._unsound.add(self.device)

    async def _open(self) -> Decoder:
        failure = ModelError("model_unavailable", f"no device for {self.description.id}")
        for device in self._devices or await self._decoders.devices():
            if device in self._unsound or not self.description.files_on(device):
                continue
            self.device = device
            try:
                decoder = await self._decoders.open(self._model_id, device)
            except DeviceLost:
                raise
            except ModelError as error:
                log.warning("%s does not open on %s: %s", self.description.id, device, error.message)
                failure = error
                self._unsound.add(device)
                continue
            if device == "wasm" or await is_sound(decoder, self.description):
                return decoder
            log.warning("%s fails its self-test on %s", self.description.id, device)
            self._unsound.add(device)
            await decoder.close()
        self._unsound.clear()
        raise failure


async def is_sound(decoder: Decoder, description: LocalModelDescription) -> bool:
    """Whether the decoder computes what it should; leaves its cache in use."""
    test = description.self_test
    if test is None:
        tokens = list(decoder.encode(SENTENCE))
        forwards = await decoder.score(tokens, 0)
        backwards = await decoder.score(tokens[::-1], 0)
        return bool(np.mean(forwards) > np.mean(backwards))  # of NaN, nothing is greater
    n = len(test.logits)
    top = await decoder.top(test.tokens, 0, k=n, allow=range(n))
    logits = np.zeros(n, np.float64)
    logits[top.tokens] = top.logits
    stored = np.array(test.logits, np.float64)
    length = float(np.linalg.norm(logits) * np.linalg.norm(stored))
    return length > 0 and float(logits @ stored) >= MIN_COSINE * length
