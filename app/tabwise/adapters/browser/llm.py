"""Decoders in the model worker: text is cut into tokens here, sessions and caches are there.

"bundled" is packaged with the extension; "catalogue:<id>" is stored in the browser's own file system. When a
session runs out of memory the whole worker is ended, for WebAssembly gives none back, and the error says so.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tabwise.adapters.browser import bridge
from tabwise.core.llm.description import LocalModelDescription
from tabwise.core.llm.sampling import FloatVector, IntVector, TopTokens
from tabwise.core.llm.vocabulary import Vocabulary, token_texts
from tabwise.core.text.bounded_json import read_json
from tabwise.errors import ModelError

BUNDLED_PLACE = "packaged:smollm2"


class BrowserDecoders:
    """Implements ports.Decoders."""

    async def describe(self, model_id: str) -> LocalModelDescription:
        """What is known of a model; raises ModelError model_unavailable."""
        try:
            return LocalModelDescription.of(
                read_json(await bridge.model_text(_place(model_id), "model.json"))
            )
        except ValueError as error:
            raise ModelError("model_unavailable", f"{model_id}: {error}") from error

    async def devices(self) -> Sequence[str]:
        """Where models can run, the fastest first."""
        about = cast(dict[str, Any], await bridge.model_ask("about"))
        return tuple(about["devices"])

    async def open(self, model_id: str, device: str) -> "BrowserDecoder":
        """Load a model; raises ModelError (model_unavailable, model_out_of_memory), DeviceLost."""
        place = _place(model_id)
        files = (await self.describe(model_id)).files_on(device)
        tokenizer = await bridge.open_tokenizer(place)
        try:
            opened = cast(
                dict[str, Any], await bridge.model_ask("open", place=place, files=files, device=device)
            )
        except ModelError as error:
            raise _after_restart(error) from error
        return BrowserDecoder(place, opened["decoder"], tokenizer)


class BrowserDecoder:
    """Implements ports.Decoder."""

    def __init__(self, place: str, number: int, tokenizer_json: str) -> None:
        self._place = place
        self._number = number
        self._tokenizer_json = tokenizer_json

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of `text`; control tokens in it are read as such."""
        return bridge.model_encode(self._place, text)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return bridge.model_decode(self._place, np.array(tokens, np.int32))

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(token_texts(read_json(self._tokenizer_json)))

    def vocabulary(self) -> Vocabulary:
        """The text of every token; the first call takes a moment."""
        return self._vocabulary

    async def advance(self, tokens: Sequence[int], past: int) -> None:
        """Compute tokens and keep them."""
        await self._run(tokens, past, want="nothing")

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        """Compute tokens and return the k likeliest next ones."""
        allowed = None if allow is None else np.array(sorted(allow), np.int32)
        reply = await self._run(tokens, past, want="top", k=k, allow=allowed)
        return TopTokens(reply["tokens"].astype(np.int32), reply["logits"].astype(np.float32))

    async def verify(self, tokens: Sequence[int], past: int) -> IntVector:
        """Compute tokens and return the likeliest next token behind each."""
        reply = await self._run(tokens, past, want="verify")
        return reply["tokens"].astype(np.int32)

    async def score(self, tokens: Sequence[int], past: int) -> FloatVector:
        """Compute tokens and return log P of each but the first."""
        reply = await self._run(tokens, past, want="score")
        return reply["scores"].astype(np.float32)

    async def memory_bytes(self) -> int:
        """What WebAssembly holds in the model worker, the embedder included; 0 when it does not answer."""
        try:
            about = cast(dict[str, Any], await bridge.model_ask("about"))
        except ModelError:
            return 0
        return int(about["heap_bytes"])

    async def close(self) -> None:
        """End the worker: a session that is released leaves its memory taken."""
        bridge.restart_models()

    async def _run(
        self,
        tokens: Sequence[int],
        past: int,
        *,
        want: str,
        k: int = 0,
        allow: npt.NDArray[np.int32] | None = None,
    ) -> dict[str, npt.NDArray[np.generic]]:
        try:
            return await bridge.model_run(
                np.array(tokens, np.int32), allow, decoder=self._number, past=past, want=want, k=k
            )
        except ModelError as error:
            raise _after_restart(error) from error


def _after_restart(error: ModelError) -> ModelError:
    if error.code == "model_out_of_memory":
        bridge.restart_models()
    return error


def _place(model_id: str) -> str:
    kind, _, name = model_id.partition(":")
    return BUNDLED_PLACE if kind == "bundled" else f"stored:{name}"
