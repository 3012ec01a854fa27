"""A language model that is stepped token by token on this machine."""

from collections.abc import Sequence
from typing import Protocol

from tabwise.core.llm.description import LocalModelDescription
from tabwise.core.llm.sampling import FloatVector, IntVector, TopTokens
from tabwise.core.llm.vocabulary import Vocabulary


class Decoder(Protocol):
    """A causal language model in a session that keeps what it computed of a text; one call at a time.

    `past` says behind how many of the tokens it holds to go on; what stood there is forgotten. All calls
    raise ModelError (model_unavailable, model_out_of_memory), DeviceLost.
    """

    def encode(self, text: str) -> Sequence[int]:
        """Tokens of `text`; control tokens in it are read as such, none are added."""
        ...

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens; half a character at the end comes as U+FFFD."""
        ...

    def vocabulary(self) -> Vocabulary:
        """The text of every token."""
        ...

    async def advance(self, tokens: Sequence[int], past: int) -> None:
        """Compute tokens and keep them."""
        ...

    async def top(
        self, tokens: Sequence[int], past: int, *, k: int, allow: Sequence[int] | None = None
    ) -> TopTokens:
        """Compute tokens and return the k likeliest next ones, of `allow` alone if given.

        For k = 1 without `allow` the one that is returned is likely to be computed next.
        """
        ...

    async def verify(self, tokens: Sequence[int], past: int) -> IntVector:
        """Compute tokens and return the likeliest next token behind each, (n,) int32, ties by number."""
        ...

    async def score(self, tokens: Sequence[int], past: int) -> FloatVector:
        """Compute tokens and return log P of each but the first, (n - 1,) float32."""
        ...

    async def memory_bytes(self) -> int:
        """Memory of all models in use, 0 if unknown."""
        ...

    async def close(self) -> None:
        """Let go of the session."""
        ...


class Decoders(Protocol):
    """The language models whose files are on this machine."""

    async def describe(self, model_id: str) -> LocalModelDescription:
        """What is known of a model, "bundled" or "catalogue:<id>"; raises ModelError model_unavailable."""
        ...

    async def devices(self) -> Sequence[str]:
        """Where models can run, the fastest first."""
        ...

    async def open(self, model_id: str, device: str) -> Decoder:
        """Load a model; raises ModelError (model_unavailable, model_out_of_memory), DeviceLost."""
        ...
